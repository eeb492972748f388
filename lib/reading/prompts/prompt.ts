// What the prompts of the readers share: their shape, how a question with its time is put to a
// model, and how passages are shown. Each prompt has a file of its own that says what it asks for;
// the paper's (MRAG appendix Q) are matched in purpose, not in words.
import type { JsonSchema } from '../../text/textModel.js';
import type { Constraint, ParsedQuestion } from '../../time/constraint.js';
import { formatDay, formatInstant } from '../../time/instant.js';
import { jointConstraint } from '../../time/question/jointConstraint.js';
import { parseQuestion } from '../../time/question/question.js';
import { toWallClock } from '../../time/timeZone.js';
import type { ReadablePassage, ReaderExample } from '../answer.js';
import { fitPassages } from '../context.js';

/** A request and the JSON that is to come back. */
export interface AnswerPrompt {
  system: string;
  prompt: string;
  schema: JsonSchema;
  maxTokens: number;
}

/** What the answering prompts ask for. */
export interface ShortAnswer {
  reasoning?: string;
  /** Empty where the passages do not tell. */
  answer: string;
  /** Numbers of the passages it rests on. */
  evidence?: number[];
}

/** Fields stand in the order in which a model should write them: reasons first. */
export function answerSchema(
  fields: Record<string, JsonSchema>,
  required: readonly string[],
): JsonSchema {
  return { type: 'object', properties: fields, required };
}

export const textField: JsonSchema = { type: 'string' };
export const numbersField: JsonSchema = { type: 'array', items: { type: 'integer' } };

const sentences = (...lines: (string | undefined)[]): string =>
  lines.filter((line) => line !== undefined).join('\n');

/** The question, the day it is asked and what its constraint admits. */
export function questionBlock(question: ParsedQuestion): string {
  return sentences(
    `Question: ${question.text.trim()}`,
    `Asked on: ${formatDay(question.askedAt, question.timeZone)}`,
    timeLine(jointConstraint(question), question.timeZone),
  );
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
export function heading(
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

/** Examples as a model sees them: what it is given, then the JSON it should give. */
export function examples(...pairs: readonly [given: string, answer: object][]): string {
  return pairs
    .map(([given, answer], at) => `Example ${at + 1}\n${given}\nJSON: ${JSON.stringify(answer)}`)
    .join('\n\n');
}

/** A prompt that asks for the answer, whose examples the caller may replace. */
export interface AnsweringPrompt extends Pick<AnswerPrompt, 'schema' | 'maxTokens'> {
  instructions: string;
  examples: string;
}

/** The request for the answer to a question, from passages where there are some to show. */
export function answeringRequest(
  { instructions, examples: own, schema, maxTokens }: AnsweringPrompt,
  question: ParsedQuestion,
  passages: readonly ReadablePassage[] | undefined,
  given: readonly ReaderExample[] | undefined,
): AnswerPrompt {
  const fields = Object.keys(schema['properties'] as object);
  const few = given ? examples(...given.map((each) => examplePair(each, fields, question))) : own;
  return {
    system: few === '' ? instructions : `${instructions}\n\n${few}`,
    prompt: `${shownBlock(question, passages)}\nJSON:`,
    schema,
    maxTokens,
  };
}

function shownBlock(
  question: ParsedQuestion,
  passages: readonly ReadablePassage[] | undefined,
): string {
  return `${passages?.length ? `${passagesBlock(passages)}\n\n` : ''}${questionBlock(question)}`;
}

/** What an example shows, and the fields of its answer that the prompt asks for. */
function examplePair(
  { question, askedAt, passages = [], reasoning, answer }: ReaderExample,
  fields: readonly string[],
  read: ParsedQuestion,
): [given: string, answer: object] {
  const withPassages = fields.includes('evidence');
  const parsed = parseQuestion({ text: question, askedAt: askedAt ?? read.askedAt });
  const named = passages.flatMap(({ text }, at) =>
    answer !== '' && text.toLowerCase().includes(answer.toLowerCase()) ? [at + 1] : [],
  );
  return [
    shownBlock(parsed, withPassages ? passages.map((each) => ({ id: '', ...each })) : undefined),
    {
      ...(reasoning !== undefined && fields.includes('reasoning') ? { reasoning } : {}),
      answer,
      ...(withPassages ? { evidence: named } : {}),
    },
  ];
}
