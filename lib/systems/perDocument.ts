// One result per document: retrieval and ranking with a growing k, until there are enough documents
// or no more candidates.
import { runStages, type PipelineResult, type Stage, type TraceEntry } from '../pipeline.js';
import type { RankedEvidence } from '../reading/evidence.js';
import type { Snapshot } from '../store/views/snapshot.js';

/** Passages retrieved for each document wanted; a further round has as many times more. */
const growth = 4;

/**
 * Runs the stages before the reader for `request.k` documents: those that the ranking of all
 * passages has first.
 */
export async function rankPerDocument<Request extends { k: number; snapshot: Snapshot }>(
  ranking: readonly Stage<never, unknown>[],
  request: Request,
  signal?: AbortSignal,
): Promise<PipelineResult<RankedEvidence>> {
  const { k: perDocument, snapshot } = request;
  const passages = await passageCount(snapshot, signal);
  const trace: TraceEntry[] = [];
  let before = -1;
  for (let k = perDocument * growth; ; k *= growth) {
    const each = await runStages<RankedEvidence>(ranking, { ...request, k, perDocument }, signal);
    trace.push(...each.trace);
    const { evidence, ranked } = each.output;
    // A filter may leave fewer than k, so that a round without more shows the end.
    const isExhausted = k >= passages || (ranked < k && ranked === before);
    if (evidence.length === perDocument || isExhausted) return { output: each.output, trace };
    before = ranked;
  }
}

const passageCount = ({ segments, remote }: Snapshot, signal?: AbortSignal): Promise<number> =>
  remote?.count(signal) ??
  Promise.resolve(segments.reduce((sum, { passages }) => sum + passages, 0));
