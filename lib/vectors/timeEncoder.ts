// Re3's time encoder (section 3.3): fuses the time of a text into its vector, in native code.
// Weights, weight files, and fusion; lib/time extracts times, packages/training trains.
import type { TimeColumns, TimeEncoderHandle, TimeNetwork } from '../../binding.js';
import { binding, withCancellation } from '../binding.js';
import {
  AsOfError,
  checkPath,
  invalidArgument,
  messageOf,
  mustBe,
  throwIfAborted,
} from '../errors.js';
import { daysFromCivil } from '../time/civil.js';
import { checkTuple, type TimeTuple } from '../time/tuple.js';
import { readWeightFile, writeWeightFile } from './weightFile.js';

export type { TimeColumns } from '../../binding.js';
import { installedFile } from '../runtime/installation.js';
import { createHash } from '../runtime/digest.js';

/**
 * film: the paper's, (1 + alpha gamma) * e + beta with gamma and beta computed from the time vector
 * by a network (equations 8 and 9). The alternatives that the paper compares append components to
 * the vector: concatenated, the same time vector (TempRetriever); direct, normalised raw values;
 * absolute, a positional encoding of the timestamp (appendix C).
 */
export const timeKinds = ['film', 'concatenated', 'direct', 'absolute'] as const;
/** See `timeKinds`. */
export type TimeKind = (typeof timeKinds)[number];

/** At the package root, both for lib/ and for dist/. */
const embeddedWeights = installedFile('models/time-encoder.bin');

/** A trained time encoder, for the vectors of one encoder. */
export interface TimeEncoderWeights {
  /** Id and dimensions of the encoder of the training. */
  encoder: string;
  dimensions: number;
  kind: TimeKind;
  /** Hidden units of the year network (equation 4); unused by direct and absolute. */
  waves: number;
  /**
   * Hidden units of MLP_proj (equation 8); for the other kinds, components appended to a vector.
   */
  width: number;
  /** mu_y and sigma_y of equation 4, over the years of the training. */
  statistics: { meanYear: number; deviationYear: number };
  /** Every matrix, in the order of native/encoder/time_network.hpp. */
  parameters: Float32Array;
  /** Training settings; informative. */
  settings: Record<string, unknown>;
  /** Training statistics. */
  training: Record<string, unknown>;
}

/**
 * Fuses times into the vectors of one encoder, for questions and passages alike. The id depends on
 * the weights alone, not on their file.
 */
export interface TimeEncoder {
  readonly id: string;
  /** Components of a fused vector: the encoder's, plus those that the kind appends. */
  readonly dimensions: number;
  readonly encoder: { readonly id: string; readonly dimensions: number };
  readonly kind: TimeKind;
  /**
   * Fuses vectors (row-major, one row per time) with their times, normalised to length 1. A row
   * with `noTime` is returned bit for bit (with zeros appended if the kind appends components):
   * undated text ranks as in the encoder itself.
   * @throws AsOfError ERR_INVALID_ARGUMENT for another number of rows or an invalid time;
   * ERR_ABORTED
   */
  fuse(
    vectors: Float32Array,
    times: readonly TimeTuple[] | TimeColumns,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<Float32Array>;
}

/** An open time encoder, which owns its native weights. */
class OpenTimeEncoder implements TimeEncoder {
  readonly #handle: TimeEncoderHandle;
  readonly id: string;
  readonly dimensions: number;
  readonly encoder: TimeEncoder['encoder'];
  readonly kind: TimeKind;

  constructor(handle: TimeEncoderHandle, weights: TimeEncoderWeights) {
    const { encoder, kind, dimensions, width } = weights;
    this.#handle = handle;
    this.id = `${encoder}+time-${checksumOf(weights)}`;
    this.dimensions = kind === 'film' ? dimensions : dimensions + width;
    this.encoder = { id: encoder, dimensions };
    this.kind = kind;
  }

  /** The native weights of a time encoder; undefined for other values. */
  static handleOf(times: unknown): TimeEncoderHandle | undefined {
    return typeof times === 'object' && times !== null && #handle in times
      ? times.#handle
      : undefined;
  }

