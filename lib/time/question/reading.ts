// One reading of a question: the kind of its answer, its order and relation in time, the time or
// the anchor that bounds the answer, and the words left for relevance. The native reader
// (native/question) decides; here its result gets its meaning.
import { binding } from '../../binding.js';
import type { QuestionReader, ReadQuestion } from '../../../binding.js';
import type { Question } from '../../records.js';
import { installedFile } from '../../runtime/installation.js';
import { dayMilliseconds } from '../civil.js';
import { orders, type ParsedQuestion } from '../constraint.js';
import type { Interval } from '../interval.js';
import { hasOffset, type Mention } from '../mention.js';
import { mentionsOf } from '../tagger.js';
import { questionClock, type QuestionClock } from './questionClock.js';
import { questionStart } from './questionText.js';
import { future, isState } from './stative.js';

/** Relation of the answer to the time or the anchor; `at`, `since` and `until` include it. */
export const readRelations = [
  'none',
  'at',
  'before',
  'after',
  'since',
  'until',
  'between',
  'around',
] as const;
const askedKinds = ['when', 'how-long', 'thing'] as const;
const kinds = ['none', 'event', 'name', 'value'] as const;
const units = [
  'day',
  'week',
  'month',
  'year',
  'decade',
  'century',
  'hour',
  'minute',
  'season',
  'quarter',
] as const;

/** UTF-16 offsets of the question's text, half-open. */
export interface Span {
  start: number;
  end: number;
}

/** A date of a question. */
export interface ReadDate extends Span {
  text: string;
  relation: Mention['relation'];
  /** On the wall clock of the question. */
  interval: Interval;
  /** Whether it bounds the answer rather than describes a thing. */
  binds: boolean;
}

/** A question as it is read. */
export interface QuestionReading extends NonNullable<ParsedQuestion['asked']> {
  text: string;
  relation: (typeof readRelations)[number];
  /** The time that is named, of several their hull, on the wall clock of the question. */
  time?: Interval;
  /** The dates of the text, in order. */
  dates: ReadDate[];
  /** Words of an event, a name or a value that bounds or orders the answer. */
  anchor?: Span & { text: string; kind: (typeof kinds)[number] };
  /** `published` where the question bounds when a text was written. */
  clock: 'content' | 'published';
  /** Words of time, order and relation, in order: what relevance is to leave out. */
  removed: Span[];
}

/** A date with the probability that it bounds the answer. */
type FoundDate = Omit<ReadDate, 'binds'> & { bound: number };

let reader: QuestionReader | undefined;

/** Reads a question, of a longer text than `questionWindow` its end. @throws AsOfError */
export function readQuestion(question: Question): QuestionReading {
  return readOnClock(question.text, questionClock(question));
}

/** The same on a clock that is known. */
export function readOnClock(text: string, clock: QuestionClock): QuestionReading {
  reader ??= binding.openQuestionReader(
    installedFile('models/question-reader.bin'),
    installedFile('models/default-encoder.bin'),
  );
  const from = questionStart(text);
  const read = binding.readQuestion(reader, text.slice(from), clock.reference);
  const outputs = read.best;
  const moved = ({ start, end }: Span): Span => ({ start: start + from, end: end + from });
  const removed = pairs(read.removed).map(moved);
  const order = orders[outputs[0]!]!;
  const found = asLists(text.slice(from), datesOf(text.slice(from), read, clock));
  const relation = relationOf(read, found);
  const isAnchored = outputs[5] === 1;
  // Something is related to a time, be it unlikely that it is this one.
  const least = isAnchored ? 0.5 : Math.min(0.5, Math.max(0.1, ...found.map(({ bound }) => bound)));
  const dates = found.map(
    ({ bound, ...date }): ReadDate => ({
      ...date,
      ...moved(date),
      binds: bound >= least && relation !== 'none',
    }),
  );
  const time = hullOf(dates.filter(({ binds }) => binds).map(({ interval }) => interval));
  const anchor = isAnchored ? moved(pairs(read.anchor)[0]!) : undefined;
  const direction = [0, 1, -1][outputs[6]!]!;
  const unit = units[outputs[7]!];
  return {
    text,
    asks: askedKinds[outputs[2]!]!,
    order,
    ...(order === 'nth' ? { n: ordinals[outputs[4]!]! } : {}),
    relation,
    ...(time ? { time } : {}),
    dates,
    ...(anchor
      ? {
          anchor: {
            ...anchor,
            text: text.slice(anchor.start, anchor.end),
            kind: kinds[outputs[8]!]!,
          },
        }
      : {}),
    ...(anchor && direction !== 0 && unit
      ? { shift: { count: direction * countIn(text, removed), unit } }
      : {}),
    clock: outputs[3] === 1 ? 'published' : 'content',
    removed,
  };
}

/**
 * Dates that bound the content of the answer, and those that bound its publication; besides these,
 * other dates are what the publication is about: "the forecast of 1 May for 3 May".
 */
export function datesByClock({ dates, clock }: Pick<QuestionReading, 'dates' | 'clock'>): {
  content: ReadDate[];
  published: ReadDate[];
} {
  const binding = dates.filter(({ binds }) => binds);
  return clock === 'content' || binding.length === 0
    ? { content: binding, published: [] }
    : { content: dates.filter(({ binds }) => !binds), published: binding };
}

const ordinals = [...Array(6).keys()]
  .map((at) => at - 6)
  .concat([...Array(20).keys()].map((at) => at + 1));

function pairs(numbers: Uint32Array): Span[] {
  const spans: Span[] = [];
  for (let at = 0; at < numbers.length; at += 2)
    spans.push({ start: numbers[at]!, end: numbers[at + 1]! });
  return spans;
}

