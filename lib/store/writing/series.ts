// Series: passages that are states of one thing. Each is valid until the next one starts, in
// whatever order they come: an open state is closed, moved or opened again with its neighbours.
import type { Segment } from '../../../binding.js';
import type { StoredPassage } from '../../records.js';
import type { CacheSpec } from '../../runtime/cacheRegistry.js';
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import { seriesField } from '../fields/types.js';
import { checkStart, invalidField, recordHash } from '../passages/passages.js';
import { memberRecord, startOf, withoutClosing, type Closing } from '../passages/seriesRecord.js';
import type { PreparedPassage } from '../passages/passages.js';
import type { Snapshot } from '../views/snapshot.js';
import type { PassagePlace } from '../views/snapshotSegment.js';
import { StoredRows } from '../views/storedVersion.js';
import { allLive } from '../format/tombstones.js';

/** Elements of each section: the table of a segment is read once. */
const sectionCounts: CacheSpec<ReadonlyMap<string, number>, Segment> = {
  name: 'section counts',
  create: (segment) => new Map(segment.sections().map(({ name, count }) => [name, count])),
};

/** A passage as it is at a moment of a batch; its text is read from the store where needed. */
interface State {
  id: string;
  /** Its series; absent if it is of none. */
  series?: string;
  /** -Infinity without a time. */
  start: number;
  /** Its own end of validity. */
  validTo?: number;
  supersedes?: string;
  /** Written in this batch. */
  prepared?: PreparedPassage;
  /** Written before, with that series and closing. */
  stored?: { place: PassagePlace; series?: string; closing?: Closing };
}

/** A passage to write, and the stored version that it replaces, if there is one. */
export interface Change {
  passage: PreparedPassage;
  place?: PassagePlace;
}

/** The series that a batch of writes touches, as they are after each of its passages. */
export class SeriesStates {
  /** Members of these series, and passages that are superseded or were written. */
  private readonly states = new Map<string, State>();
  /** The states of each series, by their ids. */
  private readonly series = new Map<string, Map<string, State>>();
  /** Number of the column of series; below 0 in a corpus without. */
  private readonly field: number;
  /** Whether a segment has passages of series. */
  private readonly hasSeries: readonly boolean[];

  private constructor(
    private readonly snapshot: Snapshot,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.field = Object.keys(snapshot.manifest.fields).indexOf(seriesField);
    const section = `fields.${this.field}.passages`;
    this.hasSeries = snapshot.segments.map(
      ({ caches }) => (caches.get(sectionCounts).get(section) ?? 0) > 0,
    );
  }

  /** `places` are those of the batch's ids. Undefined where neither has to do with series. */
  static async ofBatch(
    batch: readonly PreparedPassage[],
    places: readonly (PassagePlace | undefined)[],
    snapshot: Snapshot,
    signal: AbortSignal | undefined,
  ): Promise<SeriesStates | undefined> {
    const states = new SeriesStates(snapshot, signal);
    const superseded = batch.flatMap(({ stored }) => stored.supersedes ?? []);
    const isNeeded =
      states.hasSeries.includes(true) ||
      superseded.length > 0 ||
      batch.some(({ stored }) => stored.series !== undefined);
    if (!isNeeded) return undefined;
    for (const place of snapshot.findEach(superseded)) if (place) await states.read(place);
    const names = new Set(superseded);
    for (const [at, { stored }] of batch.entries()) {
      const place = places[at];
      if (place && states.hasSeries[place.segment]) await states.read(place);
      // A passage joins a series of its id where another one supersedes it.
      names.add(stored.series ?? stored.id);
    }
    await states.readSeries(names, () => false);
    return states;
  }

  /** The series of passages to delete, without these. */
  static async ofDeleted(
    places: readonly PassagePlace[],
    snapshot: Snapshot,
    signal: AbortSignal | undefined,
  ): Promise<SeriesStates> {
    const states = new SeriesStates(snapshot, signal);
    for (const place of places) if (states.hasSeries[place.segment]) await states.read(place);
    const deleted = new Set(states.states.keys());
    const names = new Set<string>();
    for (const { series } of states.states.values()) if (series !== undefined) names.add(series);
    states.states.clear();
    await states.readSeries(names, (id) => deleted.has(id));
    return states;
  }

