// Matches of ../shared/data as records of a Re2-style benchmark: every match, of its winner, as the
// same player wins in many rounds and years. It reads no file.
import type { Re2Table } from '../../../packages/evaluation/lib/papers/data/re2Domains.js';

const rounds: Readonly<Record<string, string>> = {
  F: 'final',
  SF: 'semifinal',
  QF: 'quarterfinal',
  R16: 'fourth round',
  R32: 'third round',
  R64: 'second round',
  R128: 'first round',
};

export const matchTable: Re2Table = {
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
  row: (given) => {
    const row = given as Record<string, string>;
    const { event, tournament, round } = row;
    return {
      ...row,
      contest: `${event} at ${/Open/.test(tournament!) ? 'the ' : ''}${tournament}`,
      stage: rounds[round!] ?? round!,
    };
  },
};