/** The dates with an interval, on the wall clock; each of a list ("7 and 12 January") apart. */
const datesOf = (
  text: string,
  { times, bounds }: ReadQuestion,
  clock: QuestionClock,
): FoundDate[] =>
  mentionsOf(text, times).flatMap((mention, at) => {
    const { start, end, text: words, relation, interval } = mention;
    if (!interval) return [];
    const date: FoundDate = {
      start,
      end,
      text: words,
      relation,
      interval: hasOffset(mention) ? clock.toWall(interval) : interval,
      bound: bounds[at]!,
    };
    return listed(mention)?.map((each) => ({ ...date, relation: 'on' as const, ...each })) ?? date;
  });

/** The two days of a list that the tagger has as one stretch. */
function listed({
  start,
  text,
  timexes,
}: Mention): (Span & Pick<ReadDate, 'text' | 'interval'>)[] | undefined {
  const [first, second] = timexes;
  if (!first || !second || /\bbetween\b/i.test(text)) return undefined;
  const isList = /^\W*(?:and|or|&|as well as)\b/i.test(text.slice(first.end - start));
  if (!isList || !timexes.every(({ value }) => /^\d{4}-\d\d-\d\d$/.test(value))) return undefined;
  return [
    { from: start, to: first.end, value: first.value },
    { from: second.start, to: start + text.length, value: second.value },
  ].map(({ from, to, value }) => ({
    start: from,
    end: to,
    text: text.slice(from - start, to - start),
    interval: {
      start: Date.parse(value),
      end: Date.parse(value) + dayMilliseconds,
      granularity: 'day',
    },
  }));
}

/** Dates that "and" or "or" joins bound the answer together. */
function asLists(text: string, dates: readonly FoundDate[]): FoundDate[] {
  const lists: FoundDate[][] = [];
  for (const date of dates) {
    const last = lists.at(-1)?.at(-1);
    const joins = last && /^\s*(?:,|,?\s*(?:and|or)\b)\s*$/i.test(text.slice(last.end, date.start));
    if (joins) lists.at(-1)!.push(date);
    else lists.push([date]);
  }
  return lists.flatMap((list) => {
    const bound = Math.max(...list.map((date) => date.bound));
    return list.map((date) => ({ ...date, bound }));
  });
}

/**
 * The likeliest relation. It is none, where none is likelier than that the likeliest date bounds
 * the answer.
 */
function relationOf(
  { best, relations }: ReadQuestion,
  dates: readonly FoundDate[],
): QuestionReading['relation'] {
  const bound = Math.max(0, ...dates.map((date) => date.bound));
  const [none, ...others] = relations;
  if (best[1] !== 0 || bound < 0.5 || bound <= none!) return readRelations[best[1]!]!;
  return readRelations[1 + others.indexOf(Math.max(...others))]!;
}

/** The hull of intervals, with the granularity of the longest. */
export function hullOf(intervals: readonly Interval[]): Interval | undefined {
  if (intervals.length === 0) return undefined;
  const start = Math.min(...intervals.map((each) => each.start));
  const end = Math.max(...intervals.map((each) => each.end));
  const widest = intervals.reduce((a, b) => (b.end - b.start > a.end - a.start ? b : a));
  return { start, end, granularity: widest.granularity };
}

const numerals =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen ' +
  'sixteen seventeen eighteen nineteen twenty';
const counts = new Map<string, number>([
  ...numerals.split(' ').map((word, value) => [word, value] as const),
  ['couple', 2],
  ['half', 0.5],
]);

/** The number among words of a distance; one where there is none. */
function countIn(text: string, removed: readonly Span[]): number {
  for (const { start, end } of removed)
    for (const word of text
      .slice(start, end)
      .toLowerCase()
      .match(/\d+|[a-z]+/g) ?? []) {
      const count = /^\d/.test(word) ? Number(word) : counts.get(word);
      if (count !== undefined) return count;
    }
  return 1;
}

/** The text with spans as blanks, which moves no other word. */
export function blanked(text: string, spans: readonly Span[]): string {
  let rest = text;
  for (const { start, end } of spans)
    rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  return rest;
}

/** "Who resigned today?" is about the day, "Who is in charge today?" about the state. */
export function isOfDay({ text, removed }: QuestionReading): boolean {
  const isToday = removed.some(({ start, end }) =>
    /\bto(?:day|night)\b/i.test(text.slice(start, end)),
  );
  return isToday && (!isState(text) || future.test(text));
}

/** At most an article, or the word of a clause, between words of time and a date or an anchor. */
const joining = /^\s*(?:(?:the|an?|its|his|her|their|our|my|that|when)\s+)?$/i;

/** A span with the words of time on either side of it, as far as another date. */
export function withWordsOfTime(
  { start, end }: Span,
  { text, removed, dates }: Pick<QuestionReading, 'text' | 'removed' | 'dates'>,
): Span {
  const joins = (from: number, to: number): boolean =>
    from >= to || (to - from < 9 && joining.test(text.slice(from, to)));
  const before = removed.findLast((each) => each.start < start && joins(each.end, start));
  const after = removed.find((each) => each.end > end && joins(end, each.start));
  const least = Math.max(0, ...dates.map((date) => (date.end <= start ? date.end : 0)));
  const most = Math.min(
    text.length,
    ...dates.map((date) => (date.start >= end ? date.start : Infinity)),
  );
  const blanks = /^\s*/.exec(text.slice(least))![0].length;
  return {
    start: Math.max(before?.start ?? start, Math.min(least + blanks, start)),
    end: Math.max(end, text.slice(0, Math.min(after?.end ?? end, most)).trimEnd().length),
  };
}
