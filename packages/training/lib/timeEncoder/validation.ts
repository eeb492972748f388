// Validation of a time encoder: Recall@5 and reciprocal rank among all passages of the validation
// triplets.
import { TrainingRows } from 'asof/kit';
import type { TimeEncoder } from 'asof/models';
import type { TimeTuple } from 'asof/time';

/** A question and the passages that answer it, as row numbers. */
export interface ValidationQuestion {
  question: number;
  positives: readonly number[];
}

export interface RetrievalQuality {
  /** Share of a question's relevant passages among the top five. */
  recall: number;
  /** Reciprocal rank of the best relevant passage. */
  reciprocalRank: number;
}

/** Questions compared with the pool in one native task. */
const questionBatch = 64;
const depth = 5;

/** The rows of a validation split, separate from the training rows. */
export class ValidationSet {
  readonly size: number;
  readonly #vectors: Float32Array;
  readonly #times: readonly TimeTuple[];
  readonly #dimensions: number;
  /** Passages are the first rows, questions follow. */
  readonly #pool: number;
  readonly #right: readonly (readonly number[])[];

  /** `pool` are the passages; rows are copied out of `vectors`. */
  constructor(
    questions: readonly ValidationQuestion[],
    pool: readonly number[],
    vectors: Float32Array,
    times: readonly TimeTuple[],
    dimensions: number,
  ) {
    const rows = [...pool, ...questions.map(({ question }) => question)];
    const place = new Map(pool.map((row, i) => [row, i]));
    this.size = questions.length;
    this.#dimensions = dimensions;
    this.#pool = pool.length;
    this.#right = questions.map(({ positives }) => positives.map((row) => place.get(row)!));
    this.#times = rows.map((row) => times[row]!);
    this.#vectors = new Float32Array(rows.length * dimensions);
    rows.forEach((row, i) =>
      this.#vectors.set(vectors.subarray(row * dimensions, (row + 1) * dimensions), i * dimensions),
    );
  }

  /** Means of `each`. */
  async measure(encoder?: TimeEncoder): Promise<RetrievalQuality> {
    const found = await this.each(encoder);
    const mean = (of: keyof RetrievalQuality): number =>
      found.reduce((sum, one) => sum + one[of], 0) / this.size;
    return { recall: mean('recall'), reciprocalRank: mean('reciprocalRank') };
  }

  /**
   * Per question, with a time encoder or with the base vectors. Questions without a time use the
   * base vectors either way, as in retrieval. Ties count against the relevant passage.
   */
  async each(encoder?: TimeEncoder): Promise<RetrievalQuality[]> {
    const across = encoder?.dimensions ?? this.#dimensions;
    const fused = encoder ? await encoder.fuse(this.#vectors, this.#times) : this.#vectors;
    const numbers = Array.from({ length: this.size }, (_, i) => i);
    const hasTime = (i: number): boolean => this.#times[this.#pool + i]!.mask[0] === 1;
    const found: RetrievalQuality[] = [];
    await this.#rank(numbers.filter(hasTime), fused, across, found);
    await this.#rank(
      numbers.filter((i) => !hasTime(i)),
      this.#vectors,
      this.#dimensions,
      found,
    );
    return found;
  }

  async #rank(
    questions: readonly number[],
    rows: Float32Array,
    across: number,
    found: RetrievalQuality[],
  ): Promise<void> {
    const passages = rows.subarray(0, this.#pool * across);
    for (let from = 0; from < questions.length; from += questionBatch) {
      const some = questions.slice(from, from + questionBatch);
      const asked = new Float32Array(some.length * across);
      some.forEach((i, k) =>
        asked.set(
          rows.subarray((this.#pool + i) * across, (this.#pool + i + 1) * across),
          k * across,
        ),
      );
      const products = await TrainingRows.products(asked, passages, across);
      for (const [k, i] of some.entries()) {
        const scores = products.subarray(k * this.#pool, (k + 1) * this.#pool);
        const right = new Set(this.#right[i]);
        const ranks = [...right].map((place) => 1 + wrongAhead(scores, scores[place]!, right));
        found[i] = {
          recall: ranks.filter((rank) => rank <= depth).length / right.size,
          reciprocalRank: 1 / Math.min(...ranks),
        };
      }
    }
  }
}

function wrongAhead(scores: Float32Array, score: number, right: ReadonlySet<number>): number {
  let count = 0;
  for (let place = 0; place < scores.length; place += 1)
    if (scores[place]! >= score && !right.has(place)) count += 1;
  return count;
}
