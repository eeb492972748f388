// Fits the weights of the extractive reader (lib/reading/weights.ts): a listwise logistic model
// over the candidate spans of each question, by maximum likelihood of a span that holds an answer.
// Prints what it reaches on each family of questions with that family held out, and on TimeQA, HoH,
// nobel and tennis with pages held out (four folds). `node --import tsx
// bench/quality/reading/fitReader.ts --folder DIR,... [--work DIR] [--sample N] [--penalty P]
// [--without rank,near] [--keep DIR] [--write]`. --folder as in bench/quality/families/measure.ts.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { parseArgs } from '../../options.js';
import { createSystem } from '../../../lib/papers/index.js';
import type { ReadablePassage } from '../../../lib/reading/answer.js';
import { familyCorpora, familyFiles, judgments } from '../families/files.js';
import { askedOf } from '../sets/answerSets.js';
import { requireData, workFolder } from '../sets/sets.js';
import { exampleOf, featureNames, type Example } from './readerExamples.js';
import { best, fit } from './readerFit.js';
import { weightsSource } from './readerWeights.js';

const { values } = parseArgs({
  options: {
    work: { type: 'string' },
    folder: { type: 'string' },
    sample: { type: 'string', default: '300' },
    penalty: { type: 'string', default: '0.003' },
    without: { type: 'string', default: '' },
    keep: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
requireData();
const penalty = Number(values.penalty);
const without = new Set(values.without.split(','));

/** What a question counts for, against 1 for one of a family. */
const sets: [name: string, weight: number][] = [
  ['timeqa-easy', 0.6],
  ['timeqa-hard', 0.6],
  ['hoh', 0.8],
  ['nobel', 0.4],
  ['nobel-born', 0.8],
  ['tennis', 0.3],
];

const examples: Example[] = [];
const work = workFolder('families', values.work);
for (const folder of values.folder?.split(',') ?? []) {
  const files = familyFiles(folder);
  for await (const { corpus, queries } of familyCorpora(files, judgments(files), work)) {
    const system = createSystem('hybrid', { corpus });
    for (const { text, asked_at: askedAt, answers, unanswerable } of queries) {
      if (unanswerable || !answers?.length) continue;
      const question = askedAt === undefined ? { text } : { text, askedAt };
      const { evidence } = await system.run(question);
      await add(question, answers, evidence, { group: files.name, fold: -1, weight: 1 });
    }
  }
}
for (const [name, weight] of sets) {
  const asked = await askedOf(name, {
    system: 'hybrid',
    sample: Number(values.sample),
    passages: 5,
    ...(values.keep === undefined ? {} : { keep: values.keep }),
  });
  for (const { page, text, askedAt, answers, contexts } of asked) {
    const question = askedAt === undefined ? { text } : { text, askedAt };
    const fold = createHash('sha1').update(page).digest()[1]! % 4;
    for (const context of ['retrieved', 'oracle'])
      await add(question, answers, contexts[context] ?? [], {
        group: `${name} ${context}`,
        fold,
        weight,
      });
  }
}

async function add(
  question: { text: string; askedAt?: string },
  answers: readonly string[],
  passages: readonly ReadablePassage[],
  of: Pick<Example, 'group' | 'fold' | 'weight'>,
): Promise<void> {
  const example = await exampleOf(question, [...answers], passages.slice(0, 5), without);
  if (example) examples.push({ ...example, ...of });
}

const all = fit(examples, featureNames.length, penalty);
console.log(`${examples.length} questions, ${featureNames.length} weights`);
console.log('family or set           in sample  held out: accuracy  exact  F1');
const folds = [0, 1, 2, 3].map((fold) =>
  fit(
    examples.filter((each) => each.fold !== fold),
    featureNames.length,
    penalty,
  ),
);
for (const group of new Set(examples.map((each) => each.group))) {
  const own = examples.filter((each) => each.group === group);
  const rest = examples.filter((each) => each.group !== group);
  const without = own[0]!.fold < 0 ? fit(rest, featureNames.length, penalty) : undefined;
  let [inSample, accuracy, exact, f1] = [0, 0, 0, 0];
  for (const each of own) {
    inSample += each.accuracy[best(each, all)]!;
    const at = best(each, without ?? folds[each.fold]!);
    accuracy += each.accuracy[at]!;
    exact += each.exact[at]!;
    f1 += each.f1[at]!;
  }
  const share = (sum: number): string => (sum / own.length).toFixed(3).padStart(8);
  console.log(`${group.padEnd(24)}${[inSample, accuracy, exact, f1].map(share).join('  ')}`);
}
if (values.write)
  writeFileSync(
    new URL('../../../lib/reading/weights.ts', import.meta.url),
    weightsSource(featureNames, all),
  );
