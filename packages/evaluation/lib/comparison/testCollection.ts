// Test collection: questions, judgements and a corpus that is opened on demand.
import type { Corpus } from 'asof';
import type { Qrels } from '../files/trec.js';
import type { AuxiliaryJudgements } from '../measures/metricInput.js';
import type { DatedQuestion } from '../perturbation/perturbQuestion.js';

export interface CollectionQuery extends DatedQuestion {
  /**
   * Groups of the question in addition to the relation and condition of its time: { class:
   * ['ordering'] }.
   */
  groups?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** A test collection. Several collections may share a corpus. */
export interface TestCollection {
  name: string;
  queries: readonly CollectionQuery[];
  /** Number of questions of the full collection, if `queries` is a sample. */
  queriesInSet?: number | undefined;
  qrels: Qrels;
  judgements?: AuxiliaryJudgements | undefined;
  /** Digest of passages, questions and judgements, a part of the key of stored runs. */
  sha256: string;
  /** Identity of the corpus, equal for collections that share one. */
  corpus?: string | undefined;
  /** Opens its corpus, indexed; the comparison closes it. */
  open(): Promise<Corpus>;
}
