// Test collection: questions, judgements and a corpus that is opened on demand.
import type { Corpus } from '../../store/corpus.js';
import type { Qrels } from '../files/trec.js';
import type { AuxiliaryJudgements } from '../measures/metricInput.js';
import type { DatedQuestion } from '../perturbation/perturbQuestion.js';

export interface CollectionQuery extends DatedQuestion {
  /**
   * Groups that the question is in, beside the relation and condition of its time: { class:
   * ['ordering'] }.
   */
  groups?: Readonly<Record<string, readonly string[]>>;
}

/** A set of questions over a corpus. Several sets may open the same one. */
export interface TestCollection {
  name: string;
  queries: readonly CollectionQuery[];
  /** How many questions the set has, where `queries` are a sample. Default: as many. */
  queriesInSet?: number;
  qrels: Qrels;
  judgements?: AuxiliaryJudgements;
  /** A digest of its passages, questions and judgements: what kept cells are found by. */
  sha256: string;
  /** What its corpus is known by: sets that share one have the same. */
  corpus?: string;
  /** Opens its corpus, indexed; the comparison closes it. */
  open(): Promise<Corpus>;
}
