// The encoder of a damaged corpus: the one that its manifest names, or one whose vectors are those
// that the segments have.
import { join } from 'node:path';
import { AsOfError } from '../../errors.js';
import { canEncode, encodeTexts, type Encoder } from '../../vectors/encoder.js';
import { checkSameEncoder, embeddedEncoder } from '../opening.js';
import { readRecord } from '../passages/passages.js';
import { layOutRows } from '../writing/rows.js';
import type { Inventory } from './inventory.js';
import { SegmentSections } from './segmentSections.js';
import { readableLocals, recordOf, type Source } from './source.js';
import { dimensionsOf, storedVectors } from './storedVectors.js';

/** The encoder of a corpus, whether it is at hand or not, and whether sentences have rows. */
export interface CorpusEncoder {
  id: string;
  dimensions: number;
  encoder: Encoder | undefined;
  sentences: boolean;
}

/** Passages of a segment whose vectors are compared. */
const comparedPassages = 8;
/** Least inner product of two vectors of one text by one encoder, in whatever precision. */
const leastSimilarity = 0.99;

/** @throws AsOfError ERR_ENCODER_MISMATCH */
export async function encoderOf(
  { manifest, sources, schema }: Inventory,
  folder: string,
  given: Encoder | undefined,
): Promise<CorpusEncoder> {
  if (manifest && given) checkSameEncoder(manifest, given);
  const encoder = given ?? (await embeddedEncoder(manifest));
  const { sentences = true } = schema;
  if (manifest) return { ...manifest.encoder, encoder, sentences };
  for (const source of sources) {
    const isSame = await hasItsVectors(source, folder, { encoder: encoder!, sentences });
    if (isSame === undefined) continue;
    if (isSame) break;
    throw new AsOfError(
      'ERR_ENCODER_MISMATCH',
      `Expected the encoder of the corpus, whose manifest is lost, received ${encoder!.id}, whose ` +
        `vectors are others than those of ${source.file}. Name it with --encoder.`,
    );
  }
  return { id: encoder!.id, dimensions: encoder!.dimensions, encoder, sentences };
}

/** Whether a segment has the vectors of an encoder; undefined if nothing of it can be compared. */
async function hasItsVectors(
  source: Source,
  folder: string,
  { encoder, sentences }: { encoder: Encoder; sentences: boolean },
): Promise<boolean | undefined> {
  const sections = source.parts?.sections ?? SegmentSections.open(join(folder, source.file));
  if (!sections || source.passages === undefined) return undefined;
  try {
    const dimensions = dimensionsOf(sections);
    if (dimensions !== undefined && dimensions !== encoder.dimensions) return false;
    // Of a model that is only named nothing else can be compared.
    if (!canEncode(encoder)) return dimensions === undefined ? undefined : true;
    const passages = readableLocals(source)
      .slice(0, comparedPassages)
      .map((local) => ({ local, stored: readRecord(recordOf(source, local), source.file) }));
    const shape = { dimensions: encoder.dimensions, sentences };
    const stored = await storedVectors(sections, source.passages, shape)?.(passages);
    if (!stored || passages.length === 0) return undefined;
    const { texts } = await layOutRows(
      passages.map((each) => each.stored),
      false,
    );
    const own = await encodeTexts(encoder, texts, { kind: 'passage' });
    const width = encoder.dimensions;
    return stored.every(({ vector }, row) =>
      isNear(vector, own.subarray(row * width, (row + 1) * width)),
    );
  } finally {
    if (!source.parts) sections.close();
  }
}

/** Of vectors of length 1; a text without content has zeros. */
function isNear(a: Float32Array, b: Float32Array): boolean {
  let [product, length] = [0, 0];
  for (const [at, value] of a.entries()) {
    product += value * b[at]!;
    length += value * value;
  }
  return product >= leastSimilarity * length;
}
