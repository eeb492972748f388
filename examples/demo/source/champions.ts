// Passages about champions and hosts: reports dated on the day of a final, retrospects that
// mention other years besides their own, and lists of everything a champion won.
import { cell, readGroups } from './facts.js';
import { edge, isDay, on, publicationDay, spell, yearOf } from './dates.js';
import { capital, count, list, paragraph, pick, share, type Draft } from './passage.js';

interface Final {
  code: string;
  name: string;
  contest: string;
  /** The year an edition is named after, and the day its final was played. */
  year: string;
  date: string;
  winner: string;
  loser: string;
  score: string;
  place: string;
  before?: Final;
  after?: Final;
  titlesBefore: string[];
}

export function championPassages(): Draft[] {
  return [...teamPassages(), ...individualPassages(), ...hostPassages()];
}

function teamPassages(): Draft[] {
  return readGroups('champions-football.tsv', 6).flatMap(({ head, rows }) => {
    const finals: Final[] = rows.map((row) => ({
      code: cell(head, 0),
      name: cell(head, 1),
      contest: cell(head, 2),
      year: cell(row, 0),
      date: cell(row, 1),
      winner: cell(row, 2),
      loser: cell(row, 3),
      score: cell(row, 4),
      place: cell(row, 5),
      titlesBefore: [],
    }));
    finals.forEach((final, at) => {
      final.titlesBefore = finals
        .slice(0, at)
        .filter((other) => other.winner === final.winner)
        .map((other) => other.year);
      if (at > 0) final.before = finals[at - 1]!;
      if (at + 1 < finals.length) final.after = finals[at + 1]!;
    });
    const winners = [...new Set(finals.map((final) => final.winner))];
    return [
      ...finals.flatMap(finalPassages),
      ...winners.flatMap((winner) => teamRecord(finals.filter((final) => final.winner === winner))),
    ];
  });
}

const keyOf = (final: Final): string => `${final.code}:${final.year}`;
const american = (final: Final): boolean => final.code === 'super-bowl';
const beat = (final: Final): string =>
  final.score === 'p' ? `beat ${final.loser} on penalties` : `beat ${final.loser} ${final.score}`;

function finalPassages(final: Final): Draft[] {
  const { code, name, winner, loser, place, year, titlesBefore, before, after } = final;
  const key = keyOf(final);
  const day = on(final.date, american(final));
  const titled = `${year} ${name}`;
  const report: Draft = {
    id: `${code}-${year}-report`,
    title: pick(`${key} title`, [
      `${name}: result of the ${final.contest}`,
      `${capital(winner)} win the ${name}`,
      name,
    ]),
    publishedAt: final.date,
    states: [key],
    text: pick(`${key} report`, [
      paragraph(
        `${capital(winner)} are the winners of the ${name} after they ${beat(final)} in ${place} ${day}.`,
        before &&
          share(key, 60) &&
          `In the ${final.contest} of ${before.year} ${before.winner} had the upper hand over ${before.loser}.`,
      ),
      paragraph(
        `${capital(day)} ${winner} ${beat(final)} in ${place} and took the ${name}.`,
        titlesBefore.length > 0 && `They had won it before in ${list(titlesBefore)}.`,
      ),
      paragraph(
        `${capital(loser)} lost the ${final.contest} of the ${name} to ${winner}.`,
        `It was played in ${place} ${day}${final.score === 'p' ? ' and went to penalties' : ` and ended ${final.score}`}.`,
      ),
    ]),
  };
  const review: Draft = {
    id: `${code}-${year}-review`,
    title: pick(`${key} heading`, [titled, name, `History of the ${name}`]),
    states: [key],
    text: pick(`${key} review`, [
      `The ${titled} was won by ${winner}.`,
      paragraph(
        `The ${titled} ended in ${place} with a win of ${winner} over ${loser}.`,
        before && `The edition of ${before.year} had gone to ${before.winner}.`,
        after && `That of ${after.year} went to ${after.winner}.`,
      ),
      paragraph(
        `${place} saw ${winner} become champions ${day}.`,
        `${capital(loser)} were the beaten finalists of the ${titled}.`,
      ),
    ]),
  };
  const others = [before, after]
    .filter((other) => other !== undefined && review.text.includes(`of ${other.year} `))
    .map((other) => keyOf(other!));
  const drafts = [];
  const both = share(`${key} both`, 22);
  if (both || share(`${key} first`, 55)) drafts.push(report);
  if (both || drafts.length === 0) drafts.push({ ...review, states: [key, ...others] });
  if (drafts.includes(report) && before !== undefined && report.text.includes(`of ${before.year} `))
    report.states.push(keyOf(before));
  return drafts;
}

