// Encoder over an embedding service: batches, blank texts, prefixes, checks, normalization.
import { AsOfError, describe, invalidArgument, mustBeWhole, throwIfAborted } from '../errors.js';
import type { EncodeOptions, Encoder } from '../vectors/encoder.js';
import { checkPrefixes, type Prefixes } from './onnx/modelFolder.js';
import { createHash } from '../runtime/digest.js';

/** Options of all encoders over services. */
export interface EmbeddingOptions {
  /**
   * Dimensions of a vector, 1 to 16384. Default: those of one test request, sent when the encoder
   * is opened.
   */
  dimensions?: number | undefined;
  /**
   * Prefixes of texts by kind, as in training: { query: 'query: ', passage: 'passage: ' } for E5.
   * Default none.
   */
  prefixes?: Prefixes | undefined;
  /** Aborts the test request for `dimensions`. */
  signal?: AbortSignal | undefined;
}

/** Prefixes that are longer as JSON are in the id by their hash. */
const longestWritten = 80;

const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16);

export interface EmbeddingService {
  /** Identifies the model and all that changes its vectors, except prefixes and dimensions. */
  id: string;
  /** One vector for each text, in their order. */
  embed(texts: readonly string[], signal: AbortSignal | undefined): Promise<readonly unknown[]>;
  /** Texts in one call, at least 1. */
  batchSize: number;
  /** Concurrent calls, at least 1. */
  parallel: number;
}

/** @throws AsOfError ERR_INVALID_ARGUMENT; ERR_ENCODER_FAILED for an unusable test answer */
export async function embeddingEncoder(
  service: EmbeddingService,
  { dimensions, prefixes = {}, signal }: EmbeddingOptions,
): Promise<Encoder> {
  if (dimensions !== undefined) mustBeWhole({ dimensions }, 1, 16_384);
  const { query = '', passage = '' } = checkPrefixes(prefixes);
  throwIfAborted(signal);
  const width = dimensions ?? (await detectDimensions(service, signal));
  const written = JSON.stringify([query, passage]);
  // Instructions are sentences; an id of a corpus is at most 200 characters.
  const mark = written.length > longestWritten ? hashOf(written) : written;
  const id = `${service.id}:${width}${query === '' && passage === '' ? '' : `:${mark}`}`;
  if (id.length > 200) {
    throw invalidArgument(
      'prefixes',
      'short enough that the names of provider and model, and the prefixes, are at most 200 ' +
        'characters together',
      id,
    );
  }
  return {
    id,
    dimensions: width,
    async encode(texts, { kind, signal: stop }: EncodeOptions) {
      throwIfAborted(stop);
      const prefix = kind === 'query' ? query : passage;
      const vectors = new Float32Array(texts.length * width);
      // Services refuse blank texts; their rows stay zero.
      const rows = texts.flatMap((text, row) => (checkText(text, row).trim() === '' ? [] : [row]));
      const batches: number[][] = [];
      for (let from = 0; from < rows.length; from += service.batchSize)
        batches.push(rows.slice(from, from + service.batchSize));
      await forEachConcurrently(batches, service.parallel, stop, async (batch, batchSignal) => {
        const answer = await service.embed(
          batch.map((row) => prefix + texts[row]!),
          batchSignal,
        );
        throwIfAborted(batchSignal);
        if (!Array.isArray(answer) || answer.length !== batch.length)
          throw unusable(service, `${batch.length} vectors`, describe(answer));
        batch.forEach((row, index) =>
          writeRow(service, vectors.subarray(row * width, (row + 1) * width), answer[index]),
        );
      });
      return vectors;
    },
  };
}

async function detectDimensions(
  service: EmbeddingService,
  signal: AbortSignal | undefined,
): Promise<number> {
  const answer = await service.embed(['time'], signal);
  throwIfAborted(signal);
  const first: unknown = Array.isArray(answer) ? answer[0] : answer;
  const length = isVector(first) ? first.length : 0;
  if (length < 1 || length > 16384)
    throw unusable(service, 'a vector of 1 to 16384 numbers', describe(first));
  return length;
}

/** At most `width` at a time; the first error aborts the others and is rethrown. */
async function forEachConcurrently<T>(
  items: readonly T[],
  width: number,
  signal: AbortSignal | undefined,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const linked = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && !linked.aborted) await work(items[next++]!, linked);
  };
  const workers = Array.from({ length: Math.min(width, items.length) }, worker);
  await Promise.all(workers).catch(async (error: unknown) => {
    failed.abort(error);
    await Promise.allSettled(workers);
    throw error;
  });
  throwIfAborted(signal);
}

/** Copies a vector into its row, normalized to length 1; a zero vector stays zero. */
function writeRow(service: EmbeddingService, row: Float32Array, vector: unknown): void {
  if (!isVector(vector) || vector.length !== row.length) {
    throw unusable(
      service,
      `vectors of ${row.length} numbers`,
      describe(vector),
      'Check dimensions.',
    );
  }
  let squares = 0;
  for (const value of vector) {
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw unusable(service, 'vectors of finite numbers', `one with ${describe(value)}`);
    squares += value * value;
  }
  if (!Number.isFinite(squares))
    throw unusable(service, 'vectors of finite length', 'one that overflows');
  const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  vector.forEach((value, at) => (row[at] = value * scale));
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) || value instanceof Float32Array || value instanceof Float64Array;
}

function checkText(text: unknown, row: number): string {
  if (typeof text !== 'string') throw invalidArgument(`texts[${row}]`, 'a string', text);
  return text;
}

function unusable(
  { id }: EmbeddingService,
  expected: string,
  received: string,
  remedy = 'The model may not be an embedding model.',
): AsOfError {
  return new AsOfError(
    'ERR_ENCODER_FAILED',
    `Expected ${id} to return ${expected}, received ${received}. ${remedy}`,
    { details: { encoder: id } },
  );
}
