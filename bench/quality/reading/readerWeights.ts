// The source of lib/reading/weights.ts from fitted weights, rounded, the small ones left out.
import { kindGroups } from '../../../lib/reading/score.js';

const head = `// Weights of the extractive reader, by logistic models over what \`hybrid\` finds for questions of
// families, written collections and answer sets. Written by bench/quality/reading/fitReader.ts,
// which also measures them with each collection held out.

/**
 * What a feature of a span counts for in every question, and what is added to that by the group of
 * the kind of answer, in the order of \`kindGroups\`.
 */
export const spanWeights: Readonly<Record<string, readonly number[]>> = {
`;
const middle = `};

/** What the log-odds that the best span is the answer are a sum of. */
export const answerWeights: Readonly<Record<string, number>> = {
`;

const rounded = (weight: number | undefined): number => Math.round((weight ?? 0) * 100) / 100 + 0;
const key = (name: string): string => (/^\w+$/.test(name) ? name : `'${name}'`);

export function weightsSource(
  names: readonly string[],
  fitted: Float64Array,
  answer: Readonly<Record<string, number>>,
): string {
  const known = new Map(names.map((name, at) => [name, rounded(fitted[at])]));
  const rows = [...new Set(names.map((name) => name.split('@')[0]!))]
    .sort()
    .map((name) => {
      const deviations = kindGroups.map((group) => known.get(`${name}@${group}`) ?? 0);
      const row = [known.get(name) ?? 0, ...(deviations.some((each) => each) ? deviations : [])];
      return { name, row };
    })
    .filter(({ row }) => row.some((weight) => weight !== 0))
    .map(({ name, row }) => `  ${key(name)}: [${row.join(', ')}],\n`);
  const last = Object.entries(answer).map(
    ([name, weight]) => `  ${key(name)}: ${rounded(weight)},\n`,
  );
  return `${head}${rows.join('')}${middle}${last.join('')}};\n`;
}
