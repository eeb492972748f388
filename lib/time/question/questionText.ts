// The text of a question: its limits, and the part of a long one that is read.
import { AsOfError, invalidArgument } from '../../errors.js';

/**
 * UTF-16 units that rules read of a question. Longer texts are pasted documents with the question
 * at their end. Rules look around every word, and some at all that is before it: over a bounded
 * part, their time is linear in the text.
 */
export const questionWindow = 4000;

/**
 * Longest question in UTF-16 units, of every system. Reading takes time that is linear in the text;
 * the limit bounds the memory and the terms of what a client sends.
 */
export const maxQuestionLength = 20_000;

/** @throws AsOfError ERR_INVALID_ARGUMENT for what is no string, and for one that is too long */
export function checkQuestionText(text: unknown): asserts text is string {
  if (typeof text !== 'string')
    throw invalidArgument(
      'question.text',
      'a question in words',
      text,
      'Ask in words, such as "Who led the company in 2004?".',
    );
  if (text.length <= maxQuestionLength) return;
  const [most, received] = [maxQuestionLength, text.length].map((n) => n.toLocaleString('en-US'));
  throw new AsOfError(
    'ERR_INVALID_ARGUMENT',
    `Expected question.text to have at most ${most} UTF-16 units, received ${received}. ` +
      'Ask in fewer words, and add longer texts to the corpus as passages.',
    { details: { argument: 'question.text', length: text.length, most: maxQuestionLength } },
  );
}

/** Start of the parsed part: 0, or after the first blank of the last `questionWindow` units. */
export function questionStart(text: string): number {
  if (text.length <= questionWindow) return 0;
  const from = text.length - questionWindow;
  const blank = text.slice(from).search(/\s\S/);
  return blank < 0 ? from : from + blank + 1;
}

/** The part of a question's text that rules read: all, or the end of a long one. */
export const questionEnd = (text: string): string => text.slice(questionStart(text));
