// Benchmarks that Re3's time encoder is trained and measured on (re3Training.ts): tables of made-up
// records, by the library's own generator. It measures nothing.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Passage } from '../../../lib/index.js';
import type { TimeTriplet } from '../../../packages/training/lib/index.js';

const madeUp = ['weather', 'counts', 'scores', 'holders'];
export const groups = ['seen', 'time', 'entity', 'entity and time'] as const;
export type Group = (typeof groups)[number];
export const said: Record<Group, string> = {
  seen: 'both seen',
  time: 'new time',
  entity: 'new entity',
  'entity and time': 'both new',
};

export interface Question extends TimeTriplet {
  group: Group;
}

export interface Table {
  name: string;
  train: TimeTriplet[];
  dev: TimeTriplet[];
  /** Held-out questions of every group, all ranked over one pool. */
  test: Question[];
  passages: Passage[];
}

/** Tables of made-up records as benchmarks, at most `most` held-out questions of each group. */
export function makeTables(keep: string, most: number): Table[] {
  const tables = join(keep, 'tables');
  const node = (...of: string[]): void =>
    void execFileSync(process.execPath, ['--import', 'tsx', ...of], { stdio: 'inherit' });
  for (const name of madeUp.filter((each) => !existsSync(join(tables, each)))) {
    const records = join(keep, 'records');
    if (!existsSync(records)) node('models/train/timeRecords.ts', records);
    const [file, schema] = [join(records, `${name}.jsonl`), join(records, `${name}.schema.json`)];
    node(
      'lib/cli/main.ts',
      'bench-data',
      're2',
      '--records',
      file,
      '--schema',
      schema,
      '--out',
      join(tables, name),
    );
  }
  return readdirSync(tables)
    .sort()
    .map((name) => readTable(join(tables, name), name, most));
}

/**
 * Lives of made-up people, which the weights that come with asof were trained on too: of other
 * people, and no benchmark of records.
 */
export function makeLives(keep: string, most: number): Table {
  const folder = join(keep, 'lives');
  if (!existsSync(folder))
    execFileSync(process.execPath, ['--import', 'tsx', 'models/train/timePages.ts', folder], {
      stdio: 'inherit',
    });
  return readTable(folder, 'lives', most);
}

function readTable(folder: string, name: string, most: number): Table {
  const lines = (file: string): any[] =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const tripletOf = ({ query, asked_at, positive, negatives }: any): TimeTriplet => ({
    query,
    askedAt: asked_at,
    positive: `${name} ${positive}`,
    negatives: negatives.map(({ id, kind }: any) => ({ id: `${name} ${id}`, kind })),
  });
  const ofRecords = existsSync(join(folder, 'queries-test.jsonl'));
  const unseen = new Map(
    ofRecords ? lines('queries-test.jsonl').map(({ id, unseen: what }) => [id, what as Group]) : [],
  );
  const [known, held] = [lines('triplets-train.jsonl'), lines('triplets-test.jsonl')];
  const test = held.map(
    (line): Question => ({ ...tripletOf(line), group: unseen.get(line.id) ?? 'entity' }),
  );
  // Every fifth question of the entities and times that are trained on is not trained on itself.
  const seen = known
    .filter((_, i) => i % 5 === 4)
    .map((line): Question => ({ ...tripletOf(line), group: 'seen' }));
  const chosen = groups.flatMap((group) =>
    spread(
      [...seen, ...test].filter((each) => each.group === group),
      most,
    ),
  );
  const once = new Map(chosen.map((each) => [`${each.askedAt} ${each.query}`, each]));
  return {
    name,
    train: known.filter((_, i) => i % 5 !== 4).map(tripletOf),
    dev: spread(lines('triplets-dev.jsonl').map(tripletOf), 150),
    test: [...once.values()],
    passages: lines('passages.jsonl').map(({ id, published_at: publishedAt, title, text }) => ({
      id: `${name} ${id}`,
      title,
      text,
      publishedAt,
    })),
  };
}

/** `count` of the items, spread over them. */
export function spread<Item>(items: readonly Item[], count: number): Item[] {
  return items.filter(
    (_, i) =>
      Math.floor((i * count) / items.length) !== Math.floor(((i - 1) * count) / items.length),
  );
}
