// The tables of bench/store/peers.ts: medians with least and most, and ratios to asof's. It
// measures nothing.
import { median, row, say, short } from '../report.js';
import { basePassages, commitsOf } from './peer.js';

/** Values of the rounds, by figure and contender. */
export type Figures = Map<string, Map<string, number[]>>;

interface Table {
  title: string;
  /** Words of a row and the name of its figure. */
  rows: [words: string, figure: string][];
}

const batches = [1, 100, 2048];
const opened = [1, 100];
const passages = (count: number): string => count.toLocaleString('en');

function tablesOf(figures: Figures): Table[] {
  const ofChanges = (name: string): [string, string] => {
    const [operation, size] = name.split(' ') as [string, string];
    return [
      `${operation}, ${passages(commitsOf[name]!)} commits of ${passages(Number(size))}`,
      name,
    ];
  };
  const ofBatches = (what: string): [string, string][] =>
    batches.flatMap((batch) => {
      const [data] = [...(figures.get(`data ${batch}`)?.values() ?? [])];
      const added = `${passages(batch * commitsOf[`add ${batch}`]!)} in commits of ${passages(batch)}`;
      const words = `${added} (${data ? short(median(data)) : '?'} MiB)`;
      return [
        [words, `${what} ${batch}`],
        [`${words}, compacted`, `${what} ${batch} compacted`],
      ] as [string, string][];
    });
  return [
    {
      title: 'Passages a second: more is better',
      rows: [
        ...Object.keys(commitsOf).map(ofChanges),
        ['get', 'get'],
        ['has, every second id unknown', 'has'],
      ],
    },
    {
      title: `Milliseconds to open a store of ${passages(basePassages)} and get one: less is better`,
      rows: opened.flatMap((commits) => {
        const words = commits === 1 ? 'compacted' : `in ${commits} commits`;
        return [
          [`${words}, first handle of a process`, `open ${commits} first`],
          [`${words}, another handle`, `open ${commits} again`],
        ] as [string, string][];
      }),
    },
    { title: 'MiB on disk after adds: less is better', rows: ofBatches('size') },
    {
      title: 'Bytes written to the disk over bytes of records and vectors: less is better',
      rows: ofBatches('written'),
    },
    {
      title: 'Syncs of a commit of one passage (fsync, fdatasync, sync_file_range, msync)',
      rows: [['mean of 64 commits, merges included', 'syncs']],
    },
  ];
}

export function printTables(figures: Figures, names: readonly string[]): void {
  for (const { title, rows } of tablesOf(figures)) {
    say(`\n### ${title} (least to most), x relative to asof\n`);
    row(['', ...names]);
    row(['---', ...names.map(() => '---:')]);
    for (const [words, figure] of rows) {
      const byName = figures.get(figure);
      row([words, ...names.map((name) => cellText(byName?.get(name), byName?.get('asof')))]);
    }
  }
}

function cellText(values: number[] | undefined, asof: number[] | undefined): string {
  if (!values?.length) return 'not run';
  const middle = median(values);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const spread = least < most ? ` (${short(least)} to ${short(most)})` : '';
  const ratio = asof?.length && asof !== values ? ` x ${short(middle / median(asof))}` : '';
  return `${short(middle)}${spread}${ratio}`;
}
