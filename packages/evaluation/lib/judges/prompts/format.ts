// Questions, documents and few-shot examples as text of the judges' prompts.
import { parseAskedAt } from 'asof/kit';
import { formatDay, parseInstant } from 'asof/time';
import type { JudgeDocument, JudgeQuestion } from '../judgement.js';

/** Maximum length of a document in the published code, in UTF-16 units. */
export const documentLength = 2000;

export function questionLines({ text, askedAt }: JudgeQuestion): string {
  const asked = askedAt === undefined ? '' : `\nAsked on: ${formatDay(parseAskedAt(askedAt))}`;
  return `Question: ${text.trim()}${asked}`;
}

/** `Title (published 2021-05-06)`, then the text up to `length`. */
export function documentLines({ title, text, publishedAt }: JudgeDocument, length: number): string {
  const dated =
    publishedAt === undefined
      ? ''
      : ` (published ${formatDay(parseInstant(publishedAt, 'start'))})`;
  const shown = text.trim();
  return `Document:${title === undefined ? '' : ` ${title}`}${dated}\n${shown.length > length ? `${shown.slice(0, length)} [cut]` : shown}`;
}

/** Reason of a judgement, bounded so that a small model reaches its verdict. */
export const reasonField = { type: 'string', maxLength: 400 };

/** Few-shot examples: an input and the expected JSON. */
export function formatExamples(...pairs: readonly [given: string, answer: object][]): string {
  return pairs.map(([given, answer]) => `${given}\nJSON: ${JSON.stringify(answer)}`).join('\n\n');
}
