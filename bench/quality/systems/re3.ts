// Re3 part by part (the ablation of its figure 2), against the systems that its tables compare it
// with, as rows of a table that has the paper's own figures at its end: `node --import tsx
// bench/quality/systems/re3.ts [--task nws,covid,hoh,timeqa,nobel,cranfield] [--sample N]
// [--encoder onnx:FOLDER] [--weights FILE] [--pool N] [--wording NAME] [--keep DIR] [--no-others]
// [--only WORDS,...]`. --wording: other sentences for nws and covid, of wordings.json, or
// `unseen`, of bridgeWordings.json. Where a set knows which versions are outdated, current@1 and
// clean@5 are those of ../shared/tools/score_versions.py on what was left after dropping. Answers
// are read by rules. With --pool, a corpus of what is judged for the questions asked, current or
// not, and N passages more. It tunes nothing.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from '../../options.js';
import { bm25, dense, hybrid, type Corpus, type System } from '../../../lib/index.js';
import {
  evaluate,
  parseMetrics,
  writeRun,
  type EvaluationQuery,
  type Metric,
  type Qrels,
  type Run,
} from '../../../packages/evaluation/lib/index.js';
import { mrag, re3, tempralm } from '../../../lib/papers/index.js';
import { onnxEncoder } from '../../../lib/models/index.js';
import { timeEncoder } from '../../../lib/models/index.js';
import { describeMachine, machine } from '../../machine.js';
import { accuracy } from '../reading/accuracy.js';
import { wordings } from '../sets/wordings.js';
import {
  makeSet,
  openSet,
  passagesOf,
  queriesOf,
  requireData,
  type SetOptions,
  shared,
  workFolder,
} from '../sets/sets.js';

/**
 * What the paper's tables 1 and 2 have: Recall@5, MRR and accuracy. Its sets are its own;
 * DeepSeek-V3.2 answers there, and dense is BGE-M3.
 */
type Paper = Readonly<Record<'bm25' | 'dense' | 'tempralm' | 'mrag' | 're3', string>>;

interface Task {
  queries: string[];
  paper?: Paper;
}

const tasks: Record<string, Task> = {
  nws: {
    queries: ['queries', 'queries-pairs'],
    paper: {
      bm25: '0.394 0.257 0.339',
      dense: '0.563 0.360 0.498',
      tempralm: '0.626 0.395 0.363',
      mrag: '0.635 0.397 0.358',
      re3: '0.963 0.593 0.873',
    },
  },
  covid: {
    queries: ['queries'],
    paper: {
      bm25: '0.481 0.311 0.414',
      dense: '0.878 0.566 0.844',
      tempralm: '0.881 0.680 0.837',
      mrag: '0.892 0.680 0.806',
      re3: '0.953 0.722 0.911',
    },
  },
  hoh: {
    queries: ['queries'],
    paper: {
      bm25: '0.583 0.470 0.489',
      dense: '0.790 0.560 0.590',
      tempralm: '0.790 0.560 0.590',
      mrag: '0.790 0.560 0.590',
      re3: '0.790 0.560 0.634',
    },
  },
  timeqa: {
    queries: ['queries-easy', 'queries-hard'],
    paper: {
      bm25: '0.384 0.273 0.200',
      dense: '0.829 0.591 0.727',
      tempralm: '0.840 0.601 0.711',
      mrag: '0.845 0.601 0.700',
      re3: '0.928 0.689 0.774',
    },
  },
  nobel: {
    queries: ['queries'],
    paper: {
      bm25: '0.572 0.399 0.405',
      dense: '0.872 0.662 0.788',
      tempralm: '0.835 0.602 0.758',
      mrag: '0.842 0.613 0.768',
      re3: '0.945 0.724 0.909',
    },
  },
  cranfield: { queries: ['queries'] },
};

const metrics: Metric[] = [...parseMetrics('recall@5,mrr@10,hit@1,em,f1'), accuracy];

