// What a history costs: questions as recorded at earlier times over the same question of the newest
// commit, and that over the same corpus without history. Corpora are of passages only, a share of
// which was replaced since, in one segment after compaction and in several before it; vectors and
// words are made of a seed. Processor time of the process, one question after another, in rounds.
//
// node --import tsx bench/store/history.ts [--rows 200000] [--dimensions 256] [--replaced .2]
// [--rounds 7] [--docs]
import '../../test/selectAddon.js';
import { join } from 'node:path';
import { bm25, Corpus, dense, hybrid, searchVectors, type Passage } from '../../lib/index.js';
import { mulberry32 } from '../../lib/text/random.js';
import { describeMachine, machine } from '../machine.js';
import { parseArgs } from '../options.js';
import { callTime, inTurns, median, publish, ratioOf, row, say, short } from '../report.js';
import { workFolder } from '../quality/sets/sets.js';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '200000' },
    dimensions: { type: 'string', default: '256' },
    replaced: { type: 'string', default: '.2' },
    rounds: { type: 'string', default: '7' },
    docs: { type: 'boolean', default: false },
  },
});
const [rows, dimensions, replaced, rounds] = [
  values.rows,
  values.dimensions,
  values.replaced,
  values.rounds,
].map(Number) as [number, number, number, number];
const batchSize = 20_000;
const k = 10;

function vectorOf(seed: number): Float32Array {
  const next = mulberry32(seed);
  const vector = Float32Array.from({ length: dimensions }, () => next() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((each) => each / length);
}

/** The passage of a number; its second version has another vector and other words. */
function passage(number: number, version: number): Passage {
  const day = new Date(Date.UTC(2000, 0, 1 + (number % 9000))).toISOString().slice(0, 10);
  const text =
    `Station ${number % 5003} sent report ${number} on ${day}` +
    (version > 0 ? `, corrected ${number % 997} times.` : '.');
  return { id: `p${number}`, text, vector: vectorOf(2 * number + version), publishedAt: day };
}

function* passages(from: number, to: number, version: number): Generator<Passage> {
  for (let number = from; number < to; number += 1) yield passage(number, version);
}

const work = workFolder('history', undefined);
const encoder = { id: `made-${dimensions}`, dimensions };
const changed = Math.floor(rows * replaced);
say(describeMachine(machine()));
const times: number[] = [];
const kept = await made('history', true, times);
const plain = await made('plain', false, []);
say('');
say(
  `## ${rows.toLocaleString('en')} passages x ${dimensions}, ` +
    `${changed.toLocaleString('en')} replaced, k = ${k}, processor time`,
);
for (const isMerged of [false, true]) {
  if (isMerged) await Promise.all([kept.compact(), plain.compact()]);
  const [with_, without] = [kept.info(), plain.info()];
  say('');
  say(
    `${with_.segments} segments of ${(with_.bytes.total / 1e6).toFixed(0)} MB; without history ` +
      `${without.segments} of ${(without.bytes.total / 1e6).toFixed(0)} MB`,
  );
  say('');
  await compare(kept, plain, times);
}
await kept.close();
await plain.close();
if (values.docs) publish('bench/store/history.ts');

/** The times are those between the first versions and the second ones, and in the midst of each. */
async function made(name: string, history: boolean, times: number[]): Promise<Corpus> {
  const corpus = await Corpus.open(join(work, name), { encoder, sentences: false, history });
  const pause = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    times.push(Date.now());
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const half = Math.floor(rows / 2);
  await corpus.add(passages(0, half, 0), { batchSize });
  await pause();
  await corpus.add(passages(half, rows, 0), { batchSize });
  await pause();
  await corpus.add(passages(0, Math.floor(changed / 2), 1), { batchSize });
  await pause();
  await corpus.add(passages(Math.floor(changed / 2), changed, 1), { batchSize });
  return corpus;
}

async function compare(kept: Corpus, plain: Corpus, times: readonly number[]): Promise<void> {
  type Ask = (corpus: Corpus, n: number, options: { asRecorded?: number }) => Promise<unknown>;
  const question = (n: number) => ({
    text: `Which report did station ${(n * 37) % 5003} send?`,
    vector: vectorOf(1e9 + n),
  });
  const searches: [string, Ask][] = [
    ['searchVectors', (corpus, n, options) => searchVectors(corpus, vectorOf(1e9 + n), k, options)],
    ['dense', (corpus, n, options) => dense({ corpus }).run(question(n), { k, ...options })],
    ['bm25', (corpus, n, options) => bm25({ corpus }).run(question(n), { k, ...options })],
    ['hybrid', (corpus, n, options) => hybrid({ corpus }).run(question(n), { k, ...options })],
  ];
  row([
    'search',
    'newest, ms',
    'as recorded before the changes',
    'in their midst',
    'when half was there',
    'newest over no history',
  ]);
  row(['---', '---:', '---:', '---:', '---:', '---:']);
  for (const [name, ask] of searches) {
    const [half, whole, midst] = times as [number, number, number];
    const cases: [Corpus, { asRecorded?: number }][] = [
      [kept, {}],
      [kept, { asRecorded: whole }],
      [kept, { asRecorded: midst }],
      [kept, { asRecorded: half }],
      [plain, {}],
    ];
    const taken = await inTurns(cases, rounds, ([corpus, options]) =>
      callTime(1, (n) => ask(corpus, n, options), 200),
    );
    const ratio = (a: number, b: number): string => ratioOf(taken[a]!, taken[b]!);
    row([name, short(median(taken[0]!)), ratio(1, 0), ratio(2, 0), ratio(3, 0), ratio(0, 4)]);
  }
}
