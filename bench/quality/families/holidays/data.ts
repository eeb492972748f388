// Public holidays of some countries day by day, their introductions, ends and gaps, and days that
// were moved by decree after calendars had been printed.
import { execFileSync } from 'node:child_process';
import { delimiter } from 'node:path';

export interface Holiday {
  country: string;
  name: string;
  date: string;
}

/** A holiday that began, ended, was suspended or was kept only once. */
export interface Change {
  country: string;
  name: string;
  kind: 'introduced' | 'abolished' | 'suspended' | 'once';
  /** First year with (introduced, once) or without the holiday; of a gap also the last. */
  from: number;
  to: number;
}

const countries: Record<string, string> = {
  US: 'the United States',
  'GB-ENG': 'England',
  IE: 'Ireland',
  NZ: 'New Zealand',
  ZA: 'South Africa',
  SG: 'Singapore',
  JP: 'Japan',
  KR: 'South Korea',
  DE: 'Germany',
  FR: 'France',
  NL: 'the Netherlands',
  PL: 'Poland',
  SE: 'Sweden',
  FI: 'Finland',
  DK: 'Denmark',
  PT: 'Portugal',
  IT: 'Italy',
  CZ: 'Czechia',
  SK: 'Slovakia',
  BR: 'Brazil',
};

export const firstYear = 1992;
export const lastYear = 2027;

const script = `
import holidays, json, sys
found = []
for code in sys.argv[1].split(','):
    country, _, region = code.partition('-')
    days = holidays.country_holidays(country, subdiv=region or None, language='en_US',
                                     years=range(int(sys.argv[2]), int(sys.argv[3]) + 1))
    found += [[code, str(day), name] for day, name in sorted(days.items())]
print(json.dumps(found))
`;

const plainName = (name: string): string =>
  name
    .replace(/^Alternative holiday for (.*)/, '$1 (observed)')
    .replace(/ \((?!observed).*\)$/, '')
    .replace(/ \(observed, estimated\)/, ' (observed)');

/** Holidays by country and date; `folders` hold the package and what it depends on. */
export function holidaysOf(folders: string[]): Holiday[] {
  const codes = Object.keys(countries).join(',');
  const output = execFileSync('python3', ['-c', script, codes, `${firstYear}`, `${lastYear}`], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    env: { ...process.env, PYTHONPATH: folders.join(delimiter), PYTHONDONTWRITEBYTECODE: '1' },
  });
  const rows = JSON.parse(output) as [string, string, string][];
  return rows.flatMap(([code, date, names]) =>
    [...new Set(names.split('; ').map(plainName))].map((name) => ({
      country: countries[code]!,
      name,
      date,
    })),
  );
}

const unsteady =
  /observed|Substitute|National Holiday$|lections?( Day)?$|Temporary|Polling|Decree|Y2K/;
const renamed =
  /^Czechia (.*iberation|Struggle|Victory)|(King|Queen)'s (Day|Birthday)|Physical Education|Sports/;

/** Events in the years of a holiday, without those near the ends of the data. */
export function changesOf(all: Holiday[]): Change[] {
  const years = new Map<string, Set<number>>();
  for (const { country, name, date } of all) {
    if (unsteady.test(name) || renamed.test(`${country} ${name}`)) continue;
    const key = `${country}|${name}`;
    years.set(key, (years.get(key) ?? new Set()).add(Number(date.slice(0, 4))));
  }
  return [...years].flatMap(([key, kept]): Change[] => {
    const [country, name] = key.split('|') as [string, string];
    const [from, to] = [Math.min(...kept), Math.max(...kept)];
    if (kept.size === 1) return [{ country, name, kind: 'once', from, to }];
    const gap = Array.from({ length: to - from }, (_, at) => from + at).filter(
      (year) => !kept.has(year),
    );
    const changes: Change[] = [];
    if (gap.length > 0 && gap.at(-1)! - gap[0]! !== gap.length - 1) return [];
    if (from > firstYear && `${country} ${from}` !== 'Slovakia 1993')
      changes.push({ country, name, kind: 'introduced', from, to: from });
    if (to < lastYear) changes.push({ country, name, kind: 'abolished', from: to + 1, to: to + 1 });
    if (gap.length > 0)
      changes.push({ country, name, kind: 'suspended', from: gap[0]!, to: gap.at(-1)! });
    return changes;
  });
}

export interface Move extends Holiday {
  /** The day that the rule would have given, as printed at first. */
  planned: string;
  /** Day of the decision. */
  decided: string;
}

export const moves: Move[] = [
  ['England', 'May Day', '2020-05-08', '2020-05-04', '2019-06-07'],
  ['England', 'Spring Bank Holiday', '2012-06-04', '2012-05-28', '2010-01-05'],
  ['England', 'Spring Bank Holiday', '2022-06-02', '2022-05-30', '2020-11-12'],
  ['Japan', 'Marine Day', '2020-07-23', '2020-07-20', '2018-06-13'],
  ['Japan', 'Marine Day', '2021-07-22', '2021-07-19', '2020-11-27'],
  ['Japan', 'Sports Day', '2020-07-24', '2020-10-12', '2018-06-13'],
  ['Japan', 'Sports Day', '2021-07-23', '2021-10-11', '2020-11-27'],
  ['Japan', 'Mountain Day', '2020-08-10', '2020-08-11', '2018-06-13'],
  ['Japan', 'Mountain Day', '2021-08-08', '2021-08-11', '2020-11-27'],
].map(([country, name, date, planned, decided]) => ({
  country: country!,
  name: name!,
  date: date!,
  planned: planned!,
  decided: decided!,
}));
