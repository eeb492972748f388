// Triplets as training data: each question and passage encoded once with its time, examples as row
// numbers. Passages are streamed; unused ones are skipped.
import type { TimeColumns } from '../../../binding.js';
import { AsOfError, invalidArgument } from '../../errors.js';
import type { Passage, TimeInput } from '../../records.js';
import { passageText } from '../../store/rows.js';
import { timeTuples, type TimeExtractor } from '../../time/timeExtractor.js';
import type { TimeTuple } from '../../time/tuple.js';
import { encodeTexts, type Encoder } from '../../vectors/encoder.js';
import { timeColumns } from '../../vectors/timeEncoder.js';
import type { TimeTriplet } from './triplets.js';
import { ValidationSet } from './validation.js';

export type AnyIterable<T> = Iterable<T> | AsyncIterable<T>;

export interface Examples {
  question: Uint32Array;
  positive: Uint32Array;
  /** A negative passage, or `noNegative`. */
  negative: Uint32Array;
}

export interface EncodedTriplets {
  vectors: Float32Array;
  columns: TimeColumns;
  /** One per question and used negative; one without a negative for other questions. */
  examples: Examples;
  validation: ValidationSet;
  counts: {
    triplets: number;
    examples: number;
    questions: number;
    passages: number;
    dated: number;
    validation: number;
  };
}

const noNegative = 0xffffffff;
const batchTexts = 1024;

export interface EncodeTripletsOptions {
  /** Kinds of negatives in examples. Default: those of another time. */
  kinds?: readonly string[];
  extractor?: TimeExtractor;
  signal?: AbortSignal;
  onText?: (count: number) => void;
}

/**
 * Encodes the questions and passages of the triplets.
 * @throws AsOfError ERR_INVALID_INPUT for a missing passage
 */
export async function encodeTriplets(
  encoder: Encoder,
  triplets: AnyIterable<TimeTriplet>,
  validation: AnyIterable<TimeTriplet>,
  passages: AnyIterable<Passage>,
  options: EncodeTripletsOptions = {},
): Promise<EncodedTriplets> {
  const { kinds = ['time'] } = options;
  const rows = new Rows(encoder, options);
  const [train, held] = [await rows.place(triplets), await rows.place(validation)];
  for await (const passage of passages) await rows.passage(passage);
  const { vectors, times } = await rows.finish();
  const examples = train.flatMap(({ question, positive, negatives }) => {
    const others = negatives.filter(({ kind }) => kinds.includes(kind)).map(({ row }) => row);
    return (others.length > 0 ? others : [noNegative]).map(
      (negative) => [question, positive, negative] as const,
    );
  });
  const column = (place: 0 | 1 | 2): Uint32Array =>
    Uint32Array.from(examples, (example) => example[place]);
  const columns = timeColumns(times);
  const questions = new Map<number, number[]>();
  for (const { question, positive } of held)
    questions.set(question, [...(questions.get(question) ?? []), positive]);
  const pool = new Set(
    held.flatMap(({ positive, negatives }) => [positive, ...negatives.map(({ row }) => row)]),
  );
  const judged = [...questions].map(([question, positives]) => ({ question, positives }));
  return {
    vectors,
    columns,
    examples: { question: column(0), positive: column(1), negative: column(2) },
    validation: new ValidationSet(judged, [...pool], vectors, columns, encoder.dimensions),
    counts: {
      triplets: train.length,
      examples: examples.length,
      questions: rows.questions,
      passages: rows.passages,
      dated: times.filter(({ mask }) => mask[0] === 1).length,
      validation: questions.size,
    },
  };
}

interface TripletRows {
  question: number;
  positive: number;
  negatives: { row: number; kind: string }[];
}

interface TextRow {
  row: number;
  text: string;
  reference: TimeInput | undefined;
}

function isTimeTriplet(value: unknown): value is TimeTriplet {
  const { query, positive, negatives } = (value ?? {}) as Partial<TimeTriplet>;
  return (
    typeof query === 'string' &&
    typeof positive === 'string' &&
    Array.isArray(negatives) &&
    negatives.every((each) => typeof (each as { id?: unknown })?.id === 'string')
  );
}

