// Stages of arithmetic on candidates' score columns (re-implementation section 3.2): sums, min-max
// normalisation, products, and max pooling by passage.
import { passageKey, sortByScore, type Candidates } from '../../retrieval/candidate.js';
import { temporalProduct } from '../mrag/hybridRanking.js';
import { invalidArgument } from '../../errors.js';
import { stage, type Stage } from '../../pipeline.js';

/** Sets the score to the weighted sum of columns; a missing column counts 0. */
export function sumColumns(
  weights: Readonly<Record<string, number>>,
): Stage<Candidates, Candidates> {
  const terms = Object.entries(weights);
  for (const [column, weight] of terms)
    if (!Number.isFinite(weight))
      throw invalidArgument(`the weight of ${column}`, 'a finite number', weight);
  const formula = terms
    .map(([column, weight]) => (weight === 1 ? column : `${weight} ${column}`))
    .join(' + ');
  return stage(`rank(${formula})`, ({ query, hits }) => {
    for (const each of hits)
      each.score = terms.reduce(
        (sum, [column, weight]) => sum + weight * (each.scores[column] ?? 0),
        0,
      );
    return { query, hits: sortByScore(hits) };
  });
}

/** Scales columns to [0, 1]; a constant column is unchanged. */
export function minMax(columns: readonly string[]): Stage<Candidates, Candidates> {
  return stage(`minMax(${columns.join(', ')})`, ({ query, hits }) => {
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
  });
}

/** Multiplies the score by (weight * column + 1 - weight). A missing column counts 1. */
export function timesColumn(column: string, weight = 1): Stage<Candidates, Candidates> {
  if (!(weight >= 0 && weight <= 1))
    throw invalidArgument(`the weight of ${column}`, 'a number from 0 to 1', weight);
  return stage(`times(${weight === 1 ? column : `${weight} ${column}`})`, ({ query, hits }) => {
    for (const each of hits)
      each.score = temporalProduct(each.score, weight * (each.scores[column] ?? 1) + 1 - weight);
    return { query, hits: sortByScore(hits) };
  });
}

/** Max pooling: keeps the first candidate of each passage. */
export function bestPerPassage(): Stage<Candidates, Candidates> {
  return stage('bestPerPassage', ({ query, hits }) => {
    const pooled = new Set<string>();
    const best = hits.filter(
      (each) => !pooled.has(passageKey(each)) && pooled.add(passageKey(each)),
    );
    return { query, hits: best };
  });
}
