// Encoder over an embedding service: batches, blank texts, prefixes, checks, normalization.
import { AsOfError, describe, invalidArgument, throwIfAborted } from '../errors.js';
import type { EncodeOptions, Encoder } from '../vectors/encoder.js';
import type { Prefixes } from './onnx/modelFolder.js';

/** What all encoders over services take. */
export interface EmbeddingOptions {
  /**
   * Numbers in a vector, 1 to 16384. Default: what the model gives for a word that is asked once,
   * when the encoder is opened.
   */
  dimensions?: number;
  /**
   * What is put before texts of a kind, as the model was trained: { query: 'query: ', passage:
   * 'passage: ' } for E5. Default nothing.
   */
  prefixes?: Prefixes;
  /** For the question about `dimensions`. */
  signal?: AbortSignal;
}

export interface EmbeddingService {
  /** Of the model and everything that changes its vectors, prefixes and dimensions apart. */
  id: string;
  /** One vector for each text, in their order. */
  embed(texts: readonly string[], signal: AbortSignal | undefined): Promise<readonly unknown[]>;
  /** Texts in one call, from 1. */
  batchSize: number;
  /** Calls at once, from 1. */
  parallel: number;
}

/**
 * @throws AsOfError ERR_INVALID_ARGUMENT for options out of range; ERR_ENCODER_FAILED where the
 * dimensions are asked and the answer is unusable.
 */
export async function embeddingEncoder(
  service: EmbeddingService,
  { dimensions, prefixes = {}, signal }: EmbeddingOptions,
): Promise<Encoder> {
  if (
    dimensions !== undefined &&
    !(Number.isInteger(dimensions) && dimensions >= 1 && dimensions <= 16384)
  ) {
    throw invalidArgument('dimensions', 'a whole number from 1 to 16384', dimensions);
  }
  const { query = '', passage = '' } = checkPrefixes(prefixes);
  throwIfAborted(signal);
  const width = dimensions ?? (await askDimensions(service, signal));
  const marks = query === '' && passage === '' ? '' : `:${JSON.stringify([query, passage])}`;
  const id = `${service.id}:${width}${marks}`;
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
      // Services refuse blank texts, and a blank one says nothing: its row stays zero.
      const rows = texts.flatMap((text, row) => (checkText(text, row).trim() === '' ? [] : [row]));
      const batches: number[][] = [];
      for (let from = 0; from < rows.length; from += service.batchSize)
        batches.push(rows.slice(from, from + service.batchSize));
      await inTurns(batches, service.parallel, stop, async (batch, batchSignal) => {
        const given = await service.embed(
          batch.map((row) => prefix + texts[row]!),
          batchSignal,
        );
        throwIfAborted(batchSignal);
        if (!Array.isArray(given) || given.length !== batch.length)
          throw unusable(service, `${batch.length} vectors`, describe(given));
        batch.forEach((row, index) =>
          writeRow(service, vectors.subarray(row * width, (row + 1) * width), given[index]),
        );
      });
      return vectors;
    },
  };
}

async function askDimensions(
  service: EmbeddingService,
  signal: AbortSignal | undefined,
): Promise<number> {
  const given = await service.embed(['time'], signal);
  throwIfAborted(signal);
  const first: unknown = Array.isArray(given) ? given[0] : given;
  const length = isVector(first) ? first.length : 0;
  if (length < 1 || length > 16384)
    throw unusable(service, 'a vector of 1 to 16384 numbers', describe(first));
  return length;
}

/**
 * Runs the work on every item, at most `width` at once; the first failure aborts the others and is
 * thrown.
 */
async function inTurns<T>(
  items: readonly T[],
  width: number,
  signal: AbortSignal | undefined,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && !controller.signal.aborted)
      await work(items[next++]!, controller.signal);
  };
  try {
    const workers = Array.from({ length: Math.min(width, items.length) }, worker);
    await Promise.all(workers).catch((error: unknown) => {
      controller.abort(error);
      return Promise.allSettled(workers).then(() => Promise.reject(error));
    });
    throwIfAborted(signal);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** Copies a vector into its row, brought to length 1; a zero vector stays zero. */
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
    throw unusable(service, 'vectors whose length is a number', 'one that is too long');
  const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  vector.forEach((value, at) => (row[at] = value * scale));
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) || value instanceof Float32Array || value instanceof Float64Array;
}

function checkPrefixes(prefixes: Prefixes): Prefixes {
  if (typeof prefixes !== 'object' || prefixes === null)
    throw invalidArgument('prefixes', 'an object { query?, passage? }', prefixes);
  for (const kind of ['query', 'passage'] as const) {
    const prefix: unknown = prefixes[kind];
    if (prefix !== undefined && typeof prefix !== 'string')
      throw invalidArgument(`prefixes.${kind}`, 'a string', prefix);
  }
  return prefixes;
}

function checkText(text: unknown, row: number): string {
  if (typeof text !== 'string') throw invalidArgument(`texts[${row}]`, 'a string', text);
  return text;
}

function unusable(
  { id }: EmbeddingService,
  expected: string,
  received: string,
  remedy = 'The model may be none that embeds texts.',
): AsOfError {
  return new AsOfError(
    'ERR_ENCODER_FAILED',
    `Expected ${id} to give ${expected}, received ${received}. ${remedy}`,
    { details: { encoder: id } },
  );
}
