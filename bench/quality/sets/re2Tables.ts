// Real tables as records of Re2-style benchmarks: successive forecasts, restated counts and matches
// of ../shared/data, their columns mapped here, and New York's collisions. It reads no file.
import { crashRow, crashSchema } from '../../../packages/evaluation/lib/re2/crashes.js';
import type { Re2Schema } from '../../../packages/evaluation/lib/re2/schema.js';
import type { LineLocation } from '../../../lib/text/lines.js';

type Row = Record<string, string>;

const degrees = ['°F', ' F', ' degrees', ' degrees Fahrenheit'];
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
const rounds: Row = {
  F: 'final',
  SF: 'semifinal',
  QF: 'quarterfinal',
  R16: 'fourth round',
  R32: 'third round',
  R64: 'second round',
  R128: 'first round',
};

export interface Re2Table {
  file: string;
  schema: Re2Schema;
  /** The row as the schema wants it; undefined for an excluded row. */
  row: (row: Row, where: LineLocation) => Row | undefined;
}

const match = (row: Row): Row => ({
  ...row,
  contest: `${row['event']} at ${/Open/.test(row['tournament']!) ? 'the ' : ''}${row['tournament']}`,
  stage: rounds[row['round']!] ?? row['round']!,
});
export const re2Tables: Record<string, Re2Table> = {
  // Lows are of the night after the day in morning issues and of the one before it in evening ones:
  // only the former are kept.
  nws: {
    file: 'nws_selected_cities/forecasts.csv',
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
    row: (row) => ({
      ...row,
      city: row['city']!.toLowerCase()
        .replace(/(?:^|[ -])\p{L}/gu, (letter) => letter.toUpperCase())
        .replace(/ (\p{L}\p{L})$/u, (state, letters: string) =>
          / [A-Z]{2}$/.test(row['city']!) ? `, ${letters.toUpperCase()}` : state,
        ),
      outlook: skies[row['outlook']!.toLowerCase()] ?? row['outlook']!.toLowerCase(),
      lo_f: row['issuance'] === 'AM' ? row['lo_f']! : '',
    }),
  },
  covid: {
    file: 'covid_revisions/revisions.csv',
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
      ...row,
      country: row['country'] === 'US' ? 'the United States' : row['country']!,
    }),
  },
  // Every match, of its winner: the same player wins in many rounds and years.
  tennis: {
    file: 'tennis_grand_slam/matches_1978_2018.csv',
    schema: {
      entity: 'winner',
      date: 'tourney_start',
      attribute: 'the {stage} of the {contest}',
      style: 'scores',
      attributes: [
        { column: 'loser', role: 'loser', told: 'match' },
        { column: 'score', role: 'score', told: 'match' },
      ],
    },
    row: match,
  },
  // Not among the data: the public table, where it was put by hand.
  crashes: {
    file: 'nyc_crashes/crashes.csv',
    schema: crashSchema,
    row: crashRow,
  },
  finals: {
    file: 'tennis_grand_slam/matches_1978_2018.csv',
    schema: {
      entity: '{contest}',
      date: 'tourney_start',
      style: 'scores',
      attributes: [
        { column: 'winner', role: 'winner', told: 'match' },
        { column: 'loser', role: 'loser', told: 'match' },
        { column: 'score', role: 'score', told: 'match' },
      ],
    },
    row: (row) =>
      row['round'] === 'F'
        ? { ...match(row), contest: `the ${match(row)['contest']!}` }
        : undefined,
  },
};
