// Prompts as templates in files, one a prompt: those of the package (prompts) and a
// researcher's in their place. A template has slots ({question}), may be answered in tags, as the
// papers' are, or in JSON with names of its own, and says how many examples it shows.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AsOfError } from '../errors.js';
import { suggestion } from '../runtime/nearestName.js';
import { installedFile } from '../runtime/installation.js';
import { createHash } from '../runtime/digest.js';

/** Names of the prompts, each with its slots beside those of its examples. */
const slotsOf = {
  question: ['question'],
  keywords: ['question'],
  summary: ['question', 'passage', 'title', 'text'],
  facts: ['question', 'passages'],
  direct: ['question', 'asked', 'time', 'shown', 'examples'],
  chainOfThought: ['question', 'asked', 'time', 'shown', 'examples'],
  concatenated: ['question', 'asked', 'time', 'shown', 'passages', 'examples'],
  combinedReading: ['question', 'asked', 'time', 'shown', 'passages', 'examples'],
  relevance: ['question', 'passage'],
  independentReading: ['question', 'passage'],
  // Of @asof/evaluation and @asof/training.
  judgeIntent: ['question', 'asked', 'shown'],
  judgeRelevance: ['question', 'asked', 'shown', 'focus', 'wanted', 'document', 'text'],
  judgeEvidence: ['question', 'asked', 'shown', 'focus', 'periods', 'document', 'text'],
  judgeCoverage: ['question', 'answer', 'reference'],
  judgeQuality: ['question', 'asked', 'shown', 'plan', 'documents'],
  tempoIntent: ['question'],
  tempoRelevance: ['question', 'focus', 'text'],
  tempoEvidence: ['question', 'focus', 'baseline', 'comparison', 'text'],
  tempoQuery: ['question'],
  tempoPassage: ['question', 'document', 'text'],
  tempoNegatives: ['question'],
  tempoAnswer: ['question'],
  tempoGrounded: ['question', 'passages'],
  tempoReformulation: ['question'],
  re2Passages: ['records'],
  re2Question: ['entity', 'metric', 'value', 'date', 'shown'],
  mined: ['entity', 'sentence', 'time'],
} as const satisfies Record<string, readonly string[]>;
export type PromptName = keyof typeof slotsOf;
export const promptNames = Object.keys(slotsOf) as PromptName[];

/** How an answer is read that is no JSON of the schema's own names. */
export interface AnswerFormat {
  /** Field of the schema by tag: { Keywords: 'keywords' }; the prompt ends in an open tag. */
  tags: Readonly<Record<string, string>>;
  /** Field by the name that the prompt asks for; `plus` is added to its number. */
  names: Readonly<Record<string, { field: string; plus: number }>>;
}

/** A template as its file has it. */
export interface PromptTemplate {
  system?: string | undefined;
  prompt: string;
  /** One example, with the slots number, shown, question, passages, reasoning, answer, json. */
  example?: string | undefined;
  /** Shown where a caller gives none. */
  examples: string;
  /** Most examples of a caller's that are shown. */
  most: number;
  format?: AnswerFormat | undefined;
}

/** Templates by name; those that are absent are the package's. */
export type PromptTemplates = { readonly [name in PromptName]?: PromptTemplate | undefined };

/**
 * A model with the templates in a folder, NAME.txt each, in place of some of the package's: its
 * answers are others, and so is its id.
 * @throws AsOfError ERR_NOT_FOUND for a folder without any; ERR_INVALID_INPUT for a file of another
 * name, an unknown slot or a malformed head
 */
export function withPrompts<Model extends { readonly id: string }>(
  model: Model,
  folder: string,
): Model {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => /\.txt$/.test(file)) : [];
  if (files.length === 0) {
    const message = `Expected a folder with prompts, NAME.txt, at ${folder}, found none.`;
    throw new AsOfError('ERR_NOT_FOUND', message, { details: { folder } });
  }
  const templates = Object.fromEntries(
    files.map((file) => [basename(file, '.txt'), read(join(folder, file))]),
  );
  const digest = createHash('sha256').update(JSON.stringify(templates)).digest('hex');
  const id = `${model.id} prompts ${digest.slice(0, 8)}`;
  // Methods of a class are its prototype's.
  const own = Object.create(Object.getPrototypeOf(model) as object) as Model;
  return Object.assign(own, model, { id, templates });
}

