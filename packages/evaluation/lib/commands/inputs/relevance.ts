// Relevance in an evaluation: qrels or answers, over the whole corpus or a candidate pool.
import { qrelsFromAnswers } from '../../answerQrels.js';
import { checkPool, restrictToPool, type CandidatePool } from '../../candidatePool.js';
import type { EvaluationQuery } from '../../evaluate.js';
import type { Qrels } from '../../files/trec.js';
import { Corpus, type SearchableCorpus } from 'asof';
import { UsageError, option, type Invocation, type Terminal, wordOption } from 'asof/command';
import type { readPool } from '../../files/queries.js';

/** Whether --relevance answers is present. */
export function relevanceOption(invocation: Invocation): boolean {
  if (wordOption(invocation, 'relevance', ['answers']) === undefined) return false;
  if (option(invocation, 'qrels') !== undefined) {
    throw new UsageError('--relevance answers replaces --qrels: give one of them.');
  }
  return true;
}

/** What is printed with the figures. */
export interface RelevanceReport {
  relevance?: string;
  pool?: number;
  evaluable?: number;
}

export interface RelevanceInput {
  qrels: Qrels | undefined;
  byAnswers: boolean;
  candidates: Awaited<ReturnType<typeof readPool>> | undefined;
}

export interface RelevanceContext {
  signal: AbortSignal;
  terminal: Terminal;
  asRecorded?: string;
}

/** Relevance judgements and candidate pool of an evaluation, as options of `evaluate`. */
export async function relevanceOf(
  corpus: SearchableCorpus,
  queries: readonly EvaluationQuery[],
  { qrels, byAnswers, candidates }: RelevanceInput,
  { signal, terminal, asRecorded }: RelevanceContext,
): Promise<{ settings: { qrels?: Qrels; pool?: CandidatePool }; options: RelevanceReport }> {
  const pool = candidates?.pool;
  if ((candidates || byAnswers) && !(corpus instanceof Corpus))
    throw new UsageError(
      `${candidates ? '--pool' : '--relevance answers'} needs the folder of a corpus. ` +
        'Copy it into one: asof copy FROM TO.',
    );
  if (candidates) checkPool(corpus as Corpus, candidates.ids);
  const pooled = candidates ? { pool: candidates.ids.size } : {};
  if (!byAnswers) {
    const judged = qrels && pool ? restrictToPool(qrels, pool) : qrels;
    return {
      settings: { ...(judged ? { qrels: judged } : {}), ...(pool ? { pool } : {}) },
      options: pooled,
    };
  }
  const bar = terminal.progress('relevance', 'passages');
  try {
    const judged = await qrelsFromAnswers(corpus as Corpus, queries, {
      signal,
      onProgress: bar.update,
      pool,
      asRecorded,
    });
    return {
      settings: { qrels: judged, ...(pool ? { pool } : {}) },
      options: { relevance: 'answers', ...pooled, evaluable: judged.size },
    };
  } finally {
    bar.end();
  }
}
