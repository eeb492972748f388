// All ranking measures over 10,000 queries with 1,000 results each, against pytrec_eval and ranx
// where a Python that has them is named: all sides hold run and judgements in memory, out of order,
// and only ordering and measuring are timed. Without a peer it says so.
// node --import tsx bench/quality/eval/metricsSpeed.ts [--queries 10000] [--results 1000]
// [--python VENV/bin/python] [--docs]
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from '../../options.js';
import { compareRanked } from '../../../packages/evaluation/lib/files/trec.js';
import {
  parseMetrics,
  scoreRun,
  type Qrels,
  type Run,
} from '../../../packages/evaluation/lib/index.js';
import type { TemporalJudgements } from '../../../packages/evaluation/lib/files/judgements.js';
import { describeMachine, machine } from '../../machine.js';
import { publish, say } from '../../report.js';

const { values } = parseArgs({
  options: {
    queries: { type: 'string', default: '10000' },
    results: { type: 'string', default: '1000' },
    python: { type: 'string' },
    docs: { type: 'boolean', default: false },
  },
});
const [queries, results] = [Number(values.queries), Number(values.results)];
const names = (
  'map mrr ndcg ndcg@10 ndcg@100 precision@10 recall@10 recall@100 recall@1000 hit@1 hit@10 ' +
  'rprec bpref'
).split(' ');
const ofTime = ['tp@10', 'tr@10', 'tc@10', 'ndcg_fc@10'];
const ofVersions = ['current@5', 'outdated@5', 'clean@5'];

/**
 * Document of a rank, the same rule as in the peer: 20 judged documents a query, 10 of them
 * relevant, spread over the ranks.
 */
const document = (query: number, rank: number): string =>
  `d${(query * 7919 + rank * 104_729) % 1_000_003}`;
const judgedRank = (query: number, at: number): number =>
  ((query * 31 + at * 97) % (results + 200)) + 1;
/**
 * The rank that stands at a place of the unordered run; 7,919 has no divisor in common with usual
 * lengths.
 */
const rankAt = (at: number): number => ((at * 7919) % results) + 1;

const qrels: Qrels = new Map();
const temporal: TemporalJudgements = new Map();
for (let query = 0; query < queries; query += 1) {
  const judged = Array.from({ length: 20 }, (_, at): [string, number] => [
    document(query, judgedRank(query, at)),
    at % 2 === 0 ? 1 + (at % 3) : 0,
  ]);
  qrels.set(`q${query}`, new Map(judged));
  const periods = ['then', 'now'];
  const verdicts = judged.map(
    ([id, grade], at) => [id, { relevant: grade > 0, periods: periods.slice(0, at % 3) }] as const,
  );
  temporal.set(`q${query}`, { temporal: true, periods, documents: new Map(verdicts) });
}
/** A run anew, as ordering happens in place. */
const unordered = (): Run =>
  new Map(
    Array.from({ length: queries }, (_, query) => [
      `q${query}`,
      Array.from({ length: results }, (_each, at) => ({
        id: document(query, rankAt(at)),
        score: results - rankAt(at) + 1,
      })),
    ]),
  );

interface RunTime {
  seconds: number;
  processor: number;
}

/** The best of three, by processor time. */
function timed(prepare: () => void, work: () => void): RunTime {
  const runs = [0, 1, 2].map((): RunTime => {
    prepare();
    const [started, used] = [performance.now(), process.cpuUsage()];
    work();
    const { user, system } = process.cpuUsage(used);
    return { seconds: (performance.now() - started) / 1000, processor: (user + system) / 1e6 };
  });
  return runs.reduce((best, each) => (each.processor < best.processor ? each : best));
}

const metrics = parseMetrics(names);
let run = unordered();
const order = (): void => run.forEach((documents) => documents.sort(compareRanked));
const ordering = timed(() => (run = unordered()), order);
const measuring = timed(
  () => undefined,
  () => scoreRun(run, qrels, metrics),
);
const all = parseMetrics([...names, ...ofTime, ...ofVersions]);
const more = timed(
  () => undefined,
  () => scoreRun(run, qrels, all, { temporal, versions: { outdated: qrels } }),
);
const ours = {
  seconds: ordering.seconds + measuring.seconds,
  processor: ordering.processor + measuring.processor,
};
const { averages } = scoreRun(run, qrels, metrics);

const figure = ({ seconds, processor }: RunTime): string =>
  `${seconds.toFixed(2)} | ${processor.toFixed(2)}`;
const ratio = (theirs: RunTime): string => (theirs.processor / ours.processor).toFixed(2);
const lines = [
  `${describeMachine(machine())}`,
  '',
  `${queries.toLocaleString('en')} queries x ${results.toLocaleString('en')} results, ${names.length} measures, the best of three; a run is held in`,
  'memory out of order, and is ordered and measured. The ratio is of processor time.',
  '',
  '| | wall s | processor s | ratio to asof | means differ by at most |',
  '| --- | --- | --- | --- | --- |',
  `| asof, one thread | ${figure(ours)} | 1 | |`,
  `| of that ordering | ${figure(ordering)} | ${ratio(ordering)} | |`,
  `| of that measuring | ${figure(measuring)} | ${ratio(measuring)} | |`,
  `| measuring, with ${ofTime.length} of TEMPO's and ${ofVersions.length} of versions | ${figure(more)} | ${ratio(more)} | |`,
];
if (values.python === undefined)
  lines.push('', 'No peer: name a Python that has pytrec_eval or ranx with --python.');
else {
  const script = join(dirname(fileURLToPath(import.meta.url)), 'metrics_peer.py');
  const peer = spawnSync(values.python, [script, String(queries), String(results)], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (peer.status !== 0)
    throw new Error(`the peer ended with ${peer.status}: ${peer.stderr.slice(-400)}`);
  for (const line of peer.stdout.trim().split('\n')) {
    const { name, means, ...time } = JSON.parse(line) as RunTime & {
      name: string;
      means?: Record<string, number>;
    };
    if (!means) {
      lines.push(`| ${name} | not there | | | |`);
      continue;
    }
    const apart = Math.max(
      ...Object.entries(means).map(([metric, mean]) => Math.abs(mean - averages[metric]!.mean)),
    );
    lines.push(
      `| ${name} | ${figure(time)} | ${ratio(time)} | ${apart === 0 ? '0' : apart.toExponential(1)} |`,
    );
  }
}
for (const line of lines) say(line);
if (values.docs) publish('bench/quality/eval/metricsSpeed.ts');
