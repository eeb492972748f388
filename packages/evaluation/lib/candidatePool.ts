// Candidate pools: the passages that may be retrieved for each question.
import { invalidArgument, mustBe } from 'asof/kit';
import type { Corpus } from 'asof';
import type { EvaluateOptions } from './evaluate.js';
import type { Qrels } from './files/trec.js';

export type CandidatePool = NonNullable<EvaluateOptions['pool']>;

/** Judgements of pool passages only, without questions that have nothing relevant in the pool. */
export function restrictToPool(qrels: Qrels, pool: CandidatePool): Qrels {
  mustBe('a Map', { qrels });
  mustBe('a function', { pool });
  return new Map(
    [...qrels].flatMap(([query, judged]) => {
      const ids = pool(query);
      if (!ids) return [[query, judged] as const];
      const inside = new Set(ids);
      const kept = new Map([...judged].filter(([id]) => inside.has(id)));
      return [...kept.values()].some((grade) => grade > 0) ? [[query, kept] as const] : [];
    }),
  );
}

/** @throws AsOfError ERR_INVALID_ARGUMENT where the corpus lacks a passage of the pool. */
export function checkPool(corpus: Corpus, ids: Iterable<string>): void {
  if (typeof corpus?.snapshot !== 'function')
    throw invalidArgument(
      'corpus',
      'a Corpus',
      corpus,
      "Open one: await Corpus.open('wiki.asof').",
    );
  if (typeof ids === 'string' || typeof ids?.[Symbol.iterator] !== 'function')
    throw invalidArgument('ids', 'an iterable of passage ids', ids);
  const snapshot = corpus.snapshot();
  try {
    for (const id of ids) {
      mustBe('a string', { 'a passage id of the pool': id });
      if (!snapshot.find(id))
        throw invalidArgument(
          'pool',
          'passages of the corpus',
          id,
          'Index the passages of the pool.',
        );
    }
  } finally {
    snapshot.release();
  }
}
