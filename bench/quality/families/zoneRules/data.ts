// Zones, eras of standard time and seasons of summer time from the compact source of the tz
// database, and the paragraphs of its release notes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { addDays, months } from '../dates.js';

/** A stretch of one standard offset; `seconds` east of Greenwich, `to` the first day after it. */
export interface Era {
  from?: string;
  to?: string;
  seconds: number;
  local: boolean;
}

export interface SummerEvent {
  day: string;
  kind: 'start' | 'end';
  /** By how much clocks were moved; none where the standard changed at the same time. */
  minutes: number;
}

export interface Zone {
  id: string;
  place: string;
  country: string;
  coordinates: string;
  eras: Era[];
  summer: SummerEvent[];
}

export interface NewsItem {
  release: string;
  day: string;
  text: string;
}

interface Rule {
  from: number;
  to: number;
  cells: string[];
  save: number;
}

const lastYear = 2026;
const msPerDay = 86_400_000;
const isoDay = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);

function monthIndex(cell: string): number {
  return months.findIndex((name) => name.toLowerCase().startsWith(cell.toLowerCase()));
}

function weekdayIndex(cell: string): number {
  const names = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
  return names.findIndex((name) => name.startsWith(cell.toLowerCase()));
}

function seconds(cell: string): number {
  const [, sign, hours, minutes = '0', rest = '0'] = /^(-?)(\d+)(?::(\d+))?(?::(\d+))?/.exec(
    cell === '-' ? '0' : cell,
  )!;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(rest));
}

/** The day of "Mar lastSu 2s" in a year, by local time at `offset`. */
function dayIn(year: number, [month, day = '1', time = '0']: string[], offset: number): string {
  const at = month === undefined ? 0 : monthIndex(month);
  let iso: string;
  const [, name, order, limit] = /^([A-Za-z]+)([<>]=)(\d+)$/.exec(day) ?? [];
  if (day.startsWith('last')) {
    const end = new Date(Date.UTC(year, at + 1, 0));
    const back = (end.getUTCDay() - weekdayIndex(day.slice(4)) + 7) % 7;
    iso = isoDay(year, at, end.getUTCDate() - back);
  } else if (name !== undefined && limit !== undefined) {
    const start = new Date(Date.UTC(year, at, Number(limit)));
    const difference = weekdayIndex(name) - start.getUTCDay();
    const shift = order === '>=' ? (difference + 7) % 7 : -((7 - difference) % 7);
    iso = isoDay(year, at, Number(limit) + shift);
  } else iso = isoDay(year, at, Number(day));
  const clock = seconds(time) + (/[ugz]$/.test(time) ? offset : 0);
  return addDays(iso, Math.floor(clock / (msPerDay / 1000)));
}

interface Line {
  offset: number;
  rule: string;
  format: string;
  until?: string;
}

/** Changes of a rule set as days with the saving from then on. */
function savings(rules: Rule[], offset: number): { day: string; save: number }[] {
  return rules
    .flatMap(({ from, to, cells, save }) =>
      Array.from({ length: Math.max(0, Math.min(to, lastYear) - from + 1) }, (_, at) => ({
        day: dayIn(from + at, cells, offset),
        save,
      })),
    )
    .sort((one, other) => (one.day < other.day ? -1 : 1));
}

function erasOf(lines: Line[]): Era[] {
  const eras: Era[] = [];
  let from: string | undefined;
  for (const { offset, format, until } of lines) {
    const last = eras.at(-1);
    const local = format === 'LMT';
    if (last?.seconds === offset) delete last.to;
    else eras.push({ ...(from === undefined ? {} : { from }), seconds: offset, local });
    if (until !== undefined) eras.at(-1)!.to = until;
    from = until;
  }
  return eras;
}

function summerOf(lines: Line[], rules: Map<string, Rule[]>): SummerEvent[] {
  const events: SummerEvent[] = [];
  let [from, saving, total] = ['0000', 0, lines[0]!.offset];
  for (const { offset, rule, until = '9999' } of lines) {
    const steps = savings(rules.get(rule) ?? [], offset);
    const fixed = /^-?\d/.test(rule) ? seconds(rule) : 0;
    const before = steps.filter(({ day }) => day <= from).at(-1);
    const all = [
      { day: from, save: rules.has(rule) ? (before?.save ?? 0) : fixed },
      ...steps.filter(({ day }) => day > from && day < until),
    ];
    for (const { day, save } of all) {
      const minutes = Math.abs(offset + save - total) / 60;
      if (saving === 0 && save > 0) events.push({ day, kind: 'start', minutes });
      if (saving > 0 && save === 0) events.push({ day, kind: 'end', minutes });
      [saving, total] = [save, offset + save];
    }
    from = until;
  }
  return events;
}

const regions: Record<string, string> = {
  Indiana: 'Indiana',
  Kentucky: 'Kentucky',
  North_Dakota: 'North Dakota',
  Argentina: 'Argentina',
};

