// Current, outdated and future versions of a fact at an asking time (Re3 appendix A.3, section
// 3.4). Versions with equal values do not conflict.
import { lowerBound, type FactTable } from './factTable.js';

export interface VersionStates {
  /** The newest published version and earlier ones with equal values. Newest first. */
  current: number[];
  /** Published versions with other values. Newest first. */
  outdated: number[];
  /** Not yet published. Oldest first. */
  future: number[];
}

/**
 * The versions of a cluster at an instant; undefined without a published one, or with a
 * contradiction within the newest publication.
 */
export function versionStates(
  facts: FactTable,
  cluster: number,
  asked: number,
): VersionStates | undefined {
  const { from, to } = facts.versions(cluster);
  const judged: VersionStates = { current: [], outdated: [], future: [] };
  let newest: number | undefined;
  for (let fact = to - 1; fact >= from; fact -= 1) {
    const published = facts.publishedOf(fact);
    if (published > asked) {
      judged.future.unshift(fact);
      continue;
    }
    newest ??= fact;
    if (sameValues(facts.valuesOf(fact), facts.valuesOf(newest))) judged.current.push(fact);
    else if (published === facts.publishedOf(newest)) return undefined;
    else judged.outdated.push(fact);
  }
  return newest === undefined ? undefined : judged;
}

/** Whether values are equal as numbers, or as words without case. */
export function sameValues(a: readonly string[], b: readonly string[]): boolean {
  return a.every((value, at) => plain(value) === plain(b[at]!));
}

function plain(value: string): string | number {
  const number = value.trim() === '' ? NaN : Number(value.replaceAll(',', ''));
  return Number.isFinite(number) ? number : value.trim().toLowerCase();
}

/**
 * The latest facts of a series at an instant, by newest published date or by newest publication.
 */
export class LatestFacts {
  readonly #facts: readonly number[];
  /** The cluster of the greatest date up to each fact, in the order of publication. */
  readonly #newestDate: Int32Array;

  constructor(
    private readonly of: FactTable,
    series: number,
  ) {
    const clusters = of.clustersOf(series);
    const placed: { fact: number; cluster: number }[] = [];
    for (let cluster = clusters.from; cluster < clusters.to; cluster += 1) {
      const { from, to } = of.versions(cluster);
      for (let fact = from; fact < to; fact += 1) placed.push({ fact, cluster });
    }
    placed.sort((a, b) => of.publishedOf(a.fact) - of.publishedOf(b.fact) || a.fact - b.fact);
    this.#facts = placed.map(({ fact }) => fact);
    this.#clusters = placed.map(({ cluster }) => cluster);
    this.#newestDate = new Int32Array(placed.length);
    let best = -1;
    placed.forEach(({ cluster }, at) => {
      best = Math.max(best, cluster); // clusters of a series are ordered by date
      this.#newestDate[at] = best;
    });
  }
  readonly #clusters: readonly number[];

  /** Number of facts of the series published at an instant. */
  seen(asked: number): number {
    return lowerBound(0, this.size, (at) =>
      this.of.publishedOf(this.#facts[at]!) <= asked ? -1 : 1,
    );
  }

  get size(): number {
    return this.#facts.length;
  }

  fact(place: number): number {
    return this.#facts[place]!;
  }

  /** The latest clusters: one by date, or all of the newest publication. */
  clusters(asked: number, by: 'date' | 'published'): number[] {
    const seen = this.seen(asked);
    if (seen === 0) return [];
    if (by === 'date') return [this.#newestDate[seen - 1]!];
    const newest = this.of.publishedOf(this.#facts[seen - 1]!);
    const found = new Set<number>();
    for (let at = seen - 1; at >= 0 && this.of.publishedOf(this.#facts[at]!) === newest; at -= 1)
      found.add(this.#clusters[at]!);
    return [...found].sort((a, b) => a - b);
  }

  /** The facts published next. */
  next(asked: number, count: number): number[] {
    return this.#facts.slice(this.seen(asked), this.seen(asked) + count);
  }
}
