// TempRALM's task (sections 4.2 and 4.3): matches of the four Grand Slam tournaments as passages,
// and questions about the finals of the last season, asked on its last day (TPQ-2019) and on the
// day after (TPQ-2020). The sentences are ours.
import { basename } from 'node:path';
import { readCsv } from '@asof/documents';
import type { PaperData } from './data.js';
import { inventedNames } from './invented.js';
import { hashOf, opaqueId, writeSet, type SetQuery } from './writeSet.js';

interface Match {
  event: "Men's" | "Women's";
  tournament: string;
  season: number;
  start: string;
  round: string;
  winner: string;
  loser: string;
  winnerCountry: string;
  loserCountry: string;
  score: string;
  id: string;
}

const rounds: Readonly<Record<string, string>> = {
  F: 'final',
  SF: 'semifinal',
  QF: 'quarterfinal',
  R16: 'round of 16',
  R32: 'round of 32',
  R64: 'round of 64',
  R128: 'round of 128',
};
const slams = ['Australian Open', 'Roland Garros', 'Us Open', 'US Open', 'Wimbledon'];

/** Four kinds of questions in four wordings each: 16 of a final. */
const wordings = {
  w: [
    'Who won the T E Singles final?',
    'Who is the T E singles champion?',
    'Which player won the E singles title at the T?',
    'Winner of the T E Singles final',
  ],
  r: [
    'Who was runner-up in the T E Singles final?',
    'Who lost the T E singles final?',
    'Which player was beaten in the final of the T E singles?',
    'Runner-up of the T E Singles',
  ],
  f: [
    'Who played in the T E Singles final?',
    'Which two players contested the E singles final at the T?',
    'Who were the finalists of the T E Singles?',
    'Finalists, T E singles',
  ],
  s: [
    'What was the score in the T E Singles final?',
    'By what score was the T E singles final won?',
    'What was the final score of the E singles final at the T?',
    'Score of the T E Singles final',
  ],
} as const;
type Kind = keyof typeof wordings;

const answersOf: Readonly<Record<Kind, (match: Match) => string[]>> = {
  w: ({ winner }) => [winner],
  r: ({ loser }) => [loser],
  f: ({ winner, loser }) => [winner, loser],
  s: ({ score }) => [score],
};

/** A row of ATP's and WTA's files of a season, or of one table of all. */
function matchOf(row: Readonly<Record<string, string>>, file: string): Match | undefined {
  const { round = '', match_num: number, tourney_id: tourney, score = '' } = row;
  if (!rounds[round]) return undefined;
  const season = /^(atp|wta)_matches_(\d{4})\.csv$/.exec(basename(file));
  const name = row['tournament'] ?? row['tourney_name'] ?? '';
  if (season && (row['tourney_level'] !== 'G' || !slams.includes(name))) return undefined;
  const men = season ? season[1] === 'atp' : (row['event'] ?? '').startsWith('men');
  const date = row['tourney_start'] ?? row['tourney_date'] ?? '';
  return {
    event: men ? "Men's" : "Women's",
    tournament: name === 'Us Open' ? 'US Open' : name,
    season: Number(season ? season[2] : row['season']),
    start: date.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'),
    round,
    winner: row['winner'] ?? row['winner_name'] ?? '',
    loser: row['loser'] ?? row['loser_name'] ?? '',
    winnerCountry: row['winner_ioc'] ?? '',
    loserCountry: row['loser_ioc'] ?? '',
    score,
    id: opaqueId(`${tourney}-${men ? 'm' : 'w'}-${number}`),
  };
}

const questionOf = (match: Match, kind: Kind, text: string) => ({
  text: text.replace(/\bT\b/, match.tournament).replace(/\bE\b/, match.event),
  answers: answersOf[kind](match),
});

/**
 * Examples of section 4.3.1, of which the sets take apart ones: kinds of questions
 * in turn, of earlier finals in a mixed order, asked on the last day of their season.
 */
function fewShot(finals: readonly Match[]): SetQuery[] {
  const mixed = [...finals].sort((a, b) => hashOf(`few${a.id}`) - hashOf(`few${b.id}`));
  const kinds = Object.keys(wordings) as Kind[];
  return mixed.map((match, at) => {
    const kind = kinds[at % kinds.length]!;
    const text = wordings[kind][Math.floor(at / kinds.length) % 4]!;
    const id = opaqueId(`few${match.id}`);
    return { id, asked_at: `${match.season}-12-31`, ...questionOf(match, kind, text) };
  });
}

