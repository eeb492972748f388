// Re2-style benchmarks of real tables: node --import tsx bench/quality/eval/re2.ts
// [--out DIR] [--task T,...] [--seed S] [--pairs P] [--questions N]. The tables of re2Tables.ts are
// read from ../shared/data; prints what systems find on each benchmark; what it holds is `asof
// bench-data re2`'s to print, how well its dates are read time/extractor.ts'. With --out the
// folders stay.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from '../../options.js';
import { bm25, Corpus, dense, hybrid } from '../../../lib/index.js';
import {
  evaluate,
  parseMetrics,
  readFacts,
  readQrels,
} from '../../../packages/evaluation/lib/index.js';
import { readRe2Records } from '../../../packages/evaluation/lib/re2/records.js';
import { re2Benchmark } from '../../../packages/evaluation/lib/re2/benchmark.js';
import { writeRe2 } from '../../../packages/evaluation/lib/re2/write.js';
import { re3 } from '../../../lib/papers/index.js';
import { readCsv } from '../../../packages/documents/lib/csv.js';
import type { Passage, System } from '../../../lib/index.js';
import { re2Tables as tasks, type Re2Table } from '../sets/re2Tables.js';
import { records, shared, workFolder } from '../sets/sets.js';

const { values } = parseArgs({
  options: {
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
  const mappedFile = join(folder, 'records.jsonl');
  const lines: string[] = [];
  for await (const mapped of readCsv(join(data, file), row))
    if (mapped) lines.push(JSON.stringify(mapped));
  writeFileSync(mappedFile, `${lines.join('\n')}\n`);
  const benchmark = await re2Benchmark(readRe2Records(mappedFile, schema), schema, {
    seed: Number(values.seed),
    pairs: Number(values.pairs),
  });
  const statistics = await writeRe2(folder, benchmark);
  rmSync(mappedFile);
  writeFileSync(join(folder, 'schema.json'), `${JSON.stringify(schema, null, 2)}\n`);
  console.log(`${name}: ${statistics.passages} passages, ${statistics.clusters.all} facts`);
  await search(folder);
  console.log();
}

/**
 * Test questions over all passages, by what of them no training saw: recall@5, and what the
 * versions of the best five are.
 */
async function search(folder: string): Promise<void> {
  await using corpus = await Corpus.open(join(folder, 'corpus.asof'));
  const passages = records(join(folder, 'passages.jsonl')) as unknown as {
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
  const all = records(join(folder, 'queries-test.jsonl')) as unknown as TestQuestion[];
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
