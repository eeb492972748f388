// Training of Re3's time encoder as its paper ablates it: table 10 (lambdas), figure 4 (encodings),
// temperature, two encoders, and an encoder fine-tuned on the same triplets (table 1's LoRA), on
// benchmarks with seen and with unseen entities and times. usage: node --import tsx
// bench/quality/train/re3Training.ts --keep FOLDER [--part
// shipped,lambdas,kinds,temperature,encoders,lora] [--seeds 1,2,3] [--sample 20000] [--epochs 3]
// [--questions 300] [--onnx FOLDER [--python PYTHON]]: PYTHON has torch and transformers. FOLDER
// keeps benchmarks, vectors and trainings by options for resumption, including benchmarks of `asof
// bench-data re2` under FOLDER/tables.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from '../../options.js';
import { pairedDifference } from '../../../packages/evaluation/lib/index.js';
import { onnxEncoder, timeEncoder, type TimeEncoderWeights } from '../../../lib/models/index.js';
import {
  trainTimeEncoder,
  type TimeTrainingOptions,
} from '../../../packages/training/lib/index.js';
import { trainLora } from '../../../packages/training/lib/lora/trainLora.js';
import { staticEncoder, type Encoder } from '../../../lib/index.js';
import type { TimeEncoder } from '../../../lib/vectors/timeEncoder.js';
import * as encoding from '../../../packages/training/lib/timeEncoder/encodeTriplets.js';
import { rememberedVectors } from './rememberedVectors.js';
import { groups, makeLives, makeTables, said, spread, type Group } from './re3Tables.js';

const { values } = parseArgs({
  options: {
    keep: { type: 'string' },
    part: { type: 'string', default: 'shipped,lambdas,kinds,temperature,encoders' },
    seeds: { type: 'string', default: '1,2,3' },
    sample: { type: 'string', default: '20000' },
    epochs: { type: 'string', default: '3' },
    questions: { type: 'string', default: '300' },
    onnx: { type: 'string' },
    python: { type: 'string', default: 'python3' },
  },
});
if (values.keep === undefined) throw new Error('Give a folder for what is kept: --keep FOLDER.');
const keep = values.keep;
const parts = values.part.split(',');
const seeds = values.seeds.split(',').map(Number);
const [sample, epochs] = [Number(values.sample), Number(values.epochs)];
const most = Number(values.questions);

/** By table, question by question: [group, recall, reciprocal rank]; 'dense' or a training. */
type Scores = Record<string, (readonly [Group, number, number])[]>;

const tables = makeTables(keep, most);

/** One encoder with its tables: the test collections and the results measured so far. */
class Bench {
  readonly #results: string;
  readonly #known = new Map<string, { found: Scores; alpha: number }>();
  readonly #gathered = new Map<string, encoding.EncodedTriplets>();

