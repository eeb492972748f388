// Fact table: columns of numbers sorted so that the versions of a fact are adjacent, with lookups
// by entity, kind and date.
import { invalidArgument } from 'asof/kit';
import type { RecordDate } from './dates.js';
import type { Re2Record } from './records.js';

/** A half-open range of rows. */
export interface Range {
  from: number;
  to: number;
}

const granularityOrder = ['day', 'month', 'year'] as const;

/**
 * Facts by row, 0 to size - 1, ordered by entity, kind, date, publication and values, independent
 * of input order and without duplicates. A cluster is the versions of one fact; a series is the
 * clusters of an entity and kind, by date.
 */
export class FactTable {
  readonly size: number;
  readonly duplicates: number;
  readonly entities: readonly string[];
  /** Kinds of facts of an entity: a label and a group of attributes. */
  readonly kinds: readonly { label: string | undefined; group: number }[];
  readonly #entity: Int32Array;
  readonly #kind: Int32Array;
  readonly #day: Int32Array;
  readonly #granularity: Uint8Array;
  readonly #published: Float64Array;
  readonly #publishedDay: Uint8Array;
  readonly #values: readonly string[];
  /** First fact of each cluster, and the end. */
  readonly #clusters: Int32Array;
  /** First cluster of each series, and the end. */
  readonly #series: Int32Array;
  readonly #seriesOf: Int32Array;
  /** Clusters by kind and date, and by entity and date. */
  readonly #byKindAndDay: Int32Array;
  readonly #byEntityAndDay: Int32Array;
  #span: { first: number; last: number } | undefined;

