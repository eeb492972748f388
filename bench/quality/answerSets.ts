// The sets that answers are measured on, with what a system retrieves for each question and what was judged relevant. Made from
// ../shared/data by its own tool; nothing here is kept.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Corpus, createSystem, readQrels, type Passage, type ReadablePassage } from '../../lib/index.js';

const shared = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'shared');
export const dataIsHere = existsSync(shared);

/** Task and queries of a set; a set without answers takes the titles of its judged passages, whose subjects are the answers. */
const sets: Record<string, [task: string, queries: string]> = {
  'timeqa-easy': ['timeqa', 'queries-easy'],
  'timeqa-hard': ['timeqa', 'queries-hard'],
  tennis: ['tennis', 'queries-anytime'],
  nobel: ['nobel', 'queries'],
  'nobel-born': ['nobel', 'queries-born'],
  nws: ['nws', 'queries'],
  covid: ['covid', 'queries'],
  hoh: ['hoh', 'queries'],
};
export const answerSetNames = Object.keys(sets);

export interface Asked {
  /** The page that the question is about, as far as it is judged: questions of one page belong together. */
  page: string;
  text: string;
  askedAt?: string;
  answers: string[];
  contexts: Record<string, ReadablePassage[]>;
}

/** The questions of a set, a spread-out sample of them, with what was retrieved and what was judged relevant. */
export async function askedOf(name: string, options: { system: string; sample: number; passages: number }): Promise<Asked[]> {
  if (!Object.hasOwn(sets, name)) throw new Error(`Expected a set out of ${answerSetNames.join(', ')}, received ${name}.`);
  const [task, queries] = sets[name]!;
  const work = mkdtempSync(join(tmpdir(), 'asof-answers-'));
  try {
    execFileSync('python3', [join(shared, 'tools', 'make_eval_sets.py'), work, '--tasks', task], { stdio: 'ignore' });
    const folder = join(work, task);
    const passages = lines(join(folder, 'passages.jsonl')).map(passageOf);
    const byId = new Map(passages.map((passage) => [passage.id, passage]));
    const qrels = await readQrels(join(folder, 'qrels.tsv'));
    await using corpus = await Corpus.open(join(work, 'corpus.asof'));
    await corpus.add(passages);
    const system = createSystem(options.system, { corpus });
    const asked: Asked[] = [];
    for (const query of sampled(lines(join(folder, `${queries}.jsonl`)), options.sample)) {
      const { id, text, asked_at: askedAt, answers } = query as { id: string; text: string; asked_at?: string; answers?: string[] };
      const judged = [...(qrels.get(id) ?? [])].filter(([, grade]) => grade > 0).flatMap(([passage]) => byId.get(passage) ?? []);
      const { evidence } = await system.run(askedAt === undefined ? { text } : { text, askedAt }, { k: options.passages });
      const oracle = judged.map(({ publishedAt, ...passage }) => ({ ...passage, ...(publishedAt === undefined ? {} : { publishedAt: Date.parse(publishedAt as string) }) }) as ReadablePassage);
      asked.push({ page: judged[0]?.title ?? id, text, ...(askedAt === undefined ? {} : { askedAt }), answers: answers ?? judged.flatMap(({ title }) => title ?? []), contexts: { retrieved: evidence, oracle } });
    }
    return asked;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function passageOf({ published_at: publishedAt, ...passage }: Record<string, unknown>): Passage {
  return { ...passage, ...(publishedAt === undefined ? {} : { publishedAt }) } as unknown as Passage;
}

/** The questions with the smallest hashes: the same ones in every run, from the whole of the set. */
function sampled(queries: readonly Record<string, unknown>[], count: number): Record<string, unknown>[] {
  const hash = ({ id }: Record<string, unknown>): string => createHash('sha1').update(String(id)).digest('hex');
  return [...queries].sort((a, b) => (hash(a) < hash(b) ? -1 : 1)).slice(0, count);
}

function lines(path: string): Record<string, unknown>[] {
  return readFileSync(path, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
}
