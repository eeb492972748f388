// The re-implementation of MRAG, measured as its paper measures it (relevance by normalised answer,
// the evaluable subset of a fixed pool, table
// 1) and by judgements, with metadata-aware retrieval on and off: `node --import tsx
// bench/quality/systems/reimplementation.ts [--task timeqa,hoh,...] [--keep DIR] [--limit N]`. It
// makes its sets from ../shared/data and tunes nothing.
import { parseArgs } from '../../options.js';
import { bm25, dense, hybrid, type Corpus, type System } from '../../../lib/index.js';
import {
  evaluate,
  buildCandidatePool,
  parseMetrics,
  qrelsFromAnswers,
  type EvaluationQuery,
  type Qrels,
} from '../../../packages/evaluation/lib/index.js';
import type { CandidatePool } from '../../../packages/evaluation/lib/candidatePool.js';
import { mrag, reimplementation } from '../../../lib/papers/index.js';
import { forQuestions, requireData, workFolder } from '../sets/sets.js';

/**
 * Table 1: MRAG re-ranking on TempRAGEval, fixed pool; Contriever, all of ATLAS's Wikipedia. Its
 * baseline is in no table.
 */
const table1 = {
  hit: [0.2069, 0.5268, 0.7211, 0.8199],
  mrr: [0.2069, 0.3109, 0.3383, 0.3451],
  recall: [0.0422, 0.1228, 0.1927, 0.2236],
};
const cutoffs = [1, 5, 10, 20];

interface Task {
  queries: string[];
  /** The set has publication dates: whether metadata helps is a question there. */
  dated: boolean;
  /** What passages of one document have in common, where something does. */
  versions?: string;
}

const tasks: Record<string, Task> = {
  timeqa: { queries: ['queries-easy', 'queries-hard'], dated: false },
  hoh: { queries: ['queries'], dated: true, versions: 'title' },
  nws: { queries: ['queries'], dated: true },
  covid: { queries: ['queries'], dated: true },
};

const { values } = parseArgs({
  options: {
    task: { type: 'string', default: Object.keys(tasks).join(',') },
    keep: { type: 'string' },
    limit: { type: 'string' },
  },
});
requireData();
const work = workFolder('reimplementation', values.keep);
const row = (label: string, figures: readonly number[]): string =>
  `${label.padEnd(34)} ${figures.map((figure) => figure.toFixed(3)).join('  ')}`;

const files = Object.fromEntries(
  Object.entries(tasks).map(([name, { queries }]) => [name, queries] as const),
);
await forQuestions(values.task, files, { work, sample: values.limit }, async (set) => {
  const { task, corpus, qrels, queries } = set;
  await asThePaper(corpus, queries, qrels);
  await byJudgements(corpus, tasks[task]!, queries, qrels);
});
console.log('\nsituatedqa: not run, the set has questions and no passages');

/**
 * Hit, MRR and recall at 1, 5, 10, 20 by answers, over a pool of relevant passages and 50 BM25
 * negatives a question.
 */
async function asThePaper(
  corpus: Corpus,
  queries: readonly EvaluationQuery[],
  judged: Qrels,
): Promise<void> {
  const ids = new Set<string>();
  for await (const { id } of buildCandidatePool(bm25({ corpus }), queries, judged, {
    negatives: 50,
  }))
    ids.add(id);
  const among = [...ids];
  const pool: CandidatePool = () => among;
  const qrels = await qrelsFromAnswers(corpus, queries, { pool });
  const evaluable = queries.filter(({ id }) => qrels.has(id));
  console.log(
    `\nrelevance by answers, pool of ${among.length} passages, ${evaluable.length} of ${queries.length} questions evaluable`,
  );
  console.log(
    `${''.padEnd(34)} ${['hit', 'mrr', 'recall'].map((metric) => cutoffs.map((k) => `${metric}@${k}`).join(' ')).join(' | ')}`,
  );
  const names = ['hit', 'mrr', 'recall'].flatMap((metric) => cutoffs.map((k) => `${metric}@${k}`));
  for (const [label, system] of systemsOf(corpus)) {
    const { averages } = await evaluate(system, evaluable, {
      metrics: parseMetrics(names),
      qrels,
      pool,
    });
    console.log(
      row(
        label,
        names.map((metric) => averages[metric]!.mean),
      ),
    );
  }
  console.log(
    row('its paper (table 1), other corpus', [...table1.hit, ...table1.mrr, ...table1.recall]),
  );
}

function systemsOf(corpus: Corpus): [string, System][] {
  return [
    ['bm25', bm25({ corpus })],
    ['dense (its baseline)', dense({ corpus })],
    ['reimplementation', reimplementation({ corpus })],
    ['  similarity only', reimplementation({ corpus, weights: { overlap: 0 } })],
    ['  overlap only', reimplementation({ corpus, weights: { similarity: 0 } })],
    ['  and summaries of the first 20', reimplementation({ corpus, summaries: 20 })],
    ['reimplementation+published', reimplementation({ corpus, variant: 'published' })],
    ['  without years (w = 0)', reimplementation({ corpus, variant: 'published', years: 0 })],
    ['mrag', mrag({ corpus })],
    ['hybrid', hybrid({ corpus })],
  ];
}

/**
 * What metadata is good for: masks and windows against none, by judgements over the whole corpus.
 */
async function byJudgements(
  corpus: Corpus,
  { dated, versions }: Task,
  queries: readonly EvaluationQuery[],
  qrels: Qrels,
): Promise<void> {
  const metrics = parseMetrics('hit@1,hit@5,mrr@10');
  console.log(
    `\nby judgements, whole corpus${dated ? '' : ' (no publication dates: what acts is the dates that the sentences tell)'}`,
  );
  console.log(`${''.padEnd(34)} hit@1  hit@5  mrr@10   change of hit@1`);
  const systems: [string, System][] = [
    ['reimplementation', reimplementation({ corpus })],
    ['  with the mask alone', reimplementation({ corpus, metadata: { weight: 0 } })],
    [
      '  publication windows alone',
      reimplementation({ corpus, metadata: { contentFirst: false } }),
    ],
    ['  metadata-aware', reimplementation({ corpus, metadata: {} })],
    ...(versions
      ? [
          [
            `  and versions by ${versions}`,
            reimplementation({ corpus, metadata: { versions } }),
          ] as [string, System],
        ]
      : []),
  ];
  let plain: number | undefined;
  for (const [label, system] of systems) {
    const { averages } = await evaluate(system, queries, { metrics, qrels });
    const figures = metrics.map(({ name }) => averages[name]!.mean);
    plain ??= figures[0]!;
    const change = figures[0]! - plain;
    console.log(
      `${row(label, figures)}   ${change === 0 ? 'none' : `${change > 0 ? '+' : ''}${change.toFixed(3)}`}`,
    );
  }
}
