// One reading of a question: the kind of its answer, its order and relation in time, the time or
// the anchor that bounds the answer, and the words left for relevance. The native reader
// (native/question) decides; here its result gets its meaning.
import { binding } from '../../binding.js';
import type { AnchorEvent as BoundEvent, QuestionReader, ReadQuestion } from '../../../binding.js';
import type { Question } from '../../records.js';
import { GenerationalCache } from '../../runtime/generationalCache.js';
import { installedFile } from '../../runtime/installation.js';
import { orders, relations, type ParsedQuestion } from '../constraint.js';
import { granularities, type Interval } from '../interval.js';
import type { Mention } from '../mention.js';
import { questionClock, type QuestionClock } from './questionClock.js';
import { questionStart } from './questionText.js';

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
const edges = ['none', 'start', 'end'] as const;
const courses = [undefined, 'begins', 'ends'] as const;
const calendarUnits = [undefined, 'year', 'month'] as const;
/** In the order of the addon's bits. */
const predicateCues = [
  'state',
  'past',
  'perfect',
  'future',
  'prediction',
  'every',
  'interrogative',
] as const;
const removedCues = ['today', 'earliest', 'last'] as const;
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

/** A date of a question; each of a list ("7 and 12 January") is one of its own. */
export interface ReadDate extends Span {
  text: string;
  /** With the words of its relation, as far as another date. */
  words: Span;
  relation: Mention['relation'];
  /** On the wall clock of the question. */
  interval: Interval;
  /** The edge of the period that words name: "at the close of 2009", "when 2022 ended". */
  edge: (typeof edges)[number];
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
  anchor?: Span & { text: string; kind: (typeof kinds)[number]; event: AnchorEvent };
  /** `published` where the question bounds when a text was written. */
  clock: 'content' | 'published';
  /** Words of time, order and relation, in order: what relevance is to leave out. */
  removed: Span[];
  /** Which of some words are among those. */
  says: Record<(typeof removedCues)[number], boolean>;
  /** States ("who was captain") hold at a point of time, other predicates fall into it. */
  predicate: Record<(typeof predicateCues)[number], boolean>;
}

/** The words of an anchor as an event. */
export interface AnchorEvent extends Omit<BoundEvent, 'course' | 'unit'> {
  course: (typeof courses)[number];
  unit: (typeof calendarUnits)[number];
}

let reader: QuestionReader | undefined;
/** Stages read the same question: its text by the network, on the clock that it refers to. */
const reads = new GenerationalCache<ReturnType<typeof binding.readQuestion>>({ capacity: 64 });

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
  const read = reads.getOrCompute(`${clock.reference} ${text}`, 1, () =>
    binding.readQuestion(reader!, text.slice(from), clock.reference),
  );
  const outputs = read.best;
  const moved = <Place extends Span>(place: Place): Place => ({
    ...place,
    start: place.start + from,
    end: place.end + from,
  });
  const spanOf = (start: number, end: number): Span => moved({ start, end });
  const order = orders[outputs[0]!]!;
  const relation = relationOf(read);
  // No thing is anchored without a relation or an order.
  const isRelated = order !== 'none' || relation !== 'none' || outputs[2] !== 2;
  const isAnchored = outputs[5] === 1 && isRelated;
  // Something is related to a time, be it unlikely that it is this one.
  const { starts, ends, bounds, ...found } = read.dates;
  const least = isAnchored ? 0.5 : Math.min(0.5, Math.max(0.1, ...bounds));
  const dates = Array.from(starts, (start, at): ReadDate => {
    const span = spanOf(start, ends[at]!);
    const interval: Interval = {
      start: found.intervalStarts[at]!,
      end: found.intervalEnds[at]!,
      granularity: granularities[found.granularities[at]!]!,
    };
    return {
      ...span,
      text: text.slice(span.start, span.end),
      words: spanOf(found.wordStarts[at]!, found.wordEnds[at]!),
      relation: relations[found.relations[at]! - 1] ?? 'none',
      interval: found.offsets[at] === 1 ? clock.toWall(interval) : interval,
      edge: edges[found.edges[at]!]!,
      binds: bounds[at]! >= least && relation !== 'none',
    };
  });
  const time = hullOf(dates.filter(({ binds }) => binds).map(({ interval }) => interval));
  const anchor = spanOf(read.anchor[0]!, read.anchor[1]!);
  const event: AnchorEvent = {
    ...moved(read.event),
    course: courses[read.event.course],
    unit: calendarUnits[read.event.unit],
  };
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
    ...(isAnchored
      ? {
          anchor: {
            ...anchor,
            text: text.slice(anchor.start, anchor.end),
            kind: kinds[outputs[8]!]!,
            event,
          },
        }
      : {}),
    ...(isAnchored && direction !== 0 && unit
      ? { shift: { count: direction * read.count, unit } }
      : {}),
    clock: outputs[3] === 1 ? 'published' : 'content',
    removed: Array.from({ length: read.removed.length / 2 }, (_, at) =>
      spanOf(read.removed[2 * at]!, read.removed[2 * at + 1]!),
    ),
    says: flagsOf(removedCues, read.removedCues),
    predicate: flagsOf(predicateCues, read.predicate),
  };
}

/** Which end of a state words name. */
export const courseOf = (words: string): AnchorEvent['course'] => courses[binding.courseOf(words)];

/** Bits by their names. */
export const flagsOf = <Name extends string>(
  names: readonly Name[],
  bits: number,
): Record<Name, boolean> =>
  Object.fromEntries(names.map((name, at) => [name, (bits & (1 << at)) !== 0])) as Record<
    Name,
    boolean
  >;

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

/**
 * The likeliest relation. It is none, where none is likelier than that the likeliest date bounds
 * the answer.
 */
function relationOf({ best, relations: likely, dates }: ReadQuestion): QuestionReading['relation'] {
  const bound = Math.max(0, ...dates.bounds);
  const [none, ...others] = likely;
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

/** The text with spans as blanks, which moves no other word. */
export function blanked(text: string, spans: readonly Span[]): string {
  let rest = text;
  for (const { start, end } of spans)
    rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  return rest;
}

/** Of a sentence or clause; "1. FC" has none. */
const ends = /(?<=[\p{L}\p{N}]{2})[.;:?!]\s+/u;

/**
 * Words that the date beside them finds, a neighbour of the answer: "the match after the one with
 * Roma on 3 May". From the words of the relation to the date, or a clause that opens the sentence,
 * "After the one with Roma on 3 May, ...". Passages with them are of the neighbour.
 */
export function datedNeighbour(reading: QuestionReading): Span | undefined {
  const { text, order, relation, dates, removed } = reading;
  const date = dates.find(({ binds }) => binds);
  const isBeside = relation === 'after' || relation === 'before';
  const isNeighbour = order === 'next' || order === 'previous';
  if (!date || !isNeighbour || date.relation === relation) return undefined;
  const said = removed.findLast(({ end }) => end < date.words.start);
  const before = text.slice(0, date.words.start);
  const words = before
    .slice(said?.end ?? 0)
    .split(ends)
    .at(-1)!;
  // "Who succeeded X in 2021?" has the date of the answer.
  const isClause = said
    ? isBeside && said.end + words.length === before.length
    : text[date.words.end] === ',';
  if (!isClause || !/[\p{L}\p{N}]/u.test(words)) return undefined;
  return { start: said ? said.start : before.length - words.length, end: before.length };
}

/** "Who resigned today?" is about the day, "Who is in charge today?" about the state. */
export const isOfDay = ({ says, predicate }: QuestionReading): boolean =>
  says.today && (!predicate.state || predicate.future);
