// Triplets as rows of native memory: every distinct text encoded once, triplets as columns of row
// numbers.
import { createHash } from 'node:crypto';
import { TrainingRows, invalidArgument, abortableItems, passageText, encodeTexts } from 'asof/kit';
import type { Encoder } from 'asof';
import type { Triplet } from '../mining/triplets.js';

export interface TripletColumns {
  question: Uint32Array;
  positive: Uint32Array;
  negative: Uint32Array;
  margin: Float32Array;
}

export interface EncodedTripletRows {
  rows: TrainingRows;
  /** Temporal training triplets, then general ones, then held-out ones. */
  columns: TripletColumns;
  counts: { temporal: number; general: number; heldOut: number; texts: number };
  /** SHA-256 of the encoded texts in order. */
  textsHash: string;
}

const batchTexts = 1024;

interface EncodeRequest {
  text: string;
  kind: 'query' | 'passage';
}

/** Encodes and gathers triplets; passages as a corpus encodes them whole. */
export async function collectTriplets(
  triplets: Iterable<Triplet> | AsyncIterable<Triplet>,
  encoder: Encoder,
  options: { signal?: AbortSignal; onTriplet?: (count: number) => void },
): Promise<EncodedTripletRows> {
  const rows = await TrainingRows.open(encoder.dimensions);
  const known = new Map<string, number>();
  const texts = createHash('sha256');
  let pending: EncodeRequest[] = [];
  const flush = async (): Promise<void> => {
    if (pending.length === 0) return;
    rows.append(await encodeMixed(pending, encoder, options.signal));
    pending = [];
  };
  const rowOf = (text: string, kind: EncodeRequest['kind']): number => {
    const key = createHash('sha1').update(kind).update(text).digest('base64');
    const found = known.get(key);
    if (found !== undefined) return found;
    const row = known.size;
    known.set(key, row);
    texts.update(key);
    pending.push({ text, kind });
    return row;
  };
  const groups: [number, number, number, number][][] = [[], [], []];
  let count = 0;
  for await (const triplet of abortableItems(triplets, options.signal)) {
    const { kind, split, question, positive, negative, margin } = triplet;
    const whole =
      typeof question === 'string' &&
      typeof positive?.text === 'string' &&
      typeof negative?.text === 'string' &&
      margin >= 0 &&
      margin < Infinity;
    if (!whole)
      throw invalidArgument(
        `triplet ${count}`,
        'a Triplet { kind, split, question, positive, negative, margin }',
        triplet,
      );
    const group = split === 'test' ? 2 : kind === 'temporal' ? 0 : 1;
    groups[group]!.push([
      rowOf(question, 'query'),
      rowOf(passageText(positive), 'passage'),
      rowOf(passageText(negative), 'passage'),
      margin,
    ]);
    if (pending.length >= batchTexts) await flush();
    options.onTriplet?.((count += 1));
  }
  await flush();
  const all = groups.flat();
  const column = (place: number): Uint32Array =>
    Uint32Array.from(all, (triplet) => triplet[place]!);
  return {
    rows,
    columns: {
      question: column(0),
      positive: column(1),
      negative: column(2),
      margin: Float32Array.from(all, ([, , , margin]) => margin),
    },
    counts: {
      temporal: groups[0]!.length,
      general: groups[1]!.length,
      heldOut: groups[2]!.length,
      texts: known.size,
    },
    textsHash: texts.digest('hex'),
  };
}

/** Vectors in the order of the texts, encoded as queries or passages. */
async function encodeMixed(
  pending: readonly EncodeRequest[],
  encoder: Encoder,
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  const d = encoder.dimensions;
  const out = new Float32Array(pending.length * d);
  for (const kind of ['query', 'passage'] as const) {
    const places = [...pending.keys()].filter((i) => pending[i]!.kind === kind);
    const vectors = await encodeTexts(
      encoder,
      places.map((i) => pending[i]!.text),
      { kind, signal },
    );
    places.forEach((place, i) => out.set(vectors.subarray(i * d, (i + 1) * d), place * d));
  }
  return out;
}
