// The two clocks of a question in an agent's words: the time that the answer must hold at, and the
// time at which it is asked (docs/decisions/frameworks.md).
import { invalidArgument } from '../errors.js';
import type { Question, TimeInput } from '../records.js';
import { parseInstant } from '../time/instant.js';
import { maxQuestionLength, parseQuestion } from '../time/question/question.js';

const time = { type: 'string', minLength: 4, maxLength: 40 } as const;

export const questionSchema = {
  type: 'string',
  minLength: 1,
  maxLength: maxQuestionLength,
} as const;

export const asOfSchema = {
  ...time,
  description:
    'The time in the world that is asked about, ISO 8601 (2021, 2021-05, 2021-05-06 or ' +
    '2021-05-06T12:00Z): what held then, also as published later. Leave it out where ' +
    'the question itself names a time, or asks about now.',
};

export const askedAtSchema = {
  ...time,
  description:
    'The moment at which the question is asked, ISO 8601; default now. "Today" and "last year" ' +
    'refer to it, and passages published after it are hidden: give it to learn what could be ' +
    'known then. A date alone is its last moment.',
};

export interface Asked {
  question: string;
  as_of?: string | undefined;
  asked_at?: string | undefined;
}

/**
 * The question with `as_of` in its words, so that it is read as every other "as of". `fixed`: the
 * time of every question, whatever the agent says.
 * @throws AsOfError ERR_INVALID_ARGUMENT for times that are none, and for an `as_of` that a
 * question cannot name
 */
export function questionOf(
  { question, as_of, asked_at }: Asked,
  { timeZone, fixed }: { timeZone?: string | undefined; fixed?: TimeInput | undefined } = {},
): Question {
  if (question.trim() === '') throw invalidArgument('question', 'a question in words', question);
  // Checked here, so that an error names the argument as the model wrote it.
  if (asked_at !== undefined) parseInstant(asked_at, 'start', 'asked_at', timeZone);
  const askedAt = fixed ?? asked_at;
  if (as_of === undefined) return { text: question, askedAt };
  const start = parseInstant(as_of, 'start', 'as_of', timeZone);
  const asked = { text: `${question.replace(/[\s?.!]+$/, '')} as of ${as_of.trim()}?`, askedAt };
  const isRead = parseQuestion({ ...asked, timeZone }).constraints.some(
    ({ relation, interval, binds }) => relation === 'as of' && binds && interval?.start === start,
  );
  if (isRead) return asked;
  throw invalidArgument(
    'as_of',
    'a date that can stand in the question, such as 2021-05-06',
    as_of,
    'Leave it out, and name the time in the words of the question: "in 44 BC".',
  );
}
