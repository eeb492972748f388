// TempRALM, whose paper's table 2 is in papers/tempralm.json: what over-retrieval loses against the
// scan of the whole corpus, what its weight is worth, and the baseline with the time appended:
// `node --import tsx bench/quality/systems/tempralm.ts [--task tennis,nws,covid] [--keep DIR]
// [--limit N]`. Weights are searched by `asof train weights`; nothing is tuned here.
import { parseArgs } from '../../options.js';
import { bm25, dense, type Corpus, type System } from '../../../lib/index.js';
import { evaluate, parseMetrics, type Evaluation } from '../../../packages/evaluation/lib/index.js';
import { tempralm, type Relevance } from '../../../lib/papers/index.js';
import { forQuestions, requireData, workFolder } from '../sets/sets.js';

const tasks: Record<string, string[]> = {
  tennis: ['queries-same-year', 'queries-next-year', 'queries-anytime'],
  nws: ['queries'],
  covid: ['queries'],
};
const depths = [10, 20, 60, 200, 1000, 'corpus'] as const;

const { values } = parseArgs({
  options: {
    task: { type: 'string', default: Object.keys(tasks).join(',') },
    keep: { type: 'string' },
    limit: { type: 'string' },
  },
});
requireData();
const work = workFolder('tempralm', values.keep);
const metrics = parseMetrics('hit@1,hit@5,mrr@10');

await forQuestions(values.task, tasks, { work, sample: values.limit }, async (set) => {
  const { corpus, qrels, queries } = set;
  const measure = (system: System): Promise<Evaluation> =>
    evaluate(system, queries, { metrics, qrels });
  await overRetrieval(corpus, measure);
  console.log(`\n${'weight, over-retrieving 60'.padEnd(30)} hit@1  hit@5  mrr@10`);
  for (const weight of [0, 0.25, 0.5, 1, 2, 4]) {
    const label = `weight ${weight}${weight === 1 ? ' (the paper)' : ''}`;
    print(label, await measure(tempralm({ corpus, weight })));
  }
  console.log(`\n${'baselines'.padEnd(30)} hit@1  hit@5  mrr@10`);
  for (const of of [bm25, dense])
    for (const options of [{}, { mask: true }, { suffix: true }]) {
      const system = of({ corpus, ...options });
      print(system.name, await measure(system));
    }
});

/**
 * What is lost by cutting first: the standardisation then is over the cut alone, so the scores
 * differ too and a cut may even gain.
 * `other first` is the share of questions whose first passage is another than that of the whole
 * scan.
 */
async function overRetrieval(
  corpus: Corpus,
  measure: (system: System) => Promise<Evaluation>,
): Promise<void> {
  const mixed: Relevance = { semantic: 0.2, lexical: 0.8 };
  for (const [label, relevance] of [
    ['relevance 0.2 cosine + 0.8 BM25', mixed],
    ['cosine alone, as the paper', { semantic: 1, lexical: 0 }],
  ] as [string, Relevance][]) {
    console.log(
      `\n${label.padEnd(30)} hit@1  hit@5  mrr@10   against the scan   other first   p50 of a question`,
    );
    const whole = await measure(tempralm({ corpus, relevance, overRetrieve: 'corpus' }));
    for (const overRetrieve of depths) {
      const cut =
        overRetrieve === 'corpus'
          ? whole
          : await measure(tempralm({ corpus, relevance, overRetrieve }));
      const change = cut.averages['mrr@10']!.mean - whole.averages['mrr@10']!.mean;
      const other =
        [...whole.run].filter(([id, ranking]) => ranking[0]?.id !== cut.run.get(id)?.[0]?.id)
          .length / whole.run.size;
      print(
        `over-retrieve ${overRetrieve}`,
        cut,
        `   ${`${change >= 0 ? '+' : ''}${change.toFixed(3)} mrr@10`.padEnd(16)}   ${other.toFixed(3).padEnd(11)}   ` +
          `${cut.latencyMs.p50.toFixed(1)} ms`,
      );
    }
  }
}

function print(label: string, { averages }: Evaluation, more = ''): void {
  console.log(
    `${label.padEnd(30)} ${metrics.map(({ name }) => averages[name]!.mean.toFixed(3)).join('  ')}${more}`,
  );
}
