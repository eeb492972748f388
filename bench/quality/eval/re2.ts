// Re2-style benchmarks of real tables: node --import tsx bench/quality/eval/re2.ts
// [--out DIR] [--task T,...] [--seed S] [--pairs P] [--questions N] [--wrong]. The tables of
// re2Tables.ts are read from ../shared/data; prints what each benchmark holds, how well the grammar
// reads its dates, and what systems find. Re3's paper has recall@5 of 0.925 to 0.963 on its own.
// With --out the folders stay. It trains nothing.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from '../../options.js';
import { bm25, Corpus, dense, hybrid } from '../../../lib/index.js';
import {
  evaluate,
  parseMetrics,
  readFacts,
  readQrels,
  tupleAccuracy,
} from '../../../packages/evaluation/lib/index.js';
import { readRe2Records } from '../../../packages/evaluation/lib/re2/records.js';
import { re2Benchmark } from '../../../packages/evaluation/lib/re2/benchmark.js';
import { writeRe2 } from '../../../packages/evaluation/lib/re2/write.js';
import { re3 } from '../../../lib/papers/index.js';
import { readCsv } from '../../../lib/text/csv.js';
import { timeTuples } from '../../../lib/time/index.js';
import type { Passage, System } from '../../../lib/index.js';
import type { PassageTruth } from '../../../packages/evaluation/lib/re2/passages.js';
import type { Re2Statistics } from '../../../packages/evaluation/lib/re2/statistics.js';
import type { TextKind, TimeTuple } from '../../../lib/time/index.js';
import { re2Tables as tasks, type Re2Table } from '../sets/re2Tables.js';
import { shared, workFolder } from '../sets/sets.js';

const { values } = parseArgs({
  options: {
    wrong: { type: 'boolean' },
    out: { type: 'string' },
    task: { type: 'string', default: 'nws,covid,tennis,finals' },
    seed: { type: 'string', default: '1' },
    pairs: { type: 'string', default: '0.1' },
    questions: { type: 'string', default: '300' },
  },
});
const data = join(shared, 'data');
if (!existsSync(data)) {
  console.log('not run: the evaluation data (../shared) is not on this machine');
  process.exit(0);
}
const work = workFolder('re2', values.out);
for (const name of values.task.split(',')) await show(name, tasks[name] ?? fail(name));

function fail(name: string): never {
  throw new Error(
    `Expected --task to be some of ${Object.keys(tasks).join(', ')}, received ${name}.`,
  );
}

async function show(name: string, { file, schema, row }: Re2Table): Promise<void> {
  if (!existsSync(join(data, file))) {
    console.log(`${name}: not run, ${file} is not among the evaluation data\n`);
    return;
  }
  const folder = join(work, name);
  mkdirSync(folder, { recursive: true });
  const records = join(folder, 'records.jsonl');
  const lines: string[] = [];
  for await (const mapped of readCsv(join(data, file), row))
    if (mapped) lines.push(JSON.stringify(mapped));
  writeFileSync(records, `${lines.join('\n')}\n`);
  const started = performance.now();
  const benchmark = await re2Benchmark(readRe2Records(records, schema), schema, {
    seed: Number(values.seed),
    pairs: Number(values.pairs),
  });
  const statistics = await writeRe2(folder, benchmark);
  const seconds = (performance.now() - started) / 1000;
  rmSync(records);
  writeFileSync(join(folder, 'schema.json'), `${JSON.stringify(schema, null, 2)}\n`);
  print(name, statistics, seconds);
  await readDates(folder);
  await search(folder);
  console.log();
}

function print(
  name: string,
  {
    passages,
    madeUp,
    clusters,
    questions,
    unseen,
    negatives,
    dates,
    entities,
    times,
  }: Re2Statistics,
  seconds: number,
): void {
  const share = (part: number, of: number): string =>
    `${((100 * part) / Math.max(1, of)).toFixed(1)} %`;
  console.log(
    `${name}: ${passages} passages (${madeUp} made up), dates masked ${(100 * dates.masked).toFixed(1)} %; ${seconds.toFixed(1)} s`,
  );
  console.log(
    `  facts ${clusters.all}, with versions ${clusters.versioned}, that differ ${clusters.conflicting}`,
  );
  for (const [split, { explicit, latest, pair, withOutdated, withFuture }] of Object.entries(
    questions,
  )) {
    const all = explicit + latest + pair;
    console.log(
      `  ${split.padEnd(5)} ${all} questions, latest ${share(latest, all)}, two dates ${share(pair, all)}, ` +
        `outdated versions ${share(withOutdated, all)}, future ${share(withFuture, all)}, entities ${entities[split as keyof typeof entities]}`,
    );
  }
  console.log(
    `  test, unseen: ${Object.entries(unseen)
      .map(([what, count]) => `${what} ${count}`)
      .join(', ')}; held out ${times.heldOut} of ${times.units} ${times.unit}s`,
  );
  console.log(
    `  negatives: ${Object.entries(negatives)
      .map(([kind, count]) => `${kind} ${count}`)
      .join(', ')}`,
  );
  console.log(
    `  date forms: ${Object.entries(dates.forms)
      .map(([form, count]) => `${form} ${share(count, passages)}`)
      .join(', ')}`,
  );
}

