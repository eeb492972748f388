// Prompts of the readers: what fills their templates (prompts/), how a question with its time
// is put to a model, and how passages are shown. The paper's (MRAG appendix Q) are matched in
// purpose, not in words.
import {
  fill,
  filledPrompt,
  promptTemplate,
  type AnswerFormat,
} from '../../text/promptTemplates.js';
import type { JsonSchema, TextModel } from '../../text/textModel.js';
import type { Constraint, ParsedQuestion } from '../../time/constraint.js';
import { formatDay, formatInstant } from '../../time/instant.js';
import { jointConstraint } from '../../time/question/jointConstraint.js';
import { parseQuestion } from '../../time/question/question.js';
import { toWallClock } from '../../time/timeZone.js';
import type { ReadablePassage, ReaderExample } from '../answer.js';
import { fitPassages } from '../context.js';

/** A request and the JSON that is to come back. */
export interface AnswerPrompt {
  system?: string;
  prompt: string;
  schema: JsonSchema;
  maxTokens: number;
  format?: AnswerFormat;
}

/** What the answering prompts ask for. */
export interface ShortAnswer {
  reasoning?: string;
  /** Empty where the passages do not tell. */
  answer: string;
  /** Numbers of the passages it rests on. */
  evidence?: number[];
}

function timeLine(constraint: Constraint, timeZone: string | undefined): string {
  const { window, condition, clock } = constraint;
  const what = clock === 'published' ? 'what was published' : 'what held or happened';
  const order =
    condition === 'none'
      ? ''
      : ` Of several, the ${condition === 'first' || condition === 'earliest' ? 'earliest' : 'latest'} is wanted.`;
  if (!window)
    return `Time: ${constraint.interval ? `around ${spoken(constraint.interval, timeZone)}` : 'as things stood on the day of asking'}.${order}`;
  return `Time: only ${what} ${spoken(window, timeZone)} counts.${order}`;
}

/** A half-open stretch in words, with the days that it has. */
function spoken(
  { start, end }: { start: number; end: number },
  timeZone: string | undefined,
): string {
  const last = formatDay(end - 1, timeZone);
  if (start === -Infinity) return end === Infinity ? 'at any time' : `on ${last} or before`;
  const first = formatDay(start, timeZone);
  if (end === Infinity) return `on ${first} or after`;
  return first === last ? `on ${first}` : `from ${first} to ${last}`;
}

/**
 * Passages with their numbers, titles and clocks, each under a line of its own; texts are cut to
 * `characters` together.
 */
export function passagesBlock(passages: readonly ReadablePassage[], characters = Infinity): string {
  return fitPassages(passages, characters)
    .map((passage, at) => `${heading(passage, at + 1)}\n${passage.text.trim()}`)
    .join('\n\n');
}

/** `[2] Title (published 2021-05-06, valid from 2021-05-01 to 2021-05-31)`. */
function heading(
  { title, publishedAt, validFrom, validTo, timeZone }: ReadablePassage,
  number: number,
): string {
  const validity =
    validFrom === undefined && validTo === undefined
      ? []
      : [`valid ${spoken({ start: validFrom ?? -Infinity, end: validTo ?? Infinity }, timeZone)}`];
  const clocks = [
    ...(publishedAt === undefined ? [] : [`published ${shortest(publishedAt, timeZone)}`]),
    ...validity,
  ];
  return `[${number}]${title === undefined ? '' : ` ${title}`}${clocks.length > 0 ? ` (${clocks.join(', ')})` : ''}`;
}

const shortest = (instant: number, timeZone: string | undefined): string =>
  toWallClock(instant, timeZone) % 86_400_000 === 0
    ? formatDay(instant, timeZone)
    : formatInstant(instant, 'minute');