const cache = new Map<PromptName, PromptTemplate>();

/** The template of a prompt: the model's, else the package's. */
export function promptTemplate(
  name: PromptName,
  given: PromptTemplates | undefined,
): PromptTemplate {
  const own = given?.[name] ?? cache.get(name) ?? read(installedFile(`prompts/${name}.txt`));
  if (!given?.[name]) cache.set(name, own);
  return own;
}

/** System, prompt and answer format of a template with its slots filled. */
export function filledPrompt(
  name: PromptName,
  given: PromptTemplates | undefined,
  slots: Readonly<Record<string, string>>,
): { system?: string; prompt: string; format?: AnswerFormat } {
  const { system, prompt, examples, format } = promptTemplate(name, given);
  const all = { examples, ...slots };
  return {
    ...(system === undefined ? {} : { system: fill(system, all).trimEnd() }),
    prompt: fill(prompt, all),
    ...(format ? { format } : {}),
  };
}

const slot = /\{([a-z][A-Za-z]*)\}/g;

export const fill = (text: string, slots: Readonly<Record<string, string>>): string =>
  text.replace(slot, (whole, name: string) => slots[name] ?? whole);

const exampleSlots = ['number', 'shown', 'question', 'passages', 'reasoning', 'answer', 'json'];

function read(path: string): PromptTemplate {
  const name = basename(path, '.txt') as PromptName;
  const invalid = (expected: string, received: string): AsOfError =>
    new AsOfError('ERR_INVALID_INPUT', `${path}: Expected ${expected}, received ${received}.`, {
      details: { file: path },
    });
  if (!promptNames.includes(name))
    throw invalid(`a prompt named ${promptNames.join(', ')}`, name + suggestion(name, promptNames));
  const text = readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
  const [head, body] = /^(?:[\w+ ]+[:=].*\n)+---\n/.test(text)
    ? [text.slice(0, text.indexOf('---\n')), text.slice(text.indexOf('---\n') + 4)]
    : ['', text];
  const parts = new Map<string, string>();
  const marked = body.startsWith('=== ') ? body : `=== prompt\n${body}`;
  for (const part of marked.split(/^=== (?=\w+\n)/m).slice(1)) {
    const at = part.indexOf('\n');
    parts.set(part.slice(0, at), part.slice(at + 1).replace(/\n$/, ''));
  }
  const other = [...parts.keys()].find((each) => !sections.includes(each));
  if (other !== undefined) throw invalid(`sections ${sections.join(', ')}`, other);
  const prompt = parts.get('prompt');
  if (prompt === undefined) throw invalid('a section prompt', 'none');
  for (const [section, part] of parts)
    for (const [, named] of part.matchAll(slot)) {
      const known: readonly string[] = section === 'example' ? exampleSlots : slotsOf[name];
      if (section !== 'examples' && !known.includes(named!))
        throw invalid(`slots ${known.join(', ')} in ${section}`, `{${named}}`);
    }
  const tags: Record<string, string> = {};
  const names: Record<string, { field: string; plus: number }> = {};
  let most = Infinity;
  for (const line of head.split('\n').filter((each) => each.trim() !== '')) {
    const [, kind, value] = /^(\w+): *(.*?) *$/.exec(line) ?? [];
    const [, from, plus, field] = /^(\w+)(?: *\+ *(\d+))? *= *(\w+)$/.exec(value ?? '') ?? [];
    if (kind === 'examples' && /^\d+$/.test(value!)) most = Number(value);
    else if (kind === 'tag' && field) tags[from!] = field;
    else if (kind === 'json' && field) names[from!] = { field, plus: Number(plus ?? 0) };
    else throw invalid('lines examples: N, tag: TAG = FIELD or json: NAME = FIELD', line);
  }
  const isOwn = Object.keys({ ...tags, ...names }).length > 0;
  const [system, example, examples = ''] = ['system', 'example', 'examples'].map((each) =>
    parts.get(each),
  );
  return { system, prompt, example, examples, most, format: isOwn ? { tags, names } : undefined };
}

const sections = ['system', 'prompt', 'example', 'examples'];
