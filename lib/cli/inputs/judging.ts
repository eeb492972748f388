// Relevance in an evaluation: qrels or answers, over the whole corpus or a candidate pool.
import { qrelsFromAnswers } from '../../eval/answerQrels.js';
import { checkPool, restrictToPool, type CandidatePool } from '../../eval/candidatePool.js';
import type { EvaluationQuery } from '../../eval/evaluate.js';
import type { Qrels } from '../../eval/files/trec.js';
import type { Corpus } from '../../store/corpus.js';
import { UsageError, option, type Command, type Invocation } from '../command.js';
import type { Terminal } from '../terminal.js';
import type { readPool } from './jsonLines.js';

/** Whether --relevance answers was given. */
export function relevanceOption(invocation: Invocation, command: Command): boolean {
  const relevance = option(invocation, 'relevance');
  if (relevance === undefined) return false;
  if (relevance !== 'answers')
    throw new UsageError(
      `--relevance must be answers, received ${JSON.stringify(relevance)}.`,
      command.name,
    );
  if (option(invocation, 'qrels') !== undefined) {
    throw new UsageError(
      '--relevance answers takes the place of --qrels: give one of them.',
      command.name,
    );
  }
  return true;
}

export interface Judging {
  settings: { qrels?: Qrels; pool?: CandidatePool };
  /** What is printed with the figures. */
  options: { relevance?: string; pool?: number; evaluable?: number };
}

/**
 * What counts as relevant and what may be found: judgements or answers, in the corpus or in a pool.
 */
export async function judgingOf(
  corpus: Corpus,
  queries: readonly EvaluationQuery[],
  {
    given,
    byAnswers,
    candidates,
  }: {
    given: Qrels | undefined;
    byAnswers: boolean;
    candidates: Awaited<ReturnType<typeof readPool>> | undefined;
  },
  signal: AbortSignal,
  terminal: Terminal,
): Promise<Judging> {
  const pool = candidates?.pool;
  if (candidates) checkPool(corpus, candidates.ids);
  const pooled = candidates ? { pool: candidates.ids.size } : {};
  if (!byAnswers) {
    const qrels = given && pool ? restrictToPool(given, pool) : given;
    return {
      settings: { ...(qrels ? { qrels } : {}), ...(pool ? { pool } : {}) },
      options: pooled,
    };
  }
  const bar = terminal.progress('relevance', 'passages');
  try {
    const qrels = await qrelsFromAnswers(corpus, queries, {
      signal,
      onProgress: bar.update,
      ...(pool ? { pool } : {}),
    });
    return {
      settings: { qrels, ...(pool ? { pool } : {}) },
      options: { relevance: 'answers', ...pooled, evaluable: qrels.size },
    };
  } finally {
    bar.end();
  }
}
