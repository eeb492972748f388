// Re2 Bench's three domains (Re3 appendix A) by our builder: New York's collisions, counts of
// infections as restated, and forecasts as reissued, from tables that a user has.
import { readCsv } from '@asof/documents';
import { crashRow, crashSchema } from '../../re2/crashes.js';
import { re2Benchmark } from '../../re2/benchmark.js';
import { re2RecordsOf, type ReadRe2Options, type Re2Record } from '../../re2/records.js';
import { checkSchema, type Re2Schema } from '../../re2/schema.js';
import { writeRe2 } from '../../re2/write.js';
import type { PaperData, PaperSource } from './data.js';
import { inventedCrashes } from './inventedCrashes.js';
import { inventedPlaces } from './invented.js';
import { hashOf } from './writeSet.js';

type Row = Record<string, string>;

/** A table of a domain: its schema and the mapping of its rows. */
export interface Re2Table {
  schema: Re2Schema;
  /** The row as the schema wants it; undefined for an excluded row. */
  row: NonNullable<ReadRe2Options['row']>;
}

const skies: Row = {
  ptcldy: 'partly cloudy',
  mocldy: 'mostly cloudy',
  vrycld: 'variably cloudy',
  shwrs: 'showery',
  snoshw: 'snow-showery',
  tstrms: 'thundery',
  rain: 'rainy',
  snow: 'snowy',
  rnsnow: 'mixed rain and snow',
  blgsno: 'blowing-snow',
  fzrain: 'freezing-rain',
  flrrys: 'flurry',
  fzdrzl: 'freezing-drizzle',
  drzl: 'drizzly',
  fog: 'foggy',
  dust: 'dusty',
};
const degrees = ['°F', ' F', ' degrees', ' degrees Fahrenheit'];

/**
 * Lows are of the night after the day in morning issues and of the one before it in evening ones:
 * only the former are kept.
 */
export const forecastTable: Re2Table = {
  schema: {
    entity: 'city',
    date: 'target_date',
    published: 'issued_at',
    style: 'weather',
    attributes: [
      { column: 'outlook', role: 'conditions', told: 'day' },
      { column: 'hi_f', role: 'high', unit: degrees, told: 'day' },
      { column: 'lo_f', role: 'low', unit: degrees },
    ],
  },
  row: (given) => {
    const row = given as Row;
    return {
      ...row,
      city: row['city']!.toLowerCase()
        .replace(/(?:^|[ -])\p{L}/gu, (letter) => letter.toUpperCase())
        .replace(/ (\p{L}\p{L})$/u, (state, letters: string) =>
          / [A-Z]{2}$/.test(row['city']!) ? `, ${letters.toUpperCase()}` : state,
        ),
      outlook: skies[row['outlook']!.toLowerCase()] ?? row['outlook']!.toLowerCase(),
      lo_f: row['issuance'] === 'AM' ? row['lo_f']! : '',
    };
  },
};

export const countTable: Re2Table = {
  schema: {
    entity: 'country',
    date: 'observation_date',
    published: 'published_at',
    style: 'counts',
    attributes: [
      {
        column: 'confirmed_cumulative',
        name: [
          'confirmed COVID-19 cases',
          'confirmed cases of COVID-19',
          'COVID-19 infections',
          'confirmed coronavirus cases',
        ],
        cumulative: true,
      },
    ],
  },
  row: (row) => ({
    ...(row as Row),
    country: row['country'] === 'US' ? 'the United States' : String(row['country']),
  }),
};

const crashTable: Re2Table = { schema: crashSchema, row: crashRow };

async function write(
  folder: string,
  rows: AsyncIterable<Re2Record> | Iterable<Re2Record>,
  { schema }: Re2Table,
  signal?: AbortSignal,
): Promise<void> {
  const benchmark = await re2Benchmark(rows, schema, signal ? { signal } : {});
  await writeRe2(folder, benchmark, signal ? { signal } : {});
}

