// JSON answers of a language model: extraction from its text, validation against the schema, and
// one repair request. Nothing is repaired locally, since a guess would pass for the model's answer.
import { throwIfAborted } from '../errors.js';
import { schemaFaults } from './jsonSchema.js';
import { renamedValue, taggedValue } from './answerFormat.js';
import type { AnswerFormat } from './promptTemplates.js';
import {
  checkSchema,
  generateText,
  modelFailed,
  type GenerateRequest,
  type Generation,
  type JsonSchema,
  type TextModel,
  type TokenUsage,
} from './textModel.js';

/** A JSON value that a language model answered with, checked against its schema. */
export interface JsonGeneration<T> {
  /** Fits the schema. */
  value: T;
  /** Whether a second (repair) request was needed. */
  repaired: boolean;
  /** Sum over all requests. */
  usage?: TokenUsage;
}

/** A page of opening brackets costs no more than a page. */
const maxStarts = 64;
/** Characters of an invalid answer in the repair prompt and in an error's details. */
const shownCharacters = 4000;
const shownFaults = 5;

/**
 * JSON that fits `schema`: the whole answer, a fenced block or within prose; the first that fits
 * counts. After one that does not, one repair request names the fault and the schema.
 * @throws AsOfError as `generateText`; ERR_INVALID_ARGUMENT for an invalid schema; ERR_MODEL_FAILED
 * if the second answer does not fit either, with details { model, faults, text, usage? }: the
 * faults of both answers, the text of the second
 */
export async function generateJson<T = unknown>(
  model: TextModel,
  { format, ...request }: Omit<GenerateRequest, 'jsonSchema'> & { format?: AnswerFormat },
  schema: JsonSchema,
  onText?: (text: string) => void,
): Promise<JsonGeneration<T>> {
  checkSchema(schema, 'schema');
  // A template's own form is no schema's.
  const sent = format ? request : { ...request, jsonSchema: schema };
  const first = await generateText(model, sent, onText);
  const read = readJsonAnswer(first.text, schema, format);
  if ('value' in read)
    return {
      value: read.value as T,
      repaired: false,
      ...(first.usage ? { usage: first.usage } : {}),
    };
  throwIfAborted(request.signal);

  const prompt = `${request.prompt}\n\n${repairPrompt(first.text, read.fault, format ? undefined : schema)}`;
  const second = await generateText(model, { ...sent, prompt }, onText);
  const usage = bothUsages(first, second);
  const again = readJsonAnswer(second.text, schema, format);
  if ('value' in again)
    return { value: again.value as T, repaired: true, ...(usage ? { usage } : {}) };
  const message =
    `Expected the model ${model.id} to return JSON that fits the schema within two requests, ` +
    `received ${again.fault}.`;
  throw modelFailed(
    model,
    `${message} Describe the answer in the prompt, allow more tokens, or use a stronger model.`,
    {
      faults: [read.fault, again.fault],
      text: second.text.slice(0, shownCharacters),
      ...(usage ? { usage } : {}),
    },
  );
}

/** The first JSON value that fits the schema, or the fault, to follow "received". */
export function readJsonAnswer(
  text: string,
  schema: JsonSchema,
  format?: AnswerFormat,
): { value: unknown } | { fault: string } {
  const faultsOf = schemaFaults(schema, 'the value');
  const tagged = format && taggedValue(text, format, schema);
  if (tagged && [...faultsOf(tagged)].length === 0) return { value: tagged };
  let fault: { length: number; words: string } | undefined;
  for (const piece of piecesOfJson(text)) {
    const value = format ? renamedValue(piece.value, format, schema) : piece.value;
    const faults = [...faultsOf(value)].slice(0, shownFaults);
    if (faults.length === 0) return { value };
    const words = faults.map(({ message }) => message.replace(/\.$/, '')).join('; ');
    if (!fault || piece.length > fault.length) fault = { length: piece.length, words };
  }
  if (fault) return { fault: `JSON that does not fit: ${fault.words}` };
  if (text.trim() === '') return { fault: 'an empty answer' };
  return { fault: /[[{]/.test(text) ? 'JSON that is broken or cut off' : 'text without JSON' };
}

function* piecesOfJson(answer: string): Generator<{ value: unknown; length: number }> {
  // Reasoning before the answer may quote JSON that is not the answer.
  const text = answer.replace(/^\s*<think>[^]*?<\/think>/, '').trim();
  const whole = parsed(text);
  if (whole) {
    yield { ...whole, length: text.length };
    return;
  }
  for (const [, inside] of text.matchAll(/```[\w-]*[^\S\n]*\n([^]*?)```/g)) {
    const fenced = parsed(inside!);
    if (fenced) yield { ...fenced, length: inside!.length };
  }
  const opening = /[[{]/g;
  for (let tried = 0; tried < maxStarts; tried += 1) {
    const start = opening.exec(text);
    if (!start) return;
    const end = closingOf(text, start.index);
    const embedded = end === undefined ? undefined : parsed(text.slice(start.index, end));
    if (!embedded) continue;
    yield { ...embedded, length: end! - start.index };
    opening.lastIndex = end!;
  }
}

/** After the bracket that closes the one at `start`, strings skipped. */
function closingOf(text: string, start: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function repairPrompt(answer: string, fault: string, schema: JsonSchema | undefined): string {
  const shown =
    answer.length > shownCharacters ? `${answer.slice(0, shownCharacters)} [cut]` : answer;
  return [
    'You answered this before:',
    shown,
    `That answer was refused: it is ${fault}.`,
    ...(schema
      ? [
          'Answer again, with one JSON value and nothing else. It must fit this JSON Schema:',
          JSON.stringify(schema),
        ]
      : ['Answer again, in the form that was asked for.']),
  ].join('\n');
}

function bothUsages(first: Generation, second: Generation): TokenUsage | undefined {
  if (!first.usage && !second.usage) return undefined;
  const sum = (name: keyof TokenUsage): TokenUsage => {
    const counts = [first.usage?.[name], second.usage?.[name]];
    return counts.every((count) => count === undefined)
      ? {}
      : { [name]: (counts[0] ?? 0) + (counts[1] ?? 0) };
  };
  return { ...sum('inputTokens'), ...sum('outputTokens') };
}
