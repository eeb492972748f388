// One process of bench/postgres/soak.ts: a writer of its own passages and readers of all of them.
// Everything is logged with its interval of time, for the oracle.
import { writeSync, openSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { bm25, hybrid, type Passage } from '../../lib/index.js';
import { PostgresCorpus } from '../../packages/postgres/lib/index.js';
import { mulberry32 } from '../../lib/text/random.js';
import type { System } from '../../lib/systems/system.js';
import { schema } from './verify.js';

export interface SoakSettings {
  urls: string[];
  log: string;
  actor: number;
  actors: number;
  seed: number;
  /** How long it acts, once it is connected. */
  milliseconds: number;
}

const passagesOfActor = 40;
const readers = 3;

export const soakIds = (actors: number): number[] =>
  Array.from({ length: actors * passagesOfActor }, (_, id) => id);

/** A word that this passage alone has. */
export const wordOf = (id: number): string => `bridge${id}x`;

export const soakPassage = (id: number, version: number): Passage => ({
  id: `p${id}`,
  text:
    `The ${wordOf(id)} of Varn opened in ${1900 + (version % 100)}. ` +
    `${'The toll was raised. '.repeat(version % 3)}This is version ${version}.`,
  publishedAt: Date.UTC(1980 + (version % 40), id % 12),
});

/** The version of a passage as it was read, which has to be whole; 0 of none. */
export function versionIn(passage: { id: string; text: string } | undefined): number {
  if (!passage) return 0;
  const version = Number(/version (\d+)\.$/.exec(passage.text)?.[1]);
  if (soakPassage(Number(passage.id.slice(1)), version).text !== passage.text)
    throw new Error(`torn: ${JSON.stringify(passage)}`);
  return version;
}

export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

async function act({ urls, log, actor, actors, seed, milliseconds }: SoakSettings): Promise<void> {
  const file = openSync(log, 'a');
  const say = (...words: (string | number)[]): void => void writeSync(file, `${words.join(' ')}\n`);
  await using corpus = await PostgresCorpus.connect({ shards: urls, schema, create: false });
  const systems = [bm25({ corpus }), hybrid({ corpus })];
  const until = now() + milliseconds;
  const all = soakIds(actors);
  const loop = async (number: number, turn: (next: () => number) => Promise<void>) => {
    const next = mulberry32(seed * 100 + actor * 10 + number);
    while (now() < until) await turn(next).catch((error: unknown) => say('e', String(error)));
  };
  const write = writerOf(
    corpus,
    all.filter((id) => id % actors === actor),
    say,
  );
  await Promise.all([
    loop(0, write),
    ...Array.from({ length: readers }, (_, at) =>
      loop(at + 1, (next) => read(corpus, systems, all, next, say)),
    ),
  ]);
}

type Say = (...words: (string | number)[]) => void;

/** Changes a few passages at a time. */
function writerOf(corpus: PostgresCorpus, own: number[], say: Say) {
  const versions = new Map(own.map((id) => [id, 0]));
  return async (next: () => number): Promise<void> => {
    const kind = next();
    if (kind < 0.02) return corpus.compact();
    const isPresent = kind < 0.75;
    const count = 1 + Math.floor(next() * 6);
    const chosen = new Set(
      Array.from({ length: count }, () => own[Math.floor(next() * own.length)]!),
    );
    const changed = [...chosen].map((id) => [id, versions.get(id)! + 1] as const);
    for (const [id, version] of changed) {
      versions.set(id, version);
      say('w', id, version, isPresent ? 1 : 0, now());
    }
    if (isPresent) await corpus.add(changed.map(([id, version]) => soakPassage(id, version)));
    else await corpus.delete(changed.map(([id]) => `p${id}`));
    for (const [id, version] of changed) say('a', id, version, now());
  };
}

async function read(
  corpus: PostgresCorpus,
  [words, both]: readonly System[],
  all: number[],
  next: () => number,
  say: Say,
): Promise<void> {
  const id = all[Math.floor(next() * all.length)]!;
  const kind = next();
  const start = now();
  if (kind < 0.3) {
    const passage = await corpus.get(`p${id}`);
    say('r', id, versionIn(passage), start, now());
  } else if (kind < 0.4) {
    const count = await corpus.count();
    say('c', count, start, now());
  } else if (kind < 0.8) {
    const { evidence } = await words!.run({ text: `What is the ${wordOf(id)}?` });
    say('r', id, versionIn(evidence.find((each) => each.id === `p${id}`)), start, now());
    if (!evidence.every(({ score }, at) => at === 0 || score <= evidence[at - 1]!.score))
      say('e', `scores in another order than ranks for ${wordOf(id)}`);
  } else {
    const { evidence } = await both!.run({ text: `When did the ${wordOf(id)} open?` }, { k: 20 });
    for (const each of evidence) say('r', Number(each.id.slice(1)), versionIn(each), start, now());
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href)
  await act(JSON.parse(process.argv[2]!) as SoakSettings);
