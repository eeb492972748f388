// What a write changes and stores, whatever keeps the passages: new and replaced ones, states of
// series that it closes or opens, and the rows that are searched.
import type { StoredPassage } from '../../records.js';
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import type { Encoder } from '../../vectors/encoder.js';
import { haveSameTimes, patchedPassage, type PassagePatch } from '../passages/patch.js';
import { passageRules, withKeptRows, type PreparedPassage } from '../passages/passages.js';
import type { AddOptions } from '../corpusOptions.js';
import { SeriesStates } from '../writing/series.js';
import type { Version } from '../views/storedVersion.js';
import { layOutRows, type Rows } from '../writing/rows.js';
import { rowTimes, rowVectors, termRows } from '../writing/segmentBuilder.js';
import { byId, compareBatch, compareVersions, type AddCounts } from '../writing/writer.js';
import { FetchedSnapshot } from './fetchedSnapshot.js';
import type { RemoteSettings } from './remoteSource.js';

/** Terms of a row, for BM25. */
export interface RowTerms {
  /** A whole passage of several rows, one that is its only row, or a sentence. */
  part: 'whole' | 'single' | 'sentence';
  /** How often it has each. */
  counts: ReadonlyMap<string, number>;
  /** Its tokens. */
  length: number;
}

/** A row, as it is to be searched. Times are in UTC epoch milliseconds, ends exclusive. */
export interface IndexedRow extends RowTerms {
  /** Of the encoder's dimensions, of length 1. */
  vector: Float32Array;
  /** NaN where it has none. */
  published: number;
  /** NaN where it has none, else infinite where it is open. */
  validStart: number;
  validEnd: number;
  /** Its content times, the first mentioned first; granularities as places in `granularities`. */
  contentStart: Float64Array;
  contentEnd: Float64Array;
  contentGranularity: Uint8Array;
}

/** A passage to store: its rows are the whole, then its sentences if it has several. */
export interface IndexedPassage {
  passage: PreparedPassage;
  rows: readonly IndexedRow[];
}

/** What a write reads of stored passages, which no other write changes until it ends. */
export interface StoredPassages {
  /**
   * Hashes of the stored passages of a batch by id; vectors of those that have the hash of their
   * new version, which brings some.
   */
  versions(batch: readonly PreparedPassage[]): Promise<ReadonlyMap<string, Version>>;
  /** Whether passages of the ids are of series, or the ids are names of series that there are. */
  hasSeries(ids: readonly string[]): Promise<boolean>;
  /** The passages of the ids, of series of these names, and of the series of any of them. */
  withSeries(ids: readonly string[], names: readonly string[]): Promise<PreparedPassage[]>;
}

/** Passages to write, ascending by id, and ids of stored ones that they replace. */
export interface Changes {
  fresh: PreparedPassage[];
  gone: string[];
}

/**
 * Of one call: a storage asks it in its transaction what a batch or a deletion changes, and stores
 * that. It keeps the rows of a batch, so that no transaction waits for an encoder.
 */
export class PassageWriter {
  /** Encoded once, however often a transaction is tried. */
  private readonly indexed = new WeakMap<PreparedPassage, IndexedPassage>();

  constructor(
    readonly settings: RemoteSettings,
    private readonly encoder: Encoder,
    private readonly onRefused?: AddOptions['onRefused'],
  ) {}

  /** What a batch changes, as if added one by one, where nothing is of a series. */
  async compared(
    batch: readonly PreparedPassage[],
    stored: ReadonlyMap<string, Version>,
    signal: AbortSignal | undefined,
  ): Promise<Changes & { counts: AddCounts }> {
    const { counts, fresh } = await compareVersions(batch, stored, signal);
    const ids = fresh.map((passage) => passage.stored.id);
    return { counts, fresh, gone: ids.filter((id) => stored.has(id)) };
  }

  /**
   * What a batch changes, as if added one by one: of equal ids the last wins.
   * @throws AsOfError ERR_INVALID_ARGUMENT for what series refuse
   */
  async added(
    batch: readonly PreparedPassage[],
    stored: StoredPassages,
    signal: AbortSignal | undefined,
  ): Promise<Changes & { counts: AddCounts }> {
    const all = batch.map((passage) => passage.stored);
    const superseded = all.flatMap(({ supersedes }) => supersedes ?? []);
    const named = all.flatMap(({ series }) => series ?? []);
    const ids = [...new Set([...all.map(({ id }) => id), ...superseded])];
    const isNamed = superseded.length > 0 || named.length > 0;
    if (!isNamed && !(await stored.hasSeries(ids)))
      return this.compared(batch, await stored.versions(batch), signal);
    const touched = await stored.withSeries(ids, [...ids, ...named]);
    using snapshot = await FetchedSnapshot.ofPassages(touched, this.settings, signal);
    const { counts, fresh, gone } = await compareBatch(batch, snapshot, {
      signal,
      onRefused: this.onRefused,
    });
    return {
      counts,
      fresh: withKeptRows(fresh),
      gone: gone.map((at) => snapshot.id(at.segment, at.passage)),
    };
  }

