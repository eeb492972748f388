// Triplets as training data: each question and passage encoded once with the time that search fuses
// into it, examples as row numbers. Passages are streamed; unused ones are skipped.
import {
  invalidArgument,
  abortableItems,
  passageTimes,
  passageText,
  questionTimes,
  encodeTexts,
  seededRandom,
} from 'asof/kit';
import { AsOfError, type Passage, type StoredPassage, type Encoder } from 'asof';
import {
  type ParsedQuestion,
  parseInstant,
  parseQuestion,
  type TimeExtractor,
  type TimeTuple,
} from 'asof/time';
import type { Triplet } from '../mining/triplets.js';
import { timeTripletOf, type TimeTriplet } from './triplets.js';
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
  /** The time of each row. */
  times: readonly TimeTuple[];
  /**
   * One per question and used negative, and one of questions without. None of a question of no time
   * or of several: search compares it with plain rows, or by a mean.
   */
  examples: Examples;
  validation: ValidationSet;
  /** Rows of the questions; the others are passages. */
  questions: ReadonlySet<number>;
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
const noTime: TimeTuple = { year: 0, month: 0, dayOfMonth: 0, mask: [0, 0, 0] };
const batchTexts = 1024;

export interface EncodeTripletsOptions {
  /**
   * Kinds of negatives in examples. Default: those of another time. `random` is a positive of
   * another question, one per question.
   */
  kinds?: readonly string[];
  /** Whether questions of no time are examples too. Default false. */
  timeless?: boolean | undefined;
  /** Default: the times that search fuses without an extractor. */
  extractor?: TimeExtractor | undefined;
  signal?: AbortSignal | undefined;
  onText?: ((count: number) => void) | undefined;
  /** The encoded texts by their rows. */
  onBatch?: ((rows: readonly number[], texts: readonly string[]) => void) | undefined;
}

/**
 * Encodes the questions and passages of the triplets. Those of the split test join `validation`.
 * @throws AsOfError ERR_INVALID_INPUT for a missing passage
 */
export async function encodeTriplets(
  encoder: Encoder,
  triplets: AnyIterable<TimeTriplet | Triplet>,
  validation: AnyIterable<TimeTriplet | Triplet>,
  passages: AnyIterable<Passage>,
  options: EncodeTripletsOptions = {},
): Promise<EncodedTriplets> {
  const { kinds = ['time'] } = options;
  const rows = new Rows(encoder, options);
  const placed = await rows.place(triplets);
  const train = placed.filter(({ isTest }) => !isTest);
  const held = [...placed.filter(({ isTest }) => isTest), ...(await rows.place(validation))];
  for await (const passage of abortableItems(passages, options.signal)) await rows.passage(passage);
  const { vectors, times } = await rows.finish();
  const randomNegative = kinds.includes('random') ? negativeDraw(train) : undefined;
  const examples = train.flatMap(({ question, positive, negatives }) => {
    if (!options.timeless && times[question]!.mask[0] === 0) return [];
    const others = negatives.filter(({ kind }) => kinds.includes(kind)).map(({ row }) => row);
    const drawn = randomNegative?.(question);
    if (drawn !== undefined) others.push(drawn);
    return (others.length > 0 ? others : [noNegative]).map(
      (negative) => [question, positive, negative] as const,
    );
  });
  const column = (place: 0 | 1 | 2): Uint32Array =>
    Uint32Array.from(examples, (example) => example[place]);
  const questions = new Map<number, number[]>();
  for (const { question, positive } of held)
    questions.set(question, [...(questions.get(question) ?? []), positive]);
  const pool = new Set(
    held.flatMap(({ positive, negatives }) => [positive, ...negatives.map(({ row }) => row)]),
  );
  const judged = [...questions].map(([question, positives]) => ({ question, positives }));
  return {
    vectors,
    times,
    examples: { question: column(0), positive: column(1), negative: column(2) },
    questions: new Set(rows.questionRows),
    validation: new ValidationSet(judged, [...pool], vectors, times, encoder.dimensions),
    counts: {
      triplets: train.length,
      examples: examples.length,
      questions: rows.questionRows.length,
      passages: rows.passages,
      dated: times.filter(({ mask }) => mask[0] === 1).length,
      validation: questions.size,
    },
  };
}

/** Draws a positive of the triplets that is none of a question's own; undefined without one. */
function negativeDraw(triplets: readonly TripletRows[]): (question: number) => number | undefined {
  const random = seededRandom(1); // the same ones for every seed of a training
  const pool = [...new Set(triplets.map(({ positive }) => positive))];
  const own = new Map<number, Set<number>>();
  for (const { question, positive } of triplets)
    own.set(question, (own.get(question) ?? new Set()).add(positive));
  return (question) => {
    const known = own.get(question)!;
    if (known.size === pool.length) return undefined;
    let drawn = random.pick(pool);
    while (known.has(drawn)) drawn = random.pick(pool);
    return drawn;
  };
}

interface TripletRows {
  isTest: boolean;
  question: number;
  positive: number;
  negatives: { row: number; kind: string }[];
}

interface PassageRow {
  row: number;
  passage: StoredPassage;
}

interface QuestionRow {
  row: number;
  parsed: ParsedQuestion;
}

