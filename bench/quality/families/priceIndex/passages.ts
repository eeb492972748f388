// News items on price indexes: sentences that state figures of a month, provisional and
// corrected ones, averages of quarters and years, and background without figures.
import { anyDay, capital, monthName } from '../dates.js';
import type { Random } from '../family.js';
import { figure, monthAfter, monthsBetween, type Measure, type Series } from './data.js';

export interface Fact {
  series: string;
  measure: Measure;
  month: string;
  value: number;
  published: string;
  passage: string;
  /** Whether it is stated in passing. */
  passing: boolean;
}

export interface Story {
  title?: string;
  text: string;
  measures: Measure[];
  /** States the yearly change of the month before, too. */
  before?: boolean;
}

export interface Scene {
  series: Series;
  month: string;
  published: string;
  yearly: number;
  yearlyBefore: number;
  monthly: number;
  level: number;
  random: Random;
}

export const percent = (value: number): string => `${Math.abs(value).toFixed(1)} percent`;
const sign = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(1)}%`;
const rose = (value: number): string =>
  value === 0 ? 'were unchanged (0.0 percent)' : `${value > 0 ? 'rose' : 'fell'} ${percent(value)}`;
const higher = (value: number): string => `${percent(value)} ${value < 0 ? 'lower' : 'higher'}`;
const say = (month: string): string => `${monthName(`${month}-01`)} ${month.slice(0, 4)}`;
const named = (month: string): string => monthName(`${month}-01`);
const bare = (where: string): string => where.replace('in the ', '');

const monthShapes: ((scene: Scene) => Story)[] = [
  ({ series: { what, where }, month, published, yearly, random }) => ({
    text: `${capital(what)} ${where} ${rose(yearly)} in the year to ${say(month)}, the Bureau of Labor Statistics said on ${anyDay(published, random)}.`,
    measures: ['yearly'],
  }),
  ({ series: { what, where }, month, monthly, level }) => ({
    text:
      `The index of ${what} ${where} was put at ${level} for ${named(month)}, ` +
      `after a month in which they ${rose(monthly)}. The figure is not adjusted for the season.`,
    measures: ['level', 'monthly'],
  }),
  ({ series: { what, where }, month, yearly }) => ({
    title: `${capital(bare(where))}: ${what}, ${say(month)}`,
    text: `Against the same month a year earlier they were ${higher(yearly)}. The bureau surveys some 23,000 shops and offices for its figures.`,
    measures: ['yearly'],
  }),
  ({ series: { what, where }, yearly, monthly }) => ({
    text: `Last month ${what} ${where} ${rose(monthly)}, a release of today shows. Compared with the same month of last year, they were ${higher(yearly)}.`,
    measures: ['monthly', 'yearly'],
  }),
  ({ series: { what, where }, month, yearly, yearlyBefore, published, random }) => ({
    text:
      `A yearly change of ${sign(yearly)} was reported for ${what} ${where} in ${say(month)}, ` +
      `after ${sign(yearlyBefore)} in ${named(monthAfter(month, -1))}. The report came out on ${anyDay(published, random)}.`,
    measures: ['yearly'],
    before: true,
  }),
  ({ series: { what, where }, month, yearly, monthly, level }) => ({
    title: 'Price index tables',
    text: `${month} | ${what}, ${bare(where)} | index ${level} | 1 month ${sign(monthly)} | 12 months ${sign(yearly)}`,
    measures: ['level', 'monthly', 'yearly'],
  }),
  ({ series: { what, where }, month, monthly }) => ({
    text:
      `Between ${named(monthAfter(month, -1))} and ${say(month)}, ${what} ${where} ${rose(monthly)}. ` +
      `Households notice such swings more than the slow ones, economists said.`,
    measures: ['monthly'],
  }),
  ({ series: { what, where }, month, yearly, yearlyBefore }) => ({
    title: `Inflation report of ${named(monthAfter(month, 1))}`,
    text: `In ${named(month)}, ${what} ${where} were ${higher(yearly)} than twelve months before. In the preceding month the gap had been ${sign(yearlyBefore)}.`,
    measures: ['yearly'],
    before: true,
  }),
  ({ series: { what, where }, month, level }) => ({
    text: `At ${level} points (1982-84 = 100 for most groups), the index of ${what} ${where} for ${say(month)} was made known by the bureau.`,
    measures: ['level'],
  }),
];

const provisionalShapes: ((scene: Scene) => string)[] = [
  ({ series: { what, where }, month, yearly }) =>
    `According to a provisional estimate, ${what} ${where} ${rose(yearly)} in the twelve months to ${say(month)}. Final figures follow in the middle of the month.`,
  ({ series: { what, where }, month, yearly }) =>
    `Flash figure: ${what} ${where} ${sign(yearly)} on the year in ${named(month)}.`,
  ({ series: { what, where }, yearly }) =>
    `Preliminary data suggest that ${what} ${where} were ${higher(yearly)} last month than a year before.`,
];

const correctionShapes: ((scene: Scene, wrong: number) => string)[] = [
  ({ series: { what, where }, month, yearly }, wrong) =>
    `The yearly change of ${what} ${where} in ${say(month)} has been corrected to ${sign(yearly)}; the bureau had first reported ${sign(wrong)}.`,
  ({ series: { what, where }, month, yearly }) =>
    `Correction: in ${say(month)}, ${what} ${where} ${rose(yearly)} on the year, not as stated before.`,
];

const seasons = ['winter', 'spring', 'summer', 'autumn'];

const quarterShapes: ((what: string, where: string, value: number, month: string) => string)[] = [
  (what, where, value, month) =>
    `In the ${['first', 'second', 'third', 'fourth'][Number(month.slice(5)) / 3 - 1]} quarter of ${month.slice(0, 4)}, ` +
    `${what} ${where} averaged ${higher(value)} than a year earlier.`,
  (what, where, value, month) =>
    `Q${Number(month.slice(5)) / 3} ${month.slice(0, 4)}: ${what} ${where}, quarterly average ${sign(value)} on the year.`,
  (what, where, value, month) =>
    `Over the ${seasons[Number(month.slice(5)) / 3 - 1]} months from ${named(monthAfter(month, -2))} to ${say(month)}, ` +
    `${what} ${where} were on average ${higher(value)} than in the same quarter of the year before.`,
];

const annualShapes: ((what: string, where: string, value: number, year: string) => string)[] = [
  (what, where, value, year) =>
    `For ${year} as a whole, ${what} ${where} averaged ${higher(value)} than in ${Number(year) - 1}.`,
  (what, where, value) =>
    `On the average of the past year, ${what} ${where} ${rose(value)}, according to the yearly review.`,
  (what, where, value, year) =>
    `Annual averages: ${what}, ${bare(where)}, ${year}, ${sign(value)} on the previous year.`,
];

const scenes: ((what: string, where: string) => string)[] = [
  (what, where) => `Shop owners ${where} say that ${what} are what customers ask about most.`,
  (what, where) =>
    `Economists surveyed by a news agency expect ${what} ${where} to calm down, but disagree on how soon.`,
  (what, where) => `A legislator demanded a hearing on ${what} ${where}. No date has been set.`,
  (what, where) =>
    `"I have stopped comparing ${what}," a commuter ${where} said. "It only makes me angry."`,
  (what, where) =>
    `How ${what} ${where} are measured is explained in a new brochure of the bureau.`,
];

type StatedFact = Omit<Fact, 'passage' | 'published'>;
type Add = (
  story: { text: string; title?: string; published: string },
  facts: StatedFact[],
) => void;

/** The figures of a month, and the yearly change of the month before as it was last stated. */
function figuresOf(series: Series, month: string, wrongs: Map<string, number>) {
  const [yearly, monthly, level] = (['yearly', 'monthly', 'level'] as const).map((measure) =>
    figure(series, measure, month),
  );
  const before = monthAfter(month, -1);
  const yearlyBefore = wrongs.get(before) ?? figure(series, 'yearly', before);
  return yearly === undefined ||
    monthly === undefined ||
    level === undefined ||
    yearlyBefore === undefined
    ? undefined
    : { yearly, monthly, level, yearlyBefore };
}

const factOf = (scene: Scene, measure: Measure, value: number): StatedFact => ({
  series: scene.series.name,
  measure,
  month: scene.month,
  value,
  passing: false,
});

/** News of a month's figures, with a provisional or wrong value of the yearly change by chance. */
function tellMonth(scene: Scene, wrongs: Map<string, number>, add: Add): void {
  const { month, published, yearly, yearlyBefore, random } = scene;
  const fact = (measure: Measure, value: number): StatedFact => factOf(scene, measure, value);
  const next = monthAfter(month, 1);
  const off = Math.round((yearly + random.pick([-0.3, -0.2, -0.1, 0.1, 0.2, 0.3])) * 10) / 10;
  const fate = random.next();
  if (fate < 0.18)
    add(
      {
        text: random.pick(provisionalShapes)({ ...scene, yearly: off }),
        published: `${next}-0${1 + random.below(4)}`,
      },
      [fact('yearly', off)],
    );
  const shape = random.pick(monthShapes);
  const wrong = fate > 0.94 && shape(scene).measures.includes('yearly');
  if (wrong) wrongs.set(month, off);
  const stated = wrong ? { ...scene, yearly: off } : scene;
  const story = shape(stated);
  add({ ...story, published }, [
    ...story.measures.map((measure) => fact(measure, stated[measure as 'yearly'])),
    ...(story.before
      ? [{ ...fact('yearly', yearlyBefore), month: monthAfter(month, -1), passing: true }]
      : []),
  ]);
  if (wrong)
    add(
      {
        title: 'Correction of price data',
        text: random.pick(correctionShapes)(scene, off),
        published: `${monthAfter(month, 3)}-0${2 + random.below(7)}`,
      },
      [fact('yearly', yearly)],
    );
}

/** News of the averages of a quarter or a year that ends with the month. */
function tellAverages(scene: Scene, add: Add): void {
  const { series, month, random } = scene;
  const { what, where } = series;
  const fact = (measure: Measure, value: number): StatedFact => factOf(scene, measure, value);
  const next = monthAfter(month, 1);
  const quarter = Number(month.slice(5)) % 3 === 0 ? figure(series, 'quarter', month) : undefined;
  if (quarter !== undefined && random.next() < 0.5)
    add(
      {
        text: random.pick(quarterShapes)(what, where, quarter, month),
        published: `${next}-2${1 + random.below(7)}`,
      },
      [fact('quarter', quarter)],
    );
  const annual = month.endsWith('-12') ? figure(series, 'annual', month) : undefined;
  if (annual !== undefined)
    add(
      {
        text: random.pick(annualShapes)(what, where, annual, month.slice(0, 4)),
        published: `${next}-2${1 + random.below(7)}`,
      },
      [fact('annual', annual)],
    );
}

/** News of each month, quarter and year in turn, given to `add` with the facts stated. */
export function tell(all: Series[], random: Random, add: Add): void {
  const seen = new Set<string>();
  for (const series of all) {
    const { what, where } = series;
    const wrongs = new Map<string, number>();
    for (const month of monthsBetween('2017-01', '2026-07')) {
      const figures = figuresOf(series, month, wrongs);
      if (figures === undefined || random.next() < 0.25) continue;
      const next = monthAfter(month, 1);
      const published = `${next}-${10 + random.below(6)}`;
      const scene: Scene = { series, month, published, ...figures, random };
      tellMonth(scene, wrongs, add);
      tellAverages(scene, add);
      const sight = random.pick(scenes)(what, where);
      if (random.next() < 0.07 && !seen.has(sight)) {
        seen.add(sight);
        add({ text: sight, published: `${next}-1${random.below(10)}` }, []);
      }
    }
  }
}
