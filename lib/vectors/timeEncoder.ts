// Re3's time encoder (section 3.3): the time of a text fused into its vector, in native code. Its
// weights as a value and as a file, and what fuses with them. Which time a text has is lib/time's
// business, training lib/train's.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { TimeColumns, TimeEncoderHandle, TimeNetwork } from '../../binding.js';
import { binding, withCancellation } from '../binding.js';
import { AsOfError, invalidArgument, mustBe, throwIfAborted } from '../errors.js';
import { daysFromCivil } from '../time/civil.js';
import { checkTuple, type TimeTuple } from '../time/tuple.js';
import { checkPath, readWeightFile, weightFileOf, writeWeightFile } from './weightFile.js';

export type { TimeColumns } from '../../binding.js';

/**
 * film: the paper's, gamma and beta by a network from the time vector, (1 + alpha gamma) * e + beta
 * (equations 8 and 9). What it is compared with adds components to the vector instead:
 * concatenated, those of the same time vector (TempRetriever); direct, of normalised raw values;
 * absolute, of a positional encoding of the timestamp (appendix C).
 */
export const timeKinds = ['film', 'concatenated', 'direct', 'absolute'] as const;
/** See `timeKinds`. */
export type TimeKind = (typeof timeKinds)[number];

/** Beside lib/ and beside dist/ alike. */
const embeddedWeights = fileURLToPath(new URL('../../models/time-encoder.bin', import.meta.url));

/** A trained time encoder, for the vectors of one encoder. */
export interface TimeEncoderWeights {
  /** Id of the encoder that it was trained on, and fits; and the components of its vectors. */
  encoder: string;
  dimensions: number;
  kind: TimeKind;
  /** Hidden units of the year's network (equation 4); of no meaning to direct and absolute. */
  waves: number;
  /**
   * Hidden units of MLP_proj (equation 8); of the other kinds, components that are added to a
   * vector.
   */
  width: number;
  /** mu_y and sigma_y of equation 4: of the years that it was trained on. */
  statistics: { meanYear: number; deviationYear: number };
  /** Every matrix, in the order of native/encoder/time_network.hpp. */
  parameters: Float32Array;
  /** How it was trained; kept in the file, read by nobody but people. */
  settings: Record<string, unknown>;
  /** What training saw and reached. */
  training: Record<string, unknown>;
}

/**
 * Fuses times into the vectors of one encoder, of questions and of passages alike. A time encoder
 * of the same numbers has the same id, whatever file it came from.
 */
export interface TimeEncoder {
  readonly id: string;
  /** Components of a fused vector: the encoder's, and what the kind adds. */
  readonly dimensions: number;
  readonly encoder: { readonly id: string; readonly dimensions: number };
  readonly kind: TimeKind;
  /**
   * Vectors (row-major, one row a time) with their times, of length 1. A row whose time is `noTime`
   * comes back bit for bit (with zeros added where the kind adds components): untimed text ranks as
   * in the encoder itself.
   * @throws AsOfError ERR_INVALID_ARGUMENT for another count of rows, for a time that is none;
   * ERR_ABORTED
   */
  fuse(
    vectors: Float32Array,
    times: readonly TimeTuple[] | TimeColumns,
    options?: { signal?: AbortSignal },
  ): Promise<Float32Array>;
}

const handles = new WeakMap<TimeEncoder, TimeEncoderHandle>();

/**
 * What native code fuses with, for files of whole segments. @throws AsOfError ERR_INVALID_ARGUMENT
 * for what `timeEncoder` did not give
 */
export function nativeTimeEncoder(times: TimeEncoder): TimeEncoderHandle {
  const handle = typeof times === 'object' && times !== null ? handles.get(times) : undefined;
  if (!handle)
    throw invalidArgument(
      'times',
      'a TimeEncoder',
      times,
      'Open one: await timeEncoder(corpus.encoder).',
    );
  return handle;
}

/** Rows of one native task: they are copied on the JS thread, and stay in a cache on their way. */
const taskRows = 1024;

