// Vectors of a damaged segment, where they are whole: repaired passages bring theirs, and no model
// is needed.
import type { StoredPassage } from '../../records.js';
import type { OwnVectors, VectorShape } from '../passages/ownVectors.js';
import { layOutRows } from '../writing/rows.js';
import type { SectionRange, SegmentSections } from './segmentSections.js';

/** The vectors of passages, given with their local numbers; undefined for others. */
export type StoredVectors = (
  passages: readonly { local: number; stored: StoredPassage }[],
) => Promise<Required<OwnVectors>[] | undefined>;

/** Components of a segment's vectors; undefined if its table does not say. */
export function dimensionsOf({ table }: SegmentSections): number | undefined {
  const [rows, vectors] = [table.get('rows.passage'), table.get('vectors.f32')];
  return rows && vectors && rows.bytes > 0 ? vectors.bytes / rows.bytes : undefined;
}

const sectionNames = ['rows.passage', 'rows.sentence', 'vectors.f32'] as const;

/**
 * The vectors of a segment; undefined if they, or the rows that they are of, are damaged or have
 * other dimensions than the corpus.
 */
export function storedVectors(
  sections: SegmentSections,
  passages: number,
  { dimensions, sentences }: Pick<VectorShape, 'dimensions' | 'sentences'>,
): StoredVectors | undefined {
  if (!sections.areWhole(...sectionNames)) return undefined;
  const [rowPassages, rowSentences, vectors] = sectionNames.map(
    (name) => sections.table.get(name)!,
  ) as [SectionRange, SectionRange, SectionRange];
  const rows = rowPassages.bytes / 4;
  if (dimensionsOf(sections) !== dimensions || passages > rows) return undefined;
  const passageOf = sections.read(rowPassages);
  const spans = sections.read(rowSentences);
  const { whole, firstSentence } = rowsOfPassages(passageOf, passages);
  const rowBytes = 4 * dimensions;
  const read = (row: number, count: number): Float32Array => {
    const bytes = sections.read(vectors, rowBytes * row, rowBytes * count);
    return new Float32Array(Uint8Array.from(bytes).buffer);
  };
  return async (batch) => {
    const laidOut = await layOutRows(
      batch.map(({ stored }) => stored),
      sentences,
    );
    const next = batch.map(({ local }) => firstSentence[local]!);
    for (let at = 0; at < laidOut.rows; at += 1) {
      const passage = laidOut.rowPassage[at]!;
      const { local } = batch[passage]!;
      const row = at < laidOut.passages ? whole[local]! : next[passage]!++;
      const [start, end] = laidOut.rowSentence.subarray(2 * at);
      const isSame =
        row < rows &&
        passageOf.readUInt32LE(4 * row) === local &&
        spans.readUInt32LE(8 * row) === start &&
        spans.readUInt32LE(8 * row + 4) === end;
      // Another version of the splitter made them.
      if (!isSame) return undefined;
    }
    return batch.map(({ local }, passage) => ({
      vector: read(whole[local]!, 1),
      sentenceVectors: read(firstSentence[local]!, next[passage]! - firstSentence[local]!),
    }));
  };
}

/** The row of each passage, and the first sentence's of those of several sentences. */
function rowsOfPassages(
  passageOf: Buffer,
  passages: number,
): { whole: Uint32Array; firstSentence: Uint32Array } {
  const whole = new Uint32Array(passages);
  const firstSentence = new Uint32Array(passages);
  for (let row = passageOf.length / 4 - 1; row >= 0; row -= 1) {
    const passage = passageOf.readUInt32LE(4 * row);
    if (row < passages) whole[passage] = row;
    else firstSentence[passage] = row;
  }
  return { whole, firstSentence };
}
