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
const twoDigits = (n: number): string => (n >= 100 ? n.toFixed(0) : n.toPrecision(2));

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
  const { rowBytes, indexBytes, indexRate, ms } = figures.at(-1)!;
  const columns = (['exact', 'approximate'] as const).flatMap((kind) =>
    ms.flatMap(({ system }, at) => {
      const points = figures.flatMap((of) => {
        const value = of.ms[at]![kind];
        return value === undefined ? [] : [{ rows: of.rows, ms: value }];
      });
      // One time says nothing of how approximate search grows; that of a scan is of its rows.
      return points.length < (kind === 'exact' ? 1 : 2) ? [] : [{ kind, system, points }];
    }),
  );
  say('');
  say('## On paper');
  say('');
  const sizesMeasured = figures.map(({ rows }) => rows.toLocaleString('en')).join(' and ');
  say(
    `By the figures at ${sizesMeasured} rows: ${rowBytes.toFixed(0)} bytes a row, ` +
      `${indexBytes.toFixed(0)} more with the index of vectors, which took ` +
      `${indexRate.toFixed(0)} rows a second; servers of ${cores} cores that hold every row in ` +
      'memory. A question takes all cores of all servers where it is exact, one core of each ' +
      'where it is approximate; the client comes in addition. From disk an exact question ' +
      'reads every row.',
  );
  for (const rows of sizes) {
    say('');
    row([
      `${(rows / 1e6).toLocaleString('en')} million rows`,
      ...['a server', 'with the index', 'its build, hours'],
      ...columns.flatMap(({ kind, system }) => [`${system}, ${kind}: core seconds`, 'seconds']),
    ]);
    row(['---', ...Array.from({ length: 3 + 2 * columns.length }, () => '---:')]);
    for (const shards of shardCounts) {
      const each = rows / shards;
      const times = columns.flatMap(({ kind, points }) => {
        const one = lineThrough(points)(each);
        return [twoDigits(one * shards), twoDigits(kind === 'exact' ? one / cores : one)];
      });
      row([
        `${shards} server${shards > 1 ? 's' : ''}`,
        ...[bytes(each * rowBytes), bytes(each * (rowBytes + indexBytes))],
        ...[twoDigits(each / indexRate / 3600), ...times],
      ]);
    }
  }
}
