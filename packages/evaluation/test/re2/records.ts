// Records of our own making for the tests of benchmarks: places, days, forecasts that are revised,
// counts that are restated.
import { re2Benchmark, type Re2Benchmark } from '../../lib/re2/benchmark.js';
import type { Re2Schema } from '../../lib/re2/schema.js';
import type { Re2Options } from '../../lib/re2/benchmark.js';
import type { Re2Record } from '../../lib/re2/records.js';
import { checkSchema } from '../../lib/re2/schema.js';
import { re2RecordsOf } from '../../lib/re2/records.js';
import { mulberry32 } from '../../../../lib/text/random.js';

export const places = [
  'Arvik',
  'Belmare',
  'Corrow',
  'Dunholt',
  'Eastvale',
  'Farrin',
  'Gorsk',
  'Hartsey',
  'Ilmen',
  'Jarrow Bay',
  'Kestrel Point',
  'Lowmoor',
];

export const weatherSchema: Re2Schema = {
  entity: 'place',
  date: 'day',
  published: 'issued',
  style: 'weather',
  attributes: [
    { column: 'sky', role: 'conditions', told: 'day' },
    { column: 'high', role: 'high', unit: ['°C', ' degrees'], told: 'day' },
    { column: 'low', role: 'low', unit: '°C' },
  ],
};
export const countSchema: Re2Schema = {
  entity: 'place',
  date: 'day',
  published: 'issued',
  style: 'counts',
  attributes: [
    { column: 'visitors', name: ['visitors', 'day visitors'], cumulative: true },
    { column: 'boats', name: 'boats' },
  ],
};
export const collisionSchema: Re2Schema = {
  entity: 'place',
  date: 'day',
  published: 'issued',
  style: 'collisions',
  attributes: [
    { column: 'boats', name: 'cyclists', role: 'injured' },
    { column: 'high', name: 'cyclists', role: 'killed' },
    { column: 'visitors', name: 'pedestrians', role: 'injured', told: 'all' },
    { column: 'low', name: 'motorists', role: 'killed', told: 'all' },
  ],
};
export const scoreSchema: Re2Schema = {
  entity: '{cup} final',
  date: 'day',
  style: 'scores',
  attributes: [
    { column: 'winner', role: 'winner', told: 'm' },
    { column: 'loser', role: 'loser', told: 'm' },
    { column: 'score', role: 'score', told: 'm' },
  ],
};
export const genericSchema: Re2Schema = {
  entity: 'place',
  date: 'month',
  attribute: 'metric',
  attributes: [{ column: 'value' }],
};

/** A schema of each style. */
export const schemas: Readonly<Record<string, Re2Schema>> = {
  weather: weatherSchema,
  counts: countSchema,
  scores: scoreSchema,
  collisions: collisionSchema,
  generic: genericSchema,
};

const day = (from: string, days: number): string =>
  new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10);

/**
 * Rows of every kind: each place has days, each day two or three forecasts, of which some are
 * revised.
 */
export function rows(seed = 1, days = 60): Record<string, string>[] {
  const random = mulberry32(seed);
  const below = (count: number): number => Math.floor(random() * count);
  return places.flatMap((place) =>
    Array.from({ length: days }, (_, at) => at).flatMap((at) => {
      const high = 4 + below(20);
      return Array.from({ length: 1 + below(3) }, (_, issue) => ({
        place,
        day: day('2021-01-01', at * 19),
        issued: `${day('2021-01-01', at * 19 - 3 + issue)}T0${6 + below(3)}:30Z`,
        sky: ['sunny', 'cloudy', 'rainy', 'windy'][below(4)]!,
        high: String(high + (below(2) ? below(3) : 0)),
        low: String(high - 6),
        visitors: String(1000 * at + below(900) + 12000),
        boats: String(below(90)),
        cup: `${place} Cup`,
        winner: `Rover ${below(40)}`,
        loser: `Ranger ${below(40)}`,
        score: `${below(5)}-${below(5)}`,
        metric: ['rainfall', 'population'][below(2)]!,
        month: day('2021-01-01', at * 19).slice(0, 7),
        value: String(below(500)),
      }));
    }),
  );
}

export function records(schema: Re2Schema, from = rows()): Re2Record[] {
  const checked = checkSchema(schema);
  return from.flatMap((row, at) => re2RecordsOf(row, checked, { file: 'rows', line: at + 1 }));
}

export function benchmarkOf(
  schema: Re2Schema,
  options: Re2Options = {},
  from = rows(),
): Promise<Re2Benchmark> {
  return re2Benchmark(records(schema, from), schema, options);
}
