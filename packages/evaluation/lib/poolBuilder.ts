// Candidate pool construction as in MRAG's re-implementation (section 1): relevant passages and the
// hard negatives of a system.
import { mustBe, mustBeWhole, throwIfAborted, maxPassages } from 'asof/kit';
import type { RunOptions } from 'asof';
import { questionOf, type EvaluableSystem, type EvaluationQuery } from './evaluate.js';
import type { Qrels } from './files/trec.js';

/**
 * Each question's relevant passages in the order of the judgements, then its hard negatives, best
 * first: retrieved passages that are not relevant, `negatives` per question (0 to 5,000, default
 * 50). Questions without a relevant passage are skipped, since a pool cannot evaluate them.
 */
export async function* buildCandidatePool(
  system: EvaluableSystem,
  queries: readonly EvaluationQuery[],
  qrels: Qrels,
  options: RunOptions & { negatives?: number | undefined } = {},
): AsyncGenerator<{ id: string; query: string; kind: 'relevant' | 'negative' }> {
  mustBe('an object', { system, options });
  mustBe('an array', { queries });
  mustBe('a Map', { qrels });
  const { negatives = 50, signal, onProgress } = options;
  mustBeWhole({ negatives }, 0, 5000);
  for (const [done, question] of queries.entries()) {
    const { id: query } = question;
    throwIfAborted(signal);
    const relevant = [...(qrels.get(query) ?? [])].flatMap(([id, grade]) =>
      grade > 0 ? [id] : [],
    );
    if (relevant.length === 0) continue;
    yield* relevant.map((id) => ({ id, query, kind: 'relevant' as const }));
    if (negatives > 0) {
      const k = Math.min(maxPassages, negatives + relevant.length);
      const { evidence } = await system.run(questionOf(question), signal ? { k, signal } : { k });
      const others = evidence.map(({ id }) => id).filter((id) => !relevant.includes(id));
      yield* others.slice(0, negatives).map((id) => ({ id, query, kind: 'negative' as const }));
    }
    onProgress?.({ done: done + 1, total: queries.length });
  }
}
