// The evaluation sets as every bench of systems reads them: made from ../shared/data by its own
// tool, indexed once and opened in this process. It names each set and its main measure; it
// measures nothing and keeps nothing but the folder that it is given.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Corpus, type Encoder, type Passage } from '../../../lib/index.js';
import {
  readQrels,
  type EvaluationQuery,
  type Qrels,
} from '../../../packages/evaluation/lib/index.js';

/** The evaluation data next to the checkout. */
export const shared = join(
  dirname(fileURLToPath(import.meta.url)),
  '..',
  '..',
  '..',
  '..',
  'shared',
);
export const dataIsHere = existsSync(shared);

/** Ends the process with a note where the evaluation data is absent. */
export function requireData(): void {
  if (dataIsHere) return;
  console.log('not run: the evaluation data (../shared) is not on this machine');
  process.exit(0);
}

/** The folder of `--keep`, created on demand; by default a temporary one, removed at exit. */
export function workFolder(name: string, keep: string | undefined): string {
  const folder = keep ?? mkdtempSync(join(tmpdir(), `asof-${name}-`));
  mkdirSync(folder, { recursive: true });
  if (keep === undefined)
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface SetName {
  /** How tables call it. */
  name: string;
  task: string;
  queries: string;
  /** The measure that its paper or its task is judged by. */
  measure: string;
}

export const evaluationSets: readonly SetName[] = [
  { name: 'timeqa easy', task: 'timeqa', queries: 'queries-easy', measure: 'hit@1' },
  { name: 'timeqa hard', task: 'timeqa', queries: 'queries-hard', measure: 'hit@1' },
  { name: 'nobel', task: 'nobel', queries: 'queries', measure: 'ndcg@10' },
  { name: 'nobel born', task: 'nobel', queries: 'queries-born', measure: 'hit@5' },
  { name: 'tennis same', task: 'tennis', queries: 'queries-same-year', measure: 'hit@1' },
  { name: 'tennis next', task: 'tennis', queries: 'queries-next-year', measure: 'hit@1' },
  { name: 'tennis any', task: 'tennis', queries: 'queries-anytime', measure: 'hit@1' },
  { name: 'nws', task: 'nws', queries: 'queries', measure: 'hit@1' },
  { name: 'nws pairs', task: 'nws', queries: 'queries-pairs', measure: 'hit@5' },
  { name: 'covid', task: 'covid', queries: 'queries', measure: 'hit@1' },
  { name: 'hoh', task: 'hoh', queries: 'queries', measure: 'hit@1' },
  { name: 'cranfield', task: 'cranfield', queries: 'queries', measure: 'ndcg@10' },
];

export type SetQuery = EvaluationQuery & { id: string; askedAt?: string; answers?: string[] };

/**
 * The set's files below `work`, made where they are not there yet: passages.jsonl, qrels.tsv and
 * its queries.
 */
export function makeSet(work: string, task: string): string {
  const folder = join(work, 'sets', task);
  if (existsSync(join(folder, 'qrels.tsv'))) return folder;
  if (task === 'cranfield') writeCranfield(folder);
  else {
    const tool = join(shared, 'tools', 'make_eval_sets.py');
    mkdirSync(work, { recursive: true });
    execFileSync('python3', [tool, join(work, 'sets'), '--tasks', task], { stdio: 'ignore' });
  }
  return folder;
}

/**
 * The corpus of a task, indexed below `work` where that was not done, and its judgements. The
 * caller closes the corpus.
 */
export async function openSet(
  work: string,
  task: string,
  options: { encoder?: Encoder } = {},
): Promise<{ corpus: Corpus; qrels: Qrels; folder: string }> {
  const folder = makeSet(work, task);
  const name = [
    task,
    ...(options.encoder ? [options.encoder.id.replace(/\W+/g, '-')] : []),
    'asof',
  ].join('.');
  const corpus = await Corpus.open(join(work, name), options);
  const passages = passagesOf(folder);
  if (corpus.info().passages !== passages.length) await corpus.add(passages);
  return { corpus, qrels: await readQrels(join(folder, 'qrels.tsv')), folder };
}

export function passagesOf(folder: string): Passage[] {
  const all = records(join(folder, 'passages.jsonl')) as unknown as FilePassage[];
  return all.map(({ id, text, title, published_at: publishedAt }) => ({
    id,
    text,
    ...(title === undefined ? {} : { title }),
    ...(publishedAt === undefined ? {} : { publishedAt }),
  }));
}

interface FilePassage extends Pick<Passage, 'id' | 'text' | 'title'> {
  published_at?: string;
}

/** The questions of a set, or a spread-out sample of them: the same ones in every run. */
export function queriesOf(folder: string, queries: string, sample = Infinity): SetQuery[] {
  const all = records(join(folder, `${queries}.jsonl`)).map(
    ({ asked_at: askedAt, ...rest }) =>
      ({ ...rest, ...(askedAt === undefined ? {} : { askedAt }) }) as unknown as SetQuery,
  );
  if (all.length <= sample) return all;
  const hash = ({ id }: SetQuery): string => createHash('sha1').update(id).digest('hex');
  const kept = new Set([...all].sort((a, b) => (hash(a) < hash(b) ? -1 : 1)).slice(0, sample));
  return all.filter((each) => kept.has(each));
}

/**
 * Cranfield in the command line's formats; grades 1 to 4 are relevant, as most users of it have it.
 * Two of its abstracts are empty: no passages, which are never found.
 */
function writeCranfield(folder: string): void {
  const source = join(shared, 'data', 'cranfield');
  mkdirSync(folder, { recursive: true });
  const write = (file: string, lines: readonly string[]): void =>
    writeFileSync(join(folder, file), `${lines.join('\n')}\n`);
  write(
    'passages.jsonl',
    records(join(source, 'corpus.jsonl'))
      .filter(({ title, text }) => [title, text].some((part) => /\S/.test(part as string)))
      .map(({ id, title, text }) => JSON.stringify({ id: String(id), title, text })),
  );
  write(
    'queries.jsonl',
    records(join(source, 'queries.jsonl')).map(({ id, text }) =>
      JSON.stringify({ id: String(id), text }),
    ),
  );
  const judged = readFileSync(join(source, 'qrels.tsv'), 'utf8')
    .split('\n')
    .map((line) => line.split(/\s+/));
  write(
    'qrels.tsv',
    judged
      .filter(([, , , grade]) => /^[1-4]$/.test(grade ?? ''))
      .map(([query, , document]) => `${query} 0 ${document} 1`),
  );
}

/**
 * Opens the corpus of each task named in `--task`, and calls `measure` for each of its files of
 * questions, with all of them or a sample.
 */
export async function forQuestions(
  given: string,
  known: Readonly<Record<string, readonly string[]>>,
  { work, sample, encoder }: { work: string; sample?: string | undefined; encoder?: Encoder },
  measure: (set: QuestionFile) => Promise<void>,
): Promise<void> {
  for (const task of given.split(',')) {
    const files = known[task];
    if (!files)
      throw new Error(
        `Expected --task to name some of ${Object.keys(known).join(', ')}, received ${task}.`,
      );
    const { corpus, qrels, folder } = await openSet(work, task, encoder ? { encoder } : {});
    for (const file of files) {
      const queries = queriesOf(folder, file, Number(sample ?? Infinity));
      console.log(`\n## ${task}, ${file}: ${queries.length} questions`);
      await measure({ task, file, corpus, qrels, folder, queries });
    }
    await corpus.close();
  }
}

export interface QuestionFile {
  task: string;
  file: string;
  corpus: Corpus;
  qrels: Qrels;
  folder: string;
  queries: SetQuery[];
}

/** The objects of a file of JSON lines. */
export function records(file: string): Record<string, unknown>[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Rows of a file of ../shared/data without quoted commas. */
export function csvRecords(file: string): Record<string, string>[] {
  const [header, ...lines] = readFileSync(join(shared, 'data', file), 'utf8')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  return lines.map((cells) =>
    Object.fromEntries(header!.map((name, at) => [name, cells[at] ?? ''])),
  );
}

/** How make_eval_sets.py makes its ids. */
export function opaque(key: string): string {
  return createHash('sha1').update(key).digest('hex').slice(0, 12);
}
