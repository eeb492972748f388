// Monthly price indexes of items and regions of the United States, and the figures that news
// items state of them: changes on the year and the month, levels, averages.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export type Measure = 'yearly' | 'monthly' | 'level' | 'quarter' | 'annual';

export interface Series {
  /** Entity as questions name it: what and where. */
  name: string;
  what: string;
  where: string;
  levels: Map<string, number>;
}

const items: Record<string, string> = {
  SA0: 'consumer prices',
  SA0L1E: 'core consumer prices',
  SAF1: 'food prices',
  SAF11: 'grocery prices',
  SEFV: 'restaurant prices',
  SA0E: 'energy prices',
  SETB01: 'gasoline prices',
  SEHF01: 'electricity prices',
  SAH1: 'shelter costs',
  SEHA: 'rents',
  SETA02: 'used car prices',
  SETA01: 'new vehicle prices',
  SETG01: 'airline fares',
  SEFH: 'egg prices',
  SEFP01: 'coffee prices',
};

const areas: Record<string, string> = {
  '0000': 'in the United States',
  '0100': 'in the Northeast',
  '0200': 'in the Midwest',
  '0300': 'in the South',
  '0400': 'in the West',
  S12A: 'in the New York area',
  S23A: 'in the Chicago area',
  S49A: 'in the Los Angeles area',
};

const chosen: [string, string][] = [
  ...Object.keys(items).map((item): [string, string] => ['0000', item]),
  ...Object.keys(areas)
    .slice(1)
    .map((area): [string, string] => [area, 'SA0']),
  ['0100', 'SETB01'],
  ['0400', 'SETB01'],
  ['S49A', 'SETB01'],
  ['S12A', 'SEHA'],
  ['0300', 'SEHF01'],
];

const query = `
import json, sqlite3, sys
rows = sqlite3.connect(sys.argv[1]).execute(
    "select series, year, period, value from indexes where year > 2014 and period < 'M13'")
wanted = set(sys.argv[2].split(','))
print(json.dumps([row for row in rows if row[0] in wanted]))
`;

/** Series of a folder with the unpacked package `cpi`. */
export function seriesOf(folder: string): Series[] {
  const ids = chosen.map(([area, item]) => `CUUR${area}${item}`);
  const database = join(folder, 'cpi', 'cpi.db');
  const output = execFileSync('python3', ['-c', query, database, ids.join(',')], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const rows = JSON.parse(output) as [string, number, string, number][];
  return chosen.map(([area, item]) => {
    const id = `CUUR${area}${item}`;
    const own = rows.filter(([series]) => series === id);
    const levels = new Map(
      own.map(([, year, period, value]): [string, number] => [`${year}-${period.slice(1)}`, value]),
    );
    const [what, where] = [items[item]!, areas[area]!];
    return { name: `${what} ${where}`, what, where, levels };
  });
}

/** The month some months later, or earlier where negative. */
export function monthAfter(month: string, count: number): string {
  const total = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + count;
  return `${Math.floor(total / 12)}-${String((total % 12) + 1).padStart(2, '0')}`;
}

export function monthsBetween(from: string, to: string): string[] {
  const months: string[] = [];
  for (let month = from; month <= to; month = monthAfter(month, 1)) months.push(month);
  return months;
}

const tenth = (value: number): number => Math.round(value * 10) / 10;

/** Change in percent of the mean of some months against the same number of months before. */
function change(levels: Map<string, number>, months: string[], lag: number): number | undefined {
  const mean = (shift: number): number =>
    months.reduce((sum, month) => sum + (levels.get(monthAfter(month, shift)) ?? NaN), 0);
  const value = (mean(0) / mean(-lag) - 1) * 100;
  return Number.isNaN(value) ? undefined : tenth(value);
}

/** A figure of a period: its month, or the last month of its quarter or year. */
export function figure(series: Series, measure: Measure, month: string): number | undefined {
  const { levels } = series;
  if (measure === 'level') return levels.get(month);
  if (measure === 'monthly') return change(levels, [month], 1);
  if (measure === 'yearly') return change(levels, [month], 12);
  const length = measure === 'quarter' ? 3 : 12;
  return change(levels, monthsBetween(monthAfter(month, 1 - length), month), 12);
}
