// Made-up records for training the embedded time encoder: weather, counts, matches and office
// holders, with days, months and years from 1200 to 2040, as input of `asof bench-data re2`. usage:
// node --import tsx models/train/timeRecords.ts FOLDER [--rows 12000] [--seed 1]
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mulberry32 } from '../../lib/text/random.js';
import { civilFromDays, daysFromCivil } from '../../lib/time/civil.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '12000' }, seed: { type: 'string', default: '1' } },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('Pass the output folder.');
const rows = Number(values.rows);
const random = mulberry32(Number(values.seed));
const below = (count: number): number => Math.floor(random() * count);
const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
const many = <T>(count: number, make: () => T): T[] => [
  ...new Set(Array.from({ length: count }, make)),
];

const syllables = (
  'bar bel cor dal den dor el far fen gal ger hal har ka kel lan lor ma mel mor na nor or ' +
  'pel per ' +
  'ra ren ro sal sel ta tor ul va vel vin wel yar zan'
).split(' ');
const name = (): string => {
  const word = Array.from({ length: 2 + below(2) }, () => pick(syllables)).join('');
  return word[0]!.toUpperCase() + word.slice(1);
};
const pad = (value: number): string => String(value).padStart(2, '0');
const iso = (days: number): string => {
  const { year, month, day } = civilFromDays(days);
  return `${String(year).padStart(4, '0')}-${pad(month)}-${pad(day)}`;
};
/** A day, a month or a year between two years. */
const dateBetween = (from: number, to: number, shares: readonly [number, number]): string => {
  const first = daysFromCivil({ year: from, month: 1, day: 1 });
  const date = iso(first + below(daysFromCivil({ year: to, month: 1, day: 1 }) - first));
  const draw = random();
  return draw < shares[0]
    ? date
    : draw < shares[0] + shares[1]
      ? date.slice(0, 7)
      : date.slice(0, 4);
};

function table(kind: string, schema: object, lines: readonly Record<string, unknown>[]): void {
  mkdirSync(folder!, { recursive: true });
  writeFileSync(join(folder!, `${kind}.schema.json`), JSON.stringify(schema));
  writeFileSync(
    join(folder!, `${kind}.jsonl`),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
}

const cities = many(
  160,
  () => `${pick(['', '', '', 'Port ', 'Lake ', 'Fort ', 'New ', 'East '])}${name()}`,
);
const skies = 'sunny|cloudy|rain|snow|windy|fog|clear|thunderstorms|drizzle|partly cloudy'.split(
  '|',
);
const weather: Record<string, unknown>[] = [];
while (weather.length < rows) {
  // A window of weeks in one year, as in a station's archive: many nearby days, each with several
  // forecasts.
  const start = daysFromCivil({ year: 1990 + below(45), month: 1 + below(12), day: 1 });
  const city = pick(cities);
  for (let i = 0; i < 14; i += 1) {
    const day = start + below(60);
    for (const ahead of [4, 1].slice(below(2)))
      weather.push({
        city,
        date: iso(day),
        issued: iso(day - ahead),
        sky: pick(skies),
        high: 10 + below(90),
      });
  }
}
table(
  'weather',
  {
    entity: 'city',
    date: 'date',
    published: 'issued',
    style: 'weather',
    attributes: [
      { column: 'sky', role: 'conditions', told: 'day' },
      { column: 'high', role: 'high', unit: ['°F', ' degrees'], told: 'day' },
    ],
  },
  weather,
);

const regions = many(90, () => `${name()}${pick(['', '', 'land', ' Province', ' County'])}`);
const counts: Record<string, unknown>[] = [];
while (counts.length < rows) {
  const region = pick(regions);
  const start = daysFromCivil({ year: 1955 + below(80), month: 1 + below(12), day: 1 });
  for (let i = 0; i < 20; i += 1)
    counts.push({
      region,
      date: iso(start + below(500)),
      visitors: below(900_000),
      accidents: below(4000),
      cases: below(3_000_000),
    });
}
table(
  'counts',
  {
    entity: 'region',
    date: 'date',
    style: 'counts',
    attributes: [
      { column: 'visitors', name: ['visitors', 'tourists'] },
      { column: 'accidents', name: ['road accidents', 'crashes'] },
      { column: 'cases', name: ['confirmed cases', 'infections'], cumulative: true },
    ],
  },
  counts,
);

const players = many(300, () => `${name()} ${name()}`);
const events = many(14, () => `${name()} ${pick(['Open', 'Cup', 'Trophy', 'Classic', 'Masters'])}`);
const scores = Array.from({ length: rows }, () => ({
  event: pick(events),
  date: dateBetween(1950, 2036, [0.8, 0.1]),
  winner: pick(players),
  loser: pick(players),
  score: `${below(7)}-${below(7)} ${below(7)}-${below(7)}`,
}));
table(
  'scores',
  {
    entity: 'event',
    date: 'date',
    style: 'scores',
    attributes: [
      { column: 'winner', role: 'winner', told: 'match' },
      { column: 'loser', role: 'loser', told: 'match' },
      { column: 'score', role: 'score', told: 'match' },
    ],
  },
  scores,
);

const bodyKinds = 'University Museum Railway Theatre Council Society Company Hospital'.split(' ');
const bodies = many(220, () => `${name()} ${pick(bodyKinds)}`);
const roles = (
  'director|president|chairman|head|treasurer|members|budget|prize winner|architect|' + 'sponsor'
).split('|');
const holders = Array.from({ length: rows }, () => {
  const body = pick(bodies);
  const role = pick(roles);
  const [from, to] = pick([
    [1900, 2036],
    [1900, 2036],
    [1600, 1900],
    [1200, 1600],
  ] as const);
  return {
    body,
    role,
    date: dateBetween(from, to, [0.25, 0.15]),
    holder: role === 'members' || role === 'budget' ? below(90_000) : pick(players),
  };
});
table(
  'holders',
  { entity: 'body', attribute: 'role', date: 'date', attributes: [{ column: 'holder' }] },
  holders,
);
