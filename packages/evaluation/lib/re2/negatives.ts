// Negative passages (Re3 appendix A, conflict injection): of another time, entity or attribute, or
// superseded; from the records, or synthetic where no record or question is affected.
import { type Random } from 'asof/kit';
import { coarseDates, type RecordDate } from './dates.js';
import type { NegativeKind } from './negativeKinds.js';
import type { FactTable } from './factTable.js';
import { versionStates, sameValues, type VersionStates } from './versionStates.js';
import type { PassageWriter, PassageFact } from './passages.js';
import type { Re2Split, Splits } from './splits.js';
import { civilFromDays, dayMilliseconds, daysFromCivil } from '../calendar.js';

export interface Negative {
  passageFact: PassageFact;
  kind: NegativeKind;
}

/** Most negatives of each kind for a question. */
const most = { time: 2, entity: 1, attribute: 1, outdated: 2 };
/** Share of synthetic ones among the negatives of another time or entity. */
const perturbed = 0.15;

const draws = 12;

export interface Target {
  cluster: number;
  positive: number;
  judged: VersionStates;
  asked: number;
  split: Re2Split;
}

export class NegativeSampler {
  constructor(
    private readonly facts: FactTable,
    private readonly splits: Splits,
    private readonly passages: PassageWriter,
    /**
     * Whether a series has questions for the latest: no synthetic negative may then be the latest.
     */
    private readonly mayBeLatest: (series: number) => boolean,
  ) {}

  sample(target: Target, random: Random): Negative[] {
    const chosen: Negative[] = target.judged.outdated
      .slice(0, most.outdated)
      .map((fact) => ({ passageFact: this.passages.factAt(fact), kind: 'outdated' }));
    const used = new Set<number>();
    const superseded = new Set(target.judged.outdated);
    const take = (
      kind: 'time' | 'entity' | 'attribute',
      from: () => number | undefined,
    ): boolean => {
      for (let draw = 0; draw < draws; draw += 1) {
        const cluster = from();
        if (cluster === undefined) return false;
        if (used.has(cluster) || !this.#fits(cluster, target)) continue;
        const fact = this.#seen(cluster, target.asked);
        if (fact === undefined || superseded.has(fact)) continue;
        used.add(cluster);
        chosen.push({ passageFact: this.passages.factAt(fact), kind });
        return true;
      }
      return false;
    };
    const makeUp = (kind: 'time' | 'entity'): boolean => {
      const passageFact =
        kind === 'time' ? this.#shifted(target, random) : this.#renamed(target, random);
      if (
        !passageFact ||
        chosen.some(
          (other) =>
            other.passageFact.perturbed &&
            this.passages.idOf(other.passageFact) === this.passages.idOf(passageFact),
        )
      )
        return false;
      chosen.push({ passageFact, kind });
      return true;
    };
    for (let count = 0; count < most.time; count += 1) {
      const first = random.next() < perturbed;
      if (
        !(first && makeUp('time')) &&
        !take('time', () => this.#otherTime(target.cluster, random)) &&
        !first
      )
        makeUp('time');
    }
    const sameDay = this.facts.ofSameKindAndDay(target.cluster);
    for (let count = 0; count < most.entity; count += 1) {
      const first = random.next() < perturbed;
      if (
        !(first && makeUp('entity')) &&
        !take('entity', () => sameDay[random.below(sameDay.length)]!) &&
        !first
      )
        makeUp('entity');
    }
    const sameEntity = this.facts.ofSameEntityAndDay(target.cluster);
    for (let count = 0; count < most.attribute && sameEntity.length > 1; count += 1)
      take('attribute', () => sameEntity[random.below(sameEntity.length)]!);
    return chosen;
  }

  /** Whether a cluster is another fact with the same granularity and split. */
  #fits(cluster: number, target: Target): boolean {
    const fact = this.facts.versions(cluster).from;
    const { day, granularity } = this.facts.dateOf(fact);
    const sameKind = granularity === this.facts.dateOf(target.positive).granularity;
    return (
      cluster !== target.cluster &&
      sameKind &&
      this.#ofSplit(this.facts.entityOf(fact), day, target)
    );
  }

  /**
   * Train excludes passages of test questions, and questions about unseen entities those of seen
   * ones.
   */
  #ofSplit(entity: number, day: number, { positive, split }: Target): boolean {
    return (
      this.splits.of(entity, day) === split &&
      this.splits.ofEntity(entity) === this.splits.ofEntity(this.facts.entityOf(positive))
    );
  }

