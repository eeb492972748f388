// What a user would put together instead of asof, over the same passages and questions: BM25 by
// SQLite's FTS5 (better-sqlite3), an exact search of vectors in memory by asof's embedded encoder,
// reciprocal rank fusion of the best of both, and a decay of a year on publication.
import { staticEncoder, type Passage } from '../../dist/index.js';
import { installPeers, peerPackages, versionOf } from '../search/install.js';

/** Of each ranking, and the constant of the fusion (Cormack et al. 2009). */
const [depth, constant] = [100, 60];
const year = 365.25 * 24 * 3600 * 1000;

export interface Combined {
  name: string;
  /** Ids of the k best. */
  ask(text: string, k: number): Promise<string[]>;
}

interface Statement {
  all(...values: unknown[]): { row: number }[];
  run(...values: unknown[]): void;
}
interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  transaction(run: () => void): () => void;
}

/** All in memory, the statement prepared. Throws where better-sqlite3 cannot be installed. */
export async function combined(work: string, passages: readonly Passage[]): Promise<Combined> {
  const why = installPeers(work, ['better-sqlite3']).get('better-sqlite3');
  if (why) throw new Error(`better-sqlite3 could not be installed: ${why}`);
  const Sqlite = peerPackages(work)('better-sqlite3') as new (file: string) => Database;
  const lexical = fullText(new Sqlite(':memory:'), passages);
  const encoder = await staticEncoder();
  const nearest = vectorSearch(
    await encoder.encode(passages.map(textOf), { kind: 'passage' }),
    encoder.dimensions,
  );
  const published = Float64Array.from(passages, ({ publishedAt }) =>
    publishedAt === undefined ? NaN : new Date(publishedAt).getTime(),
  );
  return {
    name: `SQLite FTS5 (better-sqlite3 ${versionOf(work, 'better-sqlite3')}), vectors, fusion, decay`,
    async ask(text, k) {
      const query = await encoder.encode([text], { kind: 'query' });
      const scores = new Map<number, number>();
      for (const ranked of [lexical(text), nearest(query)])
        ranked.forEach((row, rank) =>
          scores.set(row, (scores.get(row) ?? 0) + 1 / (constant + rank + 1)),
        );
      const now = Date.now();
      for (const [row, score] of scores) {
        const age = Math.max(0, now - published[row]!);
        if (!Number.isNaN(age)) scores.set(row, score * Math.exp(-age / year));
      }
      return [...scores]
        .sort(([, a], [, b]) => b - a)
        .slice(0, k)
        .map(([row]) => passages[row]!.id);
    },
  };
}

const textOf = ({ title = '', text }: Passage): string => `${title}\n${text}`;

/** Rows by BM25 with Porter's stems, of any of the question's words. */
function fullText(database: Database, passages: readonly Passage[]): (text: string) => number[] {
  database.exec(`create virtual table texts using fts5(text, tokenize = 'porter unicode61')`);
  const insert = database.prepare('insert into texts (rowid, text) values (?, ?)');
  database.transaction(() => passages.forEach((each, row) => insert.run(row + 1, textOf(each))))();
  const best = database.prepare(
    `select rowid - 1 as row from texts where texts match ? order by rank limit ${depth}`,
  );
  return (text) => {
    const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
    return best.all(words.map((word) => `"${word}"`).join(' OR ')).map(({ row }) => row);
  };
}

/** Rows by inner product, all of them read. */
function vectorSearch(rows: Float32Array, dimensions: number): (query: Float32Array) => number[] {
  const products = new Float64Array(rows.length / dimensions);
  return (query) => {
    for (let row = 0, at = 0; row < products.length; row += 1) {
      let sum = 0;
      for (let c = 0; c < dimensions; c += 1, at += 1) sum += rows[at]! * query[c]!;
      products[row] = sum;
    }
    const least = products.toSorted().at(-depth) ?? -Infinity;
    const best: number[] = [];
    for (let row = 0; row < products.length; row += 1) if (products[row]! >= least) best.push(row);
    return best.sort((a, b) => products[b]! - products[a]!);
  };
}