  /**
   * Stored passages, read with their vectors, as a patch makes them.
   * @throws AsOfError ERR_INVALID_ARGUMENT for one that does not take it
   */
  patched(stored: readonly PreparedPassage[], patch: PassagePatch): PreparedPassage[] {
    const rules = passageRules(this.settings, true);
    return stored.map(({ stored: before, contents, ...own }, index) => {
      const passage = patchedPassage(before, patch, index, rules);
      const { vector, sentenceVectors } = own;
      const times = haveSameTimes(before, passage.stored) ? contents : undefined;
      return { ...passage, vector, sentenceVectors, contents: times };
    });
  }

  /** What the deletion of these ids changes in their series: states that it opens. */
  async reopened(
    ids: readonly string[],
    stored: StoredPassages,
    signal: AbortSignal | undefined,
  ): Promise<Changes> {
    if (!(await stored.hasSeries(ids))) return { fresh: [], gone: [] };
    const touched = await stored.withSeries(ids, []);
    using snapshot = await FetchedSnapshot.ofPassages(touched, this.settings, signal);
    const places = snapshot.findEach(ids).filter((place) => place !== undefined);
    const changes = await (await SeriesStates.ofDeleted(places, snapshot, signal)).changes();
    return {
      fresh: withKeptRows(changes.map(({ passage }) => passage)).sort(byId),
      gone: changes.flatMap(({ passage, place }) => (place ? passage.stored.id : [])),
    };
  }

  /**
   * Passages in ascending order of id with their rows, encoded where they bring no vectors.
   * @throws AsOfError ERR_ENCODER_FAILED, ERR_ENCODER_MISMATCH, ERR_ABORTED
   */
  async index(
    passages: readonly PreparedPassage[],
    signal: AbortSignal | undefined,
  ): Promise<IndexedPassage[]> {
    const missing = passages.filter((passage) => !this.indexed.has(passage));
    if (missing.length > 0) {
      const rows = await this.rowsOf(missing, signal);
      missing.forEach((passage, at) => this.indexed.set(passage, { passage, rows: rows[at]! }));
    }
    return passages.map((passage) => this.indexed.get(passage)!);
  }

  /** Terms of all rows of stored passages: what their deletion takes from statistics. */
  async terms(
    passages: readonly StoredPassage[],
    signal: AbortSignal | undefined,
  ): Promise<RowTerms[]> {
    const rows = await layOutRows(passages, this.settings.sentences ?? true, signal);
    return termsOf(rows, passages, signal);
  }

  private async rowsOf(
    passages: readonly PreparedPassage[],
    signal: AbortSignal | undefined,
  ): Promise<IndexedRow[][]> {
    const stored = passages.map((passage) => passage.stored);
    const known = passages.map(({ sentences }) => sentences);
    const rows = await layOutRows(stored, this.settings.sentences ?? true, signal, known);
    const { timeZone } = this.settings;
    const [{ columns }, vectors, terms] = await Promise.all([
      rowTimes(rows, passages, { timeZone }, signal),
      rowVectors(this.encoder, rows, passages, signal),
      termsOf(rows, stored, signal),
    ]);
    const result: IndexedRow[][] = passages.map(() => []);
    const d = this.encoder.dimensions;
    for (let row = 0; row < rows.rows; row += 1) {
      const [from, to] = [columns.contentOffset[row]!, columns.contentOffset[row + 1]!];
      result[rows.rowPassage[row]!]!.push({
        ...terms[row]!,
        vector: vectors.subarray(row * d, (row + 1) * d),
        published: columns.published[row]!,
        validStart: columns.validStart[row]!,
        validEnd: columns.validEnd[row]!,
        contentStart: columns.contentStart.subarray(from, to),
        contentEnd: columns.contentEnd.subarray(from, to),
        contentGranularity: columns.contentGranularity.subarray(from, to),
      });
    }
    return result;
  }
}

async function termsOf(
  rows: Rows,
  passages: readonly StoredPassage[],
  signal: AbortSignal | undefined,
): Promise<RowTerms[]> {
  const packed = await termRows(rows, passages, signal);
  const { termOffsets, rowOffsets, rowTerms } = packed;
  const bytes = Buffer.from(packed.termBytes.buffer);
  const terms = Array.from({ length: termOffsets.length - 1 }, (_, term) =>
    bytes.toString('utf8', termOffsets[term], termOffsets[term + 1]),
  );
  const { multiSentence, passages: wholes } = rows;
  const result: RowTerms[] = [];
  for (let row = 0; row < rows.rows; row += 1) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    const counts = new Map<string, number>();
    const own = rowTerms.subarray(rowOffsets[row], rowOffsets[row + 1]);
    for (const number of own) counts.set(terms[number]!, (counts.get(terms[number]!) ?? 0) + 1);
    const part = row < multiSentence ? 'whole' : row < wholes ? 'single' : 'sentence';
    result.push({ part, counts, length: own.length });
  }
  return result;
}
