// The tables of bench/search/peers.ts: what every contender took by batch, with its ratio to the
// best FAISS of the same cell and round. It measures nothing.
import { faissForms, type PeerOpened } from './peer.js';
import { clockName, median, row, say, short } from '../report.js';

export interface Entrant {
  name: string;
  opened?: PeerOpened;
  /** Why it is not there. */
  why?: string;
  openSeconds?: number;
  memory?: { resident: number; peak: number };
}

export interface Cell {
  k: number;
  threads: number;
  batch: number;
  /** Milliseconds of a call by contender, one a round, as `clocked` has them. */
  times: Record<string, number[]>;
  /**
   * By storage and level: milliseconds that reading its rows takes, one a round, and multiplying
   * them with the batch in registers; NaN where that is not known.
   */
  limits?: Record<string, { reads: number[]; multiplies: number }>;
}

export interface RecallCheck {
  name: string;
  k: number;
  recall: number;
  error: number;
  /** Rows a query, the median, that were scored in full after a look at fewer bits. */
  rescored?: number;
}

export interface SearchComparison {
  data: { name: string; rows: number; dimensions: number };
  entrants: Entrant[];
  cells: Cell[];
  checked: RecallCheck[];
}

interface QueryGrid {
  ks: number[];
  batches: number[];
  threadCounts: number[];
}

/** The FAISS that is fastest in this cell, by its median. */
export function bestFaiss({ times }: Cell): string | undefined {
  const there = Object.keys(faissForms).filter((name) => times[name]?.length);
  return there.sort((a, b) => median(times[a]!) - median(times[b]!))[0];
}

/** Times faster than the best FAISS: median, least and most over the rounds. */
export function ratios(cell: Cell, name: string): [number, number, number] | undefined {
  const faiss = bestFaiss(cell);
  const own = cell.times[name];
  if (!faiss || !own?.length) return undefined;
  const base = cell.times[faiss]!;
  const each = own.map((time, round) => (base[round] ?? median(base)) / time);
  return [median(each), Math.min(...each), Math.max(...each)];
}

export function print(compared: SearchComparison, { ks, batches, threadCounts }: QueryGrid): void {
  const { data, entrants, cells, checked } = compared;
  say(`\n## ${data.name}: ${data.rows.toLocaleString('en')} x ${data.dimensions}\n`);
  for (const { name, opened, why, openSeconds, memory } of entrants) {
    if (!opened) say(`- ${name}: not run (${why})`);
    else {
      const said = [
        opened.version,
        opened.threads ? `${opened.threads} thread` : '',
        opened.batches ? '' : 'one query at a time',
        opened.note ?? '',
      ];
      const held = memory ? `${memory.resident.toFixed(0)} MiB resident` : '';
      say(
        `- ${name}: ${[...said, `opened in ${openSeconds!.toFixed(1)} s`, held].filter(Boolean).join('; ')}`,
      );
    }
  }
  for (const k of ks) {
    for (const threads of threadCounts) {
      const of = cells.filter((cell) => cell.k === k && cell.threads === threads);
      say(
        `\n### k = ${k}, ${clockName(threads)}: milliseconds a batch (least to most), x times as fast as the best FAISS\n`,
      );
      row([
        '',
        ...batches.map((batch) => `batch ${batch}`),
        `recall@${k}`,
        'largest error',
        'rescored a query',
      ]);
      row(['---', ...batches.map(() => '---:'), '---:', '---:', '---:']);
      for (const { name } of entrants.filter(({ name: each }) =>
        of.some(({ times }) => times[each]?.length),
      )) {
        const right = checked.find((each) => each.name === name && each.k === k);
        row([
          name,
          ...batches.map((batch) => cellText(of.find((cell) => cell.batch === batch)!, name)),
          right?.recall.toFixed(4) ?? '',
          right?.error.toExponential(1) ?? '',
          right?.rescored?.toFixed(0) ?? '',
        ]);
      }
    }
  }
}

function cellText(cell: Cell, name: string): string {
  const times = cell.times[name];
  if (!times?.length) return '';
  const ratio = ratios(cell, name);
  const spread =
    times.length > 1 ? ` (${short(Math.min(...times))} to ${short(Math.max(...times))})` : '';
  return `${short(median(times))}${spread}${ratio ? ` x ${ratio[0].toFixed(2)}` : ''}`;
}

/** The name of an asof form over another build of the addon. */
export const againstName = (form: string): string => `${form} (other build)`;

/** Ranks, counted from 0, of the sorted sample that enclose its median at 95 % (sign test). */
function medianInterval(count: number): [number, number] {
  const half = 0.98 * Math.sqrt(count);
  return [
    Math.max(0, Math.floor((count - 1) / 2 - half)),
    Math.min(count - 1, Math.ceil((count - 1) / 2 + half)),
  ];
}

/** Time of each asof form over that of the other build in the same round, by cell. */
export function printAgainst({ cells }: SearchComparison, forms: readonly string[]): void {
  say('\n### This build over the other one: median ratio of a round (95 % interval)\n');
  row(['k, threads, batch', ...forms]);
  say(`| --- |${' ---: |'.repeat(forms.length)}`);
  const medians = new Map<string, number[]>();
  for (const { k, threads, batch, times } of cells) {
    const texts = forms.map((form) => {
      const [own, other] = [times[form], times[againstName(form)]];
      if (!own?.length || !other?.length) return '';
      const sorted = own
        .flatMap((time, round) => (other[round] ? time / other[round] : []))
        .sort((a, b) => a - b);
      const [low, high] = medianInterval(sorted.length).map((rank) => sorted[rank]!.toFixed(3));
      medians.set(form, [...(medians.get(form) ?? []), median(sorted)]);
      return `${median(sorted).toFixed(3)} (${low} to ${high})`;
    });
    row([`${k}, ${threads}, ${batch}`, ...texts]);
  }
  row([
    'geometric mean',
    ...forms.map((form) => {
      const list = medians.get(form);
      return list
        ? Math.exp(list.reduce((sum, ratio) => sum + Math.log(ratio), 0) / list.length).toFixed(3)
        : '';
    }),
  ]);
}
