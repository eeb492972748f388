// Questions and results of agents: two clocks in a model's words, and no more text than it needs.
import { invalidArgument } from '../errors.js';
import type { Question, TimeInput } from '../records.js';
import { formatDay, parseInstant } from '../time/instant.js';
import { timeInWords } from '../time/question/timeInWords.js';
import { parseQuestion } from '../time/question/question.js';
import { toJson } from './json.js';
import type { Evidence } from '../reading/evidence.js';
import type { SystemResult } from './system.js';

/**
 * The question with `as_of` in its words, so that it is read as every other "as of". `fixed`: the
 * time of every question, whatever the agent says.
 * @throws AsOfError ERR_INVALID_ARGUMENT for times that are none, and for an `as_of` that a
 * question cannot name
 */
export function agentQuestion(
  asked: { question: string; as_of?: string | undefined; asked_at?: string | undefined },
  { timeZone, fixed }: { timeZone?: string | undefined; fixed?: TimeInput | undefined } = {},
): Question {
  const { question, as_of, asked_at } = asked;
  if (question.trim() === '') throw invalidArgument('question', 'a question in words', question);
  // Checked here, so that an error names the argument as the model wrote it.
  const now = Date.now();
  if (asked_at !== undefined) timeInWords(asked_at, 'end', { name: 'asked_at', now, timeZone });
  const askedAt = fixed ?? asked_at;
  if (as_of === undefined) return { text: question, askedAt };
  const named = {
    now: askedAt === undefined ? now : parseQuestion({ text: question, askedAt, timeZone }).askedAt,
  };
  const day = formatDay(timeInWords(as_of, 'end', { name: 'as_of', ...named, timeZone }), timeZone);
  const asOf = /^[+-]?\d{4}/.test(as_of.trim()) ? as_of.trim() : day;
  const start = parseInstant(asOf, 'start', 'as_of', timeZone);
  const dated = { text: `${question.replace(/[\s?.!]+$/, '')} as of ${asOf}?`, askedAt };
  const isRead = parseQuestion({ ...dated, timeZone }).constraints.some(
    ({ relation, interval, binds }) => relation === 'as of' && binds && interval?.start === start,
  );
  if (isRead) return dated;
  throw invalidArgument(
    'as_of',
    'a date that can stand in the question, such as 2021-05-06',
    as_of,
    'Leave it out, and name the time in the words of the question: "in 44 BC".',
  );
}

/** A text, or its beginning with an ellipsis; no character is halved. */
export const cut = (text: string, units: number): string =>
  text.length <= units ? text : `${text.slice(0, units).replace(/[\uD800-\uDBFF]$/, '')}…`;

/**
 * The JSON of a result without what explains scores and speed, which its model would pay for. Its
 * texts are cut after `mostText` UTF-16 units, and marked `cut`.
 */
export function agentResult(
  result: SystemResult,
  system: string,
  mostText: number,
): Record<string, unknown> {
  const { trace: _, scan: __, dropped: ___, evidence, ...rest } = toJson.result(result, system);
  const found = evidence as (Pick<Evidence, 'scores' | 'shares' | 'text' | 'highlights'> &
    object)[];
  const shortened = found.map(({ scores: _, shares: __, text, highlights, ...others }) => ({
    ...others,
    text: cut(text, mostText),
    ...(text.length > mostText ? { cut: true } : {}),
    ...(highlights ? { highlights: highlights.filter(({ end }) => end <= mostText) } : {}),
  }));
  return { ...rest, evidence: shortened };
}