  /**
   * Whether a passage is the same as it is in its series: one that names none leaves that as it is.
   * Undefined if it is in none.
   */
  isSame({ stored }: PreparedPassage): boolean | undefined {
    const state = this.states.get(stored.id);
    if (state?.series === undefined) return undefined;
    const { series } = state;
    if ((stored.series ?? series) !== series) return false;
    const [known, given] = [this.passageOf(state), stored].map((each) =>
      JSON.stringify(memberRecord(each, series)),
    );
    return known === given;
  }

  /**
   * Writes a passage into its series, in its place by time; one that is refused changes nothing.
   * @throws AsOfError ERR_INVALID_ARGUMENT
   */
  put(prepared: PreparedPassage): void {
    const { id } = prepared.stored;
    const before = this.states.get(id);
    const series = this.seriesOf(prepared, before);
    if (series !== undefined && series !== id) checkStart(sourceOf(prepared), prepared.stored);
    if (before?.series !== undefined) this.series.get(before.series)!.delete(id);
    const { stored } = before ?? {};
    const state = { ...stateOf(prepared.stored, series), prepared, ...(stored && { stored }) };
    this.states.set(id, state);
    this.insert(state);
  }

  /** The passages of these series that are to be written: with new records, or closed anew. */
  async changes(): Promise<Change[]> {
    const changes: Change[] = [];
    for (const [series, members] of this.series) {
      const latestFirst = [...members.values()].sort(
        (a, b) => b.start - a.start || (a.id < b.id ? 1 : -1),
      );
      // States that start at one instant hold side by side, until the first one that starts later.
      let next: State | undefined;
      for (const [at, state] of latestFirst.entries()) {
        const turn = yieldToEventLoop(this.signal);
        if (turn) await turn;
        const later = latestFirst[at - 1];
        if (later && later.start > state.start) next = later;
        const closing = closingOf(state, next);
        const { prepared, stored } = state;
        const isWritten =
          !prepared && stored?.series === series && areEqual(stored.closing, closing);
        if (!isWritten) changes.push(this.changeOf(state, series, closing));
      }
    }
    return changes;
  }

  private changeOf(state: State, series: string, closing: Closing | undefined): Change {
    const { prepared } = state;
    const place = state.stored?.place;
    const stored = memberRecord(this.passageOf(state), series, closing);
    const record = JSON.stringify(stored);
    const rows = prepared ?? { kept: new StoredRows(this.snapshot, place!) };
    const passage = { ...rows, stored, record, hash: recordHash(record) };
    return { passage, ...(place && { place }) };
  }

  private seriesOf(prepared: PreparedPassage, before: State | undefined): string | undefined {
    const { id, series, supersedes } = prepared.stored;
    if (supersedes !== undefined) return this.seriesBySuperseded(prepared, supersedes, before);
    const isSuperseded = (): boolean =>
      [...(this.series.get(id)?.values() ?? [])].some((each) => each.supersedes === id);
    return series ?? before?.series ?? (isSuperseded() ? id : undefined);
  }

  private seriesBySuperseded(
    prepared: PreparedPassage,
    supersedes: string,
    before: State | undefined,
  ): string {
    const { stored } = prepared;
    const kept = before?.supersedes === supersedes ? before.series : undefined;
    const superseded = this.states.get(supersedes);
    // A stored passage names its series: it can be added before what it supersedes.
    const series = superseded ? (superseded.series ?? supersedes) : (stored.series ?? kept);
    if (series === undefined)
      throw invalid(
        prepared,
        'supersedes',
        'the id of a passage of the corpus',
        supersedes,
        'Add that passage first.',
      );
    if (!superseded) return series;
    if ((stored.series ?? series) !== series)
      throw invalid(
        prepared,
        'series',
        `that of the superseded passage, ${series}`,
        stored.series,
        'Leave it out.',
      );
    if (!(superseded.start < stateOf(stored).start))
      throw invalid(
        prepared,
        fieldOfStart(stored),
        `after the start of ${JSON.stringify(supersedes)}, which it supersedes`,
        dateOf(stateOf(stored).start),
        'Correct the times, or let that passage supersede this one.',
      );
    if (superseded.series === undefined) {
      superseded.series = series;
      this.insert(superseded);
    }
    return series;
  }

