// What negatives of another time are worth in the fine-tuning of an encoder (re-implementation,
// section 4.2): models/train/lora.py trains it on questions mined from the pages of TimeQA that
// train, once with negatives by time, once with random ones, once with near passages of any time,
// and `dense` is measured on questions of held-out pages, mined and human (in-domain), and on
// Cranfield, nobel and hoh (out-of-domain). Questions and positives are the same; negatives
// and their margins differ. TimeQA's corpus is that of the held-out pages.
// Prints means over splits by page; judges nothing. usage: node --import tsx
// bench/quality/train/lora.ts --keep DIR --python PYTHON [--splits 1] [--limit 600] [--epochs 2]
// MODEL: a folder with model.safetensors and onnx/model.onnx; --keep: where sets, encoders and
// their vectors are made, and found the next time; PYTHON: one with torch and peft
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from '../../options.js';
import { onnxEncoder } from '../../../lib/models/index.js';
import { mineTriplets, type Triplet } from '../../../packages/training/lib/index.js';
import { splitOf } from '../../../packages/training/lib/mining/split.js';
import type { Matching } from '../../../packages/training/lib/mining/temporal.js';
import { toSentenceTransformersRecord } from '../../../packages/training/lib/mining/triplets.js';
import { describeMachine, machine } from '../../machine.js';
import { makeSet, openSet, passagesOf, queriesOf, requireData, workFolder } from '../sets/sets.js';
import { rememberedVectors } from '../vectors/rememberedVectors.js';
import { all, denseRun, figures, heldOut, minedQuestions, qrelsOf, testSet } from './denseSets.js';
import type { Judged, TestSet } from './denseSets.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    keep: { type: 'string' },
    python: { type: 'string', default: 'python3' },
    splits: { type: 'string', default: '1' },
    limit: { type: 'string', default: '600' },
    epochs: { type: 'string', default: '2' },
  },
});
const [model] = positionals;
if (model === undefined) {
  console.error('Expected the folder of a model, received none. See --help.');
  process.exit(2);
}
requireData();
const work = workFolder('lora', values.keep);
const limit = Number(values.limit);
/** Tokens read of a passage, in training and in search. */
const maxTokens = 128;
const sampled = 300;
const script = join('models', 'train', 'lora.py');

interface Variant {
  name: string;
  file: 'interval' | 'none';
  options: string[];
}
const variants: Variant[] = [
  { name: 'random negatives', file: 'interval', options: ['--negatives', 'random'] },
  { name: 'negatives by time', file: 'interval', options: [] },
  { name: 'near, blind to time', file: 'none', options: [] },
];

const timeqa = makeSet(work, 'timeqa');
const timeqaPassages = passagesOf(timeqa);
const timeqaQrels = await qrelsOf(timeqa);
const { corpus } = await openSet(work, 'timeqa');
const outside: Judged[] = [];
for (const name of ['cranfield', 'nobel', 'hoh']) {
  const folder = makeSet(work, name);
  outside.push({
    name,
    passages: passagesOf(folder),
    queries: queriesOf(folder, 'queries', sampled),
    qrels: await qrelsOf(folder),
  });
}

/** In-domain sets of a split, over the passages of held-out pages. */
async function insideOf(seed: number): Promise<Judged[]> {
  const passages = timeqaPassages.filter((passage) => splitOf(passage, seed) === 'test');
  const human = (name: string, file: string): Judged => {
    const set = { name, passages, queries: queriesOf(timeqa, file), qrels: timeqaQrels };
    const asked = heldOut(set, seed);
    return { ...set, queries: set.queries.filter(({ id }) => asked.has(id)) };
  };
  return [
    human('own dates', 'queries-easy'),
    human('perturbed', 'queries-hard'),
    { name: 'mined', passages, ...(await minedQuestions(corpus, seed, sampled)) },
  ];
}

/** The file that lora.py reads: a triplet a question, of the questions that are mined by time. */
async function minedFile(matching: Matching, seed: number): Promise<string> {
  const file = join(work, `${matching}-${seed}-${limit}.jsonl`);
  if (existsSync(file)) return file;
  const options = { split: 'train', seed, negativesPerQuestion: 1 } as const;
  const byTime = await all(mineTriplets(corpus, { ...options, limit, matching: 'interval' }));
  const key = ({ question, positive }: Triplet): string => `${question} ${positive.id}`;
  const known = new Set(byTime.map(key));
  const mined =
    matching === 'interval' ? byTime : await all(mineTriplets(corpus, { ...options, matching }));
  const lines = mined
    .filter((triplet) => known.has(key(triplet)))
    .map((each) => JSON.stringify(toSentenceTransformersRecord(each)));
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/** The folder of the encoder that a variant trains. */
async function trained({ name, file, options }: Variant, seed: number): Promise<string> {
  const folder = join(work, `${name.replace(/\W+/g, '-')}-${seed}-${limit}`);
  if (existsSync(join(folder, 'lora.json'))) return folder;
  const triplets = await minedFile(file, seed);
  const common = ['--epochs', values.epochs, '--tokens', String(maxTokens), '--seed', String(seed)];
  execFileSync(values.python, [script, model!, triplets, '--out', folder, ...common, ...options], {
    stdio: ['ignore', 'inherit', 'ignore'],
  });
  return folder;
}

async function measured(folder: string, judged: readonly Judged[]): Promise<Map<string, number[]>> {
  await using opened = await onnxEncoder({ path: folder, maxTokens });
  const vectors = join(work, `${opened.id.replace(/\W+/g, '-')}.vectors`);
  const encoder = rememberedVectors(opened, vectors);
  const rows = new Map<string, number[]>();
  let before: TestSet | undefined;
  for (const each of judged) {
    const set = await testSet(encoder, each, before);
    before = set;
    const run = await denseRun(set, encoder.dimensions, heldOut(set, undefined));
    rows.set(`${set.name} (${run.size})`, figures(run, set.qrels));
  }
  return rows;
}

console.log(describeMachine(machine()));
console.log(
  `hit@1 hit@5 nDCG@10 of dense, ${maxTokens} tokens a passage; trained on at most ${limit} ` +
    `triplets, ${values.epochs} epochs; timeqa: questions of held-out pages`,
);
const sums = new Map<string, Map<string, number[]>>(); // variant -> set -> figures
for (let seed = 1; seed <= Number(values.splits); seed += 1) {
  const judged = [...(await insideOf(seed)), ...outside];
  console.log(`\nsplit ${seed}: ${judged[0]!.passages.length} passages of timeqa`);
  for (const variant of [undefined, ...variants]) {
    const name = variant?.name ?? 'untuned';
    const rows = await measured(variant ? await trained(variant, seed) : model, judged);
    const bySet = sums.get(name) ?? new Map<string, number[]>();
    sums.set(name, bySet);
    for (const [set, found] of rows) {
      const key = set.replace(/ \(.*/, '');
      bySet.set(
        key,
        found.map((value, i) => (bySet.get(key)?.[i] ?? 0) + value),
      );
    }
    print(name, rows, 1);
  }
  console.log(`means over ${seed} ${seed === 1 ? 'split' : 'splits'}`);
  for (const [name, rows] of sums) print(name, rows, seed);
}
await corpus.close();

function print(name: string, rows: Map<string, number[]>, count: number): void {
  const cells = [...rows].map(
    ([set, row]) => `${set} ${row.map((value) => (value / count).toFixed(3)).join(' ')}`,
  );
  console.log(`${name.padEnd(22)} ${cells.join(' | ')}`);
}
