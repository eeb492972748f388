// Score of a candidate span: the weighted sum of its features, by weights that all questions share
// and those that a group of answer types adds. Comparable among the candidates of one question.
import type { AnswerType } from '../text/answerType.js';
import type { Features } from './contest.js';

/**
 * What a feature counts for in every question, and what is added to that where the question leaves
 * the type of its answer open, asks for a date, a quantity, or a name.
 */
const weights: Readonly<Record<string, readonly [number, number, number, number, number]>> = {
  agent: [1.5, 0, 0, 0, 0],
  agrees: [1.2, 0, 1.2, 0.3, 0.1],
  apart: [-0.8, -0.3, 0.5, -0.3, -0.7],
  beganInName: [-0.3, -0.4, 0.6, -0.5, -0.1],
  adjacent: [0.3, -0.1, -0.3, 0.4, 0.2],
  bracketBehind: [0.5, 0.5, -0.2, 0.3, -0.1],
  clause: [0.8, 0, 0, 0, 0],
  constancy: [-0.3, 0.2, 0.1, -0.6, 0],
  contestRight: [1.5, 0, 0, 0, 0],
  contestWrong: [-1.5, 0, 0, 0, 0],
  decimal: [0.4, 0.4, 0, 0, 0],
  differs: [-1.2, 0, -1.2, -0.3, -0.1],
  evidence: [1.9, 0.7, 0.5, 0.6, 0.6],
  extends: [1.3, 1, 0, -0.1, 0.3],
  extendsOther: [1, 0.1, 0.3, 0.3, 0.3],
  focusBefore: [0.6, 0.5, 0.2, -0.1, 0.1],
  focusBehind: [-0.8, -0.3, 0, -0.2, -0.2],
  focusNear: [0.3, -0.1, 0.3, 0.2, -0.2],
  fresh: [0.4, 0.3, 0.1, -0.5, 0.4],
  'fullName.open': [0.2, 0.2, 0, 0, 0],
  'fullName.other': [-0.3, 0, 0, -0.3, 0],
  'fullName.person': [0.7, 0, 0, 0, 0.7],
  'fullName.role': [-0.5, 0, 0, 0, -0.5],
  'fullName.thing': [0.2, 0, 0, 0, 0.2],
  'goesOn.chunk': [-0.2, 0.1, -0.1, -0.2, 0],
  'goesOn.code': [0.3, 0.3, 0, 0, 0],
  'goesOn.date': [-0.4, -0.1, -0.3, -0.1, 0],
  'goesOn.name': [-0.9, -0.6, 0, -0.1, -0.1],
  'goesOn.number': [-0.5, -0.4, 0.1, -0.2, 0],
  'goesOn.phrase': [-0.6, -0.2, 0, -0.1, -0.4],
  'goesOn.version': [-0.9, -0.7, 0, -0.2, 0],
  goesOnInName: [-0.8, -0.5, 0.2, -0.2, -0.3],
  happened: [1.9, 0, 0, 0, 0],
  headAgrees: [0.2, 0, 0, 0, 0.3],
  headDiffers: [-0.3, 0, 0, 0.1, -0.4],
  holds: [0.3, 0, 0, 0, 0],
  inBracket: [-0.3, -0.2, 0.2, 0.3, -0.6],
  inSentence: [0.3, 0.2, 0.3, 0.2, -0.4],
  inside: [0.1, 0.1, -0.1, 0, 0],
  'lead.organisation': [0.3, 0, 0, 0, 0.3],
  'lead.person': [0.4, 0, 0, 0, 0.4],
  'lead.place': [0.7, 0, 0, 0, 0.7],
  'lead.role': [0.4, 0, 0, 0, 0.4],
  length: [1.3, 1.1, -0.2, 0.3, 0.1],
  near: [0.6, 0.2, 0.1, 0.3, 0],
  nearInTime: [1.1, 0.3, -0.2, 0.4, 0.6],
  ofTitle: [-0.6, 0, -0.1, 0.1, -0.6],
  'oneName.open': [-0.6, -0.6, 0, 0, 0],
  'oneName.other': [-0.5, 0, -0.1, -0.3, 0],
  'oneName.person': [-0.7, 0, 0, 0, -0.7],
  'oneName.role': [-0.5, 0, 0, 0, -0.5],
  'oneName.thing': [0.3, 0, 0, 0, 0.3],
  oneWord: [-0.4, -0.3, 0.7, -0.1, -0.7],
  'open.chunk': [-0.4, -0.4, 0, 0, 0],
  'open.code': [0.2, 0.2, 0, 0, 0],
  'open.date': [-0.1, -0.1, 0, 0, 0],
  'open.name': [-0.1, -0.1, 0, 0, 0],
  'open.number': [-0.2, -0.2, 0, 0, 0],
  'open.phrase': [-0.9, -0.9, 0, 0, 0],
  'open.quoted': [0.2, 0.2, 0, 0, 0],
  'open.version': [1.3, 1.3, 0, 0, 0],
  opens: [-0.1, 0.4, -0.1, 0.1, -0.5],
  order: [0.5, 0.2, 0, 0.8, -0.5],
  outside: [-1.6, 0, 0, 0, 0],
  personTitle: [0.2, 0, 0, 0, 0.2],
  rank: [0.6, -0.1, 0.3, 0, 0.5],
  repeats: [-1.7, -0.6, 0, -0.4, -0.8],
  slot: [0.1, 0.1, -0.2, -0.1, 0.2],
  'starts.open': [-0.4, -0.4, 0, 0, 0],
  'starts.other': [-0.3, 0, -0.1, -0.2, 0],
  'starts.person': [0.4, 0, 0, 0, 0.4],
  'starts.role': [0.3, 0, 0, 0, 0.3],
  'starts.thing': [-0.1, 0, 0, 0, -0.1],
  title: [-0.2, -0.1, 0.1, 0.2, -0.4],
  unaskedTitle: [-0.3, -0.2, 0, -0.1, 0],
  unfocused: [0.6, 0.5, -0.6, 0.3, 0.4],
  unit: [0.2, 0.6, 0.1, -0.5, 0],
  unitCounted: [1.4, 0, 0, 0, 0],
  unitFits: [1.2, 0, 0, 0, 0],
  unitLacks: [-1.1, 0, 0, 0, 0],
  unitOther: [-0.8, 0, 0, 0, 0],
  wholeTitle: [1.1, 0.9, 0, 0.1, 0.1],
  winner: [0.1, 0, -0.2, 0.2, 0.1],
  withTitle: [1.1, 0, 0.3, 0.4, 0.3],
};

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
