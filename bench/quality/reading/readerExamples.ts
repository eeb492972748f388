// Questions as examples for the extractive reader's weights: the features of each candidate span
// and how right it is.
import { exactMatch, tokenF1 } from '../../../packages/evaluation/lib/measures/answers.js';
import type { ReadablePassage } from '../../../lib/reading/answer.js';
import { candidatesOf } from '../../../lib/reading/candidates.js';
import { fitPassages } from '../../../lib/reading/context.js';
import { inferType } from '../../../lib/reading/extract.js';
import { questionGroup } from '../../../lib/reading/score.js';
import { parseQuestion } from '../../../lib/time/index.js';
import { accuracy } from './accuracy.js';

export interface Example {
  /** The family, or the set and its context. */
  group: string;
  /** Of pages held out, from 0; -1 for families, which are held out whole. */
  fold: number;
  weight: number;
  /** Feature indices and values of each candidate. */
  rows: { at: number[]; values: number[] }[];
  /** How much of the likelihood each candidate may have: 1 where it is exactly right. */
  good: number[];
  accuracy: number[];
  exact: number[];
  f1: number[];
}

/** Weights set by hand, which the fit starts from: the questions are too few to teach them. */
export const priors: Readonly<Record<string, number>> = {
  outside: -2,
  holds: 0.5,
  contestRight: 1.5,
  contestWrong: -1.5,
  happened: 2,
  agent: 1.5,
  clause: 0.5,
  unitFits: 1,
  unitLacks: -1,
  unitOther: -1,
  unitCounted: 1.4,
};

/** Names by index; a name with "@group" is the deviation of a group of questions. */
export const featureNames: string[] = [];
const indices = new Map<string, number>();

function indexOf(name: string): number {
  let index = indices.get(name);
  if (index === undefined) indices.set(name, (index = featureNames.push(name) - 1));
  return index;
}

/** Whether a span has a right answer in it, as a number. */
const holds = (text: string, answers: string[]): number =>
  accuracy.of({ answer: text, answers }) ?? 0;

export async function exampleOf(
  question: { text: string; askedAt?: string },
  answers: string[],
  given: readonly ReadablePassage[],
  without: ReadonlySet<string>,
): Promise<Omit<Example, 'group' | 'fold' | 'weight'> | undefined> {
  const passages = fitPassages(given, 20_000);
  const kind = inferType(question.text, passages);
  const candidates = await candidatesOf(parseQuestion(question), passages, kind);
  if (candidates.length === 0) return undefined;
  const group = questionGroup(kind);
  const rows = candidates.map(({ features }) => {
    const named = Object.entries(features).filter(
      ([name, value]) => value !== 0 && !without.has(name),
    );
    const both = [
      ...named,
      ...named
        .filter(([name]) => !(name in priors))
        .map(([name, value]): [string, number] => [`${name}@${group}`, value]),
    ];
    return { at: both.map(([name]) => indexOf(name)), values: both.map(([, value]) => value) };
  });
  const exact = candidates.map(({ text }) => exactMatch(text, answers));
  const f1 = candidates.map(({ text }) => tokenF1(text, answers));
  const held = candidates.map(({ text }) => holds(text, answers));
  // A span that holds the answer counts by how little else it holds.
  const good = exact.map((whole, at) => (whole ? 1 : held[at] ? Math.max(0.15, f1[at]!) : 0));
  return { rows, good, accuracy: held, exact, f1 };
}