  constructor(columns: FactColumns) {
    const { order, entityRank, kindRank, entities, kinds } = columns.ordered();
    this.entities = entities;
    this.kinds = kinds;
    const kept = order.filter(
      (at, place) =>
        place === 0 || columns.compare(at, order[place - 1]!, entityRank, kindRank) !== 0,
    );
    this.size = kept.length;
    this.duplicates = order.length - kept.length;
    this.#entity = Int32Array.from(kept, (at) => entityRank[columns.entity[at]!]!);
    this.#kind = Int32Array.from(kept, (at) => kindRank[columns.kind[at]!]!);
    this.#day = Int32Array.from(kept, (at) => columns.day[at]!);
    this.#granularity = Uint8Array.from(kept, (at) => columns.granularity[at]!);
    this.#published = Float64Array.from(kept, (at) => columns.published[at]!);
    this.#publishedDay = Uint8Array.from(kept, (at) => columns.publishedDay[at]!);
    this.#values = Array.from(kept, (at) => columns.values[at]!);
    const sameSeries = (a: number, b: number): boolean =>
      this.#entity[a] === this.#entity[b] && this.#kind[a] === this.#kind[b];
    const sameCluster = (a: number, b: number): boolean =>
      sameSeries(a, b) &&
      this.#day[a] === this.#day[b] &&
      this.#granularity[a] === this.#granularity[b];
    this.#clusters = starts(this.size, sameCluster);
    this.#series = starts(this.clusters, (a, b) =>
      sameSeries(this.#clusters[a]!, this.#clusters[b]!),
    );
    this.#seriesOf = new Int32Array(this.clusters);
    for (let series = 0; series < this.seriesCount; series += 1)
      this.#seriesOf.fill(series, this.#series[series], this.#series[series + 1]);
    const by = (first: Int32Array, then: Int32Array): Int32Array =>
      Int32Array.from({ length: this.clusters }, (_, at) => at).sort((a, b) => {
        const [x, y] = [this.#clusters[a]!, this.#clusters[b]!];
        return (
          first[x]! - first[y]! || this.#day[x]! - this.#day[y]! || then[x]! - then[y]! || a - b
        );
      });
    this.#byKindAndDay = by(this.#kind, this.#entity);
    this.#byEntityAndDay = by(this.#entity, this.#kind);
  }

  get clusters(): number {
    return this.#clusters.length - 1;
  }
  get seriesCount(): number {
    return this.#series.length - 1;
  }

  /** The first and the last day of all facts. */
  get span(): { first: number; last: number } {
    if (this.#span) return this.#span;
    let [first, last] = [Infinity, -Infinity];
    for (const day of this.#day) [first, last] = [Math.min(first, day), Math.max(last, day)];
    return (this.#span = { first, last });
  }

  entityOf(fact: number): number {
    return this.#entity[fact]!;
  }
  kindOf(fact: number): number {
    return this.#kind[fact]!;
  }
  dateOf(fact: number): RecordDate {
    return { day: this.#day[fact]!, granularity: granularityOrder[this.#granularity[fact]!]! };
  }
  publishedOf(fact: number): number {
    return this.#published[fact]!;
  }
  isPublishedDay(fact: number): boolean {
    return this.#publishedDay[fact] === 1;
  }
  valuesOf(fact: number): string[] {
    return this.#values[fact]!.split(separator);
  }

  /** The versions of a cluster, oldest first. */
  versions(cluster: number): Range {
    return { from: this.#clusters[cluster]!, to: this.#clusters[cluster + 1]! };
  }
  seriesOf(cluster: number): number {
    return this.#seriesOf[cluster]!;
  }
  /** The clusters of a series, earliest date first. */
  clustersOf(series: number): Range {
    return { from: this.#series[series]!, to: this.#series[series + 1]! };
  }
  /** The series of an entity and kind, if any. */
  seriesAt(entity: number, kind: number): number | undefined {
    const at = lowerBound(0, this.seriesCount, (series) => {
      const fact = this.#clusters[this.#series[series]!]!;
      return this.#entity[fact]! - entity || this.#kind[fact]! - kind;
    });
    if (at === this.seriesCount) return undefined;
    const fact = this.#clusters[this.#series[at]!]!;
    return this.#entity[fact] === entity && this.#kind[fact] === kind ? at : undefined;
  }
  /** The clusters of a series that begin in the days [from, to). */
  within(series: number, from: number, to: number): Range {
    const { from: low, to: high } = this.clustersOf(series);
    const dayAt = (cluster: number): number => this.#day[this.#clusters[cluster]!]!;
    return {
      from: lowerBound(low, high, (cluster) => dayAt(cluster) - from),
      to: lowerBound(low, high, (cluster) => dayAt(cluster) - to),
    };
  }
  /** Clusters of the same kind and date, of any entity, including the given one. */
  ofSameKindAndDay(cluster: number): Int32Array {
    return this.#alike(this.#byKindAndDay, this.#kind, cluster);
  }
  /** Clusters of the same entity and date, of any kind, including the given one. */
  ofSameEntityAndDay(cluster: number): Int32Array {
    return this.#alike(this.#byEntityAndDay, this.#entity, cluster);
  }

  #alike(sorted: Int32Array, column: Int32Array, cluster: number): Int32Array {
    const fact = this.#clusters[cluster]!;
    const order = (other: number): number => {
      const at = this.#clusters[other]!;
      return column[at]! - column[fact]! || this.#day[at]! - this.#day[fact]!;
    };
    const from = lowerBound(0, sorted.length, (at) => order(sorted[at]!));
    const to = lowerBound(from, sorted.length, (at) => (order(sorted[at]!) <= 0 ? -1 : 1));
    return sorted.subarray(from, to);
  }
}

const separator = '\u001f';

/** Columns of a fact table in input order. */
export class FactColumns {
  readonly entity: number[] = [];
  readonly kind: number[] = [];
  readonly day: number[] = [];
  readonly granularity: number[] = [];
  readonly published: number[] = [];
  readonly publishedDay: number[] = [];
  readonly values: string[] = [];
  readonly #entities = new Map<string, number>();
  readonly #kinds = new Map<string, number>();

  add({ entity, label, group, date, published, publishedDay, values }: Re2Record): void {
    if (this.entity.length >= 0x7fff_fff0)
      throw invalidArgument('records', 'at most 2 thousand million of them', this.entity.length);
    this.entity.push(interned(this.#entities, entity));
    this.kind.push(
      interned(this.#kinds, label === undefined ? `${group}` : `${group}${separator}${label}`),
    );
    this.day.push(date.day);
    this.granularity.push(granularityOrder.indexOf(date.granularity));
    this.published.push(published);
    this.publishedDay.push(publishedDay ? 1 : 0);
    this.values.push(values.join(separator));
  }

  ordered(): {
    order: Int32Array;
    entityRank: Int32Array;
    kindRank: Int32Array;
    entities: string[];
    kinds: FactTable['kinds'];
  } {
    const ranked = (names: ReadonlyMap<string, number>): { sorted: string[]; rank: Int32Array } => {
      const sorted = [...names.keys()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      const rank = new Int32Array(sorted.length);
      sorted.forEach((name, at) => (rank[names.get(name)!] = at));
      return { sorted, rank };
    };
    const [entities, kinds] = [ranked(this.#entities), ranked(this.#kinds)];
    const order = Int32Array.from({ length: this.entity.length }, (_, at) => at).sort((a, b) =>
      this.compare(a, b, entities.rank, kinds.rank),
    );
    const kindOf = (name: string): FactTable['kinds'][number] => {
      const [group, label] = name.split(separator);
      return { group: Number(group), label };
    };
    return {
      order,
      entityRank: entities.rank,
      kindRank: kinds.rank,
      entities: entities.sorted,
      kinds: kinds.sorted.map(kindOf),
    };
  }

  compare(a: number, b: number, entityRank: Int32Array, kindRank: Int32Array): number {
    return (
      entityRank[this.entity[a]!]! - entityRank[this.entity[b]!]! ||
      kindRank[this.kind[a]!]! - kindRank[this.kind[b]!]! ||
      this.day[a]! - this.day[b]! ||
      this.granularity[a]! - this.granularity[b]! ||
      this.published[a]! - this.published[b]! ||
      (this.values[a]! < this.values[b]! ? -1 : this.values[a]! > this.values[b]! ? 1 : 0)
    );
  }
}

function interned(known: Map<string, number>, name: string): number {
  const found = known.get(name);
  if (found !== undefined) return found;
  known.set(name, known.size);
  return known.size - 1;
}

/** Starts of runs of equal neighbours, and the end. */
function starts(size: number, alike: (a: number, b: number) => boolean): Int32Array {
  const found: number[] = [];
  for (let at = 0; at < size; at += 1) if (at === 0 || !alike(at - 1, at)) found.push(at);
  return Int32Array.from([...found, size]);
}

/** The first row in [from, to) whose order is not below 0. */
export function lowerBound(from: number, to: number, order: (at: number) => number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (order(middle) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
