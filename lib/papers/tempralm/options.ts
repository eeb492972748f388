// Options of `tempralm` and their resolution into the rankings of its two stages.
import { publicationMask } from '../../retrieval/mask.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { semanticOnly, type Ranking, type Relevance } from '../../retrieval/search.js';
import {
  checkKinds,
  count,
  finite,
  onOrOff,
  oneOf,
  relevanceKind,
} from '../../systems/optionKinds.js';
import type { CommonOptions } from '../../systems/system.js';
import type { TemporalForm } from '../../time/temporalForms.js';

export interface TempralmOptions extends CommonOptions {
  /**
   * Passages retrieved by relevance before recency ranks them (section 3.4); 'corpus' ranks the
   * whole corpus by both at once. Default 1,000.
   */
  overRetrieve?: number | 'corpus' | undefined;
  /** Search by the question with its date appended (table 1); false omits it. Default true. */
  suffix?: boolean | undefined;
  /** Weight of the standardised temporal score. Default 1, the paper. */
  weight?: number | undefined;
  /** Least difference between the two times, in days. Default 1. */
  floorDays?: number | undefined;
  /**
   * Weights of cosine and BM25: the score of any retriever may take the place of the encoder's
   * (3.1). Default { semantic: 1, lexical: 0 }.
   */
  relevance?: Relevance | undefined;
  /** Hide what was published after the question was asked (equation 5). Default true. */
  mask?: boolean | undefined;
}

interface ResolvedTempralmOptions extends CommonOptions {
  semantic: Ranking;
  timed: Ranking;
  /** Undefined where the whole corpus is ranked at once. */
  overRetrieve: number | undefined;
  suffix: boolean;
  /** Options as tables print them. */
  shown: Record<string, unknown>;
}

const kinds = {
  overRetrieve: oneOf(['corpus'], count),
  suffix: onOrOff,
  weight: finite,
  floorDays: finite,
  relevance: relevanceKind,
  mask: onOrOff,
};

/** @throws AsOfError ERR_INVALID_ARGUMENT for a value of the wrong kind. */
export function resolveTempralmOptions(options: TempralmOptions): ResolvedTempralmOptions {
  const { corpus, model, read, ...own } = checkKinds('tempralm', options, kinds);
  const { overRetrieve = 1000, suffix = true, weight = 1, floorDays = 1, mask = true } = own;
  const { relevance = semanticOnly } = own;
  const semantic: Ranking = {
    scope: 'passages',
    relevance,
    ...(mask ? { mask: publicationMask } : {}),
  };
  // Equations 2 to 5.
  const form = ({ parsed }: QueryContext): TemporalForm => ({
    combine: 'sum',
    kind: 'recency',
    clock: 'published',
    at: parsed.askedAt,
    floorDays,
    weight,
  });
  return {
    corpus,
    model,
    read,
    semantic,
    timed: { ...semantic, n: 'k', form },
    overRetrieve: overRetrieve === 'corpus' ? undefined : overRetrieve,
    suffix,
    shown: { overRetrieve, suffix, weight, floorDays, relevance, mask },
  };
}