  /** Adds a state to its series, if it is of one. */
  private insert(state: State): void {
    const { id, series } = state;
    if (series === undefined) return;
    const members = this.series.get(series) ?? new Map<string, State>();
    this.series.set(series, members.set(id, state));
  }

  /** Reads the state of a stored passage. */
  private async read({ segment, passage }: PassagePlace): Promise<void> {
    const turn = yieldToEventLoop(this.signal);
    if (turn) await turn;
    const { supersededBy, ...stored } = this.snapshot.passage(segment, passage);
    if (this.states.has(stored.id)) return;
    const { series } = stored;
    const closing = supersededBy && { id: supersededBy.id, from: supersededBy.from };
    this.states.set(stored.id, {
      ...stateOf(withoutClosing({ ...stored, ...(supersededBy && { supersededBy }) }), series),
      stored: {
        place: { segment, passage },
        ...(series !== undefined && { series }),
        ...(closing && { closing }),
      },
    });
  }

  /** Reads the states of these series, and of those of the passages read so far. */
  private async readSeries(names: Set<string>, isDeleted: (id: string) => boolean): Promise<void> {
    for (const { series } of this.states.values()) if (series !== undefined) names.add(series);
    if (this.hasSeries.includes(true)) {
      const found = await this.snapshot.filteredBy(
        { kind: 'keywords', field: this.field, values: [...names] },
        { signal: this.signal },
      );
      for (const [segment, { liveDocs, passages }] of found.segments.entries())
        for (const passage of bitsOf(liveDocs ?? allLive(passages)))
          if (!isDeleted(this.snapshot.id(segment, passage))) await this.read({ segment, passage });
    }
    for (const state of this.states.values()) this.insert(state);
  }

  /** The passage of a state, as it is without its series' other states. */
  private passageOf({ prepared, stored }: State): StoredPassage {
    if (prepared) return prepared.stored;
    const { segment, passage } = stored!.place;
    return withoutClosing(this.snapshot.passage(segment, passage));
  }
}

function stateOf(passage: StoredPassage, series?: string): State {
  const { id, validTo, supersedes } = passage;
  return {
    id,
    ...(series !== undefined && { series }),
    start: startOf(passage) ?? -Infinity,
    ...(validTo !== undefined && { validTo }),
    ...(supersedes !== undefined && { supersedes }),
  };
}

/** A state whose own validity ends before the next one starts is not closed by that. */
function closingOf({ validTo = Infinity }: State, next: State | undefined): Closing | undefined {
  return next && validTo > next.start ? { id: next.id, from: next.start } : undefined;
}

const areEqual = (a: Closing | undefined, b: Closing | undefined): boolean =>
  a?.id === b?.id && a?.from === b?.from;

const sourceOf = ({ stored, index = 0 }: PreparedPassage) => ({ passage: stored, index });
const invalid = (
  prepared: PreparedPassage,
  field: string,
  expected: string,
  received: unknown,
  remedy: string,
) => invalidField(sourceOf(prepared), field, expected, received, remedy);

const fieldOfStart = ({ validFrom }: StoredPassage): string =>
  validFrom === undefined ? 'publishedAt' : 'validFrom';
const dateOf = (start: number): string | undefined =>
  Number.isFinite(start) ? new Date(start).toISOString() : undefined;

/** The numbers of the bits that are set, ascending. */
function* bitsOf(bits: Uint8Array): Generator<number> {
  for (let at = 0; at < bits.length; at += 1)
    for (let rest = bits[at]!; rest !== 0; rest &= rest - 1)
      yield 8 * at + 31 - Math.clz32(rest & -rest);
}