const { values } = parseArgs({
  options: {
    task: { type: 'string', default: 'nws,covid,hoh,timeqa,nobel' },
    sample: { type: 'string' },
    encoder: { type: 'string' },
    weights: { type: 'string' },
    pool: { type: 'string' },
    wording: { type: 'string' },
    keep: { type: 'string' },
    'no-others': { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
requireData();
const work = join(workFolder('re3', values.keep), values.wording ?? '');
const wording = values.wording === undefined ? undefined : wordings[values.wording];
if (values.wording && !wording)
  throw new Error(
    `Expected --wording to be one of ${Object.keys(wordings).join(', ')}, received ${values.wording}.`,
  );
mkdirSync(work, { recursive: true });
/** Of this process: two may share the kept folder. */
const own = workFolder('re3-run', undefined);
const weights = values.weights === undefined ? {} : { weights: values.weights };
const encoder =
  values.encoder === undefined
    ? undefined
    : await onnxEncoder({ path: values.encoder.replace(/^onnx:/, '') });
console.log(describeMachine(machine()));

for (const name of values.task.split(',')) {
  const task = tasks[name];
  if (!task)
    throw new Error(
      `Expected --task to name some of ${Object.keys(tasks).join(', ')}, received ${name}.`,
    );
  const part = values.pool ? { part: partOf(name, task) } : {};
  const { corpus, qrels, folder } = await openSet(work, name, {
    ...(encoder ? { encoder } : {}),
    ...(wording ? { wording } : {}),
    ...part,
  });
  const started = performance.now();
  const rows = await corpus.fuse(await timeEncoder(corpus.encoder, values.weights));
  if (rows > 0)
    console.log(
      `\nfused ${rows} rows of ${name} in ${((performance.now() - started) / 1000).toFixed(2)} s`,
    );
  for (const file of task.queries) {
    const queries = queriesOf(folder, file, Number(values.sample ?? Infinity));
    console.log(
      `\n## ${name}, ${file}: ${queries.length} questions, ${corpus.info().passages} passages, encoder ${corpus.encoder.id}\n`,
    );
    const versioned = existsSync(join(folder, 'outdated.tsv'));
    const answers = queries.some(({ answers: some }) => some !== undefined);
    const columns = [
      'system',
      ...(versioned ? ['current@1', 'clean@5', 'all@5'] : ['hit@1']),
      'recall@5',
      'MRR',
      ...(answers ? ['exact', 'F1', 'accuracy'] : []),
      'relevant dropped',
      'p50 ms',
      'the paper: R@5, MRR, accuracy',
    ];
    console.log(`| ${columns.join(' | ')} |\n${'|---'.repeat(columns.length)}|`);
    const wanted = (values.only ?? '').split(',');
    const systems = systemsOf(corpus).filter(({ label }) =>
      wanted.some((words) => label.includes(words)),
    );
    for (const contender of systems)
      await measure(contender, { queries, qrels, folder, task, file, versioned, answers });
  }
  await corpus.close();
}
await (encoder as Partial<AsyncDisposable> | undefined)?.[Symbol.asyncDispose]?.();

/**
 * Every passage that is judged for a question that is asked, and --pool others, spread over all.
 */
function partOf(name: string, { queries }: Task): NonNullable<SetOptions['part']> {
  const folder = makeSet(work, name, wording);
  const asked = new Set(
    queries.flatMap((file) =>
      queriesOf(folder, file, Number(values.sample ?? Infinity)).map(({ id }) => id),
    ),
  );
  const judged = ['qrels', 'outdated', 'future']
    .map((kind) => join(folder, `${kind}.tsv`))
    .filter((file) => existsSync(file));
  const lines = judged.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.split(/\s+/)),
  );
  const held = new Set(
    lines.flatMap(([query, , passage]) => (asked.has(query!) ? [passage!] : [])),
  );
  const others = passagesOf(folder).filter(({ id }) => !held.has(id));
  const step = Math.max(1, Math.floor(others.length / Number(values.pool)));
  for (const { id } of others.filter((_, i) => i % step === 0).slice(0, Number(values.pool)))
    held.add(id);
  return { name: `pool${values.pool}-${values.sample ?? 'all'}`, holds: (id) => held.has(id) };
}

interface Contender {
  label: string;
  system: System;
  paper?: keyof Paper;
}

function systemsOf(corpus: Corpus): Contender[] {
  const others: Contender[] = [
    { label: 'bm25', system: bm25({ corpus }), paper: 'bm25' },
    { label: 'dense', system: dense({ corpus }), paper: 'dense' },
    { label: 'dense+mask', system: dense({ corpus, mask: true }) },
    { label: 'dense+suffix', system: dense({ corpus, suffix: true }) },
    { label: 'tempralm', system: tempralm({ corpus }), paper: 'tempralm' },
    { label: 'mrag', system: mrag({ corpus }), paper: 'mrag' },
    { label: 'hybrid', system: hybrid({ corpus }) },
  ];
  return [
    ...(values['no-others'] ? [] : others),
    { label: 're3: neither', system: re3({ corpus, weights: false, versions: false }) },
    { label: 're3: encoder alone', system: re3({ corpus, ...weights, versions: false }) },
    { label: 're3: filter alone', system: re3({ corpus, weights: false }) },
    { label: 're3: both', system: re3({ corpus, ...weights }), paper: 're3' },
    {
      label: 're3: neither, every row',
      system: re3({ corpus, weights: false, versions: false, units: 'all' }),
    },
    {
      label: 're3: encoder alone, every row',
      system: re3({ corpus, ...weights, versions: false, units: 'all' }),
    },
  ];
}

interface QuestionSet {
  queries: readonly EvaluationQuery[];
  qrels: Qrels;
  folder: string;
  task: Task;
  file: string;
  /** Whether the set knows what is outdated, and whether it has answers. */
  versioned: boolean;
  answers: boolean;
}

async function measure(
  { label, system, paper }: Contender,
  { queries, qrels, folder, task, file, versioned, answers }: QuestionSet,
): Promise<void> {
  let [relevant, lost] = [0, 0];
  const counted: System = {
    ...system,
    run: async (question, options) => {
      const result = await system.run(question, options);
      const judged = qrels.get(byText.get(`${question.text} ${String(question.askedAt)}`)!);
      const found = (id: string): boolean => (judged?.get(id) ?? 0) > 0;
      lost += result.dropped?.filter(({ id }) => found(id)).length ?? 0;
      relevant += result.evidence.filter(({ id }) => found(id)).length;
      return result;
    },
  };
  const byText = new Map(
    queries.map(({ id, text, askedAt }) => [`${text} ${String(askedAt)}`, id]),
  );
  const { averages, run, latencyMs } = await evaluate(counted, queries, { metrics, qrels });
  const mean = (name: string): string => averages[name]!.mean.toFixed(3);
  const cells = [
    label,
    ...(versioned ? await versionFigures(folder, file, run, queries) : [mean('hit@1')]),
    mean('recall@5'),
    mean('mrr@10'),
    ...(answers ? [mean('em'), mean('f1'), mean('accuracy')] : []),
    lost > 0 ? `${((100 * lost) / (relevant + lost)).toFixed(2)} %` : '',
    latencyMs.p50.toFixed(1),
    (paper && task.paper?.[paper]) ?? '',
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

/**
 * What score_versions.py says of the run, where the set knows its versions: current@1, clean@5 and,
 * of several facts, all@5.
 */
async function versionFigures(
  folder: string,
  file: string,
  run: Run,
  queries: readonly EvaluationQuery[],
): Promise<string[]> {
  const [ranked, asked] = [join(own, 'run.trec'), join(own, 'asked.jsonl')];
  await writeRun(ranked, run, 'asof');
  writeFileSync(asked, `${queries.map(({ id }) => JSON.stringify({ id })).join('\n')}\n`);
  const more = (['future', 'facts'] as const).flatMap((kind) => {
    const path = join(
      folder,
      kind === 'future' ? 'future.tsv' : `facts-${file.replace('queries-', '')}.tsv`,
    );
    return existsSync(path) ? [`--${kind}`, path] : [];
  });
  const judged = [
    '--run',
    ranked,
    '--queries',
    asked,
    '--qrels',
    join(folder, 'qrels.tsv'),
    '--outdated',
    join(folder, 'outdated.tsv'),
    ...more,
  ];
  const printed = execFileSync('python3', [join(shared, 'tools', 'score_versions.py'), ...judged], {
    encoding: 'utf8',
  });
  const figures = JSON.parse(printed) as Record<string, number>;
  return ['current@1', 'clean@5', 'all@5'].map((name) => figures[name]?.toFixed(3) ?? '');
}
