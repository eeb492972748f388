// When an event or a state was, by the statements of candidates about it: the time of the statement
// that has most of its words, near that time.
import { dayMilliseconds as day } from '../../time/civil.js';
import type { EventPhrase } from '../../time/question/eventPhrase.js';
import { courseOf } from '../../time/question/reading.js';
import { toWallClock } from '../../time/timeZone.js';
import { featurePlaces } from '../features/features.js';
import type { Matches } from '../features/matches.js';
import type { SeriesQuestion } from '../question/question.js';
import type { StatedTime } from '../../statements/statements.js';
import type { TextWord } from '../../statements/textWords.js';

/** A stretch of whole days on the wall clock of the corpus. */
export interface Days {
  start: number;
  end: number;
}

export interface EventTime {
  days: Days;
  /** Id of the passage that tells it. */
  passage: string;
  /** Weighted share of the event's words that its statement has, 0 to 1. */
  confidence: number;
}

/** Share of words that are no names, which have synonyms, in a phrase that has both. */
const shareOfWords = 0.2;
/** How much of a word counts that a statement has from its title or the first sentence. */
const [ofTitle, ofFirst] = [0.95, 0.85];
/** Of a word that stands nearer to another time of its statement. */
const ofOtherTime = 0.5;
/** UTF-16 units from a time at which a word that is no name counts half. */
const halfDistance = 400;
const cosineWeight = 0.3;
/** Added to a stretch where the state during it is meant. */
const ofStretch = 0.08;
/** Lost by a statement that has none of the words itself. */
const withoutWords = 0.2;
/** Lost where an end of a state is named, and a statement of one time tells of no such end. */
const otherCourse = 0.2;
const sourceLoss: Readonly<Record<StatedTime['source'], number>> = {
  own: 0,
  later: 0.02,
  compared: 0.1,
  previous: 0.1,
  title: 0.05,
  published: 0.2,
  valid: 0,
};

/** The time that the best account of an event tells; undefined where no statement has a time. */
export function eventTime(
  { terms }: Pick<SeriesQuestion, 'terms'>,
  matches: Matches,
  phrase: Pick<EventPhrase, 'side' | 'course' | 'unit'>,
  clock: { askedAt: number; timeZone?: string | undefined },
): EventTime | undefined {
  const weights = weightsOf(terms);
  const places = new Map(terms.map(({ term }, t) => [term, t]));
  let best: (EventTime & { score: number }) | undefined;
  for (const { statement, passage, features } of matches) {
    if (statement.whole) continue;
    const { words, isTitle } = statement;
    const times = statement.times.length > 0 ? statement.times : passage.titleTimes;
    const own = [...words].filter(({ term }) => places.has(term));
    const [title, first] = [passage.title, passage.statements[0]!.words].map(
      (range) => new Set([...range].map(({ term }) => term)),
    );
    const sentence = (isTitle ? (passage.record.title ?? '') : passage.record.text).slice(
      statement.span.start,
      statement.span.end,
    );
    const isOther = phrase.course !== undefined && courseOf(sentence) !== phrase.course;
    for (const time of times) {
      const days = daysOf(time, phrase, clock);
      if (!days) continue;
      const held = terms.map(({ term }) =>
        title!.has(term) ? ofTitle : !isTitle && first!.has(term) ? ofFirst : 0,
      );
      for (const word of own) {
        const t = places.get(word.term)!;
        const share = nearness(word, time, times, passage.record.text, terms[t]!.name);
        held[t] = Math.max(held[t]!, share);
      }
      const confidence =
        weights.reduce((sum, weight, t) => sum + weight * held[t]!, 0) -
        (isOther && !time.range ? otherCourse : 0);
      const score =
        confidence +
        cosineWeight * features[featurePlaces.cosine]! -
        sourceLoss[time.source] -
        (own.length === 0 ? withoutWords : 0) +
        (phrase.side === 'at' && !phrase.course && time.range ? ofStretch : 0);
      if (!best || score > best.score)
        best = { days, passage: passage.record.id, confidence, score };
    }
  }
  if (!best) return undefined;
  const { score: _, ...found } = best;
  return found;
}