  constructor(
    readonly name: string,
    readonly encoder: Encoder,
    readonly triplets: number,
  ) {
    this.#results = join(keep, `${name}.jsonl`);
    if (!existsSync(this.#results)) return;
    for (const line of readFileSync(this.#results, 'utf8').split('\n').filter(Boolean)) {
      const { key, ...found } = JSON.parse(line);
      this.#known.set(key, found);
    }
  }

  async dense(of = tables): Promise<Scores> {
    return this.#measure(undefined, of);
  }

  async shipped(of = tables): Promise<Scores> {
    return this.#measure(await timeEncoder(this.encoder), of);
  }

  async trained(options: TimeTrainingOptions): Promise<{ found: Scores; alpha: number }> {
    const key = JSON.stringify([options, this.triplets, epochs, most]);
    const known = this.#known.get(key);
    if (known) return known;
    const weights = await this.#train(options);
    const result = {
      found: await this.#measure(await timeEncoder(this.encoder, weights)),
      alpha: weights.parameters.at(-1)!,
    };
    this.#known.set(key, result);
    appendFileSync(this.#results, `${JSON.stringify({ key, ...result })}\n`);
    return result;
  }

  #train(options: TimeTrainingOptions): Promise<TimeEncoderWeights> {
    const all = { validateEvery: 50, epochs, ...options };
    const triplets = spread(
      tables.flatMap(({ train }) => train),
      this.triplets,
    );
    const validation = tables.flatMap(({ dev }) => spread(dev, this.triplets / 50));
    return trainTimeEncoder(
      this.encoder,
      { triplets, validation, passages: tables.flatMap(({ passages }) => passages) },
      all,
    );
  }

  async #measure(times: TimeEncoder | undefined, of = tables): Promise<Scores> {
    const found: Scores = {};
    for (const { name, test, passages } of of) {
      const gathered =
        this.#gathered.get(name) ??
        (await encoding.encodeTriplets(this.encoder, [], test, passages));
      this.#gathered.set(name, gathered);
      const each = await gathered.validation.each(times);
      found[name] = each.map(({ recall, reciprocalRank }, i) => [
        test[i]!.group,
        recall,
        reciprocalRank,
      ]);
    }
    return found;
  }
}

const mean = (of: readonly number[]): number => of.reduce((sum, each) => sum + each, 0) / of.length;
function deviation(of: readonly number[]): number {
  const squares = of.map((each) => (each - mean(of)) ** 2);
  return Math.sqrt((mean(squares) * of.length) / Math.max(1, of.length - 1));
}
const three = (number: number): string => (Number.isNaN(number) ? '' : number.toFixed(3));
const questionsOf = (found: Scores, group?: Group): (readonly [Group, number, number])[] =>
  Object.values(found)
    .flat()
    .filter(([which]) => group === undefined || which === group);

/** Recall of each question, mean over the seeds, as paired comparisons take it. */
function recalls(runs: readonly Scores[]): { id: string; values: { recall: number } }[] {
  const each = runs.map((run) => questionsOf(run));
  return each[0]!.map((_, i) => ({
    id: String(i),
    values: { recall: mean(each.map((run) => run[i]![1])) },
  }));
}

/**
 * One row: Recall@5 by group, over all with the spread of seeds, MRR, and the difference from
 * another row with its interval.
 */
function row(name: string, runs: readonly Scores[], against?: readonly Scores[], after = ''): void {
  const over = (place: 1 | 2, group?: Group): number[] =>
    runs.map((run) => mean(questionsOf(run, group).map((each) => each[place])));
  const spreadOf = runs.length > 1 ? ` +-${three(deviation(over(1)))}` : '';
  let compared = '';
  if (against) {
    const {
      difference,
      interval: [low, high],
    } = pairedDifference(recalls(against), recalls(runs), 'recall', { rounds: 2000 });
    const verdict = low <= 0 && high >= 0 ? ' none that shows' : '';
    compared = ` ${(difference >= 0 ? '+' : '') + three(difference)} [${three(low)}, ${three(high)}]${verdict}`;
  }
  const byGroup = groups.map((group) => three(mean(over(1, group))));
  console.log(
    `| ${[name, ...byGroup, three(mean(over(1))) + spreadOf, three(mean(over(2))), compared.trim() + after].join(' | ')} |`,
  );
}

function head(title: string, baseline: string): void {
  const names = groups.map((group) => said[group]);
  const columns = ['Recall@5', ...names, 'all', 'MRR', `less ${baseline}`];
  console.log(`\n${title}\n| ${columns.join(' | ')} |\n${'|---'.repeat(columns.length)}|`);
}

async function runsOf(
  bench: Bench,
  options: TimeTrainingOptions,
): Promise<{ runs: Scores[]; alphas: number[] }> {
  const all = [];
  for (const seed of seeds) all.push(await bench.trained({ ...options, seed }));
  return { runs: all.map(({ found }) => found), alphas: all.map(({ alpha }) => alpha) };
}

mkdirSync(keep, { recursive: true });
const embedded = await staticEncoder();
const bench = new Bench(
  'embedded',
  rememberedVectors(embedded, join(keep, 'embedded.vectors')),
  sample,
);
const dense = await bench.dense();
for (const { name, test, train } of tables)
  console.log(`${name}: ${train.length} questions to train on, ${test.length} held out`);

if (parts.includes('shipped')) {
  const all = [...tables, makeLives(keep, most)];
  const [alone, shipped] = [await bench.dense(all), await bench.shipped(all)];
  for (const { name } of all) {
    head(
      `${name}, weights that come with asof (never trained on test entities and times)`,
      'the encoder alone',
    );
    row('encoder alone', [{ [name]: alone[name]! }]);
    row('fused', [{ [name]: shipped[name]! }], [{ [name]: alone[name]! }]);
  }
}
if (parts.includes('lambdas')) {
  head(
    'Table 10: lambdas, the other at 0.1 (paper, NYC: 0.905, 0.924, 0.920, 0.895 and 0.901, ' +
      '0.924, 0.919, 0.893)',
    '0.1 and 0.1',
  );
  const paper = await runsOf(bench, {});
  row('encoder alone', [dense], paper.runs);
  row('0.1 and 0.1', paper.runs);
  for (const options of [
    { lambdaHard: 0 },
    { lambdaHard: 0.2 },
    { lambdaHard: 0.5 },
    { lambdaTime: 0 },
    { lambdaTime: 0.2 },
    { lambdaTime: 0.5 },
    { lambdaHard: 0, lambdaTime: 0 },
    { lambdaTime: 1, negatives: ['time', 'entity', 'attribute'] as const },
  ])
    row(
      JSON.stringify(options).replaceAll('"', ''),
      (await runsOf(bench, options)).runs,
      paper.runs,
    );
}
if (parts.includes('kinds')) {
  head('Figure 4: encodings, and TempRetriever (concatenated)', 'film');
  const film = await runsOf(bench, {});
  row('encoder alone', [dense], film.runs);
  row('film', film.runs);
  for (const kind of ['direct', 'absolute', 'concatenated'] as const)
    row(kind, (await runsOf(bench, { kind, temperature: 0.05 })).runs, film.runs);
}
if (parts.includes('temperature')) {
  head('Temperature, with alpha as trained from 1', '0.1');
  const usual = await runsOf(bench, {});
  for (const temperature of [0.05, 0.1, 0.2]) {
    const { runs, alphas } = temperature === 0.1 ? usual : await runsOf(bench, { temperature });
    row(
      `${temperature}`,
      runs,
      temperature === 0.1 ? undefined : usual.runs,
      `, alpha ${alphas.map((each) => each.toFixed(2)).join(' ')}`,
    );
  }
}
if (parts.includes('encoders')) {
  const encoders: [string, Encoder][] = [['embedded', embedded]];
  if (values.onnx === undefined) console.log('\nanother encoder: not run, give --onnx FOLDER');
  else encoders.push(['onnx', await onnxEncoder({ path: values.onnx })]);
  for (const [name, encoder] of encoders) {
    const few = new Bench(
      `${name}-few`,
      rememberedVectors(encoder, join(keep, `${name}.vectors`)),
      Math.ceil(sample / 5),
    );
    head(`${encoder.id}, ${few.triplets} triplets`, 'the encoder alone');
    const alone = await few.dense();
    row('encoder alone', [alone]);
    row('film', (await runsOf(few, {})).runs, [alone]);
  }
}
if (parts.includes('lora')) {
  if (values.onnx === undefined) console.log('\nfine-tuned: not run, give --onnx FOLDER');
  else await fineTuned(values.onnx, Math.ceil(sample / 5));
}

/**
 * An encoder as published and fine-tuned with LoRA, each with a time network trained over it: one
 * after the other, not jointly.
 */
async function fineTuned(published: string, triplets: number): Promise<void> {
  const tuned = join(keep, `lora-${triplets}`);
  const few = spread(
    tables.flatMap(({ train }) => train),
    triplets,
  );
  const passages = tables.flatMap((table) => table.passages);
  if (!existsSync(join(tuned, 'model.safetensors')))
    await trainLora(
      published,
      () => ({ triplets: few, passages }),
      () => tuned,
      [1],
      {
        python: values.python,
        tokens: 64,
      },
    );
  for (const [name, path] of [
    ['as published', published],
    ['fine-tuned with LoRA', tuned],
  ] as const) {
    await using opened = await onnxEncoder({ path, maxTokens: 64 });
    const file = join(keep, `${opened.id.replace(/\W+/g, '-')}.vectors`);
    const of = new Bench(
      `${name.replaceAll(' ', '-')}-64`,
      rememberedVectors(opened, file),
      triplets,
    );
    head(`${name}, ${triplets} triplets`, '0.1 and 0.1');
    const paper = (await runsOf(of, {})).runs;
    row('encoder alone', [await of.dense()], paper);
    row('0.1 and 0.1', paper);
    for (const options of [
      { lambdaHard: 0, lambdaTime: 0 },
      { lambdaHard: 0.5 },
      { lambdaTime: 0.5 },
    ])
      row(JSON.stringify(options).replaceAll('"', ''), (await runsOf(of, options)).runs, paper);
  }
}