  /**
   * The current version of a cluster at the asking time; undefined if none was published.
   */
  #seen(cluster: number, asked: number): number | undefined {
    return versionStates(this.facts, cluster, asked)?.current[0];
  }

  /** A neighbour in the series or any other, equally often, since near dates are confused most. */
  #otherTime(cluster: number, random: Random): number | undefined {
    const { from, to } = this.facts.clustersOf(this.facts.seriesOf(cluster));
    if (to - from < 2) return undefined;
    if (random.next() < 0.5) return from + random.below(to - from);
    const near = cluster + (random.next() < 0.5 ? -1 : 1) * (1 + random.below(3));
    return near < from || near >= to ? from + random.below(to - from) : near;
  }

  /**
   * The fact moved to a date without a record, with its own values or others. The date stays on the
   * same side of the publication, so that reports stay reports and forecasts stay forecasts.
   */
  #shifted(target: Target, random: Random): PassageFact | undefined {
    const { fact: _, ...passageFact } = this.passages.factAt(target.positive);
    for (let draw = 0; draw < draws; draw += 1) {
      const date = shiftedDate(passageFact.date, random);
      const publishedOn = Math.floor(passageFact.published / dayMilliseconds);
      if (date.day > publishedOn !== passageFact.date.day > publishedOn) continue;
      if (!this.#free(passageFact.entity, passageFact.kind, date, target)) continue;
      return {
        ...passageFact,
        date,
        values: this.#valuesFor(passageFact, random),
        perturbed: 'time',
      };
    }
    return undefined;
  }

  /** The fact moved to another entity that has no record at that date. */
  #renamed(target: Target, random: Random): PassageFact | undefined {
    const { fact: _, ...passageFact } = this.passages.factAt(target.positive);
    for (let draw = 0; draw < draws; draw += 1) {
      const entity = random.below(this.facts.entities.length);
      if (
        entity === passageFact.entity ||
        !this.#free(entity, passageFact.kind, passageFact.date, target)
      )
        continue;
      return {
        ...passageFact,
        entity,
        values: this.#valuesFor(passageFact, random),
        perturbed: 'entity',
      };
    }
    return undefined;
  }

  #free(entity: number, kind: number, date: RecordDate, target: Target): boolean {
    const { first, last } = this.facts.span; // no counts of a disease before its first
    if (date.day < first || date.day > last || !this.#ofSplit(entity, date.day, target))
      return false;
    const series = this.facts.seriesAt(entity, kind);
    if (series === undefined) return true;
    const there = this.facts.within(series, date.day, date.day + 1);
    if (there.to > there.from) return false;
    // A question may name a month or year with a single date, which a second one there would answer
    // too.
    const only = coarseDates(date).some(({ from, to }) => {
      const run = this.facts.within(series, from, to);
      return run.to - run.from === 1;
    });
    if (only) return false;
    return (
      !this.mayBeLatest(series) ||
      this.#laterIsKnown(series, date.day, this.facts.publishedOf(target.positive))
    );
  }

  /**
   * Whether a later date was published by then, so that a synthetic fact is never the latest by
   * date.
   */
  #laterIsKnown(series: number, day: number, published: number): boolean {
    if (this.passages.schema.latest === 'published') return false;
    const { from, to } = this.facts.within(series, day + 1, Infinity);
    for (let cluster = from; cluster < to && cluster < from + draws; cluster += 1) {
      if (this.facts.publishedOf(this.facts.versions(cluster).from) <= published) return true;
    }
    return false;
  }

  /** The fact's own values, or others: changed numbers, words of another fact of the kind. */
  #valuesFor({ values, kind }: PassageFact, random: Random): string[] {
    if (random.next() < 0.5) return [...values];
    let other = values;
    for (let draw = 0; draw < draws && sameValues(other, values); draw += 1) {
      const fact = random.below(this.facts.size);
      if (this.facts.kinds[this.facts.kindOf(fact)]!.group === this.facts.kinds[kind]!.group)
        other = this.facts.valuesOf(fact);
    }
    return values.map((value, at) => nudged(value, random) ?? other[at]!);
  }
}

function shiftedDate({ day, granularity }: RecordDate, random: Random): RecordDate {
  const sign = random.next() < 0.5 ? -1 : 1;
  if (granularity === 'day')
    return {
      day: day + sign * random.pick([1, 2, 3, 5, 7, 14, 30, 61, 365, 366, 730]),
      granularity,
    };
  const { year, month } = civilFromDays(day);
  const shift = sign * (1 + random.below(granularity === 'year' ? 5 : 14));
  const moved =
    granularity === 'year'
      ? { year: year + shift, month: 1 }
      : {
          year: year + Math.floor((month - 1 + shift) / 12),
          month: ((((month - 1 + shift) % 12) + 12) % 12) + 1,
        };
  return { day: daysFromCivil({ ...moved, day: 1 }), granularity };
}

/** A number changed slightly, with the same decimals; undefined for other values. */
function nudged(value: string, random: Random): string | undefined {
  const match = /^-?\d{1,15}(?:\.(\d{1,6}))?$/.exec(value);
  if (!match) return undefined;
  const decimals = match[1]?.length ?? 0;
  const step = Math.max(10 ** -decimals, Math.abs(Number(value)) * (0.02 + random.next() * 0.2));
  const moved = Number(value) + (random.next() < 0.5 ? -1 : 1) * step;
  return (Number(value) >= 0 ? Math.abs(moved) : moved).toFixed(decimals);
}