/** Weights of terms, together 1: those of names and values, and of the other words. */
function weightsOf(terms: SeriesQuestion['terms']): number[] {
  const isName = terms.map(({ name, value }) => name || value);
  const sum = (names: boolean): number =>
    terms.reduce((total, { weight }, t) => total + (isName[t] === names ? weight : 0), 0);
  const [words, names] = [sum(false), sum(true)];
  const share = words === 0 ? 0 : names === 0 ? 1 : shareOfWords;
  return terms.map(
    ({ weight }, t) => weight * (isName[t] ? (1 - share) / names : share / words) || 0,
  );
}

/** How much a word counts for a time of its statement. */
function nearness(
  word: TextWord,
  { at }: StatedTime,
  times: readonly StatedTime[],
  text: string,
  isName: boolean,
): number {
  if (at === undefined) return 1;
  const own = distance(word, at, text);
  const isNearest = times.every(
    (other) => other.at === undefined || distance(word, other.at, text) >= own,
  );
  const far = isName ? 0 : Math.abs(at - word.start) / halfDistance;
  return (isNearest ? 1 : ofOtherTime) / (1 + far);
}

/** A time in brackets is of what stands before it. */
function distance({ start, end }: TextWord, at: number, text: string): number {
  if (at >= end) return at - end;
  return start - at + (text[at - 1] === '(' ? text.length : 0);
}

/**
 * The days of an event; of a state that is named by its beginning or its end, and of one that
 * bounds a time, the year, month or day at that end.
 */
function daysOf(
  time: StatedTime,
  { side, course, unit }: Pick<EventPhrase, 'side' | 'course' | 'unit'>,
  { askedAt, timeZone }: { askedAt: number; timeZone?: string | undefined },
): Days | undefined {
  const now = 1 + Math.max(time.start, askedAt);
  const [start, end] = [time.start, Math.min(time.end, time.range ? now : Infinity)].map(
    (instant) => (Number.isFinite(instant) ? toWallClock(instant, timeZone) : instant),
  ) as [number, number];
  const days = { start: Math.floor(start / day) * day, end: Math.ceil(end / day) * day };
  const isBounded = Number.isFinite(start) && Number.isFinite(end);
  if (!time.range || unit) return isBounded ? wholeUnits(days, unit) : undefined;
  if (course === 'ends' || (!course && side === 'after')) return lastUnit(days.end);
  if (course === 'begins' || side !== 'at') return firstUnit(days.start);
  return isBounded ? days : undefined;
}

/** Widened to whole years or months. */
function wholeUnits({ start, end }: Days, unit: EventPhrase['unit']): Days {
  if (!unit) return { start, end };
  const [from, to] = [new Date(start), new Date(end - day)];
  from.setUTCDate(1);
  to.setUTCDate(1);
  if (unit === 'year') {
    from.setUTCMonth(0);
    to.setUTCMonth(11);
  }
  to.setUTCMonth(to.getUTCMonth() + 1);
  return { start: from.getTime(), end: to.getTime() };
}

/** The year, month or day that begins at an instant. */
function firstUnit(start: number): Days | undefined {
  if (!Number.isFinite(start)) return undefined;
  const date = new Date(start);
  if (date.getUTCDate() > 1) return { start, end: start + day };
  if (date.getUTCMonth() > 0) date.setUTCMonth(date.getUTCMonth() + 1);
  else date.setUTCFullYear(date.getUTCFullYear() + 1);
  return { start, end: date.getTime() };
}

/** The year, month or day that ends at an instant. */
function lastUnit(end: number): Days | undefined {
  if (!Number.isFinite(end)) return undefined;
  const date = new Date(end);
  if (date.getUTCDate() > 1) return { start: end - day, end };
  if (date.getUTCMonth() > 0) date.setUTCMonth(date.getUTCMonth() - 1);
  else date.setUTCFullYear(date.getUTCFullYear() - 1);
  return { start: date.getTime(), end };
}
