// What a time encoder finds on the evaluation sets: Recall@5, hit@1 and the reciprocal rank of whole passages by inner product, of the encoder
// alone, and fused by each file of weights: with the one time that the extractor gives, as the paper has it, and with the times of `timesToFuse`.
// A question without a time is asked of vectors without one: it ranks as in the encoder.
// usage: node --import tsx bench/quality/timeEncoder.ts --sets FOLDER [--task nws,covid,tennis,nobel,timeqa] [--weights FILE,...] [--questions 1000]
//   FOLDER: what tools/make_eval_sets.py made. Without --weights, those that come with asof.
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { binding } from '../../lib/binding.js';
import { noTime, parseQuestion, readJsonLines, readQrels, staticEncoder, timeEncoder, timeTuples, type TimeTuple } from '../../lib/index.js';
import { wholeText } from '../../lib/store/rows.js';
import { timesToFuse } from '../../lib/time/question/fusing.js';
import type { TimeEncoder } from '../../lib/vectors/timeEncoder.js';

const { values } = parseArgs({
  options: {
    sets: { type: 'string' },
    task: { type: 'string', default: 'nws,covid,tennis,nobel,timeqa' },
    weights: { type: 'string', default: '' },
    questions: { type: 'string', default: '1000' },
  },
});
if (values.sets === undefined) throw new Error('Give the folder that make_eval_sets.py made: --sets FOLDER.');
const most = Number(values.questions);
const base = await staticEncoder();
const encoders = await Promise.all(
  (values.weights === '' ? [undefined] : values.weights.split(',')).map(async (file) => ({
    name: file === undefined ? 'film' : basename(file),
    times: await timeEncoder(base, file),
  })),
);

interface Query {
  id: string;
  text: string;
  askedAt?: string;
}

async function* linesOf<T>(file: string, read: (record: Record<string, any>) => T): AsyncGenerator<T> {
  yield* readJsonLines(file, (record) => read(record));
}

const collected = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

type Sums = readonly [recall: number, first: number, reciprocal: number];

/** Sums over some of the questions, by their numbers. */
async function measure(
  questions: Float32Array,
  passages: Float32Array,
  dimensions: number,
  right: readonly ReadonlySet<number>[],
  chosen: readonly number[],
): Promise<Sums> {
  let [recall, first, reciprocal] = [0, 0, 0];
  for (const question of chosen) {
    const scores = await binding.innerProduct(questions.subarray(question * dimensions, (question + 1) * dimensions), passages, dimensions);
    const { indices } = await binding.topK(scores, 100);
    const rows = right[question]!;
    const rank = indices.findIndex((row) => rows.has(row)) + 1;
    recall += indices.subarray(0, 5).filter((row) => rows.has(row)).length / Math.min(rows.size, 5);
    first += rank === 1 ? 1 : 0;
    reciprocal += rank > 0 ? 1 / rank : 0;
  }
  return [recall, first, reciprocal];
}

const means = (sums: Sums, count: number): string => sums.map((sum) => (sum / count).toFixed(3).padStart(8)).join('');
const added = (a: Sums, b: Sums): Sums => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

for (const task of values.task.split(',')) {
  const folder = join(values.sets, task);
  if (!existsSync(folder)) {
    console.log(`${task}: not run, no folder ${folder}`);
    continue;
  }
  const passages = await collected(
    linesOf(join(folder, 'passages.jsonl'), ({ id, text, title, published_at }) => ({
      id: String(id),
      text: wholeText({ title, text }),
      publishedAt: published_at as string | undefined,
    })),
  );
  const rowOf = new Map(passages.map(({ id }, row) => [id, row]));
  const qrels = await readQrels(join(folder, 'qrels.tsv'));
  const texts = passages.map(({ text }) => text);
  const vectors = await base.encode(texts, { kind: 'passage' });
  const times = await timeTuples(texts, { kind: 'passage', references: passages.map(({ publishedAt }) => publishedAt) });
  const fused = await Promise.all(encoders.map(({ times: encoder }) => encoder.fuse(vectors, times)));
  for (const file of readdirSync(folder).filter((name) => name.startsWith('queries'))) {
    const all = await collected(
      linesOf(join(folder, file), ({ id, text, asked_at }): Query => ({ id: String(id), text, ...(asked_at ? { askedAt: asked_at } : {}) })),
    );
    const judged = all.filter(({ id }) => [...(qrels.get(id)?.values() ?? [])].some((grade) => grade > 0));
    const queries = judged.filter((_, i) => i % Math.ceil(judged.length / most) === 0);
    const right = queries.map(({ id }) => new Set([...qrels.get(id)!].filter(([, grade]) => grade > 0).map(([passage]) => rowOf.get(passage)!)));
    const asked = queries.map(({ text }) => text);
    const questions = await base.encode(asked, { kind: 'query' });
    const tuples: TimeTuple[] = await timeTuples(asked, { kind: 'query', references: queries.map(({ askedAt }) => askedAt) });
    const dated = (some: readonly TimeTuple[]): string =>
      `${((100 * some.filter(({ mask }) => mask[0] === 1).length) / some.length).toFixed(0)} %`;
    console.log(
      `\n${task} ${file}: ${queries.length} questions (${dated(tuples)} dated), ${passages.length} passages (${dated(times)} dated)` +
        '      Recall@5   hit@1     MRR',
    );
    const chosen = queries.map(({ text, askedAt }) => timesToFuse(parseQuestion({ text, ...(askedAt ? { askedAt } : {}) })));
    const numbers = queries.map((_, i) => i);
    const dense = await measure(questions, vectors, base.dimensions, right, numbers);
    console.log(`  ${'dense'.padEnd(40)}${means(dense, queries.length)}`);
    const choices = [
      ['one time', tuples.map((tuple) => (tuple.mask[0] === 1 ? [tuple] : []))],
      ['times to fuse', chosen],
    ] as const;
    for (const [i, { name, times: encoder }] of encoders.entries()) {
      for (const [choice, of] of choices) {
        const [timed, untimed] = [true, false].map((is) => numbers.filter((k) => of[k]!.length > 0 === is)) as [number[], number[]];
        const alone = await measure(questions, vectors, base.dimensions, right, untimed);
        const found = await measure(await fusedByAll(encoder, questions, of), fused[i]!, encoder.dimensions, right, timed);
        console.log(`  ${`${name}, ${choice}`.padEnd(40)}${means(added(alone, found), queries.length)}`);
      }
    }
  }
}

/** A question's vector fused with each of its times, and their mean: a passage of any is as near as to that one alone, less what all have. */
async function fusedByAll(encoder: TimeEncoder, questions: Float32Array, times: readonly (readonly TimeTuple[])[]): Promise<Float32Array> {
  const across = encoder.dimensions;
  const out = new Float32Array(times.length * across);
  for (const [i, several] of times.entries()) {
    const own = questions.subarray(i * base.dimensions, (i + 1) * base.dimensions);
    const each = several.length === 0 ? [noTime] : several;
    for (const time of each) {
      const vector = await encoder.fuse(own, [time]);
      for (let k = 0; k < across; k += 1) out[i * across + k]! += vector[k]! / each.length;
    }
  }
  return out;
}
