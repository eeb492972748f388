// Reading of passages while they are indexed: the content times of their rows, and their packed
// statements. The addon does it on all threads (native/statements/indexing.hpp); here times are
// read as instants of a time zone.
import { binding, withCancellation } from '../binding.js';
import type { IndexedColumns } from '../../binding.js';
import type { StoredPassage } from '../records.js';
import { inTurns } from '../runtime/eventLoop.js';
import { granularities, type Interval } from '../time/interval.js';
import {
  batchesOf,
  instantSteps,
  mostSentences,
  mostUnits,
  sourcesOf,
  type SplitPassages,
} from './sources.js';
import type { Span } from './words.js';

/** Times of lists, one list after another, of which each ends at its place in `listEnds`. */
export interface TimeLists {
  listEnds: Uint32Array;
  starts: Float64Array;
  ends: Float64Array;
  /** Places in `granularities`. */
  granularities: Uint8Array;
}

/** The times of a list. */
export function intervalsAt({ listEnds, ...times }: TimeLists, list: number): Interval[] {
  const from = list === 0 ? 0 : listEnds[list - 1]!;
  return Array.from({ length: listEnds[list]! - from }, (_, nth) => ({
    start: times.starts[from + nth]!,
    end: times.ends[from + nth]!,
    granularity: granularities[times.granularities[from + nth]!]!,
  }));
}

/** Lists of times, as columns. */
export function timeLists(lists: readonly (readonly Interval[])[]): TimeLists {
  const all = lists.flat();
  let end = 0;
  return {
    listEnds: Uint32Array.from(lists, ({ length }) => (end += length)),
    starts: Float64Array.from(all, ({ start }) => start),
    ends: Float64Array.from(all, (each) => each.end),
    granularities: Uint8Array.from(all, ({ granularity }) => granularities.indexOf(granularity)),
  };
}

export interface IndexedPassages {
  /** Content times: of each passage, then of its sentences if they have rows. */
  contents: TimeLists;
  /** Packed statements, but of long passages, in the form of a segment's sections. */
  statements?: { offsets: BigUint64Array; bytes: Uint8Array };
}

export interface IndexingOptions {
  /** Whether passages of several sentences have rows of them. Default false. */
  sentenceRows?: boolean;
  /** Whether statements are packed. Default false. */
  packs?: boolean;
  timeZone?: string | undefined;
}

export async function readIndexed(
  passages: readonly StoredPassage[],
  sentences: readonly (readonly Span[])[],
  options: IndexingOptions,
  signal?: AbortSignal,
): Promise<IndexedPassages> {
  const parts: IndexedColumns[] = [];
  for (const batch of batchesOf(passages, sentences))
    parts.push(await readBatch(batch, options, signal));
  return joined(parts, options.packs === true);
}

async function readBatch(
  { passages, sentences }: SplitPassages,
  { sentenceRows = false, packs = false, timeZone }: IndexingOptions,
  signal: AbortSignal | undefined,
): Promise<IndexedColumns> {
  const packed = Uint8Array.from(passages, ({ text }, at) =>
    Number(packs && text.length <= mostUnits && sentences[at]!.length <= mostSentences),
  );
  const request = { ...sourcesOf(passages, sentences, timeZone), packed, sentenceRows };
  const { batch, stretches, hasOffset } = await withCancellation(signal, (cancellation) =>
    binding.tagPassages(request, cancellation),
  );
  const instants =
    timeZone === undefined
      ? undefined
      : await inTurns(instantSteps(timeZone, stretches, hasOffset), signal);
  return withCancellation(signal, (cancellation) =>
    binding.readTagged(batch, instants, cancellation),
  );
}

/** The columns of batches as those of all. */
function joined(parts: readonly IndexedColumns[], isPacked: boolean): IndexedPassages {
  const float64 = (name: 'starts' | 'ends'): Float64Array =>
    concatenated(
      Float64Array,
      parts.map((each) => each[name]),
    );
  const bytes = (name: 'granularities' | 'packed'): Uint8Array =>
    concatenated(
      Uint8Array,
      parts.map((each) => each[name]),
    );
  const contents = {
    listEnds: Uint32Array.from(endsOf(parts.map(({ timeEnds }) => timeEnds))),
    starts: float64('starts'),
    ends: float64('ends'),
    granularities: bytes('granularities'),
  };
  if (!isPacked) return { contents };
  const offsets = [0, ...endsOf(parts.map(({ packedEnds }) => packedEnds))];
  const statements = { offsets: BigUint64Array.from(offsets, BigInt), bytes: bytes('packed') };
  return { contents, statements };
}

function concatenated<Column extends Float64Array | Uint8Array>(
  Columns: new (length: number) => Column,
  parts: readonly Column[],
): Column {
  const all = new Columns(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function endsOf(parts: readonly Uint32Array[]): number[] {
  const all: number[] = [];
  for (const ends of parts) {
    const before = all.at(-1) ?? 0;
    for (const end of ends) all.push(before + end);
  }
  return all;
}