function placeOf(id: string, country: string): string {
  const parts = id.split('/');
  const name = parts
    .at(-1)!
    .replace(/_/g, ' ')
    .replace('DumontDUrville', 'Dumont d’Urville')
    .replace('St ', 'St. ');
  const region = parts.length > 2 ? regions[parts[1]!] : undefined;
  return name === country ? name : `${name}, ${region ?? country}`;
}

function angle(text: string): string {
  const parts = /^([+-])(\d+)(\d\d)(\d\d)?([+-])(\d{3})(\d\d)(\d\d)?$/.exec(text);
  if (parts === null) return text;
  const [, south, latitude, minutes, , west, longitude, rest] = parts;
  return (
    `${Number(latitude)}°${minutes}′ ${south === '-' ? 'south' : 'north'}, ` +
    `${Number(longitude)}°${rest}′ ${west === '-' ? 'west' : 'east'}`
  );
}

function table(folder: string, name: string): string[][] {
  return readFileSync(join(folder, 'usr/share/zoneinfo', name), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
}

/** Short names of countries, as people write them. */
const shortNames: Record<string, string> = {
  'Britain (UK)': 'Britain',
  'Bosnia & Herzegovina': 'Bosnia',
  'Congo (Dem. Rep.)': 'DR Congo',
  'Congo (Rep.)': 'Congo Republic',
  'Korea (North)': 'North Korea',
  'Korea (South)': 'South Korea',
  'Samoa (western)': 'Samoa',
  'Samoa (American)': 'American Samoa',
  'Myanmar (Burma)': 'Myanmar',
  'Eswatini (Swaziland)': 'Eswatini',
  'Virgin Islands (UK)': 'British Virgin Islands',
  'Virgin Islands (US)': 'US Virgin Islands',
};

export function zonesOf(folder: string): Zone[] {
  const countries = new Map(
    table(folder, 'iso3166.tab').map(([code, name]) => [code!, shortNames[name!] ?? name!]),
  );
  const rules = new Map<string, Rule[]>();
  const zones = new Map<string, Line[]>();
  let open: Line[] | undefined;
  const source = readFileSync(join(folder, 'usr/share/zoneinfo/tzdata.zi'), 'utf8');
  for (const line of source.split('\n')) {
    const cells = line.split(' ');
    if (cells[0] === 'R') {
      const [, name, from, to, , month, day, time, save] = cells;
      const first = Number(from);
      const last = to === 'o' ? first : to === 'ma' ? lastYear : Number(to);
      const rule = { from: first, to: last, cells: [month!, day!, time!], save: seconds(save!) };
      rules.set(name!, [...(rules.get(name!) ?? []), rule]);
      continue;
    }
    if (cells[0] === 'Z') zones.set(cells[1]!, (open = []));
    if (cells[0] !== 'Z' && !/^-?\d/.test(line)) continue;
    const [offset, rule, format, year, ...until] = cells[0] === 'Z' ? cells.slice(2) : cells;
    const shift = seconds(offset!);
    const end = year === undefined ? undefined : dayIn(Number(year), until, shift);
    open!.push({
      offset: shift,
      rule: rule!,
      format: format!,
      ...(end === undefined ? {} : { until: end }),
    });
  }
  return table(folder, 'zone.tab').flatMap(([code, position, id]): Zone[] => {
    const lines = zones.get(id!);
    if (lines === undefined || lines.some(({ format }) => format === '-00')) return [];
    const country = countries.get(code!) ?? code!;
    return [
      {
        id: id!,
        place: placeOf(id!, country),
        country,
        coordinates: angle(position!),
        eras: erasOf(lines),
        summer: summerOf(lines, rules),
      },
    ];
  });
}

/** The paragraphs of the release notes on data, with the release and day of each. */
export function newsOf(folder: string): NewsItem[] {
  const text = gunzipSync(readFileSync(join(folder, 'usr/share/doc/tzdata/changelog.gz')));
  const items: NewsItem[] = [];
  const releases = text
    .toString()
    .split(/^-{5}$/m)[0]!
    .split(/^(?=Release )/m);
  for (const block of releases) {
    const [, name, day] = /^Release (\S+) - (\d{4}-\d\d-\d\d)/.exec(block) ?? [];
    if (name === undefined || day === undefined) continue;
    const release = name
      .split('-')
      .at(-1)!
      .replace(/^(?:data|code)/, '');
    let skipped = false;
    for (const paragraph of block.split(/\n\s*\n/).slice(1)) {
      if (/^ {2}\S.{0,60}$/.test(paragraph.replace(/\n+$/, ''))) {
        skipped = /code|build|documentation|API|version|commentary|metadata/i.test(paragraph);
        continue;
      }
      if (skipped || paragraph.includes('Briefly:')) continue;
      const words = paragraph.replace(/\s+/g, ' ').trim();
      if (words.length >= 70 && words.length < 1500) items.push({ release, day, text: words });
    }
  }
  return items;
}
