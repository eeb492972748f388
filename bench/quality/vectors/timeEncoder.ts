// What a time encoder finds on the evaluation sets: Recall@5, hit@1 and the reciprocal rank of
// whole passages by inner product, of the encoder alone, and fused by each file of weights: with
// the one time that the extractor gives, as the paper has it, and with the times of `fusionTimes`;
// a passage of several times by one of them, as a corpus has it, or in a row for each, of which its
// best counts. A question without a time is asked of vectors without one: it ranks as in the
// encoder. usage: node --import tsx bench/quality/vectors/timeEncoder.ts --sets FOLDER [--task
// nws,covid,tennis,nobel,timeqa] [--weights FILE,...] [--questions 1000]
// FOLDER: what tools/make_eval_sets.py made. Without --weights, those that come with asof.
import '../../../test/selectAddon.js';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from '../../options.js';
import { binding } from '../../../lib/binding.js';
import { addon } from '../../../test/addon.js';
import {
  parseInstant,
  parseQuestion,
  tagTimes,
  timeTuples,
  type TimeTuple,
} from '../../../lib/time/index.js';
import { readQrels } from '../../../packages/evaluation/lib/index.js';
import { staticEncoder } from '../../../lib/index.js';
import { timeEncoder } from '../../../lib/models/index.js';
import { passageText } from '../../../lib/store/writing/rows.js';
import { contentIntervals } from '../../../lib/time/contentClock.js';
import { fusionTimes } from '../../../lib/time/fusionTimes.js';
import { narrowestInterval } from '../../../lib/time/timeExtractor.js';
import { timeTupleOf, noTime } from '../../../lib/time/tuple.js';
import type { TimeEncoder } from '../../../lib/vectors/timeEncoder.js';
import { passagesOf, queriesOf } from '../sets/sets.js';

const { values } = parseArgs({
  options: {
    sets: { type: 'string' },
    task: { type: 'string', default: 'nws,covid,tennis,nobel,timeqa' },
    weights: { type: 'string', default: '' },
    questions: { type: 'string', default: '1000' },
  },
});
if (values.sets === undefined)
  throw new Error('Give the folder that make_eval_sets.py made: --sets FOLDER.');
const most = Number(values.questions);
const base = await staticEncoder();
const encoders = await Promise.all(
  (values.weights === '' ? [undefined] : values.weights.split(',')).map(async (file) => ({
    name: file === undefined ? 'film' : basename(file),
    times: await timeEncoder(base, file),
  })),
);

type Sums = readonly [recall: number, first: number, reciprocal: number];

/** Vectors of passages, and whose each is: a passage counts by its best. */
interface Rows {
  vectors: Float32Array;
  passageOf: Int32Array;
}

/** Sums over some of the questions, by their numbers. */
async function measure(
  questions: Float32Array,
  { vectors, passageOf }: Rows,
  dimensions: number,
  right: readonly ReadonlySet<number>[],
  chosen: readonly number[],
): Promise<Sums> {
  let [recall, first, reciprocal] = [0, 0, 0];
  for (const question of chosen) {
    const scores = await binding.innerProduct(
      questions.subarray(question * dimensions, (question + 1) * dimensions),
      vectors,
      dimensions,
    );
    const best = new Float32Array(passageOf.at(-1)! + 1).fill(-2);
    scores.forEach(
      (score, row) => (best[passageOf[row]!] = Math.max(best[passageOf[row]!]!, score)),
    );
    const { indices } = await addon.topK(best, 100);
    const judged = right[question]!;
    const rank = indices.findIndex((passage) => judged.has(passage)) + 1;
    recall +=
      indices.subarray(0, 5).filter((passage) => judged.has(passage)).length /
      Math.min(judged.size, 5);
    first += rank === 1 ? 1 : 0;
    reciprocal += rank > 0 ? 1 / rank : 0;
  }
  return [recall, first, reciprocal];
}

const means = (sums: Sums, count: number): string =>
  sums.map((sum) => (sum / count).toFixed(3).padStart(8)).join('');
const added = (a: Sums, b: Sums): Sums => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

