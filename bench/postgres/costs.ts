// What a corpus in PostgreSQL would cost at sizes that were not measured, by figures that were:
// arithmetic, no measurement. The time of a system is a line through its times at two sizes: what a
// question costs anyway, and what it costs a row.
import { row, say } from '../report.js';

/** Of one size, on one server. */
export interface Figures {
  rows: number;
  /** Bytes of a row, with its share of postings, indexes and records. */
  rowBytes: number;
  /** Of the index of vectors. */
  indexBytes: number;
  /** Rows a second that the index took in when it was built. */
  indexRate: number;
  /** Milliseconds of processor time of the servers for a question. */
  ms: { system: string; exact: number; approximate: number | undefined }[];
}

const sizes = [100e6, 1e9];
const shardCounts = [1, 16, 64];
/** Of one server: no claim, an example. */
const cores = 16;

const bytes = (n: number): string =>
  n >= 1e12 ? `${(n / 1e12).toFixed(1)} TB` : `${(n / 1e9).toFixed(0)} GB`;
const seconds = (n: number): string => (n >= 100 ? n.toFixed(0) : n.toPrecision(2));

/** A time at some rows on each of some servers, in seconds of processor time of one server. */
export function lineThrough(
  points: readonly { rows: number; ms: number }[],
): (rows: number) => number {
  const [small, large] = [points[0]!, points.at(-1)!];
  const slope =
    small === large
      ? large.ms / large.rows
      : Math.max(0, (large.ms - small.ms) / (large.rows - small.rows));
  const base = Math.max(0, large.ms - slope * large.rows);
  return (rows) => (base + slope * rows) / 1000;
}

/** Prints the tables. `figures` are in rising order of rows. */
export function printCosts(figures: readonly Figures[]): void {
  const { rowBytes, indexBytes, indexRate, rows: measured, ms } = figures.at(-1)!;
  say('');
  say('## On paper');
  say('');
  say(
    `By the figures at ${figures.map(({ rows }) => rows.toLocaleString('en')).join(' and ')} rows: ` +
      `${rowBytes.toFixed(0)} bytes a row and ${indexBytes.toFixed(0)} of the index of vectors, which ` +
      `took ${indexRate.toFixed(0)} rows a second; servers of ${cores} cores, each row in memory. ` +
      'Seconds: by all cores of all servers where a question is exact, by one core of each where it ' +
      'is approximate, without the client. From disk an exact question also reads every row.',
  );
  for (const rows of sizes) {
    say('');
    row([
      `${(rows / 1e6).toLocaleString('en')} million rows`,
      'a server',
      'with the index',
      'its build, hours',
      ...ms.flatMap(({ system }) => [`${system}, exact: core seconds`, 'seconds']),
      ...ms
        .filter(({ approximate }) => approximate !== undefined)
        .flatMap(({ system }) => [`${system}, approximate: core seconds`, 'seconds']),
    ]);
    row(['---', ...Array.from({ length: 3 + 2 * columns(ms) }, () => '---:')]);
    for (const shards of shardCounts) {
      const each = rows / shards;
      const times = (kind: 'exact' | 'approximate', inParallel: number): string[] =>
        ms.flatMap(({ system }, at) => {
          const points = figures.flatMap((of) => {
            const value = of.ms[at]![kind];
            return value === undefined ? [] : [{ rows: of.rows, ms: value }];
          });
          if (ms[at]![kind] === undefined) return [];
          void system;
          const one = lineThrough(points)(each);
          return [seconds(one * shards), seconds(one / inParallel)];
        });
      row([
        `${shards} server${shards > 1 ? 's' : ''}`,
        bytes(each * rowBytes),
        bytes(each * (rowBytes + indexBytes)),
        (each / indexRate / 3600).toFixed(0),
        ...times('exact', cores),
        ...times('approximate', 1),
      ]);
    }
  }
  say('');
  for (const line of elsewhere(measured)) say(line);
}

const columns = (ms: Figures['ms']): number =>
  ms.length + ms.filter(({ approximate }) => approximate !== undefined).length;

/** Where another engine is better, with the reason. */
const elsewhere = (measured: number): string[] => [
  `Where another engine is better (beyond ${measured.toLocaleString('en')} rows this is extrapolated):`,
  '',
  '- **What fits one machine**: the local corpus. It reads an eighth of the bytes for most rows and ' +
    'has no tuples to take apart; the tables above have both.',
  '- **Exact scans of billions of rows**: a column store (ClickHouse). PostgreSQL reads whole tuples ' +
    'for a product; a column store reads the vector and the times that a question names, compressed.',
  '- **Words alone, at this size**: Lucene (OpenSearch, Elasticsearch) or Vespa. They skip blocks of ' +
    "postings that cannot reach the best k; here every posting of a question's words is read, so " +
    'that time grows with rows also where search is approximate.',
  '- **Approximate vectors beyond memory**: engines whose graphs lie on disk or whose vectors have a ' +
    "byte or a bit a number (Vespa, Milvus, Qdrant). pgvector's HNSW takes two bytes a number and " +
    'has to be in memory to be fast.',
  '- **Many writes while questions are asked**: engines of segments. HNSW in PostgreSQL is changed ' +
    'row by row within the transaction.',
];
