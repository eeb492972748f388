// A corpus of passages only, whose vectors come with them: passages added a second, bytes on disk
// and memory a passage, and the time of a question that brings its vector (`dense`, k = 10, exact),
// of all passages and of a tenth, a hundredth and a five-thousandth by a filter. Vectors are made
// of a seed, in clusters; texts have one sentence with a date. The making of vectors is not
// counted. Questions are asked one after another, the file cache being as warm as the machine's
// memory allows. `anonymous` is the memory that the process holds itself, `mapped` what it has read
// of the files, which the system takes back when it needs it.
//
// node --import tsx bench/store/passagesOnly.ts [--rows 200000] [--dimensions 384] [--batch 20000]
// [--questions 300] [--storage int8] [--compact] [--work FOLDER]
//
// --compact merges the segments first, for which the disk needs the corpus's size again. A million
// rows of 384 numbers take some 2.2 GB and minutes, ten million ten times that: --work keeps the
// corpus, and where it is there already it is only asked.
import '../../test/selectAddon.js';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Corpus, dense, type CorpusOptions, type Passage, type Where } from '../../lib/index.js';
import { describeMachine, machine } from '../machine.js';
import { parseArgs } from '../options.js';
import { median, row, say } from '../report.js';
import { uniform } from './uniform.js';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '200000' },
    dimensions: { type: 'string', default: '384' },
    batch: { type: 'string', default: '20000' },
    questions: { type: 'string', default: '300' },
    storage: { type: 'string', default: 'int8' },
    compact: { type: 'boolean', default: false },
    work: { type: 'string' },
  },
});
const [rows, dimensions, batchSize, questions] = [
  values.rows,
  values.dimensions,
  values.batch,
  values.questions,
].map(Number) as [number, number, number, number];
const clusters = 1000;
const k = 10;

function normals(count: number, seed: number): Float32Array {
  const draw = uniform(seed);
  const next = (): number => draw.next().value;
  return Float32Array.from({ length: count }, () => next() + next() + next() + next() - 2);
}

// A row is its cluster's centre and a stretch of the noise, from a place that is drawn.
const centres = normals(clusters * dimensions, 1);
const noise = normals((1 << 20) + dimensions, 2);
function vectorOf(draw: Generator<number, never>): Float32Array {
  const centre = dimensions * Math.floor(draw.next().value * clusters);
  const from = Math.floor(draw.next().value * (1 << 20));
  const vector = new Float32Array(dimensions);
  let squares = 0;
  for (let at = 0; at < dimensions; at += 1) {
    vector[at] = centres[centre + at]! + 0.9 * noise[from + at]!;
    squares += vector[at]! * vector[at]!;
  }
  const length = Math.sqrt(squares);
  for (let at = 0; at < dimensions; at += 1) vector[at]! /= length;
  return vector;
}

let making = 0;
function* passages(): Generator<Passage> {
  const draw = uniform(3);
  for (let i = 0; i < rows; i += 1) {
    const started = performance.now();
    const vector = vectorOf(draw);
    making += performance.now() - started;
    const day = new Date(Date.UTC(2000, 0, 1 + (i % 9000)));
    const text = `Station ${i % 5003} sent report ${i} on ${day.toISOString().slice(0, 10)}.`;
    const metadata = { region: `r${i % 10}`, site: `s${i % 100}`, station: `t${i % 5003}` };
    yield { id: `p${i}`, text, vector, publishedAt: day, metadata };
  }
}

/** MiB of this process's memory by kind. */
function memory(): { anonymous: number; mapped: number } {
  const status = readFileSync('/proc/self/status', 'utf8');
  const of = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? NaN) / 1024;
  return { anonymous: of('RssAnon'), mapped: of('RssFile') };
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const work = values.work ?? mkdtempSync(join(tmpdir(), 'asof-passages-only-'));
const path = join(work, `passages-only-${rows}x${dimensions}`);
const options = {
  encoder: { id: `made-${dimensions}`, dimensions },
  sentences: false,
  fields: { region: 'keyword', site: 'keyword', station: 'keyword' } as const,
  storage: values.storage as NonNullable<CorpusOptions['storage']>,
};
say(describeMachine(machine()));
say('');
try {
  if (!existsSync(path)) await add();
  await ask();
} finally {
  if (!values.work) rmSync(work, { recursive: true, force: true });
}

async function add(): Promise<void> {
  await using corpus = await Corpus.open(path, options);
  let most = 0;
  const started = performance.now();
  await corpus.add(passages(), {
    batchSize,
    onProgress: ({ done }) => {
      most = Math.max(most, memory().anonymous);
      const seconds = (performance.now() - started - making) / 1000;
      if (done % 1_000_000 === 0)
        console.error(`${whole(done)} added, ${whole(done / seconds)} a second`);
    },
  });
  const seconds = (performance.now() - started - making) / 1000;
  const { bytes, segments, passages: stored } = corpus.info();
  say(`${whole(stored)} passages x ${dimensions}, ${values.storage}, in ${segments} segments`);
  say(
    `added: ${whole(rows / seconds)} a second (${whole(seconds)} s), ${whole(most)} MiB anonymous`,
  );
  if (values.compact) {
    const from = performance.now();
    await corpus.compact();
    say(`compacted: ${whole((performance.now() - from) / 1000)} s`);
  }
  say('');
  row(['on disk', 'bytes a passage', 'GB']);
  row(['---', '---:', '---:']);
  for (const [name, count] of Object.entries(values.compact ? corpus.info().bytes : bytes))
    if (count > 0) row([name, (count / rows).toFixed(1), (count / 1e9).toFixed(2)]);
}

async function ask(): Promise<void> {
  await using corpus = await Corpus.open(path, options);
  const before = memory();
  const system = dense({ corpus });
  const draw = uniform(4);
  const rescored: number[] = [];
  let most = Math.min(k, rows);
  const question = async (where?: Where): Promise<number> => {
    const vector = vectorOf(draw);
    const started = performance.now();
    const filter = where && { where };
    const { evidence, scan } = await system.run(
      { text: 'Which report?', vector },
      { k, ...filter },
    );
    if (evidence.length !== most) throw new Error(`${evidence.length} of ${most} found`);
    rescored.push(scan!.rescored);
    return performance.now() - started;
  };
  say('');
  say(`first question after opening: ${(await question()).toFixed(0)} ms`);
  say('');
  row(['passages', `p50 of ${questions}, ms`, 'p99, ms', 'rows read in f32 (median)']);
  row(['---', '---:', '---:', '---:']);
  const filters: [string, Where?][] = [
    ['all'],
    ['10 %', { region: 'r3' }],
    ['1 %', { site: 's42' }],
    ['.02 %', { station: 't77' }],
  ];
  for (const [name, where] of filters) {
    const times: number[] = [];
    most = Math.min(k, await corpus.count(where ? { where } : {}));
    for (let n = 0; n < 10; n += 1) await question(where);
    rescored.length = 0;
    for (let n = 0; n < questions; n += 1) times.push(await question(where));
    times.sort((a, b) => a - b);
    const at = (share: number): string =>
      times[Math.min(times.length - 1, Math.floor(share * times.length))]!.toFixed(1);
    row([name, at(0.5), at(0.99), whole(median(rescored))]);
  }
  const after = memory();
  say('');
  say(
    `memory: ${whole(after.anonymous)} MiB anonymous (${whole(before.anonymous)} before the first ` +
      `question), ${whole(after.mapped)} MiB mapped`,
  );
}
