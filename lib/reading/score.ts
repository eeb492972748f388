// The score of a candidate span, and the probability that the best one is the answer: two logistic
// models, of which bench/quality/reading/fitReader.ts fits the weights.
import type { AnswerType } from '../text/answerType.js';
import type { ReadablePassage } from './answer.js';
import type { CandidateSpan } from './candidates.js';
import type { Features } from './features.js';
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

/** The weighted sum of a span's features; comparable among the candidates of one question. */
export function scoreOf(features: Features, group: KindGroup): number {
  const column = 1 + kindGroups.indexOf(group);
  let score = 0;
  for (const name in features) {
    const row = spanWeights[name];
    if (row) score += features[name]! * (row[0]! + (row[column] ?? 0));
  }
  return score;
}

/** The best span, and what the probability that it is the answer depends on. */
export interface BestSpan<C> {
  candidate: C;
  features: Features;
}

/** Of the only span of a passage, and the most of others: how far it scores above the next. */
const alone = 4;

/**
 * The text with the highest sum of the probabilities of its spans, one of which is the answer; at
 * its best place. Others of its passage that do not overlap it are its rivals.
 */
export function bestSpan<C extends Omit<CandidateSpan, 'sentence' | 'form'>>(
  candidates: readonly C[],
  scores: readonly number[],
  first: ReadablePassage,
): BestSpan<C> | undefined {
  const most = scores.reduce((top, score) => Math.max(top, score), -Infinity);
  const texts = candidates.map(({ text }) => text.toLowerCase());
  const powers = new Map<string, number>();
  for (const [at, text] of texts.entries())
    powers.set(text, (powers.get(text) ?? 0) + Math.exp(scores[at]! - most));
  let best = -1;
  for (const [at, text] of texts.entries()) {
    const difference = powers.get(text)! - (powers.get(texts[best]!) ?? 0);
    if (difference > 0 || (text === texts[best] && scores[at]! > scores[best]!)) best = at;
  }
  const candidate = candidates[best];
  if (!candidate) return undefined;
  const { passage, span } = candidate;
  const own = [...candidates.keys()].filter((at) => candidates[at]!.passage === passage);
  const rival = own.reduce((top, at) => {
    const { start, end } = candidates[at]!.span;
    const isApart = texts[at] !== texts[best] && (start >= span.end || end <= span.start);
    return isApart ? Math.max(top, scores[at]!) : top;
  }, -Infinity);
  const features = {
    bias: 1,
    score: scores[best]!,
    isOfFirst: passage === first ? 1 : 0,
    margin: Math.min(alone, scores[best]! - rival),
    outside: candidate.features['outside'] ?? 0,
    texts: Math.log(1 + new Set(own.map((at) => texts[at])).size),
  };
  return { candidate, features };
}

export function spanProbability({ features }: BestSpan<unknown>): number {
  let logOdds = 0;
  for (const name in features) logOdds += features[name]! * (answerWeights[name] ?? 0);
  return 1 / (1 + Math.exp(-logOdds));
}
