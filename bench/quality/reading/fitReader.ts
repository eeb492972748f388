// Fits the weights of the extractive reader's features (lib/reading/weights.ts) and says what they
// reach on pages held out: a listwise logistic model over the candidate spans of each question,
// four folds by page. `node --import tsx bench/quality/reading/fitReader.ts [--sample N] [--penalty
// P] [--without inside,holds,outside,nearInTime,apart] [--keep DIR]`. It prints; what is adopted is
// rounded and written by hand, with the few weights that weights.ts says are set by hand.
import { createHash } from 'node:crypto';
import { parseArgs } from '../../options.js';
import { candidatesOf } from '../../../lib/reading/candidates.js';
import { answerType } from '../../../lib/text/answerType.js';
import { exactMatch, tokenF1 } from '../../../lib/eval/measures/answers.js';
import { parseQuestion } from '../../../lib/time/index.js';
import { askedOf } from '../sets/answerSets.js';
import { requireData } from '../sets/sets.js';

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '2000' },
    penalty: { type: 'string', default: '0.003' },
    without: { type: 'string', default: '' },
    keep: { type: 'string' },
  },
});
const without = new Set(values.without.split(','));
requireData();

/**
 * Templates repeat themselves: their questions are few and count little against questions that
 * people wrote.
 */
const sets: [name: string, sample: number, weight: number][] = [
  ['timeqa-easy', 2000, 1],
  ['timeqa-hard', 2000, 1],
  ['hoh', 2000, 1],
  ['nobel', 75, 0.15],
  ['nobel-born', 36, 0.15],
  ['tennis', 75, 0.15],
];

interface Example {
  set: string;
  context: string;
  fold: number;
  weight: number;
  /** A row of feature indices and values for each candidate. */
  rows: { at: number[]; values: number[] }[];
  exact: number[];
  f1: number[];
  /**
   * What each candidate should have of the probability; sums to 1, or all zero where no candidate
   * is any good.
   */
  target: number[];
}

const names: string[] = [];
const indices = new Map<string, number>();
const indexOf = (name: string): number => {
  const known = indices.get(name);
  if (known !== undefined) return known;
  indices.set(name, names.length);
  return names.push(name) - 1;
};

const examples: Example[] = [];
for (const [name, sample, weight] of sets) {
  for (const { page, text, askedAt, answers, contexts } of await askedOf(name, {
    system: 'hybrid',
    sample: Math.min(sample, Number(values.sample)),
    passages: 5,
    ...(values.keep === undefined ? {} : { keep: values.keep }),
  })) {
    const kind = answerType(text);
    if (!kind) continue;
    const question = parseQuestion(askedAt === undefined ? { text } : { text, askedAt });
    for (const [context, passages] of Object.entries(contexts)) {
      const candidates = candidatesOf(question, passages.slice(0, 5), kind);
      if (candidates.length === 0) continue;
      const rows = candidates.map(({ shared, cues }) => {
        const named = [
          ...Object.entries(shared),
          ...Object.entries(cues).map(([cue, value]): [string, number] => [
            `${kind}.${cue}`,
            value,
          ]),
        ].filter(([feature, value]) => value !== 0 && !without.has(feature));
        return {
          at: named.map(([feature]) => indexOf(feature)),
          values: named.map(([, value]) => value),
        };
      });
      const exact = candidates.map((each) => exactMatch(each.text, answers));
      const f1 = candidates.map((each) => tokenF1(each.text, answers));
      const good = exact.map((value, at) => (value === 1 ? 1 : 0.3 * f1[at]!));
      const sum =
        Math.max(...good) > 0.2 ? good.reduce((total, value) => total + value, 0) : Infinity;
      const fold = createHash('sha1').update(page).digest()[1]! % 4;
      examples.push({
        set: name,
        context,
        fold,
        weight,
        rows,
        exact,
        f1,
        target: good.map((value) => value / sum),
      });
    }
  }
}

const reached = new Map<string, { exact: number; f1: number; count: number }>();
for (let fold = 0; fold < 4; fold += 1) {
  const weights = fit(examples.filter((each) => each.fold !== fold));
  for (const example of examples.filter((each) => each.fold === fold)) {
    const scores = example.rows.map((row) => dot(row, weights));
    const best = scores.indexOf(Math.max(...scores));
    const key = `${example.set} ${example.context}`;
    const sum = reached.get(key) ?? { exact: 0, f1: 0, count: 0 };
    reached.set(key, {
      exact: sum.exact + example.exact[best]!,
      f1: sum.f1 + example.f1[best]!,
      count: sum.count + 1,
    });
  }
}
console.log('pages held out, questions with candidates:');
for (const [key, { exact, f1, count }] of reached) {
  console.log(
    `${key.padEnd(22)} em ${(exact / count).toFixed(3)}  f1 ${(f1 / count).toFixed(3)}  (${count})`,
  );
}
const all = fit(examples);
console.log('\nweights over all, those from 0.2:');
const listed = [...all]
  .map((weight, at): [string, number] => [names[at]!, weight])
  .filter(([, weight]) => Math.abs(weight) >= 0.2);
for (const [name, weight] of listed.sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log(`${name.padEnd(28)} ${weight.toFixed(1)}`);

function dot({ at, values: row }: Example['rows'][number], weights: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < at.length; i += 1) sum += weights[at[i]!]! * row[i]!;
  return sum;
}

/**
 * Adam on the cross-entropy of softmax over each question's candidates, with a quadratic penalty.
 */
function fit(given: readonly Example[], steps = 160, rate = 0.1): Float64Array {
  const kept = given.filter(({ target }) => target.some((value) => value > 0));
  const penalty = Number(values.penalty);
  const [weights, mean, square, gradient] = [0, 0, 0, 0].map(
    () => new Float64Array(names.length),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array];
  for (let step = 1; step <= steps; step += 1) {
    weights.forEach((weight, at) => (gradient[at] = penalty * weight));
    for (const { rows, target, weight } of kept) {
      const scores = rows.map((row) => dot(row, weights));
      const most = Math.max(...scores);
      const powers = scores.map((score) => Math.exp(score - most));
      const total = powers.reduce((sum, power) => sum + power, 0);
      rows.forEach(({ at, values: row }, candidate) => {
        const error = ((powers[candidate]! / total - target[candidate]!) * weight) / kept.length;
        for (let i = 0; i < at.length; i += 1) gradient[at[i]!]! += error * row[i]!;
      });
    }
    for (let at = 0; at < names.length; at += 1) {
      mean[at] = 0.9 * mean[at]! + 0.1 * gradient[at]!;
      square[at] = 0.999 * square[at]! + 0.001 * gradient[at]! ** 2;
      weights[at]! -=
        (rate * (mean[at]! / (1 - 0.9 ** step))) /
        (Math.sqrt(square[at]! / (1 - 0.999 ** step)) + 1e-8);
    }
  }
  return weights;
}
