// Sentences that report measured figures: records, reports of the day, first figures and their
// revisions, notes without any figure.
import type { FamilyPassage, Random } from '../family.js';
import {
  addDays,
  american,
  british,
  monthOf,
  months,
  monthYear,
  quarterOf,
  yearOf,
} from '../dates.js';
import { capital } from '../wordings.js';
import type { Grain, Point, Series } from './data.js';

export interface Statement {
  point: Point;
  /** 2: the subject of the passage; 1: in passing. */
  grade: 1 | 2;
  provisional?: boolean;
}
export interface FigurePassage extends FamilyPassage {
  statements: Statement[];
}

export const lengthOf: Record<Grain, number> = { month: 1, quarter: 3, year: 12 };
const ordinals = ['first', 'second', 'third', 'fourth'];

/** The first day of the period that comes `count` months later. */
export function later(start: string, count: number): string {
  const month = yearOf(start) * 12 + monthOf(start) - 1 + count;
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`;
}
export const endOf = ({ start, series }: Point): string =>
  addDays(later(start, lengthOf[series.grain]), -1);

/** Names of a period that may follow "in". */
export function periodForms({ start, series: { grain } }: Point): string[] {
  const year = String(yearOf(start));
  if (grain === 'year') return [year, year, `the year ${year}`, `the calendar year ${year}`];
  const month = months[monthOf(start) - 1]!;
  if (grain === 'month')
    return [
      `${month} ${year}`,
      `${month} ${year}`,
      `${month} of ${year}`,
      `${month.slice(0, 3)} ${year}`,
      start.slice(0, 7),
    ];
  const last = months[monthOf(start) + 1]!;
  const quarter = quarterOf(start);
  return [
    `the ${ordinals[quarter - 1]!} quarter of ${year}`,
    `Q${quarter} ${year}`,
    `the three months to ${last} ${year}`,
    `${month}–${last} ${year}`,
    `${quarter}Q ${year}`,
  ];
}

export const figureOf = ({ series, value }: Point): string => series.unit(value);
export const provisionalOf = ({ series, value }: Point): string =>
  series.unit(Number(value.toPrecision(2)));

type Shape = (
  name: string,
  figure: string,
  period: string,
  note: string,
) => Pick<FamilyPassage, 'title' | 'text'>;
const fillers = [
  'Details are in the annex.',
  'The method of counting has not changed.',
  'Figures for other periods follow.',
  'Comparisons with earlier years are given elsewhere.',
  'Small differences are due to rounding.',
];
const shapes: Shape[] = [
  (name, figure, period) => ({ text: `${capital(name)} in ${period}: ${figure}.` }),
  (name, figure, period, note) => ({
    title: `${capital(name)}, ${period}`,
    text: `The figure was ${figure}. ${note}`,
  }),
  (name, figure, period) => ({
    text: `${figure} is what the records give for ${name} in ${period}.`,
  }),
  (name, figure, period, note) => ({
    text: `${note} For ${period}, ${name} was put at ${figure}.`,
  }),
  (name, figure, period) => ({
    text: `In ${period}, ${name} came to ${figure}, according to the tables.`,
  }),
  (name, figure, period) => ({
    title: `Tables for ${period}`,
    text: `${capital(name)}: ${figure}. Other series are given overleaf.`,
  }),
];
interface Pair {
  name: string;
  now: string;
  period: string;
  before: string;
  earlier: string;
  rise: boolean;
}
const pairs: ((pair: Pair) => string)[] = [
  ({ name, now, period, before, earlier, rise }) =>
    `${capital(name)} ${rise ? 'went up' : 'went down'} from ${before} in ${earlier} ` +
    `to ${now} in ${period}.`,
  ({ name, now, period, before, earlier, rise }) =>
    `At ${now}, ${name} in ${period} was ${rise ? 'above' : 'below'} the ${before} of ` +
    `${earlier}.`,
  ({ name, now, period, before, earlier }) =>
    `${capital(period)} saw ${name} at ${now}; the figure for ${earlier} had been ${before}.`,
];
const reports: ((
  name: string,
  figure: string,
  grain: Grain,
  note: string,
) => Pick<FamilyPassage, 'title' | 'text'>)[] = [
  (name, figure, grain) => ({
    text: `Last ${grain}, ${name} came to ${figure}, it was reported today.`,
  }),
  (name, figure, grain, note) => ({
    title: 'Statistical bulletin',
    text: `${capital(name)} for the ${grain} just ended: ${figure}. ${note}`,
  }),
  (name, figure, grain, note) => ({
    text: `${note} The new figure on ${name}, for the past ${grain}, is ${figure}.`,
  }),
];

/** One or two passages for each point of a series, and its notes. */
export function passagesOf(series: Series, random: Random, prefix: string): FigurePassage[] {
  const passages: FigurePassage[] = [];
  const { name, grain, lag, says, notes, points } = series;
  const add = (passage: Omit<FamilyPassage, 'id'>, statements: Statement[]): void => {
    const id = `${prefix}-${passages.length + 1}`;
    passages.push({ id, ...passage, entities: [series.entity], statements });
  };
  points.forEach((point, index) => {
    const figure = figureOf(point);
    const period = random.pick(periodForms(point));
    const note = random.pick(random.next() < 0.15 ? notes : fillers);
    const statement: Statement = { point, grade: 2 };
    const published = lag === undefined ? undefined : addDays(endOf(point), lag);
    const draw = random.next();
    const first = provisionalOf(point);
    if (series.revised && published !== undefined && draw < 0.25 && first !== figure) {
      const text =
        `A provisional count puts ${name} in ${period} at ${first}; ` +
        'the figure may still be revised.';
      add({ title: 'First estimate', text, published_at: published }, [
        { ...statement, provisional: true },
      ]);
      const revised =
        `${capital(name)} in ${period} has been revised to ${figure}. ` +
        `The provisional figure, given in round numbers, was ${first}.`;
      add(
        {
          title: 'Revision',
          text: revised,
          published_at: addDays(published, 150 + random.below(120)),
        },
        [statement],
      );
    } else if (published !== undefined && draw < 0.55)
      add({ ...random.pick(reports)(name, figure, grain, note), published_at: published }, [
        statement,
      ]);
    else if (index > 0 && draw > 0.82) {
      const before = points[index - 1]!;
      const text = random.pick(pairs)({
        name,
        now: figure,
        period,
        before: figureOf(before),
        earlier: random.pick(periodForms(before)),
        rise: point.value > before.value,
      });
      if (figureOf(before) !== figure)
        return add({ text }, [statement, { point: before, grade: 1 }]);
      add(random.pick(shapes)(name, figure, period, note), [statement]);
    } else if (draw > 0.68) add({ text: capital(random.pick(says)(figure, period)) }, [statement]);
    else add(random.pick(shapes)(name, figure, period, note), [statement]);
  });
  for (const note of notes) add({ title: `About the figures: ${name}`, text: note }, []);
  return passages;
}

/** A moment within the period of a point, in words. */
export function momentOf(point: Point, random: Random): string {
  const last = endOf(point);
  const days = lengthOf[point.series.grain] * 28;
  const day = addDays(point.start, random.below(days));
  return random.pick([
    `as of ${monthYear(last)}`,
    `as of ${american(last)}`,
    `on ${british(day)}`,
    `on ${day}`,
    `in mid-${monthYear(day)}`,
    `at the end of ${monthYear(last)}`,
  ]);
}
