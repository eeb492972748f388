// The time that a question asks about, given apart from its words.
import { invalidArgument } from '../errors.js';
import type { Question, TimeInput } from '../records.js';
import { formatDay, parseInstant } from '../time/instant.js';
import { parseQuestion } from '../time/question/question.js';
import { questionClock } from '../time/question/questionClock.js';
import { timeInWords } from '../time/question/timeInWords.js';

/**
 * The question with `asOf` in its words, so that it is read as every other "as of".
 * @throws AsOfError ERR_INVALID_ARGUMENT for what is no time, or one that a question cannot name
 */
export function withAsOf(question: Question, asOf: TimeInput | undefined): Question {
  if (asOf === undefined) return question;
  const { askedAt: now, timeZone } = questionClock(question);
  const time = timeInWords(asOf, 'end', { name: 'asOf', now, timeZone });
  const isIso = typeof asOf === 'string' && /^\s*[+-]?\d{4}/.test(asOf);
  const named = isIso ? asOf.trim() : formatDay(time, timeZone);
  const start = parseInstant(named, 'start', 'asOf', timeZone);
  const text = `${question.text.replace(/[\s?.!]+$/, '')} as of ${named}?`;
  const dated = { ...question, text };
  const isRead = parseQuestion(dated).constraints.some(
    ({ relation, interval, binds }) => relation === 'as of' && binds && interval?.start === start,
  );
  if (isRead) return dated;
  throw invalidArgument(
    'asOf',
    'a date that can stand in the question, such as 2021-05-06',
    asOf,
    'Leave it out, and name the time in the words of the question: "in 44 BC".',
  );
}
