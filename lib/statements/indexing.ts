// Reading of passages while they are indexed: the content times of their rows, and their packed
// statements. The addon does it on all threads (native/statements/indexing.hpp);
// here words are read as an analyzer has them, and times as instants of a time zone.
import { binding, withCancellation } from '../binding.js';
import type { IndexedColumns } from '../../binding.js';
import type { StoredPassage } from '../records.js';
import { inTurns, type Steps } from '../runtime/eventLoop.js';
import type { Analyzer } from '../text/analyzer.js';
import { granularities, type Interval } from '../time/interval.js';
import { Lexicon } from './lexicon.js';
import { instantSteps, mostSentences, mostUnits, sourcesOf } from './sources.js';
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
  /** Whose terms are packed; without it nothing is. */
  analyzer?: Analyzer | undefined;
  timeZone?: string | undefined;
}

/** Passages that are read together, and the UTF-16 units at which a batch ends before. */
const together = { passages: 256, units: mostUnits };
/** Words that are read between turns of the event loop. */
const wordsAtOnce = 64;

/** By analyzer: a lexicon of words that are packed, for the segments that one writes. */
const lexicons = new WeakMap<Analyzer, Lexicon>();

function lexiconOf(analyzer: Analyzer): Lexicon {
  let lexicon = lexicons.get(analyzer);
  if (!lexicon || lexicon.isFull) lexicons.set(analyzer, (lexicon = new Lexicon({ analyzer })));
  return lexicon;
}

export async function readIndexed(
  passages: readonly StoredPassage[],
  sentences: readonly (readonly Span[])[],
  { analyzer, ...options }: IndexingOptions,
  signal?: AbortSignal,
): Promise<IndexedPassages> {
  const lexicon = analyzer && lexiconOf(analyzer);
  const parts: IndexedColumns[] = [];
  for (let from = 0; from < passages.length; ) {
    let to = from;
    for (let units = 0; to < passages.length && to - from < together.passages; to += 1) {
      units += passages[to]!.text.length;
      if (to > from && units > together.units) break;
    }
    const batch = { passages: passages.slice(from, to), sentences: sentences.slice(from, to) };
    parts.push(await readBatch(batch, lexicon, options, signal));
    from = to;
  }
  return joined(parts, lexicon !== undefined);
}

async function readBatch(
  { passages, sentences }: { passages: StoredPassage[]; sentences: (readonly Span[])[] },
  lexicon: Lexicon | undefined,
  { sentenceRows = false, timeZone }: Omit<IndexingOptions, 'analyzer'>,
  signal: AbortSignal | undefined,
): Promise<IndexedColumns> {
  const packed = Uint8Array.from(passages, ({ text }, at) =>
    Number(lexicon && text.length <= mostUnits && sentences[at]!.length <= mostSentences),
  );
  const request = { ...sourcesOf(passages, sentences, timeZone), packed, sentenceRows };
  const { batch, stretches, hasOffset } = await withCancellation(signal, (cancellation) =>
    binding.tagPassages(request, cancellation),
  );
  const { words, lacking } = binding.findWords(lexicon?.handle ?? binding.openLexicon(), batch);
  if (lexicon) await inTurns(addWords(lexicon, lacking), signal);
  const instants =
    timeZone === undefined
      ? undefined
      : await inTurns(instantSteps(timeZone, stretches, hasOffset), signal);
  return withCancellation(signal, (cancellation) =>
    binding.readTagged(words, instants, cancellation),
  );
}

function* addWords(lexicon: Lexicon, written: readonly string[]): Steps<void> {
  for (let from = 0; from < written.length; from += wordsAtOnce) {
    lexicon.add(written.slice(from, from + wordsAtOnce));
    yield;
  }
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
