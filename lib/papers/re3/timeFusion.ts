// Re3's dual encoder (section 3.3): the question's vector fused with the time of its constraint, to
// be compared with row vectors fused with theirs.
import { stage, type Stage } from '../../pipeline.js';
import { questionTimes, type fusedQuestions } from './fusionTimes.js';
import type { TimeExtractor } from '../../time/timeExtractor.js';
import type { TimeTuple } from '../../time/tuple.js';
import type { TimeEncoder } from '../../vectors/timeEncoder.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { questionAsQuery } from '../../systems/queryAnalysis.js';
import type { QueryRequest } from '../../systems/system.js';

/** `questionAsQuery` as Re3's extraction of the query time (section 3.2). */
export function parseTime(): Stage<QueryRequest, QueryContext> {
  return stage('parseTime', questionAsQuery().run);
}

/**
 * The question with fused vectors on both sides; one without a time compares plain vectors. `open`
 * is called by the first question, so that weights that cannot be read fail it alone.
 */
export function fuseTime(
  open: (signal?: AbortSignal) => Promise<TimeEncoder>,
  options: { extractor?: TimeExtractor | undefined; fuse: (typeof fusedQuestions)[number] },
): Stage<QueryContext, QueryContext> {
  return stage('fuseTime', async (query, { note, signal }) => {
    const times = await open(signal);
    const { extractor } = options;
    const [tuples] = await questionTimes([query.parsed], { ...options, signal });
    note('time', tuples!.map(written).join(' and ') || 'none');
    if (tuples!.length === 0) return query;
    const rowVectors = query.fuseRows(times, extractor);
    const { computed } = await rowVectors.files(signal);
    if (computed > 0) note('rowsFused', computed);
    let vector: Promise<Float32Array> | undefined;
    return {
      ...query,
      vector: (stop) =>
        (vector ??= query.vector(stop).then((own) => fused(times, own, tuples!, stop))),
      rowVectors,
    };
  });
}

/** One time is the paper. Of several the mean counts: a row is as near as to each alone. */
async function fused(
  times: TimeEncoder,
  own: Float32Array,
  tuples: readonly TimeTuple[],
  signal?: AbortSignal,
): Promise<Float32Array> {
  if (tuples.length < 2) return times.fuse(own, tuples, signal ? { signal } : {});
  const repeated = new Float32Array(tuples.length * own.length);
  tuples.forEach((_, at) => repeated.set(own, at * own.length));
  const each = await times.fuse(repeated, tuples, signal ? { signal } : {});
  const mean = new Float64Array(times.dimensions);
  each.forEach((value, at) => (mean[at % times.dimensions]! += value));
  const length = Math.hypot(...mean);
  return length > 0
    ? Float32Array.from(mean, (value) => value / length)
    : each.slice(0, times.dimensions);
}

function written({ year, month, dayOfMonth, mask }: TimeTuple): string {
  return [year, month, dayOfMonth]
    .filter((_, at) => mask[at] === 1)
    .map((each) => String(each).padStart(2, '0'))
    .join('-');
}
