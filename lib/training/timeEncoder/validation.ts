// How well a time encoder finds the passages of a validation split: Recall@5 and the reciprocal rank among all passages that its
// triplets name, answers and others. It trains nothing.
import type { TimeColumns } from '../../../binding.js';
import { binding } from '../../binding.js';
import type { TimeEncoder } from '../../vectors/timeEncoder.js';

/** A question and the passages that answer it, as row numbers. */
export interface Judged {
  question: number;
  positives: readonly number[];
}

export interface Found {
  /** Mean share of a question's right passages among the five best. */
  recall: number;
  /** Mean of one over the rank of the best right passage. */
  reciprocalRank: number;
}

/** Questions compared with the pool in one native task. */
const questionBatch = 64;
const depth = 5;

/** The rows of a validation split, apart from those that are trained on. */
export class ValidationSet {
  readonly size: number;
  readonly #vectors: Float32Array;
  readonly #columns: TimeColumns;
  readonly #dimensions: number;
  /** Passages are the first rows, questions follow. */
  readonly #pool: number;
  readonly #right: readonly (readonly number[])[];

  /** `pool` are the passages; rows are copied out of `vectors` and `columns`. */
  constructor(questions: readonly Judged[], pool: readonly number[], vectors: Float32Array, columns: TimeColumns, dimensions: number) {
    const rows = [...pool, ...questions.map(({ question }) => question)];
    const place = new Map(pool.map((row, i) => [row, i]));
    const pick = <Column extends Int32Array | Uint8Array | Uint16Array>(column: Column): Column => {
      const made = column.slice(0, rows.length) as Column;
      rows.forEach((row, i) => (made[i] = column[row]!));
      return made;
    };
    this.size = questions.length;
    this.#dimensions = dimensions;
    this.#pool = pool.length;
    this.#right = questions.map(({ positives }) => positives.map((row) => place.get(row)!));
    this.#columns = {
      year: pick(columns.year),
      month: pick(columns.month),
      day: pick(columns.day),
      dayOfYear: pick(columns.dayOfYear),
      mask: pick(columns.mask),
    };
    this.#vectors = new Float32Array(rows.length * dimensions);
    rows.forEach((row, i) => this.#vectors.set(vectors.subarray(row * dimensions, (row + 1) * dimensions), i * dimensions));
  }

  /** With a time encoder, or with the vectors as they are. A passage that ties with a right one stands before it. */
  async measure(encoder?: TimeEncoder): Promise<Found> {
    const across = encoder?.dimensions ?? this.#dimensions;
    const fused = encoder ? await encoder.fuse(this.#vectors, this.#columns) : this.#vectors;
    const passages = fused.subarray(0, this.#pool * across);
    let [recall, reciprocalRank] = [0, 0];
    for (let from = 0; from < this.size; from += questionBatch) {
      const to = Math.min(this.size, from + questionBatch);
      const products = await binding.innerProduct(fused.subarray((this.#pool + from) * across, (this.#pool + to) * across), passages, across);
      for (let i = from; i < to; i += 1) {
        const scores = products.subarray((i - from) * this.#pool, (i - from + 1) * this.#pool);
        const right = new Set(this.#right[i]!);
        const ranks = [...right].map((place) => 1 + wrongBefore(scores, scores[place]!, right));
        recall += ranks.filter((rank) => rank <= depth).length / right.size;
        reciprocalRank += 1 / Math.min(...ranks);
      }
    }
    return { recall: recall / this.size, reciprocalRank: reciprocalRank / this.size };
  }
}

function wrongBefore(scores: Float32Array, score: number, right: ReadonlySet<number>): number {
  let count = 0;
  for (let place = 0; place < scores.length; place += 1) if (scores[place]! >= score && !right.has(place)) count += 1;
  return count;
}