async function write(folder: string, all: readonly Match[]): Promise<void> {
  const finals = all.filter(({ round }) => round === 'F');
  const complete = finals
    .map(({ season }) => season)
    .filter((season) => finals.filter((match) => match.season === season).length === 8);
  const last = Math.max(...complete);
  const matches = all.filter(({ season }) => season <= last);
  const sets: Record<string, SetQuery[]> = { 'same-year': [], 'next-year': [] };
  const qrels: [string, string][] = [];
  const asked = finals
    .filter(({ season }) => season === last)
    .sort((a, b) => (a.start < b.start ? -1 : 1));
  for (const match of asked)
    for (const [kind, texts] of Object.entries(wordings))
      for (const [at, text] of texts.entries())
        for (const [name, day] of [
          ['same-year', `${last}-12-31`],
          ['next-year', `${last + 1}-01-01`],
        ] as const) {
          const id = opaqueId(`${name.slice(0, 4)}${match.id}${kind}${at}`);
          sets[name]!.push({ id, asked_at: day, ...questionOf(match, kind as Kind, text) });
          qrels.push([id, match.id]);
        }
  const examples = fewShot(finals.filter(({ season }) => season < last));
  for (const [at, size] of [32, 64, 128].entries())
    sets[`few-${size}`] = examples.slice(32 * (2 ** at - 1), 32 * (2 ** (at + 1) - 1));
  const passages = matches.map((match) => ({
    id: match.id,
    text:
      `${match.winner} of ${match.winnerCountry} defeated ${match.loser} of ` +
      `${match.loserCountry} at the ${match.tournament} ${match.event} Singles Tournament on ` +
      `${match.start}, in the ${rounds[match.round]!} match with a score of ${match.score}.`,
    published_at: match.start,
  }));
  await writeSet(folder, { passages, queries: sets, qrels });
}

/** Invented matches from the quarterfinals on, of thirty seasons. */
function inventedMatches(): Match[] {
  const players = inventedNames(160);
  const tournaments = [
    ['Australian Open', '01-15'],
    ['Roland Garros', '05-27'],
    ['Wimbledon', '06-30'],
    ['US Open', '08-27'],
  ] as const;
  return Array.from({ length: 30 }, (_, year) => 1990 + year).flatMap((season) =>
    tournaments.flatMap(([tournament, day]) =>
      (["Men's", "Women's"] as const).flatMap((event) =>
        ['QF', 'QF', 'QF', 'QF', 'SF', 'SF', 'F'].map((round, at): Match => {
          const key = `${season}${tournament}${event}${at}`;
          const pick = (salt: string): string => {
            const own = event === "Men's" ? 0 : 80;
            return players[own + (hashOf(`${salt}${key}`) % 40) + (salt === 'l' ? 40 : 0)]!;
          };
          const games = (salt: string): string => `6-${hashOf(`${salt}${key}`) % 5}`;
          return {
            event,
            tournament,
            season,
            start: `${season}-${day}`,
            round,
            winner: pick('w'),
            loser: pick('l'),
            winnerCountry: ['ARD', 'BEL', 'COR'][hashOf(`c${key}`) % 3]!,
            loserCountry: ['DUN', 'ELM', 'FAR'][hashOf(`d${key}`) % 3]!,
            score: [games('1'), games('2'), games('3')].join(' '),
            id: opaqueId(key),
          };
        }),
      ),
    ),
  );
}

export const tennis: PaperData = {
  name: 'tennis',
  of: 'matches of the four Grand Slam tournaments, and 128 questions about the finals of the last',
  difference: 'made in our sentences: the paper has not published its passages and questions',
  comparable: true,
  sources: [
    {
      name: 'matches',
      file: /(?:^|\/)(?:(?:atp|wta)_matches_(?:19[789]\d|20\d\d)|matches_\d{4}_\d{4})\.csv$/,
      from: 'github.com/JeffSackmann/tennis_atp and tennis_wta, each season (CC BY-NC-SA)',
      sha256: ['e262851689c58f96e0bd380d3f1ba26df193a2206570ee5dca0c2158bf1fe82a'],
    },
  ],
  async make(files, folder, signal) {
    const matches: Match[] = [];
    for (const file of files.get('matches')!)
      for await (const { match } of readCsv(file, (row) => ({ match: matchOf(row, file) }), {
        signal,
      }))
        if (match) matches.push(match);
    await write(folder, matches);
  },
  sample: (folder) => write(folder, inventedMatches()),
};
