// Regression of results: the rankings, scores and answers of two builds, compared value by value.
// `node --import tsx bench/quality/regression.ts --collect FOLDER [--checkout DIR] [--sample N]
// [--task T,...] [--system S,...]` keeps what the command line of a built checkout (default: this
// one) returns on every set of bench/quality; `--compare BEFORE AFTER` prints each set and system
// whose results differ, and exits with 1 where any does. Latencies are excluded; figures of quality
// are `compare.ts`'.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseArgs } from '../options.js';
import { dataIsHere, evaluationSets, makeSet, queriesOf } from './sets/sets.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const run = promisify(execFile);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    collect: { type: 'string' },
    compare: { type: 'boolean', default: false },
    checkout: { type: 'string', default: root },
    sample: { type: 'string' },
    asks: { type: 'string', default: '12' },
    task: { type: 'string' },
    system: { type: 'string' },
  },
});

const systems = (
  'bm25 bm25+mask bm25+suffix dense dense+mask dense+suffix tempralm re3 mrag mrag+official ' +
  'reimplementation reimplementation+metadata reimplementation+published hybrid'
).split(' ');

if (values.compare) {
  const [before, after] = positionals;
  if (before === undefined || after === undefined)
    throw new Error('Expected --compare BEFORE AFTER, two folders of --collect.');
  process.exitCode = compareFolders(before, after) ? 0 : 1;
} else if (values.collect === undefined) {
  throw new Error('Expected --collect FOLDER or --compare BEFORE AFTER. See --help.');
} else if (!dataIsHere) {
  console.log('not run: the evaluation data (../shared) is not on this machine');
} else await collect(resolve(values.collect), resolve(values.checkout));

/** Writes a file of results for each set and system that is not there yet. */
async function collect(folder: string, checkout: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const asof = async (...args: string[]): Promise<string> =>
    (
      await run(process.execPath, [join(checkout, 'dist', 'cli', 'main.js'), ...args], {
        maxBuffer: 1 << 30,
      })
    ).stdout;
  const wanted = evaluationSets.filter(
    ({ task }) => values.task?.split(',').includes(task) ?? true,
  );
  for (const task of new Set(wanted.map((set) => set.task))) {
    const set = makeSet(folder, task);
    const corpus = join(folder, `${task}.asof`);
    await asof('index', corpus, join(set, 'passages.jsonl'), '--json');
    for (const { queries } of wanted.filter((each) => each.task === task)) {
      for (const system of values.system?.split(',') ?? systems) {
        const file = join(folder, `${task}.${queries}.${system}.json`);
        if (!existsSync(file))
          writeFileSync(file, await resultsOf(asof, { corpus, set, queries, system, folder }));
        console.log(`${task} ${queries} ${system}`);
      }
    }
  }
}

interface Cell {
  corpus: string;
  set: string;
  queries: string;
  system: string;
  folder: string;
}

/**
 * The measures of each question, the ranking with its scores, and for some questions all that `ask`
 * returns but its timings.
 */
async function resultsOf(
  asof: (...args: string[]) => Promise<string>,
  { corpus, set, queries, system, folder }: Cell,
): Promise<string> {
  const chosen = queriesOf(
    set,
    queries,
    values.sample === undefined ? Infinity : Number(values.sample),
  );
  const ids = new Set(chosen.map(({ id }) => id));
  const questions = join(folder, 'questions.jsonl');
  const lines = readFileSync(join(set, `${queries}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  writeFileSync(
    questions,
    `${lines.filter((line) => ids.has((JSON.parse(line) as { id: string }).id)).join('\n')}\n`,
  );
  const trec = join(folder, 'run.trec');
  const judged = [
    '--queries',
    questions,
    '--qrels',
    join(set, 'qrels.tsv'),
    '--run',
    trec,
    '-k',
    '10',
    '--per-query',
    '--json',
  ];
  const printed = JSON.parse(await asof('eval', corpus, '--system', system, ...judged)) as Record<
    string,
    unknown
  >;
  const asked: Record<string, unknown> = {};
  for (const { id, text, askedAt } of queriesOf(set, queries, Number(values.asks))) {
    const at = askedAt === undefined ? ['--asked-at', '2026-01-01'] : ['--asked-at', askedAt];
    asked[id] = JSON.parse(await asof('ask', corpus, text, '--system', system, '--json', ...at));
  }
  const results = withoutCosts({
    options: printed['options'],
    metrics: printed['metrics'],
    queries: printed['per_query'],
    asked,
  });
  return JSON.stringify(
    { ...(results as object), run: readFileSync(trec, 'utf8').split('\n') },
    undefined,
    1,
  );
}

/**
 * The value without timings, names of stages, and the number of rescored rows, which depends on how
 * threads share their thresholds.
 */
function withoutCosts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCosts);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key]) => !/^(?:trace|options|latency|rescored)|(?:_ms|milliseconds)$/i.test(key),
  );
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutCosts(inner)]));
}

/** Prints what differs between two folders of results, and whether nothing does. */
function compareFolders(before: string, after: string): boolean {
  const files = readdirSync(before).filter((file) => file.endsWith('.json'));
  let same = 0;
  for (const file of files) {
    const [old, now] = [before, after].map((folder) => resultLines(join(folder, file)));
    const differing =
      old!.filter((line, at) => line !== now![at]).length + Math.max(0, now!.length - old!.length);
    if (differing === 0) same++;
    else {
      const at = old!.findIndex((line, index) => line !== now![index]);
      console.log(
        `${file}: ${now!.length === 0 ? 'missing' : `${differing} of ${old!.length} lines differ; first: ${old![at]} | ${now![at]}`}`,
      );
    }
  }
  console.log(`${same} of ${files.length} cells are the same`);
  return files.length > 0 && same === files.length;
}

/** Lines of a file of results without those that only count work; none where there is no file. */
function resultLines(file: string): string[] {
  if (!existsSync(file)) return [];
  const results = withoutCosts(JSON.parse(readFileSync(file, 'utf8')));
  return JSON.stringify(results, undefined, 1).split('\n');
}
