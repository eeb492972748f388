// Score of a candidate span: the weighted sum of its features, by weights that all questions share
// and those that a group of answer types adds. Comparable among the candidates of one question.
import type { AnswerType } from '../text/answerType.js';
import type { Features } from './contest.js';
import { weights } from './weights.js';

/** In the order of the columns of the weights. */
const groups = ['shared', 'open', 'date', 'value', 'named'] as const;
export type QuestionGroup = Exclude<(typeof groups)[number], 'shared'>;

/** Names of people, things and offices; quantities; dates; and what the question does not tell. */
export function questionGroup(kind: AnswerType | undefined): QuestionGroup {
  if (kind === undefined || kind === 'name') return 'open';
  if (kind === 'date') return 'date';
  return kind === 'number' || kind === 'score' || kind === 'version' ? 'value' : 'named';
}

/** @param features in parts, each of names of its own */
export function scoreOf(features: readonly Features[], group: QuestionGroup): number {
  const column = groups.indexOf(group);
  let score = 0;
  for (const part of features)
    for (const name in part) {
      const row = weights[name];
      if (row) score += part[name]! * (row[0] + row[column]!);
    }
  return score;
}
