// The linear models of the reader as the addon takes them: a column of weights by the kind of
// answer, and those of the probability that the best span is the answer.
import { binding } from '../binding.js';
import type { AnswerType } from '../text/answerType.js';
import { answerWeights, spanWeights } from './weights.js';

/** Groups of kinds of answers, in the order of the columns of `spanWeights`. */
export const kindGroups = [
  'open',
  'date',
  'number',
  'score',
  'version',
  'person',
  'role',
  'thing',
] as const;
export type KindGroup = (typeof kindGroups)[number];

export function kindGroup(kind: AnswerType | undefined): KindGroup {
  if (kind === undefined || kind === 'name') return 'open';
  return kind === 'organisation' || kind === 'place' ? 'thing' : kind;
}

interface Weights {
  ofSpans: Float64Array;
  ofAnswers: Float64Array;
}

const columns = new Map<KindGroup, Weights>();

/** In the order of the features; those that are not fitted weigh nothing. */
export function weightsFor(kind: AnswerType | undefined): Weights {
  const group = kindGroup(kind);
  const known = columns.get(group);
  if (known) return known;
  const features = binding.readerFeatures();
  const column = kindGroups.indexOf(group);
  const weights = {
    ofSpans: Float64Array.from(features.ofSpans, (name) => {
      const [whole = 0, ...deviations] = spanWeights[name] ?? [];
      return whole + (deviations[column] ?? 0);
    }),
    ofAnswers: Float64Array.from(features.ofAnswers, (name) => answerWeights[name] ?? 0),
  };
  columns.set(group, weights);
  return weights;
}
