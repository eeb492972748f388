// Time options of vector searches, parsed into masks and temporal forms, and their scan queries.
import { checkOptionNames, invalidArgument } from '../errors.js';
import type { TimeInput } from '../records.js';
import type { Clock, Window } from '../time/constraint.js';
import { parseAskedAt } from '../time/instant.js';
import type { Mask, TemporalForm } from '../time/temporalForms.js';
import type { ScanOptions, ScanQuery } from './flatScan.js';
import type { Exactness } from './scanReport.js';

/** When what is found has to hold. */
export interface VectorTimes {
  /**
   * Rows published after this instant are hidden; a date alone counts to its end. Rows without a
   * publication stay. Default: none hidden.
   */
  asOf?: TimeInput;
  /**
   * Only rows whose `clock` stands in this relation to the interval (half-open, epoch
   * milliseconds). Rows without that clock are hidden.
   */
  interval?: Window;
  /** Default 'overlaps'. */
  relation?: 'overlaps' | 'within' | 'contains';
  /** Default 'content'. */
  clock?: Clock;
  /**
   * How time enters the score: a spline that multiplies, or a recency that is added. Default: not
   * at all.
   */
  form?: TemporalForm;
}

export interface VectorSearchOptions extends VectorTimes {
  /** Instead of one for the whole batch: the times of each query. */
  each?: readonly VectorTimes[];
  /**
   * 'rescored' orders the best 4 k of the smaller type by f32, 'raw' gives its best k as they are.
   * Default 'certified': exact.
   */
  exactness?: Exactness;
  signal?: AbortSignal;
}

/** Vectors whose buffer went to another thread look like none, for which nothing would be found. */
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
  return { k, exactness, ...(signal ? { signal } : {}) };
}

type QueryTimes = Pick<ScanQuery, 'mask' | 'form'>;

export const noOptions: VectorSearchOptions = {};
const noTimes: readonly QueryTimes[] = [{}];

/** One a query, or one of all. */
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
      'Encode the queries as the rows were.',
    );
  }
  if (vectors.length === 0) checkAttached(vectors);
  if (options === noOptions) return noTimes;
  const count = vectors.length / dimensions;
  if (typeof options !== 'object' || options === null)
    throw invalidArgument('options', 'an object { asOf, each, signal, ... }', options);
  const { each, exactness, signal, ...shared } = options;
  checkOptionNames('a search by vectors', shared, each === undefined ? timeNames : []);
  if (each !== undefined && (!Array.isArray(each) || each.length !== count)) {
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

const timeNames = ['asOf', 'interval', 'relation', 'clock', 'form'];

function parseQueryTimes({
  asOf,
  interval,
  relation = 'overlaps',
  clock = 'content',
  form,
}: VectorTimes): Pick<ScanQuery, 'mask' | 'form'> {
  const mask: Mask = {
    ...(asOf === undefined ? {} : { publishedUntil: parseAskedAt(asOf, 'asOf') }),
    ...(interval === undefined ? {} : { window: { ...interval, relation, clock } }),
  };
  return { mask, ...(form ? { form } : {}) };
}
