// Time options of vector searches, parsed into masks and temporal forms, and their scan queries.
import { checkOptionNames, invalidArgument } from '../errors.js';
import type { TimeInput } from '../records.js';
import type { Clock, Window } from '../time/constraint.js';
import type { Where } from '../store/fields/where.js';
import { decayFormAt, type Decay } from '../time/decay.js';
import { parseAskedAt } from '../time/instant.js';
import type { Mask, TemporalForm } from '../time/temporalForms.js';
import type { ScanOptions, ScanQuery } from './flatScan.js';
import type { Exactness } from './scanReport.js';

/** Time options of a vector search. */
export interface VectorTimes {
  /**
   * Excludes rows published after this instant; a date alone counts to its end. Rows without a
   * publication time stay. Default: none excluded.
   */
  asOf?: TimeInput | undefined;
  /**
   * Only rows whose `clock` has this relation to the interval (half-open, epoch milliseconds). Rows
   * without that clock are excluded.
   */
  interval?: Window | undefined;
  /** Default 'overlaps'. */
  relation?: 'overlaps' | 'within' | 'contains' | undefined;
  /** Default 'content'. */
  clock?: Clock | undefined;
  /** Decay of the score with the distance of a row's time from `asOf`. Default: none. */
  decay?: Decay | undefined;
  /**
   * Temporal form of the score, instead of `decay`: a spline that multiplies, or a recency that is
   * added. Default: none.
   */
  form?: TemporalForm | undefined;
}

export interface VectorSearchOptions extends VectorTimes {
  /** Only rows that pass this filter, by the fields of the corpus or index. */
  where?: Where | undefined;
  /** As in `AskOptions`, of a corpus; an index refuses it. */
  asRecorded?: TimeInput | undefined;
  /** Time options of each query, instead of one for the whole batch. */
  each?: readonly VectorTimes[] | undefined;
  /**
   * 'rescored' orders the best 4 k of the quantized type by f32, 'raw' returns its best k. Default
   * 'certified': exact.
   */
  exactness?: Exactness | undefined;
  signal?: AbortSignal | undefined;
}

/** Rejects vectors whose buffer was transferred, which look empty and would return no hits. */
function checkAttached(vectors: Float32Array): void {
  try {
    new Uint8Array(vectors.buffer);
  } catch {
    throw invalidArgument(
      'vectors',
      'a Float32Array whose buffer is attached',
      vectors,
      'Its buffer was transferred: pass a copy.',
    );
  }
}

export function scanOptions(
  k: number,
  { exactness = 'certified', signal }: VectorSearchOptions,
): ScanOptions {
  return { k, exactness, signal };
}

type QueryTimes = Pick<ScanQuery, 'mask' | 'form'>;

export const noOptions: VectorSearchOptions = {};
const noTimes: readonly QueryTimes[] = [{}];

/** One per query, or one for all. */
export function parseTimes(
  vectors: Float32Array,
  dimensions: number,
  options: VectorSearchOptions,
): readonly QueryTimes[] {
  if (!(vectors instanceof Float32Array) || vectors.length % dimensions !== 0) {
    throw invalidArgument(
      'vectors',
      `a Float32Array of count * ${dimensions}`,
      vectors,
      'Encode the queries like the rows.',
    );
  }
  if (vectors.length === 0) checkAttached(vectors);
  if (options === noOptions) return noTimes;
  const count = vectors.length / dimensions;
  if (typeof options !== 'object' || options === null)
    throw invalidArgument('options', 'an object { asOf, each, signal, ... }', options);
  const { each, where: _where, exactness: _exactness, signal: _signal, ...shared } = options;
  checkOptionNames('a vector search', shared, each === undefined ? timeNames : []);
  // Annotated, since Array.isArray would narrow to any[].
  const isArray: boolean = Array.isArray(each);
  if (each !== undefined && (!isArray || each.length !== count)) {
    throw invalidArgument('each', `an array of ${count}, the times of each query`, each);
  }
  each?.forEach((times, q) => checkOptionNames(`each[${q}]`, times, timeNames));
  return each ? each.map(parseQueryTimes) : [parseQueryTimes(shared)];
}

export function scanQueries(
  vectors: Float32Array,
  dimensions: number,
  times: readonly QueryTimes[],
): ScanQuery[] {
  const count = vectors.length / dimensions;
  return Array.from(
    { length: count },
    (_, q): ScanQuery => ({
      vector: vectors.subarray(q * dimensions, (q + 1) * dimensions),
      ...(times.length === 1 ? times[0] : times[q]),
    }),
  );
}

const timeNames = ['asOf', 'interval', 'relation', 'clock', 'decay', 'form'];

function parseQueryTimes({
  asOf,
  interval,
  relation = 'overlaps',
  clock = 'content',
  decay,
  form,
}: VectorTimes): Pick<ScanQuery, 'mask' | 'form'> {
  const publishedUntil = asOf === undefined ? undefined : parseAskedAt(asOf, 'asOf');
  const mask: Mask = {
    ...(publishedUntil === undefined ? {} : { publishedUntil }),
    ...(interval === undefined ? {} : { window: { ...interval, relation, clock } }),
  };
  if (decay === undefined) return { mask, ...(form ? { form } : {}) };
  if (form) throw invalidArgument('form', 'none beside decay', form, 'Pass one of the two.');
  return { mask, form: decayFormAt(decay)(publishedUntil ?? Date.now()) };
}
