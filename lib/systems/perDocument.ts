// One result per document: retrieval and ranking with a growing k, until there are enough documents
// or no more candidates; the reader runs once.
import { runStages, type Pipeline, type PipelineResult, type TraceEntry } from '../pipeline.js';
import type { RankedEvidence } from '../reading/evidence.js';
import type { SystemOutput } from '../reading/reader.js';
import type { Snapshot } from '../store/views/snapshot.js';

/** Passages retrieved for each document wanted; a further round has as many times more. */
const growth = 4;

/**
 * Runs a composition, whose last stage is a reader, for `request.k` documents: those that the
 * ranking of all passages has first.
 */
export async function runPerDocument<Request extends { k: number; snapshot: Snapshot }>(
  composition: Pipeline<Request, SystemOutput>,
  request: Request,
  signal?: AbortSignal,
): Promise<PipelineResult<SystemOutput>> {
  const { k: perDocument, snapshot } = request;
  const passages = snapshot.segments.reduce((sum, segment) => sum + segment.passages, 0);
  const ranking = composition.stages.slice(0, -1);
  const trace: TraceEntry[] = [];
  let before = -1;
  for (let k = perDocument * growth; ; k *= growth) {
    const each = await runStages<RankedEvidence>(ranking, { ...request, k, perDocument }, signal);
    trace.push(...each.trace);
    const { evidence, ranked } = each.output;
    // A filter may leave fewer than k, so that a round without more shows the end.
    const isExhausted = k >= passages || (ranked < k && ranked === before);
    if (evidence.length === perDocument || isExhausted) {
      const read = await runStages<SystemOutput>(composition.stages.slice(-1), each.output, signal);
      return { output: read.output, trace: [...trace, ...read.trace] };
    }
    before = ranked;
  }
}
