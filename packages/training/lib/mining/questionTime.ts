// Sampling of a question's time so that a fact answers it, and its wording: the fact's unit, a time
// within it, its span, its decade, or an open end.
import { type Random, windowOf } from 'asof/kit';
import type { Relation, Window } from 'asof/time';
import { coverage, dayMilliseconds, yearMilliseconds } from './overlap.js';

export interface QuestionTime {
  relation: Relation;
  window: Window;
  /** "from May 1955 to Apr 1956" */
  words: string;
}

type Unit = 'day' | 'month' | 'year' | 'decade';

const monthNames =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

const civil = (instant: number) => {
  const date = new Date(instant);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
};

function unitAround(instant: number, unit: Unit): Window {
  const { year, month, day } = civil(instant);
  const from = (...date: [year: number, month?: number, day?: number]): number =>
    new Date(0).setUTCFullYear(date[0], (date[1] ?? 1) - 1, date[2] ?? 1);
  const first = year - (year % 10);
  if (unit === 'decade') return { start: from(first), end: from(first + 10) };
  if (unit === 'year') return { start: from(year), end: from(year + 1) };
  if (unit === 'month') return { start: from(year, month), end: from(year, month + 1) };
  return { start: from(year, month, day), end: from(year, month, day + 1) };
}

function spell(instant: number, unit: Unit, random: Random): string {
  const { year, month, day } = civil(instant);
  const name = monthNames[month - 1]!;
  if (unit === 'decade') return `the ${year - (year % 10)}s`;
  if (unit === 'year') return String(year);
  if (unit === 'month')
    return random.next() < 0.5 ? `${name} ${year}` : `${name.slice(0, 3)} ${year}`;
  return random.pick([
    `${day} ${name} ${year}`,
    `${name} ${day}, ${year}`,
    `${name.slice(0, 3)} ${day}, ${year}`,
  ]);
}

type TimeSampler = (fact: Window, random: Random) => QuestionTime | undefined;

function single(relation: Relation, unit: Unit, instant: number, random: Random): QuestionTime {
  const interval = unitAround(instant, unit);
  const word = relation === 'in' && unit === 'day' ? 'on' : relation;
  return {
    relation: word,
    window: windowOf(word, interval) ?? interval,
    words: `${word === 'in' && random.next() < 0.15 ? 'during' : word} ${spell(instant, unit, random)}`,
  };
}

/** The unit of the fact's interval. */
const unitOf = ({ start, end }: Window): Unit => {
  const days = (end - start) / dayMilliseconds;
  return days <= 1.5 ? 'day' : days <= 32 ? 'month' : 'year';
};
const inside = ({ start, end }: Window, random: Random): number =>
  start + random.next() * (end - 1 - start);

function twoEnds(
  first: number,
  second: number,
  unit: Unit,
  random: Random,
): QuestionTime | undefined {
  const [from, to] = [unitAround(first, unit), unitAround(second, unit)];
  if (from.start >= to.start) return undefined;
  const relation = random.next() < 0.5 ? 'from-to' : 'between';
  const [a, b] = [spell(from.start, unit, random), spell(to.start, unit, random)];
  return {
    relation,
    window: { start: from.start, end: to.end },
    words: relation === 'between' ? `between ${a} and ${b}` : `from ${a} to ${b}`,
  };
}

const own: TimeSampler = (fact, random) => {
  const unit = unitOf(fact);
  if (unit === 'year' && fact.end - fact.start > 1.1 * yearMilliseconds) {
    return twoEnds(fact.start, fact.end - 1, random.next() < 0.6 ? 'year' : 'month', random);
  }
  return single('in', unit, fact.start, random);
};
const within: TimeSampler = (fact, random) => {
  const span = fact.end - fact.start;
  if (span < yearMilliseconds * 0.9) return single('in', 'year', fact.start, random);
  const unit: Unit = random.next() < 0.5 ? 'month' : 'year';
  if (random.next() < 0.5) return single('in', unit, inside(fact, random), random);
  const [a, b] = [inside(fact, random), inside(fact, random)];
  return twoEnds(Math.min(a, b), Math.max(a, b), unit, random);
};
const asOf: TimeSampler = (fact, random) => {
  const unit = random.next() < 0.5 ? 'year' : 'month';
  const instant = inside(fact, random);
  return {
    relation: 'as of',
    window: unitAround(instant, unit),
    words: `as of ${spell(instant, unit, random)}`,
  }; // the state at that time
};
/** None of the first decade of a century: "the 1800s" are a century in a question. */
const decade: TimeSampler = (fact, random) =>
  civil(fact.start).year % 100 < 10 ? undefined : single('in', 'decade', fact.start, random);
const open: TimeSampler = (fact, random) => {
  const years = 1 + random.below(4);
  const relation = random.pick(['before', 'after', 'since', 'by'] as const);
  const early = relation === 'after' || relation === 'since';
  const edge = early ? fact.start - years * yearMilliseconds : fact.end + years * yearMilliseconds;
  const { window, words } = single(relation, 'year', edge, random);
  // An open side is limited to some years beyond the fact: distant times answer no such question.
  const reach = 5 * yearMilliseconds;
  return {
    relation,
    words,
    window: {
      start: Math.max(window.start, fact.start - reach),
      end: Math.min(window.end, fact.end + reach),
    },
  };
};

/** Kinds of question times with their frequencies. */
const ways: readonly [TimeSampler, number][] = [
  [own, 0.35],
  [within, 0.35],
  [asOf, 0.08],
  [decade, 0.1],
  [open, 0.12],
];

/** A question time answered by the fact's interval. */
export function questionTime(fact: Window, random: Random): QuestionTime {
  for (let attempt = 0; attempt < 8; attempt += 1) {
    let choice = random.next();
    const [make] = ways.find(([, share]) => (choice -= share) < 0) ?? ways[0]!;
    const asked = make(fact, random);
    if (asked && coverage(fact, asked.window) >= 0.5) return asked;
  }
  return single('in', 'year', fact.start, random);
}