  // A property, so that it works detached from its object.
  readonly fuse: TimeEncoder['fuse'] = async (vectors, times, { signal } = {}) => {
    throwIfAborted(signal);
    if (!(vectors instanceof Float32Array))
      throw invalidArgument('vectors', 'a Float32Array', vectors);
    const columns = isColumns(times) ? times : timeColumns(times);
    const rows = columns.mask.length;
    const { dimensions } = this.encoder;
    if (vectors.length !== rows * dimensions) {
      throw invalidArgument(
        'vectors',
        `${rows} rows of ${dimensions}, one for each time`,
        `${vectors.length} numbers`,
      );
    }
    const out = new Float32Array(rows * this.dimensions);
    for (let from = 0; from < rows; from += taskRows) {
      const to = Math.min(rows, from + taskRows);
      const batch = vectors.subarray(from * dimensions, to * dimensions);
      out.set(
        await withCancellation(signal, (cancellation) =>
          binding.fuseTimes(this.#handle, batch, slice(columns, from, to), cancellation),
        ),
        from * this.dimensions,
      );
    }
    return out;
  };
}

/** @throws AsOfError ERR_INVALID_ARGUMENT for values that `timeEncoder` did not return */
export function nativeTimeEncoder(times: TimeEncoder): TimeEncoderHandle {
  const handle = OpenTimeEncoder.handleOf(times);
  if (!handle)
    throw invalidArgument(
      'times',
      'a TimeEncoder',
      times,
      'Open one: await timeEncoder(corpus.encoder).',
    );
  return handle;
}

/** Copied on the JS thread, and few enough to stay in the processor's cache. */
const taskRows = 1024;

/**
 * Writes a time encoder's weights; an existing file is replaced atomically.
 * @throws AsOfError ERR_NOT_FOUND (no such folder), ERR_STORAGE, ERR_ABORTED
 */
export async function writeTimeEncoder(
  file: string,
  weights: TimeEncoderWeights,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<void> {
  // `kind` in a weight file is the kind of weights.
  const { parameters, kind: fusion, ...header } = checkWeights(weights);
  await writeWeightFile(
    checkPath('file', file),
    'time-encoder',
    { ...header, fusion },
    { parameters },
    options.signal,
  );
}

/**
 * Reads a time encoder's weights from a file; default the embedded ones.
 * @throws AsOfError ERR_NOT_FOUND, ERR_CORPUS_FOREIGN, ERR_CORPUS_NEWER, ERR_CORPUS_CORRUPT,
 * ERR_STORAGE
 */
export async function readTimeEncoder(file = embeddedWeights): Promise<TimeEncoderWeights> {
  const { header, arrays } = await readWeightFile(checkPath('file', file), 'time-encoder');
  try {
    const { kind: _, version: __, fusion, settings = {}, training = {}, ...rest } = header;
    return checkWeights({
      ...rest,
      kind: fusion,
      settings,
      training,
      parameters: arrays['parameters'],
    } as unknown as TimeEncoderWeights);
  } catch (cause) {
    const message = `Expected the weights of a time encoder in ${file}, found others: ${messageOf(cause)} Train it again.`;
    throw new AsOfError('ERR_CORPUS_CORRUPT', message, { cause });
  }
}

/**
 * Opens a time encoder for the vectors of `base`, with weights from a file or from memory; default
 * those of the package, which fit the embedded encoder.
 * @throws AsOfError ERR_ENCODER_MISMATCH if the weights were trained on another encoder; as
 * readTimeEncoder
 * @example const encoder = await staticEncoder(); const times = await timeEncoder(encoder); const
 * vectors = await encoder.encode(texts, { kind: 'passage' }); const fused = await
 * times.fuse(vectors, await timeTuples(texts, { kind: 'passage' }));
 */
export async function timeEncoder(
  base: { readonly id: string; readonly dimensions: number },
  weights?: string | TimeEncoderWeights,
): Promise<TimeEncoder> {
  mustBe('an object', { base });
  const network =
    typeof weights === 'object' ? checkWeights(weights) : await readTimeEncoder(weights);
  const where = typeof weights === 'string' ? ` ${weights}` : '';
  if (network.encoder !== base.id || network.dimensions !== base.dimensions) {
    throw new AsOfError(
      'ERR_ENCODER_MISMATCH',
      `Expected the encoder ${network.encoder} (${network.dimensions} dimensions) of the time ` +
        `encoder${where}, received ${base.id} (${base.dimensions} dimensions). ` +
        'Pass that encoder, or train a time encoder for this one: asof train re3.',
      { details: { expected: network.encoder, received: base.id } },
    );
  }
  return new OpenTimeEncoder(
    await binding.openTimeEncoder(networkOf(network), network.parameters),
    network,
  );
}

/** Times as columns for native code; the day of year is known if year, month and day are. */
export function timeColumns(times: readonly TimeTuple[]): TimeColumns {
  if (!Array.isArray(times)) throw invalidArgument('times', 'an array of time tuples', times);
  const n = times.length;
  const columns = {
    year: new Int32Array(n),
    month: new Uint8Array(n),
    day: new Uint8Array(n),
    dayOfYear: new Uint16Array(n),
    mask: new Uint8Array(n),
  };
  (times as readonly unknown[]).forEach((tuple, i) => {
    checkTuple(tuple, `times[${i}]`);
    const { year, month, dayOfMonth: day, mask } = tuple;
    const whole = mask[2] === 1;
    columns.year[i] = year;
    columns.month[i] = month;
    columns.day[i] = day;
    columns.dayOfYear[i] = whole
      ? daysFromCivil({ year, month, day }) - daysFromCivil({ year, month: 1, day: 1 }) + 1
      : 0;
    columns.mask[i] = mask[0] + 2 * mask[1] + 4 * mask[2] + (whole ? 8 : 0);
  });
  return columns;
}

const isColumns = (times: unknown): times is TimeColumns =>
  !Array.isArray(times) && (times as Partial<TimeColumns> | null)?.mask instanceof Uint8Array;

function slice(
  { year, month, day, dayOfYear, mask }: TimeColumns,
  from: number,
  to: number,
): TimeColumns {
  return {
    year: year.subarray(from, to),
    month: month.subarray(from, to),
    day: day.subarray(from, to),
    dayOfYear: dayOfYear.subarray(from, to),
    mask: mask.subarray(from, to),
  };
}

/** Shape of the network, for native code. */
export function networkOf(
  weights: Pick<TimeEncoderWeights, 'kind' | 'dimensions' | 'waves' | 'width' | 'statistics'>,
): TimeNetwork {
  const { kind, dimensions, waves, width, statistics } = weights;
  return { kind, dimensions, waves, width, ...statistics };
}

function checksumOf({ encoder, parameters, ...weights }: TimeEncoderWeights): string {
  const { buffer, byteOffset, byteLength } = parameters;
  return createHash('sha256')
    .update(JSON.stringify([encoder, networkOf(weights)]))
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest('hex')
    .slice(0, 12);
}

function checkWeights(weights: TimeEncoderWeights): TimeEncoderWeights {
  const { encoder, dimensions, kind, waves, width, statistics, parameters } = (weights ??
    {}) as Partial<TimeEncoderWeights>;
  if (typeof encoder !== 'string' || encoder === '')
    throw invalidArgument('weights.encoder', "an encoder's id", encoder);
  if (!timeKinds.includes(kind!)) throw invalidArgument('weights.kind', timeKinds.join(', '), kind);
  const { meanYear, deviationYear } = (statistics ?? {}) as Partial<
    TimeEncoderWeights['statistics']
  >;
  // The addon checks the ranges of the shape.
  const count = binding.timeParameterCount({
    kind: kind!,
    dimensions: dimensions!,
    waves: waves!,
    width: width!,
    meanYear: meanYear!,
    deviationYear: deviationYear!,
  });
  if (!(parameters instanceof Float32Array) || parameters.length !== count) {
    throw invalidArgument('weights.parameters', `${count} numbers in a Float32Array`, parameters);
  }
  return weights;
}