const fields = {
  answer: { type: 'string' },
  reasoning: { type: 'string' },
  evidence: { type: 'array', items: { type: 'integer' } },
  relevant: { type: 'boolean' },
  statement: { type: 'string' },
} as const;
type Field = keyof typeof fields;
/** Fields of the answer, the last required but for evidence, and its longest in tokens. */
const answerOf = {
  direct: [100, 'answer'],
  chainOfThought: [400, 'reasoning', 'answer'],
  concatenated: [150, 'answer', 'evidence'],
  combinedReading: [300, 'reasoning', 'answer', 'evidence'],
  relevance: [150, 'reasoning', 'relevant'],
  independentReading: [200, 'statement'],
} as const satisfies Record<string, readonly [number, ...Field[]]>;
type Templated = Pick<TextModel, 'templates'>;

function filled(
  name: keyof typeof answerOf,
  { templates }: Templated,
  slots: Readonly<Record<string, string>>,
): AnswerPrompt {
  const [maxTokens, ...names] = answerOf[name];
  const properties = Object.fromEntries(names.map((each) => [each, fields[each]]));
  const required = [names.filter((each) => each !== 'evidence').at(-1)];
  const schema = { type: 'object', properties, required };
  return { ...filledPrompt(name, templates, slots), schema, maxTokens };
}

/**
 * The request for the answer to a question: from what the model knows, with the reasons first
 * (`chainOfThought`), from passages in one prompt (`concatenated`), from what was noted of each
 * (`combinedReading`).
 */
export function answeringPrompt(
  name: 'direct' | 'chainOfThought' | 'concatenated' | 'combinedReading',
  model: Templated,
  question: ParsedQuestion,
  passages?: readonly ReadablePassage[],
  given?: readonly ReaderExample[],
): AnswerPrompt {
  const { example = '', most } = promptTemplate(name, model.templates);
  const few = given
    ?.slice(0, most)
    .map((each, at) => fill(example, exampleSlots(each, at + 1, answerOf[name], question)));
  const slots = questionSlots(question, passages);
  return filled(name, model, few ? { ...slots, examples: few.join('\n\n') } : slots);
}

/**
 * Whether one passage tells what a question without its time asks (`relevance`), or what it states
 * with its dates (`independentReading`): MRAG appendix Q.
 */
export const passagePrompt = (
  name: 'relevance' | 'independentReading',
  model: Templated,
  question: string,
  passage: ReadablePassage,
): AnswerPrompt => filled(name, model, { question, passage: passagesBlock([passage]) });

export interface Relevance {
  reasoning?: string;
  relevant: boolean;
}

export interface PassageReading {
  /** One or two sentences; empty where the passage has no answer. */
  statement: string;
}

function questionSlots(
  question: ParsedQuestion,
  passages: readonly ReadablePassage[] | undefined,
): Record<string, string> {
  const block = passages?.length ? passagesBlock(passages) : '';
  const text = question.text.trim();
  const asked = formatDay(question.askedAt, question.timeZone);
  const time = timeLine(jointConstraint(question), question.timeZone);
  const shown = [...(block ? [block, ''] : []), `Question: ${text}`, `Asked on: ${asked}`, time];
  return { question: text, asked, time, passages: block, shown: shown.join('\n') };
}

/** What an example shows, and the fields of its answer that the prompt asks for. */
function exampleSlots(
  { question, askedAt, passages = [], reasoning, answer }: ReaderExample,
  number: number,
  fields: readonly unknown[],
  read: ParsedQuestion,
): Record<string, string> {
  const withPassages = fields.includes('evidence');
  const parsed = parseQuestion({ text: question, askedAt: askedAt ?? read.askedAt });
  const evidence = passages.flatMap(({ text }, at) =>
    answer !== '' && text.toLowerCase().includes(answer.toLowerCase()) ? [at + 1] : [],
  );
  const shown = withPassages ? passages.map((each) => ({ id: '', ...each })) : undefined;
  const said = {
    ...(reasoning !== undefined && fields.includes('reasoning') ? { reasoning } : {}),
    answer,
    ...(withPassages ? { evidence } : {}),
  };
  return {
    ...questionSlots(parsed, shown),
    number: String(number),
    reasoning: reasoning ?? '',
    answer,
    json: JSON.stringify(said),
  };
}