for (const task of values.task.split(',')) {
  const folder = join(values.sets, task);
  if (!existsSync(folder)) {
    console.log(`${task}: not run, no folder ${folder}`);
    continue;
  }
  const passages = passagesOf(folder).map(({ id, publishedAt, ...told }) => ({
    id,
    text: passageText(told),
    publishedAt: publishedAt as string | undefined,
  }));
  const rowOf = new Map(passages.map(({ id }, row) => [id, row]));
  const qrels = await readQrels(join(folder, 'qrels.tsv'));
  const texts = passages.map(({ text }) => text);
  const vectors = await base.encode(texts, { kind: 'passage' });
  const told = await contentOf(
    texts,
    passages.map(({ publishedAt }) => publishedAt),
  );
  const times = told.map(({ one }) => one);
  const rows: Rows = { vectors, passageOf: Int32Array.from(passages, (_, row) => row) };
  const each = told.flatMap(({ all }, passage) => all.map((time) => ({ passage, time })));
  const passageOf = Int32Array.from(each, ({ passage }) => passage);
  const repeated = new Float32Array(each.length * base.dimensions);
  const across = base.dimensions;
  each.forEach(({ passage }, row) =>
    repeated.set(vectors.subarray(passage * across, (passage + 1) * across), row * across),
  );
  const fused = await Promise.all(
    encoders.map(
      async ({ times: encoder }): Promise<[string, Rows][]> => [
        ['', { ...rows, vectors: await encoder.fuse(vectors, times) }],
        [
          ', a row a time',
          {
            vectors: await encoder.fuse(
              repeated,
              each.map(({ time }) => time),
            ),
            passageOf,
          },
        ],
      ],
    ),
  );
  for (const file of readdirSync(folder).filter((name) => name.startsWith('queries'))) {
    const all = queriesOf(folder, basename(file, '.jsonl'));
    const judged = all.filter(({ id }) =>
      [...(qrels.get(id)?.values() ?? [])].some((grade) => grade > 0),
    );
    const queries = judged.filter((_, i) => i % Math.ceil(judged.length / most) === 0);
    const right = queries.map(
      ({ id }) =>
        new Set(
          [...qrels.get(id)!]
            .filter(([, grade]) => grade > 0)
            .map(([passage]) => rowOf.get(passage)!),
        ),
    );
    const asked = queries.map(({ text }) => text);
    const questions = await base.encode(asked, { kind: 'query' });
    const tuples: TimeTuple[] = await timeTuples(asked, {
      kind: 'query',
      references: queries.map(({ askedAt }) => askedAt),
    });
    const dated = (some: readonly TimeTuple[]): string =>
      `${((100 * some.filter(({ mask }) => mask[0] === 1).length) / some.length).toFixed(0)} %`;
    console.log(
      `\n${task} ${file}: ${queries.length} questions (${dated(tuples)} dated), ${passages.length} passages ` +
        `(${dated(times)} dated, ${each.length} rows of one time)      Recall@5   hit@1     MRR`,
    );
    const chosen = queries.map(({ text, askedAt }) =>
      fusionTimes(parseQuestion({ text, ...(askedAt ? { askedAt } : {}) })),
    );
    const numbers = queries.map((_, i) => i);
    const dense = await measure(questions, rows, base.dimensions, right, numbers);
    console.log(`  ${'dense'.padEnd(40)}${means(dense, queries.length)}`);
    const choices = [
      ['one time', tuples.map((tuple) => (tuple.mask[0] === 1 ? [tuple] : []))],
      ['times to fuse', chosen],
    ] as const;
    for (const [i, { name, times: encoder }] of encoders.entries()) {
      for (const [choice, of] of choices) {
        const [timed, untimed] = [true, false].map((is) =>
          numbers.filter((k) => of[k]!.length > 0 === is),
        ) as [number[], number[]];
        const alone = await measure(questions, rows, base.dimensions, right, untimed);
        const asFused = await fusedByAll(encoder, questions, of);
        for (const [how, vectorsOf] of fused[i]!) {
          const found = await measure(asFused, vectorsOf, encoder.dimensions, right, timed);
          console.log(
            `  ${`${name}, ${choice}${how}`.padEnd(40)}${means(added(alone, found), queries.length)}`,
          );
          if (choice === 'times to fuse')
            console.log(
              `  ${`  of those ${timed.length} that are fused`.padEnd(40)}${means(found, timed.length)}`,
            );
        }
      }
    }
  }
}

/**
 * What each text tells of, as a corpus has it: the one time that stands for it, and every one; a
 * text without has none as its only one.
 */
async function contentOf(
  texts: readonly string[],
  published: readonly (string | undefined)[],
): Promise<{ one: TimeTuple; all: TimeTuple[] }[]> {
  const tagged = await tagTimes(texts, { references: published });
  return tagged.map(({ mentions }, at) => {
    const intervals = contentIntervals(
      mentions,
      texts[at]!,
      published[at] === undefined ? undefined : parseInstant(published[at], 'start'),
    );
    const one = narrowestInterval(intervals);
    const all = new Map(
      intervals.map((interval) => [JSON.stringify(timeTupleOf(interval)), timeTupleOf(interval)]),
    );
    return {
      one: one ? timeTupleOf(one) : noTime,
      all: all.size > 0 ? [...all.values()] : [noTime],
    };
  });
}

/**
 * A question's vector fused with each of its times, and their mean: a passage of any is as near as
 * to that one alone, less what all have.
 */
async function fusedByAll(
  encoder: TimeEncoder,
  questions: Float32Array,
  times: readonly (readonly TimeTuple[])[],
): Promise<Float32Array> {
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
