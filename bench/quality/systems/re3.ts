// Re3 part by part (the ablation of its figure 2), against the systems that its tables compare it
// with: `node --import tsx bench/quality/systems/re3.ts [--task
// nws,covid,hoh,timeqa,nobel,cranfield] [--sample N] [--encoder onnx:FOLDER] [--weights FILE]
// [--keep DIR] [--only WORDS,...]`. --only: systems whose names have some of the words. current@1,
// clean@5 and all@5 are of what was left after dropping, where a set knows which versions are
// outdated. Answers are read by rules. It tunes nothing.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from '../../options.js';
import { bm25, dense, hybrid, type Corpus, type System } from '../../../lib/index.js';
import {
  evaluate,
  parseMetrics,
  readFacts,
  readQrels,
  type Qrels,
} from '../../../packages/evaluation/lib/index.js';
import { mrag, re3, tempralm } from '../../../lib/papers/index.js';
import { onnxEncoder, timeEncoder } from '../../../lib/models/index.js';
import { describeMachine, machine } from '../../machine.js';
import { accuracy } from '../reading/accuracy.js';
import { forQuestions, requireData, workFolder, type SetQuery } from '../sets/sets.js';

/** The files of questions by task. */
const tasks: Record<string, string[]> = {
  nws: ['queries', 'queries-pairs'],
  covid: ['queries'],
  hoh: ['queries'],
  timeqa: ['queries-easy', 'queries-hard'],
  nobel: ['queries'],
  cranfield: ['queries'],
};

const { values } = parseArgs({
  options: {
    task: { type: 'string', default: 'nws,covid,hoh,timeqa,nobel' },
    sample: { type: 'string' },
    encoder: { type: 'string' },
    weights: { type: 'string' },
    keep: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
requireData();
const work = workFolder('re3', values.keep);
const weights = values.weights === undefined ? {} : { weights: values.weights };
const opened =
  values.encoder === undefined
    ? {}
    : { encoder: await onnxEncoder({ path: values.encoder.replace(/^onnx:/, '') }) };
console.log(describeMachine(machine()));

await forQuestions(values.task, tasks, { work, sample: values.sample, ...opened }, async (set) => {
  const { corpus, qrels, folder, file, queries } = set;
  const started = performance.now();
  const rows = await corpus.fuse(await timeEncoder(corpus.encoder, values.weights));
  const seconds = ((performance.now() - started) / 1000).toFixed(2);
  if (rows > 0) console.log(`fused ${rows} rows in ${seconds} s`);
  console.log(`${corpus.info().passages} passages, encoder ${corpus.encoder.id}\n`);
  const path = (name: string): string => join(folder, `${name}.tsv`);
  const judged = async (name: string): Promise<Qrels> =>
    existsSync(path(name)) ? readQrels(path(name)) : new Map();
  const factFile = path(`facts-${file.replace('queries-', '')}`);
  const versions = existsSync(path('outdated'))
    ? {
        outdated: await judged('outdated'),
        future: await judged('future'),
        ...(existsSync(factFile) ? { facts: await readFacts(factFile) } : {}),
      }
    : undefined;
  const answers = queries.some(({ answers: some }) => some !== undefined);
  const metrics = [
    ...parseMetrics([
      ...(versions ? ['current@1', 'clean@5', 'all@5'] : ['hit@1']),
      ...['recall@5', 'mrr@10', ...(answers ? ['em', 'f1'] : [])],
    ]),
    ...(answers ? [accuracy] : []),
  ];
  const columns = ['system', ...metrics.map(({ name }) => name), 'relevant dropped', 'p50 ms'];
  console.log(`| ${columns.join(' | ')} |\n${'|---'.repeat(columns.length)}|`);
  const wanted = values.only.split(',');
  for (const [label, system] of systemsOf(corpus)) {
    if (!wanted.some((words) => label.includes(words))) continue;
    const drops = { relevant: 0, lost: 0 };
    const { averages, latencyMs } = await evaluate(
      counting(system, queries, qrels, drops),
      queries,
      {
        ...{ metrics, qrels },
        ...(versions ? { versions } : {}),
      },
    );
    const share = (100 * drops.lost) / (drops.relevant + drops.lost);
    const cells = [
      label,
      ...metrics.map(({ name }) => averages[name]?.mean.toFixed(3) ?? ''),
      ...[drops.lost > 0 ? `${share.toFixed(2)} %` : '', latencyMs.p50.toFixed(1)],
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
});
await (opened.encoder as Partial<AsyncDisposable> | undefined)?.[Symbol.asyncDispose]?.();

function systemsOf(corpus: Corpus): [label: string, system: System][] {
  const own = { corpus, ...weights };
  return [
    ['bm25', bm25({ corpus })],
    ['dense', dense({ corpus })],
    ['dense+mask', dense({ corpus, mask: true })],
    ['dense+suffix', dense({ corpus, suffix: true })],
    ['tempralm', tempralm({ corpus })],
    ['mrag', mrag({ corpus })],
    ['hybrid', hybrid({ corpus })],
    ['re3: neither', re3({ corpus, weights: false, versions: false })],
    ['re3: encoder alone', re3({ ...own, versions: false })],
    ['re3: filter alone', re3({ corpus, weights: false })],
    ['re3: both', re3(own)],
    ['re3: neither, every row', re3({ corpus, weights: false, versions: false, units: 'all' })],
    ['re3: encoder alone, every row', re3({ ...own, versions: false, units: 'all' })],
  ];
}

/** The system, counting the relevant passages that it returns and that it drops. */
function counting(
  system: System,
  queries: readonly SetQuery[],
  qrels: Qrels,
  drops: { relevant: number; lost: number },
): System {
  const key = ({ text, askedAt }: { text: string; askedAt?: unknown }) =>
    `${text} ${String(askedAt)}`;
  const ids = new Map(queries.map((query) => [key(query), query.id]));
  return {
    ...system,
    run: async (question, options) => {
      const result = await system.run(question, options);
      const judged = qrels.get(ids.get(key(question))!);
      const count = (list: readonly { id: string }[] = []): number =>
        list.filter(({ id }) => (judged?.get(id) ?? 0) > 0).length;
      drops.lost += count(result.dropped);
      drops.relevant += count(result.evidence);
      return result;
    },
  };
}