/**
 * Writes a time encoder's weights; a file that is there is replaced as a whole.
 * @throws AsOfError ERR_NOT_FOUND (no such folder), ERR_STORAGE, ERR_ABORTED
 */
export async function writeTimeEncoder(
  file: string,
  weights: TimeEncoderWeights,
  options: { signal?: AbortSignal } = {},
): Promise<void> {
  // A weight file's own `kind` says what it holds.
  const { parameters, kind: fusion, ...header } = checkWeights(weights);
  await writeWeightFile(
    checkPath(file, 'file'),
    'time-encoder',
    { ...header, fusion },
    { parameters },
    options.signal,
  );
}

/**
 * Reads a time encoder's weights from a file or from its bytes; default the embedded ones.
 * @throws AsOfError ERR_NOT_FOUND, ERR_CORPUS_FOREIGN, ERR_CORPUS_NEWER, ERR_CORPUS_CORRUPT,
 * ERR_STORAGE
 */
export async function readTimeEncoder(
  file: string | Uint8Array = embeddedWeights,
): Promise<TimeEncoderWeights> {
  const given = file instanceof Uint8Array;
  const { header, arrays } = given
    ? await weightFileOf(file, 'time-encoder')
    : await readWeightFile(checkPath(file, 'file'), 'time-encoder');
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
    const found = cause instanceof Error ? cause.message : String(cause);
    const where = given ? 'the bytes given' : file;
    const message = `Expected the weights of a time encoder in ${where}, found others: ${found} Train it again.`;
    throw new AsOfError('ERR_CORPUS_CORRUPT', message, { cause });
  }
}

/**
 * What fuses times into the vectors of `base`, by weights in a file or in memory; default those
 * that come with the package, which fit the embedded encoder.
 * @throws AsOfError ERR_ENCODER_MISMATCH where the weights were trained on another encoder; as
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
  const given =
    typeof weights === 'object' ? checkWeights(weights) : await readTimeEncoder(weights);
  const where = typeof weights === 'string' ? ` ${weights}` : '';
  if (given.encoder !== base.id || given.dimensions !== base.dimensions) {
    throw new AsOfError(
      'ERR_ENCODER_MISMATCH',
      `Expected the encoder ${given.encoder} (${given.dimensions} dimensions) that the time encoder${where} was trained on, received ${base.id} ` +
        `(${base.dimensions} dimensions). Give it that encoder, or train a time encoder for this one: asof train re3.`,
      { details: { expected: given.encoder, received: base.id } },
    );
  }
  const handle = await binding.openTimeEncoder(networkOf(given), given.parameters);
  const { kind, dimensions, width } = given;
  const across = kind === 'film' ? dimensions : dimensions + width;
  const opened: TimeEncoder = {
    id: `${base.id}+time-${checksumOf(given)}`,
    dimensions: across,
    encoder: { id: base.id, dimensions },
    kind,
    async fuse(vectors, times, { signal } = {}) {
      throwIfAborted(signal);
      if (!(vectors instanceof Float32Array))
        throw invalidArgument('vectors', 'a Float32Array', vectors);
      const columns = isColumns(times) ? times : timeColumns(times);
      const rows = columns.mask.length;
      if (vectors.length !== rows * dimensions) {
        throw invalidArgument(
          'vectors',
          `${rows} rows of ${dimensions}, one for each time`,
          `${vectors.length} numbers`,
        );
      }
      const out = new Float32Array(rows * across);
      for (let from = 0; from < rows; from += taskRows) {
        const to = Math.min(rows, from + taskRows);
        const piece = vectors.subarray(from * dimensions, to * dimensions);
        out.set(
          await withCancellation(signal, (cancellation) =>
            binding.fuseTimes(handle, piece, part(columns, from, to), cancellation),
          ),
          from * across,
        );
      }
      return out;
    },
  };
  handles.set(opened, handle);
  return opened;
}

/**
 * Times as the columns that native code reads; the day of year is known where year, month and day
 * are.
 */
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

function part(
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

/** The shape that native code knows. */
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