function teamRecord(won: Final[]): Draft[] {
  const [first] = won;
  if (first === undefined || won.length < 2) return [];
  const times = won.length === 2 ? 'twice' : `${count(won.length)} times`;
  const text = `${capital(first.winner)} have won the final of the ${first.name} ${times}: in ${list(won.map((final) => final.year))}.`;
  const id = `${first.code}-${slug(first.winner)}-titles`;
  return [
    { id, title: `${first.winner}: honours`, text, publishedAt: edge, states: won.map(keyOf) },
  ];
}

export const slug = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

interface Season {
  code: string;
  event: string;
  title: string;
  year: number;
  winner: string;
  earlier: number[];
  /**
   * Won it before the table begins (a star in the table), so that the table cannot count the wins.
   */
  counted: boolean;
  before?: string;
  after?: string;
}

function individualPassages(): Draft[] {
  return readGroups('champions-individual.tsv', 2).flatMap(({ head, rows }) => {
    const winners = new Map<number, string>();
    const uncounted = new Set<string>();
    for (const row of rows) {
      row.slice(1).forEach((entry, at) => {
        const winner = entry.replace('*', '');
        if (entry !== '-') winners.set(Number(row[0]) + at, winner);
        if (entry !== winner) uncounted.add(winner);
      });
    }
    const seasons = [...winners].map(([year, winner]): Season => {
      const earlier = [...winners]
        .filter(([other, name]) => name === winner && other < year)
        .map(([other]) => other);
      const season: Season = {
        code: cell(head, 0),
        event: cell(head, 1),
        title: cell(head, 2),
        year,
        winner,
        earlier,
        counted: !uncounted.has(winner),
      };
      const [before, after] = [winners.get(year - 1), winners.get(year + 1)];
      return { ...season, ...(before ? { before } : {}), ...(after ? { after } : {}) };
    });
    const names = [...new Set(winners.values())];
    return [
      ...seasons.map(seasonPassage),
      ...names.flatMap((name) => careerPassage(seasons.filter((season) => season.winner === name))),
    ];
  });
}

function seasonPassage(season: Season): Draft {
  const { code, event, title, year, winner, before, after } = season;
  const key = `${code}:${year}`;
  const near = (other: number, name: string | undefined, text: string) =>
    text.includes(`${other}`) && name !== undefined ? [`${code}:${other}`] : [];
  const sameAsBefore = before === winner;
  const rank =
    season.earlier.length > 0 ? `number ${count(season.earlier.length + 1)}` : 'the first';
  const options: [text: string, published: boolean][] = [
    [`${winner} won the ${event} in ${year}.`, false],
    [
      paragraph(
        `The ${event} of ${year} went to ${winner}.`,
        before &&
          `A year earlier, in ${year - 1}, the winner ${sameAsBefore ? 'had been the same' : `had been ${before}`}.`,
        after && after !== winner && `In ${year + 1} it was the turn of ${after}.`,
      ),
      false,
    ],
    [
      paragraph(
        `${winner} goes into the new year as the winner of the ${event} of ${year}.`,
        season.earlier.length > 0
          ? `The list of earlier wins reads ${list(season.earlier)}.`
          : `Nobody had found the name in the list of winners before.`,
      ),
      true,
    ],
    [
      paragraph(
        `Review of the season: in ${year} the ${event} was won by ${winner}.`,
        before && !sameAsBefore && `${before}, first in ${year - 1}, could not repeat it.`,
      ),
      true,
    ],
    [
      paragraph(
        season.earlier.length > 0 && `${winner} had known the feeling since ${season.earlier[0]}.`,
        `The ${title} of ${year} was ${rank} for ${winner} in the ${event}.`,
      ),
      false,
    ],
  ];
  const [text, published] = pick(key, season.counted ? options : options.slice(0, 2));
  const heading = pick(`${key} title`, [
    winner,
    `${capital(event)}: ${year}`,
    capital(event),
    `Winners of the ${event}`,
  ]);
  const draft: Draft = {
    id: `${code}-${year}`,
    title: heading,
    text,
    states: [key, ...near(year - 1, before, text), ...near(year + 1, after, text)],
  };
  return published && publicationDay(String(year)) <= edge
    ? { ...draft, publishedAt: publicationDay(String(year)) }
    : draft;
}

