// Texts of passages in the form that the addon reads, and their times as instants of a time zone.
import type { PassageSources } from '../../binding.js';
import type { StoredPassage } from '../records.js';
import type { Steps } from '../runtime/eventLoop.js';
import { boundsFromWallClock, boundsOnWallClock, toWallClock } from '../time/timeZone.js';
import type { Span } from './words.js';

/** Passages of more sentences or UTF-16 units are read in excerpts, near to a question. */
export const mostSentences = 48;
export const mostUnits = 65_536;

/** Passages that are read together, and the UTF-16 units at which a batch ends before. */
const together = { passages: 256, units: mostUnits };

export interface SplitPassages {
  passages: readonly StoredPassage[];
  sentences: readonly (readonly Span[])[];
}

/** Passages and their sentences in batches that are read at once. */
export function* batchesOf(
  passages: readonly StoredPassage[],
  sentences: readonly (readonly Span[])[],
): Generator<SplitPassages> {
  for (let from = 0; from < passages.length; ) {
    let to = from;
    for (let units = 0; to < passages.length && to - from < together.passages; to += 1) {
      units += passages[to]!.text.length;
      if (to > from && units > together.units) break;
    }
    yield { passages: passages.slice(from, to), sentences: sentences.slice(from, to) };
    from = to;
  }
}

export function sourcesOf(
  passages: readonly Pick<StoredPassage, 'text' | 'title' | 'publishedAt'>[],
  sentences: readonly (readonly Span[])[],
  timeZone?: string,
): PassageSources {
  let end = 0;
  const sentenceEnds = Uint32Array.from(sentences, ({ length }) => (end += length));
  const spans = new Uint32Array(2 * end);
  let at = 0;
  for (const own of sentences)
    for (const span of own) {
      spans[at++] = span.start;
      spans[at++] = span.end;
    }
  const publishedAt = Float64Array.from(passages, ({ publishedAt = NaN }) => publishedAt);
  return {
    texts: passages.map(({ text }) => text),
    titles: passages.map(({ title = '' }) => title),
    sentenceEnds,
    sentences: spans,
    references: publishedAt.map((instant) => toWallClock(instant, timeZone)),
    publishedAt,
  };
}

/** Times that are converted between turns of the event loop. */
const timesAtOnce = 64;

/** Start and end of each stretch as instants, then on the wall clock. */
export function* instantSteps(
  timeZone: string,
  stretches: Float64Array,
  hasOffset: Uint8Array,
): Steps<Float64Array> {
  const all = new Float64Array(4 * hasOffset.length);
  for (const [at, offset] of hasOffset.entries()) {
    const stretch = { start: stretches[2 * at]!, end: stretches[2 * at + 1]! };
    const { start, end } = offset === 1 ? stretch : boundsFromWallClock(stretch, timeZone);
    const wall = boundsOnWallClock({ start, end }, timeZone);
    all.set([start, end, wall.start, wall.end], 4 * at);
    if (at % timesAtOnce === 0) yield;
  }
  return all;
}
