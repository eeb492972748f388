// Arithmetic on the named columns of candidates, each a stage: a column added, columns normalised,
// the score made of columns, the score times a column, and the best row of each passage. They order
// candidates and drop none but a passage's lesser rows.
import { passageKey, type Candidate, type Candidates } from '../retrieval/candidate.js';
import { invalidArgument } from '../errors.js';
import { stage, type Stage } from '../pipeline.js';

/** Best first, ties by passage id, then by row. */
export function sortByScore<Found extends Pick<Candidate, 'id' | 'row' | 'score'>>(
  hits: readonly Found[],
): Found[] {
  return [...hits].sort(
    (a, b) => b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : a.row - b.row),
  );
}

/**
 * The score becomes the weighted sum of columns; a candidate without one of them counts 0 there.
 */
export function sumColumns(
  weights: Readonly<Record<string, number>>,
  section?: string,
): Stage<Candidates, Candidates> {
  const terms = Object.entries(weights);
  for (const [column, weight] of terms)
    if (!Number.isFinite(weight))
      throw invalidArgument(`the weight of ${column}`, 'a finite number', weight);
  const written = terms
    .map(([column, weight]) => (weight === 1 ? column : `${weight} ${column}`))
    .join(' + ');
  return stage(
    `rank(${written})`,
    ({ query, hits }) => {
      for (const each of hits)
        each.score = terms.reduce(
          (sum, [column, weight]) => sum + weight * (each.scores[column] ?? 0),
          0,
        );
      return { query, hits: sortByScore(hits) };
    },
    section,
  );
}

/**
 * Places of scores, the highest first, equal ones as they stand: for a thousand of which few go on.
 */
export function scoreOrder(scores: Float64Array): Uint32Array {
  const places = new Uint32Array(scores.length);
  for (let at = 0; at < places.length; at += 1) places[at] = at;
  return places.sort((a, b) => scores[b]! - scores[a]! || a - b);
}

/**
 * Columns scaled to 0 for the least candidate and 1 for the greatest; a column that is the same
 * everywhere stays as it is.
 */
export function minMax(
  columns: readonly string[],
  section?: string,
): Stage<Candidates, Candidates> {
  return stage(
    `minMax(${columns.join(', ')})`,
    ({ query, hits }) => {
      for (const column of columns) {
        let [least, most] = [Infinity, -Infinity];
        for (const { scores } of hits) {
          least = Math.min(least, scores[column] ?? 0);
          most = Math.max(most, scores[column] ?? 0);
        }
        if (!(most > least)) continue;
        for (const each of hits)
          each.scores = {
            ...each.scores,
            [column]: ((each.scores[column] ?? 0) - least) / (most - least),
          };
      }
      return { query, hits };
    },
    section,
  );
}

/**
 * The score times (weight * column + 1 - weight): 1 lets the column decide fully, 0 leaves the
 * score as it is. A missing column counts 1.
 */
export function timesColumn(
  column: string,
  weight = 1,
  section?: string,
): Stage<Candidates, Candidates> {
  if (!(weight >= 0 && weight <= 1))
    throw invalidArgument(`the weight of ${column}`, 'a number from 0 to 1', weight);
  return stage(
    `times(${weight === 1 ? column : `${weight} ${column}`})`,
    ({ query, hits }) => {
      for (const each of hits)
        each.score = temporalProduct(each.score, weight * (each.scores[column] ?? 1) + 1 - weight);
      return { query, hits: sortByScore(hits) };
    },
    section,
  );
}

/**
 * s c for s >= 0 and s (2 - c) below: a better time never lowers a score, and a date alone never
 * lifts what is irrelevant.
 */
export const temporalProduct = (score: number, temporal: number): number =>
  score >= 0 ? score * temporal : score * (2 - temporal);

/** Max pooling: of each passage its best candidate. Takes them in the order they come. */
export function bestPerPassage(section?: string): Stage<Candidates, Candidates> {
  return stage(
    'bestPerPassage',
    ({ query, hits }) => {
      const seen = new Set<string>();
      const best = hits.filter((each) => !seen.has(passageKey(each)) && seen.add(passageKey(each)));
      return { query, hits: best };
    },
    section,
  );
}
