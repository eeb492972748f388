// Parser of as-of questions: condition, dates that constrain the answer with their relations, and
// main content (MRAG section 4). Dates come from the tagger; this module selects among them. No
// model.
import { AsOfError, invalidArgument } from '../../errors.js';
import type { Question } from '../../records.js';
import { constrainingDates, clockOf } from './constrainingDates.js';
import { readCondition } from './condition.js';
import { type Constraint, type ParsedQuestion, type Relation, windowOf } from '../constraint.js';
import { mainContentOf } from './mainContent.js';
import type { QuestionDate } from './questionDate.js';
import { questionDates } from './questionDates.js';
import { queryDay, impliesCurrent } from './deicticDates.js';
import { questionClock, type QuestionClock } from './questionClock.js';

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
      "Pass { text: 'Who ...?' }.",
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

/**
 * Conventions of a data set that differ from the defaults
 * (docs/decisions/time-in-text.md).
 */
export interface QuestionOptions {
  /**
   * First years of the middle and the late part of a decade, 1 to 9. Default [4, 7], early is years
   * 0 to 3; with [3, 7] it is 0 to 2.
   */
  partsOfDecade?: readonly [middle: number, late: number] | undefined;
}

function checkParts([middle, late]: readonly [number, number]): void {
  if (
    !Number.isInteger(middle) ||
    !Number.isInteger(late) ||
    middle < 1 ||
    late <= middle ||
    late > 9
  ) {
    throw invalidArgument(
      'partsOfDecade',
      'the first years of the middle and the late part, 1 to 9 and rising',
      [middle, late],
      'Pass [4, 7].',
    );
  }
}

/**
 * Parses the question's main content and temporal constraints. Relative dates refer to `askedAt`,
 * or to the date after "as of". "Current" stays in the main content like "latest" and, without
 * another constraint, implies the query day. Of a text longer than 4000 units only the end
 * is parsed; the rest stays in the main content.
 * @throws AsOfError ERR_INVALID_ARGUMENT for a text that is no string or has more than 20,000
 * UTF-16 units, and invalid askedAt, timeZone or partsOfDecade.
 * @example parseQuestion({ text: 'Who led the party after 1990?' }).constraint.relation // 'after'
 */
export function parseQuestion(question: Question, options: QuestionOptions = {}): ParsedQuestion {
  checkQuestionText(question?.text);
  return readQuestion(question, options);
}

/** `parseQuestion` of a text of any length. */
export function readQuestion(question: Question, options: QuestionOptions = {}): ParsedQuestion {
  const { text } = question;
  // The spelling of files; ignored, it would silently mean now.
  if ('asked_at' in question)
    throw invalidArgument(
      'question',
      'an object { text, askedAt?, timeZone? }',
      question,
      'Write askedAt for asked_at.',
    );
  const clock = questionClock(question);
  const from = questionStart(text);
  if (options.partsOfDecade) checkParts(options.partsOfDecade);
  const parsed = parseOnClock(text.slice(from), clock, options);
  if (from === 0) return parsed;
  return { ...parsed, text, mainContent: (text.slice(0, from) + parsed.mainContent).trim() };
}

function parseOnClock(
  text: string,
  clock: QuestionClock,
  { partsOfDecade }: QuestionOptions,
): ParsedQuestion {
  const { askedAt, timeZone } = clock;
  const rest = { askedAt, ...(timeZone === undefined ? {} : { timeZone }) };
  const { dates, now } = questionDates(text, clock, partsOfDecade);
  const condition = readCondition(text, [...dates, ...now]);
  const constraining = constrainingDates(text, dates, now);
  if (!constraining) {
    const constraint: Constraint = impliesCurrent(text)
      ? {
          condition,
          ...withWindow('as of', clock.toInstants(queryDay(clock.reference))),
          clock: 'content',
          binds: true,
        }
      : { condition, relation: 'none', clock: 'content', binds: true };
    return { text, mainContent: text.trim(), constraint, constraints: [constraint], ...rest };
  }
  const all = [...new Set([...dates, constraining.primary])].sort((a, b) => a.start - b.start);
  const constraints = all.map(
    (date): Constraint => ({
      condition,
      ...withWindow(relationOf(date), clock.toInstants(date.interval)),
      ...(date.alternatives ? { alternatives: date.alternatives.map(clock.toInstants) } : {}),
      text: text.slice(date.start, date.end),
      clock: clockOf(text, date),
      binds: constraining.all.includes(date),
    }),
  );
  return {
    text,
    mainContent: mainContentOf(text, constraining.primary),
    constraint: constraints[all.indexOf(constraining.primary)]!,
    constraints,
    ...rest,
  };
}

function withWindow(
  relation: Relation,
  interval: QuestionDate['interval'],
): Pick<Constraint, 'relation' | 'interval' | 'window'> {
  const window = windowOf(relation, interval);
  return { relation, interval, ...(window ? { window } : {}) };
}

/** A date without a preposition ("the 2014 final", "last week") means within itself. */
function relationOf({ relation, interval }: QuestionDate): Relation {
  if (relation !== 'none') return relation;
  return interval.end - interval.start <= 86_400_000 ? 'on' : 'in';
}