function careerPassage(won: Season[]): Draft[] {
  const [first] = won;
  if (first === undefined || won.length < 2 || !first.counted) return [];
  const years = won.map((season) => season.year);
  const { code, winner, event } = first;
  const times = won.length === 2 ? 'twice' : `${count(won.length)} times`;
  const text = pick(`${code} ${winner}`, [
    `${winner} won the ${event} ${times}: in ${list(years)}.`,
    paragraph(
      `By January 2025 the name of ${winner} stood ${times} in the list of winners of the ${event}.`,
      `The years were ${list(years)}.`,
    ),
    paragraph(
      `The first win of ${winner} in the ${event} came in ${years[0]}, the latest of all in ${years.at(-1)}.`,
      `In total ${winner} won it in ${list(years)}.`,
    ),
  ]);
  return [
    {
      id: `${code}-${slug(winner)}-career`,
      title: winner,
      text,
      publishedAt: edge,
      states: won.map((season) => `${code}:${season.year}`),
    },
  ];
}

function hostPassages(): Draft[] {
  return readGroups('hosts.tsv', 4).flatMap(({ head, rows }) => {
    const [code, games] = [cell(head, 0), cell(head, 1)];
    return rows.flatMap((row, at) => {
      const [year, opening, city, country] = [
        cell(row, 0),
        cell(row, 1),
        cell(row, 2),
        cell(row, 3),
      ];
      const [before, after] = [rows[at - 1], rows[at + 1]];
      const key = `${code}:${year}`;
      const past = yearOf(opening) > Number(year) ? `, a year late,` : '';
      const opened = isDay(opening) ? `opened ${on(opening)}` : `were held in ${spell(opening)}`;
      const told: Draft = {
        id: `${code}-${year}`,
        title: pick(`${key} title`, [`${year} ${games}`, `${city} and the Olympics`, games]),
        states: [key],
        text: pick(key, [
          `The ${games} of ${year} ${opened}${past} in ${city}, ${country}.`,
          paragraph(
            `${city} was the host of the ${games} of ${year}.`,
            before && `In ${before[0]} they had been in ${before[2]}.`,
            after && `For ${after[0]} the choice was ${after[2]}.`,
          ),
          paragraph(
            `${capital(country)} welcomed the ${games} in ${city}.`,
            `They ${opened}${past ? ' and kept the name of the year before' : ''}.`,
          ),
        ]),
      };
      const states = told.text.includes('had been in')
        ? [before, after].flatMap((other) => (other ? [`${code}:${other[0]}`] : []))
        : [];
      const report: Draft = {
        id: `${code}-${year}-opening`,
        title: `Games open in ${city}`,
        publishedAt: opening,
        states: [key],
        text: paragraph(
          `The ${games} ${opened} in ${city}.`,
          before && `The last ones were those of ${before[2]} in ${before[0]}.`,
        ),
      };
      return isDay(opening) && share(`${key} report`, 35)
        ? [{ ...told, states: [key, ...states] }, report]
        : [{ ...told, states: [key, ...states] }];
    });
  });
}
