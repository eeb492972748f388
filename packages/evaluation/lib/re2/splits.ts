// Train, dev and test splits by entity and by time: test entities and times are absent from train
// and dev.
import { invalidArgument, seededRandom } from 'asof/kit';
import type { FactTable } from './factTable.js';
import { civilFromDays } from '../calendar.js';

export const re2Splits = ['train', 'dev', 'test'] as const;
export type Re2Split = (typeof re2Splits)[number];

/** The parts of a test question that are unseen in train. */
export type Unseen = 'entity' | 'time' | 'entity and time';

export interface SplitOptions {
  /** Share of the entities that are for dev, 0 to 0.5. Default 0.1. */
  dev?: number;
  /** Share of the entities, and of the times, that are for test, 0 to 0.5. Default 0.2. */
  test?: number;
}

const timeUnits = ['year', 'month', 'week'] as const;
/**
 * Minimum number of units for holding out whole ones; otherwise a finer unit is used.
 */
const fewestUnits = 4;

export class Splits {
  /**
   * Unit of held-out times: the coarsest of year, month and week with at least four; undefined with
   * fewer weeks.
   */
  readonly unit: (typeof timeUnits)[number] | undefined;
  readonly units: number;
  readonly heldOut: ReadonlySet<number>;
  readonly #byEntity: readonly Re2Split[];

  constructor(
    private readonly facts: FactTable,
    seed: number,
    { dev = 0.1, test = 0.2 }: SplitOptions = {},
  ) {
    for (const [name, share] of Object.entries({ dev, test }))
      if (!(share >= 0 && share <= 0.5))
        throw invalidArgument(name, 'a share from 0 to 0.5', share);
    const random = seededRandom(seed, 'splits');
    const count = facts.entities.length;
    const mixed = random.shuffled(facts.entities.map((_, at) => at));
    const share = (of: number, part: number): number =>
      part === 0 || of < 3 ? 0 : Math.max(1, Math.round(of * part));
    const [tests, devs] = [share(count, test), share(count, dev)];
    const byEntity = new Array<Re2Split>(count).fill('train');
    mixed.forEach(
      (entity, place) =>
        (byEntity[entity] = place < tests ? 'test' : place < tests + devs ? 'dev' : 'train'),
    );
    this.#byEntity = byEntity;
    const found = timeUnits
      .map((unit) => ({ unit, all: this.#unitsOf(unit) }))
      .find(({ all }) => all.length >= fewestUnits);
    this.units = found?.all.length ?? 0;
    const held = new Set<number>();
    if (found && test > 0) {
      this.unit = found.unit;
      // Always includes the last unit, since use follows training in time.
      const wanted = share(found.all.length, test);
      held.add(found.all.at(-1)!);
      for (const unit of random.shuffled(found.all.slice(0, -1)).slice(0, wanted - 1))
        held.add(unit);
    }
    this.heldOut = held;
  }

  entities(split: Re2Split): string[] {
    return this.facts.entities.filter((_, at) => this.#byEntity[at] === split);
  }

  ofEntity(entity: number): Re2Split {
    return this.#byEntity[entity]!;
  }

  /** The split of an entity at a day. Held-out times are test for every entity. */
  of(entity: number, day: number): Re2Split {
    return this.isHeldOut(day) ? 'test' : this.#byEntity[entity]!;
  }

  unseen(entity: number, day: number): Unseen | undefined {
    const newEntity = this.#byEntity[entity] === 'test';
    if (this.isHeldOut(day)) return newEntity ? 'entity and time' : 'time';
    return newEntity ? 'entity' : undefined;
  }

  isHeldOut(day: number): boolean {
    return this.unit !== undefined && this.heldOut.has(unitOf(day, this.unit));
  }

  #unitsOf(unit: (typeof timeUnits)[number]): number[] {
    const all = new Set<number>();
    for (let cluster = 0; cluster < this.facts.clusters; cluster += 1)
      all.add(unitOf(this.facts.dateOf(this.facts.versions(cluster).from).day, unit));
    return [...all].sort((a, b) => a - b);
  }
}

function unitOf(day: number, unit: (typeof timeUnits)[number]): number {
  if (unit === 'week') return Math.floor((day + 3) / 7);
  const { year, month } = civilFromDays(day);
  return unit === 'year' ? year : year * 12 + month - 1;
}
