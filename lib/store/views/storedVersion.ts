// What is stored of a passage, to compare with a new version of it, or to store it again.
import { hasSentenceRows } from '../format/manifest.js';
import type { OwnRows, OwnVectors } from '../passages/ownVectors.js';
import type { PreparedPassage } from '../passages/passages.js';
import { contentTimesOfEach, sentenceRowsOf, sentencesOfEach, wholeRowOf } from './rowTimes.js';
import type { Snapshot } from './snapshot.js';
import type { PassagePlace } from './snapshotSegment.js';

export type Version = Pick<PreparedPassage, 'hash' | 'vector' | 'sentenceVectors'>;
export type StoredVersion = Version & { place: PassagePlace };

/** Whether a passage adds nothing: one without vectors leaves those that are there. */
export function isUnchanged(
  known: Version,
  { hash, vector, sentenceVectors }: Version,
  isSame = known.hash.equals(hash),
): boolean {
  return (
    isSame &&
    (vector === undefined || areEqual(vector, known.vector)) &&
    (sentenceVectors === undefined || areEqual(sentenceVectors, known.sentenceVectors))
  );
}

const areEqual = (a: Float32Array, b: Float32Array | undefined): boolean =>
  b !== undefined && a.length === b.length && a.every((value, at) => value === b[at]);

/** Hash and vectors are read where they are compared. */
export function storedVersion(snapshot: Snapshot, place: PassagePlace): StoredVersion {
  return {
    place,
    get hash() {
      return snapshot.hash(place);
    },
    get vector() {
      return vectorOf(snapshot, place);
    },
    get sentenceVectors() {
      return sentenceVectorsOf(snapshot, place);
    },
  };
}

/** Its vectors; none of sentences where it has but one. */
export const storedVectors = (snapshot: Snapshot, place: PassagePlace): Required<OwnVectors> => ({
  vector: vectorOf(snapshot, place),
  sentenceVectors: sentenceVectorsOf(snapshot, place),
});

/** All that was made of its text. */
export function keptRows(snapshot: Snapshot, place: PassagePlace): OwnRows {
  const stored = snapshot.segments[place.segment]!;
  const [from, to] = sentenceRowsOf(stored, place.passage);
  const rows =
    from === to
      ? [wholeRowOf(stored, place.passage)]
      : Array.from({ length: to - from }, (_, nth) => from + nth);
  return {
    ...storedVectors(snapshot, place),
    contents: contentTimesOfEach(stored, rows),
    sentences: hasSentenceRows(snapshot.manifest) ? sentencesOfEach(stored, rows) : undefined,
    statements: snapshot.statements(place),
  };
}

function vectorOf(snapshot: Snapshot, { segment, passage }: PassagePlace): Float32Array {
  const row = wholeRowOf(snapshot.segments[segment]!, passage);
  return vectorsOf(snapshot, segment, row, row + 1);
}

function sentenceVectorsOf(snapshot: Snapshot, { segment, passage }: PassagePlace): Float32Array {
  const [from, to] = sentenceRowsOf(snapshot.segments[segment]!, passage);
  return vectorsOf(snapshot, segment, from, to);
}

function vectorsOf(snapshot: Snapshot, segment: number, from: number, to: number): Float32Array {
  const { dimensions } = snapshot.manifest.encoder;
  const stored = snapshot.segments[segment]!.segment;
  return stored.read('vectors.f32', from * dimensions, (to - from) * dimensions) as Float32Array;
}
