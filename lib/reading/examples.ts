// Few-shot examples of the reader's prompts, as a caller gives them.
import { checkOptionNames, invalidArgument } from '../errors.js';
import { parseQuestion } from '../time/question/question.js';
import type { ReaderExample } from './answer.js';

/** Most examples of a prompt. */
export const mostExamples = 50;

/** Throws ERR_INVALID_ARGUMENT for what is no example. */
export function checkReaderExample(example: ReaderExample, at: number): void {
  const name = `read.examples[${at}]`;
  const isText = (value: unknown): boolean => typeof value === 'string';
  if (typeof example !== 'object' || example === null || !isText(example.answer))
    throw invalidArgument(name, 'an example { question, answer, ... }', example);
  checkOptionNames(name, example, ['question', 'askedAt', 'passages', 'reasoning', 'answer']);
  const { question, askedAt, passages = [], reasoning = '' } = example;
  parseQuestion(askedAt === undefined ? { text: question } : { text: question, askedAt });
  if (!isText(reasoning)) throw invalidArgument(`${name}.reasoning`, 'a text', reasoning);
  const isPassage = (each: unknown): boolean => {
    const { title = '', text } = (each ?? {}) as { title?: unknown; text?: unknown };
    return isText(title) && isText(text);
  };
  if (!Array.isArray(passages) || !passages.every(isPassage))
    throw invalidArgument(`${name}.passages`, 'a list of passages { title?, text }', passages);
}
