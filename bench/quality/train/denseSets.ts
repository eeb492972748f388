// Test collections of the training benches, encoded once, and `dense`'s ranking of them: one vector
// a passage, inner products with the question's, nothing else. `heldOut` selects the questions of
// held-out pages. It trains nothing.
import { join } from 'node:path';
import { binding } from '../../../lib/binding.js';
import {
  parseMetrics,
  readQrels,
  scoreRun,
  type Qrels,
  type Run,
} from '../../../packages/evaluation/lib/index.js';
import type { Corpus, Encoder, Passage } from '../../../lib/index.js';
import { passageText } from '../../../lib/store/writing/rows.js';
import { mineTriplets } from '../../../packages/training/lib/index.js';
import { splitOf } from '../../../packages/training/lib/mining/split.js';

const queriesAtOnce = 64;
const depth = 100;

export const metrics = parseMetrics('hit@1,hit@5,ndcg@10');

export interface Query {
  id: string;
  text: string;
}

export interface Judged {
  name: string;
  passages: Passage[];
  queries: Query[];
  qrels: Qrels;
}

export interface TestSet extends Judged {
  passageVectors: Float32Array;
  queryVectors: Float32Array;
}

export const qrelsOf = (folder: string): Promise<Qrels> => readQrels(join(folder, 'qrels.tsv'));

/** Encodes a set; `from` is one of the same passages, whose vectors are taken. */
export async function testSet(encoder: Encoder, set: Judged, from?: TestSet): Promise<TestSet> {
  const { passages, qrels } = set;
  const passageVectors =
    from && from.passages === passages
      ? from.passageVectors
      : await encoder.encode(passages.map(passageText), { kind: 'passage' });
  const queries = set.queries.filter(({ id }) => qrels.has(id));
  const queryVectors = await encoder.encode(
    queries.map(({ text }) => text),
    { kind: 'query' },
  );
  return { ...set, queries, passageVectors, queryVectors };
}

/** The questions that are about held-out pages; all where `seed` is absent. */
export function heldOut(
  { passages, queries, qrels }: Judged,
  seed: number | undefined,
): Set<string> {
  const page = new Map(passages.map((passage) => [passage.id, passage]));
  const isTest = (id: string): boolean =>
    seed === undefined ||
    [...(qrels.get(id)?.keys() ?? [])].some(
      (document) => page.has(document) && splitOf(page.get(document)!, seed) === 'test',
    );
  return new Set(queries.filter(({ id }) => isTest(id)).map(({ id }) => id));
}

/**
 * Held-out mined questions, one a passage: the passage that a question was made from is what it
 * should find.
 */
export async function minedQuestions(
  corpus: Corpus,
  seed: number,
  most: number,
): Promise<{ queries: Query[]; qrels: Qrels }> {
  const options = { split: 'test', questionsPerPassage: 1, negativesPerQuestion: 1 } as const;
  const seen = new Map<string, string>();
  for await (const { question, positive } of mineTriplets(corpus, {
    ...options,
    seed: seed + 1000,
  }))
    if (splitOf(positive, seed) === 'test') seen.set(question, positive.id);
  const held = [...seen].slice(0, most);
  return {
    queries: held.map(([text], i) => ({ id: `m${i}`, text })),
    qrels: new Map(held.map(([, id], i) => [`m${i}`, new Map([[id, 1]])])),
  };
}

/** dense's ranking of the best 100 passages for the questions of `asked`. */
export async function denseRun(
  { passages, passageVectors, queries, queryVectors }: TestSet,
  dimensions: number,
  asked: ReadonlySet<string>,
): Promise<Run> {
  const run: Run = new Map();
  const n = passages.length;
  const rows = [...queries.keys()].filter((q) => asked.has(queries[q]!.id));
  for (let from = 0; from < rows.length; from += queriesAtOnce) {
    const some = rows.slice(from, from + queriesAtOnce);
    const scores = await binding.innerProduct(
      Float32Array.from(
        some.flatMap((q) => [...queryVectors.subarray(q * dimensions, (q + 1) * dimensions)]),
      ),
      passageVectors,
      dimensions,
    );
    for (const [i, q] of some.entries()) {
      const own = scores.subarray(i * n, (i + 1) * n);
      const best = [...passages.keys()].sort((a, b) => own[b]! - own[a]!).slice(0, depth);
      run.set(
        queries[q]!.id,
        best.map((row) => ({ id: passages[row]!.id, score: own[row]! })),
      );
    }
  }
  return run;
}

export async function all<T>(from: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const each of from) list.push(each);
  return list;
}

/** Means of `metrics` over the questions of the run. */
export function figures(run: Run, qrels: Qrels): number[] {
  const asked: Qrels = new Map([...qrels].filter(([id]) => run.has(id)));
  return metrics.map(({ name }) => scoreRun(run, asked, metrics).averages[name]!.mean);
}
