// Sentences of texts that are read. Those of evidence were found when it was indexed.
import type { Steps } from '../runtime/eventLoop.js';
import type { Snapshot } from '../store/views/snapshot.js';
import { sentenceRowsOf, sentencesOfEach } from '../store/views/rowTimes.js';
import { sentenceWindows, type Span } from '../text/sentences.js';

/** By the evidence itself: a copy of it may have another text. */
const indexed = new WeakMap<object, readonly Span[]>();

/** Keeps the sentences of a passage of a snapshot for who reads it. */
export function keepSentences(
  evidence: { text: string },
  snapshot: Snapshot,
  { segment, passage }: { segment: number; passage: number },
): void {
  // Where sentences have no rows they are not known; rows elsewhere may not have been fetched.
  if (snapshot.manifest.sentences === false || snapshot.remote) return;
  const stored = snapshot.segments[segment]!;
  const [from, to] = sentenceRowsOf(stored, passage);
  const rows = Array.from({ length: to - from }, (_, at) => from + at);
  indexed.set(evidence, rows.length > 0 ? sentencesOfEach(stored, rows) : [trimmed(evidence.text)]);
}

function trimmed(text: string): Span {
  const start = text.length - text.trimStart().length;
  return { start, end: Math.max(start, text.trimEnd().length) };
}

/** The sentences of each text. */
export function* sentencesOf(passages: readonly { text: string }[]): Steps<(readonly Span[])[]> {
  const all: (readonly Span[])[] = [];
  for (const passage of passages) {
    const own: Span[] = [];
    if (!indexed.has(passage))
      for (const some of sentenceWindows(passage.text)) {
        own.push(...some);
        yield;
      }
    all.push(indexed.get(passage) ?? own);
  }
  return all;
}