function domain(
  given: Pick<PaperData, 'name' | 'of'> & { source: PaperSource },
  table: Re2Table,
  invented: () => Row[],
): PaperData {
  const { source, ...names } = given;
  const checked = checkSchema(table.schema);
  const recordsOf = (row: Row, file: string, line: number): Re2Record[] => {
    const mapped = table.row(row, { file, line });
    return mapped ? re2RecordsOf(mapped, checked, { file, line }) : [];
  };
  return {
    ...names,
    difference: 'made by our builder, in its sentences: Re2 Bench is not published',
    comparable: false,
    sources: [source],
    async make(files, folder, signal) {
      const rows = async function* (): AsyncGenerator<Re2Record> {
        for (const file of files.get(source.name)!)
          for await (const records of readCsv(file, (row, { line }) => recordsOf(row, file, line), {
            signal,
          }))
            yield* records;
      };
      await write(folder, rows(), table, signal);
    },
    sample: (folder) =>
      write(
        folder,
        invented().flatMap((row, at) => recordsOf(row, 'invented rows', at + 2)),
        table,
      ),
  };
}

const day = (at: number): string => new Date(Date.UTC(2022, 0, 1 + at)).toISOString().slice(0, 10);

/** Forecasts of three days ahead, issued each morning for each of ten cities. */
const inventedForecasts = (): Row[] =>
  inventedPlaces(8).flatMap((city) =>
    Array.from({ length: 30 }, (_, at) => at).flatMap((at) =>
      [2, 1, 0].map((ahead) => {
        const key = `${city}${at}`;
        const drift = hashOf(`${key}${ahead}`) % 3 === 0 ? ahead : 0;
        const high = 40 + (hashOf(key) % 40) + drift;
        return {
          city: city.toUpperCase(),
          target_date: day(at + 3),
          issued_at: `${day(at + 3 - ahead)}T12:00Z`,
          issuance: 'AM',
          outlook: Object.keys(skies)[hashOf(`sky${key}`) % 8]!,
          hi_f: String(high),
          lo_f: String(high - 15),
        };
      }),
    ),
  );

/** Counts of fifty days in six countries, each restated once. */
const inventedCounts = (): Row[] =>
  inventedPlaces(6).flatMap((country, number) =>
    Array.from({ length: 50 }, (_, at) => at).flatMap((at) =>
      [1, 5].map((later) => ({
        country,
        observation_date: day(at),
        published_at: `${day(at + later)}T06:00Z`,
        confirmed_cumulative: String(
          1000 * (number + 1) + at * 137 + (later === 5 ? 3 + (hashOf(`${country}${at}`) % 40) : 0),
        ),
      })),
    ),
  );

export const re2Domains: readonly PaperData[] = [
  domain(
    {
      name: 're2-nyc',
      of: "New York's motor vehicle collisions",
      source: {
        name: 'collisions',
        file: /(?:^|\/)(?:nyc_crashes\/\w+|Motor_Vehicle_Collisions_-_Crashes\w*)\.csv$/,
        from: "New York's open data, h9gi-nx95, as CSV",
      },
    },
    crashTable,
    () => inventedCrashes(10),
  ),
  domain(
    {
      name: 're2-covid',
      of: 'cumulative counts of infections as published and restated',
      source: {
        name: 'counts',
        file: /(?:^|\/)covid_revisions\/revisions\.csv$/,
        from:
          'the history of data/key-countries-pivoted.csv of github.com/datasets/covid-19 at ' +
          'daefa2f (PDDL), as rows country, observation_date, published_at, confirmed_cumulative',
        sha256: ['2d9ab5d554f6656c74ef0bb50903c2471349567a531eccd5203fe1b981f0025f'],
      },
    },
    countTable,
    inventedCounts,
  ),
  domain(
    {
      name: 're2-noaa',
      of: 'successive forecasts of one day for one city',
      source: {
        name: 'forecasts',
        file: /(?:^|\/)nws_selected_cities\/forecasts\.csv$/,
        from:
          'bulletins FPUS20 KWBN of github.com/speegled/weather_forecasts at cc89094 (public ' +
          'domain), as rows city, target_date, issued_at, issuance, outlook, hi_f, lo_f',
        sha256: ['d08d434588cd75df3ffb1332a574e3389e37fb0f1e5f8f92d6a9e9f0319b582c'],
      },
    },
    forecastTable,
    inventedForecasts,
  ),
];
