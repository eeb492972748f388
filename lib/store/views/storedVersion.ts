// What is stored of a passage, to compare with a new version of it, or to store it again.
import { binding } from '../../binding.js';
import { hasSentenceRows } from '../format/manifest.js';
import type { KeptRows, OwnRows, OwnVectors } from '../passages/ownVectors.js';
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

/** All that was made of a passage's text, or without what depends on its time of publication. */
export class StoredRows implements KeptRows {
  constructor(
    private readonly snapshot: Snapshot,
    private readonly place: PassagePlace,
    private readonly hasSameTimes = true,
  ) {}

  /** In a few reads of each segment. */
  readEach(all: readonly StoredRows[]): OwnRows[] {
    const { segments, manifest } = this.snapshot;
    const rows = new Array<OwnRows>(all.length);
    for (const [segment, stored] of segments.entries()) {
      const own = [...all.entries()].filter(([, { place }]) => place.segment === segment);
      if (own.length === 0) continue;
      const passages = own.map(([, { place }]) => place.passage);
      const numbers = binding.rowsOfPassages(stored.segment, Uint32Array.from(passages));
      const spans = own.map((_, nth) => numbers.subarray(3 * nth, 3 * nth + 3) as Spans);
      const wholes = this.vectorsOf(
        segment,
        spans.map(([whole]) => [whole, whole + 1]),
      );
      const sentences = this.vectorsOf(
        segment,
        spans.map(([, from, to]) => [from, to]),
      );
      const each = spans.map(([whole, from, to]) =>
        from === to ? [whole] : Array.from({ length: to - from }, (_, nth) => from + nth),
      );
      const contents = contentTimesOfEach(stored, each.flat());
      const texts = hasSentenceRows(manifest) ? sentencesOfEach(stored, each.flat()) : undefined;
      const statements = this.snapshot.statements(segment, passages);
      let end = 0;
      for (const [nth, [at, { hasSameTimes }]] of own.entries()) {
        const from = end;
        end += each[nth]!.length;
        rows[at] = {
          vector: wholes[nth],
          sentenceVectors: sentences[nth],
          sentences: texts?.slice(from, end),
          ...(hasSameTimes && {
            contents: contents.slice(from, end),
            statements: statements?.[nth],
          }),
        };
      }
    }
    return rows;
  }

  private vectorsOf(segment: number, rows: readonly [from: number, to: number][]): Float32Array[] {
    const { dimensions } = this.snapshot.manifest.encoder;
    const stretches = rows.flatMap(([from, to]) => [from * dimensions, (to - from) * dimensions]);
    const { segment: stored } = this.snapshot.segments[segment]!;
    const all = stored.readEach('vectors.f32', Uint32Array.from(stretches)) as Float32Array;
    let end = 0;
    return rows.map(([from, to]) => all.subarray(end, (end += (to - from) * dimensions)));
  }
}

type Spans = Uint32Array & [whole: number, from: number, to: number];

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