/** How well the grammar reads what the benchmark wrote, to the component (Re3's table 5). */
async function readDates(folder: string): Promise<void> {
  const truths = jsonLines(folder, 'truth.jsonl') as unknown as PassageTruth[];
  const passages = jsonLines(folder, 'passages.jsonl') as unknown as {
    text: string;
    published_at: string;
  }[];
  const told = truths.flatMap(({ date, form }, at) =>
    form === 'part-of-month' || form === 'month' || form === 'year'
      ? []
      : [
          {
            text: passages[at]!.text,
            reference: passages[at]!.published_at,
            expected: tupleOf(date),
          },
        ],
  );
  await accuracy('passages', 'passage', told);
  const asked = jsonLines(folder, 'triplets-test.jsonl') as unknown as {
    query: string;
    asked_at: string;
    query_time: { start_iso: string; granularity: string } | null;
  }[];
  const days = asked.flatMap(({ query, asked_at, query_time }) =>
    query_time?.granularity === 'day'
      ? [{ text: query, reference: asked_at, expected: tupleOf(query_time.start_iso) }]
      : [],
  );
  await accuracy('questions', 'query', days);
}

async function accuracy(
  what: string,
  kind: TextKind,
  all: readonly { text: string; reference: string; expected: TimeTuple }[],
): Promise<void> {
  const texts = all.filter((_, at) => at % Math.ceil(all.length / 5000) === 0);
  const tuples = await timeTuples(
    texts.map(({ text }) => text),
    { kind, references: texts.map(({ reference }) => reference) },
  );
  const { year, month, dayOfMonth, exactMatch } = tupleAccuracy(
    tuples,
    texts.map(({ expected }) => expected),
  );
  const shares = `year ${year.toFixed(4)}, month ${month.toFixed(4)}, day ${dayOfMonth.toFixed(4)}, exact ${exactMatch.toFixed(4)}`;
  console.log(`  the grammar reads ${what} of a day: ${shares} of ${texts.length}`);
  if (!values.wrong) return;
  for (const [at, { text, reference, expected }] of texts.entries())
    if (tupleAccuracy([tuples[at]!], [expected]).exactMatch === 0)
      console.log(`    wrong (${reference}): ${text}`);
}

function tupleOf(date: string): TimeTuple {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  return { year, month, dayOfMonth: day, mask: [1, 1, 1] };
}

/**
 * Test questions over all passages, by what of them no training saw: recall@5, and what the
 * versions of the best five are.
 */
async function search(folder: string): Promise<void> {
  await using corpus = await Corpus.open(join(folder, 'corpus.asof'));
  const passages = jsonLines(folder, 'passages.jsonl') as unknown as {
    id: string;
    text: string;
    published_at: string;
  }[];
  await corpus.add(
    passages.map(({ id, text, published_at: publishedAt }): Passage => ({ id, text, publishedAt })),
  );
  const [qrels, outdated, future, facts] = [
    await readQrels(join(folder, 'qrels.tsv')),
    await readQrels(join(folder, 'outdated.tsv')),
    await readQrels(join(folder, 'future.tsv')),
    await readFacts(join(folder, 'facts.tsv')),
  ];
  const all = jsonLines(folder, 'queries-test.jsonl') as unknown as TestQuestion[];
  const asked = all.filter((_, at) => at % Math.ceil(all.length / Number(values.questions)) === 0);
  const groups: Record<string, (question: TestQuestion) => boolean> = {
    'new time': ({ kind, unseen }) => kind === 'explicit' && unseen === 'time',
    'new entity': ({ kind, unseen }) => kind === 'explicit' && unseen === 'entity',
    'both new': ({ kind, unseen }) => kind === 'explicit' && unseen === 'entity and time',
    latest: ({ kind }) => kind === 'latest',
    ...(Number(values.pairs) > 0
      ? { 'two dates': ({ kind }: TestQuestion) => kind === 'pair' }
      : {}),
  };
  const columns = [
    `${asked.length} test questions`,
    'recall@5',
    ...Object.keys(groups),
    'MRR',
    'current@1',
    'clean@5',
    'all@5',
  ];
  console.log(`\n| ${columns.join(' | ')} |\n${'|---'.repeat(columns.length)}|`);
  const systems: System[] = [
    bm25({ corpus }),
    dense({ corpus }),
    re3({ corpus, versions: false }),
    re3({ corpus }),
    hybrid({ corpus }),
  ];
  for (const system of systems) {
    const queries = asked.map(({ id, text, asked_at: askedAt }) => ({ id, text, askedAt }));
    const { averages, queries: scores } = await evaluate(system, queries, {
      qrels,
      versions: { outdated, future, facts },
      metrics: parseMetrics('recall@5,mrr@10,current@1,clean@5,all@5'),
    });
    const recall = (holds: (question: TestQuestion) => boolean): string => {
      const of = scores
        .filter((_, at) => holds(asked[at]!))
        .map((each) => each.values['recall@5'] ?? 0);
      return (of.reduce((sum, each) => sum + each, 0) / of.length).toFixed(3);
    };
    const name = `${system.name}${system.options['versions'] === false ? ', no filter' : ''}`;
    const cells = [
      name,
      recall(() => true),
      ...Object.values(groups).map(recall),
      ...['mrr@10', 'current@1', 'clean@5', 'all@5'].map((each) => averages[each]!.mean.toFixed(3)),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

interface TestQuestion {
  id: string;
  text: string;
  asked_at: string;
  kind: string;
  unseen?: string;
}

function jsonLines(folder: string, file: string): Record<string, unknown>[] {
  return readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