function isTimeTriplet(value: unknown): value is TimeTriplet {
  const { query, positive, negatives, passages = [] } = (value ?? {}) as Partial<TimeTriplet>;
  return (
    typeof query === 'string' &&
    typeof positive === 'string' &&
    Array.isArray(passages) &&
    Array.isArray(negatives) &&
    negatives.every((each) => typeof (each as { id?: unknown })?.id === 'string')
  );
}

const isMined = (triplet: TimeTriplet | Triplet): triplet is Triplet =>
  typeof (triplet as Triplet | undefined)?.question === 'string';

/** Rows by question and by passage; texts are kept only until their batch is encoded. */
class Rows {
  readonly #encoder: Encoder;
  readonly #options: EncodeTripletsOptions;
  readonly #questionRows = new Map<string, number>();
  readonly #passageRows = new Map<string, number>();
  readonly #missing = new Set<string>();
  #questions: QuestionRow[] = [];
  #passages: PassageRow[] = [];
  readonly #pieces: { rows: number[]; vectors: Float32Array }[] = [];
  readonly #times: TimeTuple[] = [];
  #count = 0;

  constructor(encoder: Encoder, options: EncodeTripletsOptions) {
    this.#encoder = encoder;
    this.#options = options;
  }

  get questionRows(): number[] {
    return [...this.#questionRows.values()];
  }

  get passages(): number {
    return this.#passageRows.size;
  }

  /** Assigns rows to questions and their passages; encodes the questions and passages given. */
  async place(triplets: AnyIterable<TimeTriplet | Triplet>): Promise<TripletRows[]> {
    const placed: TripletRows[] = [];
    for await (const given of abortableItems(triplets, this.#options.signal)) {
      const triplet = isMined(given) ? timeTripletOf(given) : given;
      if (!isTimeTriplet(triplet))
        throw invalidArgument(
          `triplet ${placed.length}`,
          'a TimeTriplet { query, askedAt?, positive, negatives }',
          triplet,
        );
      const { positive, negatives, passages = [], split } = triplet;
      placed.push({
        isTest: split === 'test',
        question: await this.#questionRow(triplet),
        positive: this.#passageRow(positive),
        negatives: negatives.map(({ id, kind }) => ({ row: this.#passageRow(id), kind })),
      });
      for (const passage of passages) await this.passage(passage);
    }
    await this.#flushQuestions();
    return placed;
  }

  async passage(passage: Passage): Promise<void> {
    if (!this.#missing.delete(passage?.id)) return;
    const { id, title, text, publishedAt } = passage;
    if (typeof text !== 'string')
      throw invalidArgument(
        `passage ${id}`,
        'a Passage { id, text, title?, publishedAt? }',
        passage,
      );
    const published =
      publishedAt === undefined
        ? {}
        : { publishedAt: parseInstant(publishedAt, 'start', `publishedAt of passage ${id}`) };
    const stored = { id, text, ...(title === undefined ? {} : { title }), ...published };
    this.#passages.push({ row: this.#passageRows.get(id)!, passage: stored });
    if (this.#passages.length >= batchTexts) await this.#flushPassages();
  }

  async finish(): Promise<{ vectors: Float32Array; times: TimeTuple[] }> {
    await this.#flushPassages();
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

  async #questionRow({ query: text, askedAt }: TimeTriplet): Promise<number> {
    const key = `${askedAt ?? ''} ${text}`;
    const known = this.#questionRows.get(key);
    if (known !== undefined) return known;
    const row = this.#count;
    this.#count += 1;
    this.#questionRows.set(key, row);
    const parsed = parseQuestion(askedAt === undefined ? { text } : { text, askedAt });
    this.#questions.push({ row, parsed });
    if (this.#questions.length >= batchTexts) await this.#flushQuestions();
    return row;
  }

  #passageRow(id: string): number {
    const known = this.#passageRows.get(id);
    if (known !== undefined) return known;
    const row = this.#count;
    this.#count += 1;
    this.#passageRows.set(id, row);
    this.#missing.add(id);
    return row;
  }

  async #flushQuestions(): Promise<void> {
    const pending = this.#questions;
    if (pending.length === 0) return;
    this.#questions = [];
    const times = await questionTimes(
      pending.map(({ parsed }) => parsed),
      this.#options,
    );
    const texts = pending.map(({ parsed }) => parsed.text);
    const sole = times.map((each) => (each.length === 1 ? each[0]! : noTime));
    await this.#encode('query', pending, texts, sole);
  }

  async #flushPassages(): Promise<void> {
    const pending = this.#passages;
    if (pending.length === 0) return;
    this.#passages = [];
    const passages = pending.map(({ passage }) => passage);
    const times = await passageTimes(passages, this.#options);
    await this.#encode('passage', pending, passages.map(passageText), times);
  }

  async #encode(
    kind: 'query' | 'passage',
    pending: readonly { row: number }[],
    texts: readonly string[],
    times: readonly TimeTuple[],
  ): Promise<void> {
    const { signal, onText, onBatch } = this.#options;
    const vectors = await encodeTexts(this.#encoder, texts, {
      kind,
      signal,
    });
    pending.forEach(({ row }, i) => (this.#times[row] = times[i]!));
    const rows = pending.map(({ row }) => row);
    this.#pieces.push({ rows, vectors });
    onBatch?.(rows, texts);
    onText?.(this.#pieces.reduce((sum, piece) => sum + piece.rows.length, 0));
  }
}
