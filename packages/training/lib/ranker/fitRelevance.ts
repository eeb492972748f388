// Weights of relevance alone: maximum likelihood of the passages on what is asked for. Outdated
// ones are, too; which of them holds is for the order of the series. Questions count as far as
// relevance alone counts for them.
import { rankerForm } from 'asof/kit';
import type { RankingExample } from './examples.js';
import type { RankerWeights } from './gradient.js';

const inputs = ['logOdds', 'similarity', 'coverage'] as const;
const steps = 150;
const rate = 0.1;

interface Row {
  weight: number;
  /** By candidate: its inputs. */
  values: readonly Float64Array[];
  relevant: readonly boolean[];
}

/** The weights of relevance, those of membership given; those given where no question tells. */
export function fitRelevance(
  examples: readonly RankingExample[],
  weights: RankerWeights,
): RankerWeights['relevance'] {
  const rows = examples.flatMap((example) => rowOf(example, weights) ?? []);
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  const fitted = Float64Array.from(inputs, (name) => weights.relevance[name]);
  const squares = new Float64Array(inputs.length).fill(1e-12);
  for (let step = 0; step < steps; step += 1) {
    const slopes = new Float64Array(inputs.length);
    for (const row of rows) addSlopes(row, fitted, slopes, row.weight / total);
    slopes.forEach((slope, i) => {
      squares[i] = 0.9 * squares[i]! + 0.1 * slope * slope;
      const by = (rate * (1 - step / steps) * slope) / Math.sqrt(squares[i]);
      fitted[i] = Math.max(0, fitted[i]! + (rows.length === 0 ? 0 : by));
    });
  }
  const [logOdds, similarity, coverage] = fitted;
  return { logOdds: logOdds!, similarity: similarity!, coverage: coverage! };
}

function rowOf({ table, labels, weight }: RankingExample, weights: RankerWeights): Row | undefined {
  const relevant = Array.from(labels, (label) => label > 0);
  if (!relevant.includes(true) || !relevant.includes(false)) return undefined;
  const { evidence, relevant: members, series } = rankerForm.evaluate(table, weights);
  const values = relevant.map((_, candidate) => {
    const member = members[candidate]!;
    const logOdds = member < 0 ? rankerForm.noMember : evidence[member]!;
    return Float64Array.of(logOdds, table.similarity[candidate]!, table.coverage[candidate]!);
  });
  return { weight: weight * (1 - series), values, relevant };
}

/** Adds the gradient of the log-likelihood of a question, times `scale`. */
function addSlopes(
  { values, relevant }: Row,
  weights: Float64Array,
  into: Float64Array,
  scale: number,
): void {
  const exponents = values.map((own) => own.reduce((sum, each, i) => sum + each * weights[i]!, 0));
  const most = exponents.reduce((max, each) => Math.max(max, each), -Infinity);
  const shares = exponents.map((each) => Math.exp(each - most));
  const all = shares.reduce((sum, each) => sum + each, 0);
  const right = shares.reduce((sum, each, at) => sum + (relevant[at] ? each : 0), 0) + 1e-300;
  values.forEach((own, at) => {
    const slope = scale * ((relevant[at] ? shares[at]! / right : 0) - shares[at]! / all);
    for (let i = 0; i < into.length; i += 1) into[i]! += slope * own[i]!;
  });
}