/** Rows by question and by passage; texts are kept only until their batch is encoded. */
class Rows {
  readonly #encoder: Encoder;
  readonly #options: EncodeTripletsOptions;
  readonly #questions = new Map<string, number>();
  readonly #passages = new Map<string, number>();
  readonly #missing = new Set<string>();
  #pending: TextRow[] = [];
  readonly #pieces: { rows: number[]; vectors: Float32Array }[] = [];
  readonly #times: TimeTuple[] = [];
  #count = 0;

  constructor(encoder: Encoder, options: EncodeTripletsOptions) {
    this.#encoder = encoder;
    this.#options = options;
  }

  get questions(): number {
    return this.#questions.size;
  }

  get passages(): number {
    return this.#passages.size;
  }

  /** Assigns rows to questions and their passages, and encodes the questions. */
  async place(triplets: AnyIterable<TimeTriplet>): Promise<TripletRows[]> {
    const placed: TripletRows[] = [];
    for await (const triplet of triplets) {
      if (!isTimeTriplet(triplet))
        throw invalidArgument(
          `triplet ${placed.length}`,
          'a TimeTriplet { query, askedAt?, positive, negatives }',
          triplet,
        );
      const { query, askedAt, positive, negatives } = triplet;
      const key = `${askedAt ?? ''} ${query}`;
      let question = this.#questions.get(key);
      if (question === undefined) {
        question = this.#count;
        this.#count += 1;
        this.#questions.set(key, question);
        this.#pending.push({ row: question, text: query, reference: askedAt });
        if (this.#pending.length >= batchTexts) await this.#flush('query');
      }
      placed.push({
        question,
        positive: this.#rowOf(positive),
        negatives: negatives.map(({ id, kind }) => ({ row: this.#rowOf(id), kind })),
      });
    }
    await this.#flush('query');
    return placed;
  }

  async passage(passage: Passage): Promise<void> {
    if (!this.#missing.delete(passage?.id)) return;
    if (typeof passage.text !== 'string')
      throw invalidArgument(
        `passage ${passage.id}`,
        'a Passage { id, text, title?, publishedAt? }',
        passage,
      );
    const text = passageText(
      passage.title === undefined
        ? { text: passage.text }
        : { title: passage.title, text: passage.text },
    );
    this.#pending.push({
      row: this.#passages.get(passage.id)!,
      text,
      reference: passage.publishedAt,
    });
    if (this.#pending.length >= batchTexts) await this.#flush('passage');
  }

  async finish(): Promise<{ vectors: Float32Array; times: TimeTuple[] }> {
    await this.#flush('passage');
    const [first] = this.#missing;
    if (first !== undefined) {
      const message = `Expected every passage that a triplet names among the passages, found ${this.#missing.size} missing, ${JSON.stringify(first)} the first. `;
      throw new AsOfError(
        'ERR_INVALID_INPUT',
        `${message}Give the passages of the same benchmark.`,
      );
    }
    const { dimensions } = this.#encoder;
    const vectors = new Float32Array(this.#count * dimensions);
    for (const piece of this.#pieces)
      piece.rows.forEach((row, i) =>
        vectors.set(piece.vectors.subarray(i * dimensions, (i + 1) * dimensions), row * dimensions),
      );
    return { vectors, times: this.#times };
  }

  #rowOf(id: string): number {
    const known = this.#passages.get(id);
    if (known !== undefined) return known;
    const row = this.#count;
    this.#count += 1;
    this.#passages.set(id, row);
    this.#missing.add(id);
    return row;
  }

  async #flush(kind: 'query' | 'passage'): Promise<void> {
    const pending = this.#pending;
    if (pending.length === 0) return;
    this.#pending = [];
    const { signal, extractor, onText } = this.#options;
    const texts = pending.map(({ text }) => text);
    const ofSignal = signal ? { signal } : {};
    const vectors = await encodeTexts(this.#encoder, texts, { kind, ...ofSignal });
    const times = await timeTuples(texts, {
      kind,
      references: pending.map(({ reference }) => reference),
      ...ofSignal,
      ...(extractor ? { extractor } : {}),
    });
    pending.forEach(({ row }, i) => (this.#times[row] = times[i]!));
    this.#pieces.push({ rows: pending.map(({ row }) => row), vectors });
    onText?.(this.#pieces.reduce((sum, piece) => sum + piece.rows.length, 0));
  }
}
