// Options of `hybrid`: each stage can be switched off, for ablations.
import type { Credibility } from '../facts/ranking/credibility.js';
import type { StateDecayOptions } from '../time/stateDecay.js';
import type { ExpansionOptions } from '../retrieval/queryExpansion.js';
import type { Relevance } from '../retrieval/search.js';
import type { Decay } from '../time/decay.js';
import type { Reranker } from '../vectors/reranker.js';
import type { QuestionOptions } from '../time/question/question.js';
import { invalidArgument } from '../errors.js';
import {
  checkedWhereUsed,
  checkKinds,
  count,
  expansionKind,
  finite,
  onOrOff,
  orFalse,
  partsOf,
  questionKind,
  relevanceKind,
  text,
} from './optionKinds.js';
import type { CommonOptions } from './system.js';

export interface HybridOptions extends CommonOptions {
  /** Conventions of a data set, such as parts of a decade; false searches by the whole question. */
  question?: QuestionOptions | false | undefined;
  /** Weights of cosine and BM25. Default { semantic: 0.4, lexical: 0.6 }. */
  relevance?: Relevance | undefined;
  /**
   * Temporal scores of dates before, inside and after the question's window, for states that last
   * until superseded; false retrieves without time.
   */
  stateDecay?: StateDecayOptions | false | undefined;
  /**
   * Decay with the distance of a passage's time from `askedAt`, in place of `stateDecay` and
   * `exactTime`: of the relevance in the scan, and of the ranker's probabilities. Default: none.
   */
  decay?: Decay | undefined;
  /** Retrieve also by the exact time of the question, for the ranker. Default true. */
  exactTime?: boolean | undefined;
  /** Exclude passages published after the query time. Default true. */
  mask?: boolean | undefined;
  /**
   * Retrieve sentences in addition to passages, at about twice the time. Default: only without a
   * ranker, which scores sentences itself.
   */
  sentences?: boolean | undefined;
  /** Query expansion for words that no passage contains; false omits it. */
  expansion?: ExpansionOptions | false | undefined;
  /**
   * Ask a question that names an event in place of a date ("when the wall fell") again with the
   * event's time in the corpus. Default true.
   */
  events?: boolean | undefined;
  /**
   * Correct words of the question that are in no passage and no English word, by the passages that
   * the others retrieve. Default false.
   */
  spelling?: boolean | undefined;
  /**
   * A weight file of your own (`trainRanker`); false keeps the order of the scan. Default: the
   * weights of the package.
   */
  ranker?: string | false | undefined;
  /**
   * A cross-encoder whose scores count in the log-odds that a statement is of the series, next to
   * names, values and times. Default: none.
   */
  reranker?: Reranker | undefined;
  /** Passages that the reranker scores, the likeliest ones without it. Default 20. */
  rerank?: number | undefined;
  /**
   * How far the sources of passages are believed where they conflict: the ranker's probabilities of
   * statements are multiplied by it, and a statement is superseded by one that is rather right than
   * not. Default: all alike.
   */
  credibility?: Credibility | undefined;
}

/** The options of `hybrid` that concern retrieval, and so the candidates that its ranker sees. */
export type HybridRetrievalOptions = Pick<
  HybridOptions,
  | 'question'
  | 'relevance'
  | 'stateDecay'
  | 'decay'
  | 'exactTime'
  | 'mask'
  | 'sentences'
  | 'expansion'
>;

/** Retrieval options with their defaults. */
export function resolveRetrievalOptions({
  question = {},
  relevance = { semantic: 0.4, lexical: 0.6 },
  decay,
  stateDecay = decay ? false : {},
  exactTime = !decay,
  mask = true,
  sentences = false,
  expansion = {},
}: HybridRetrievalOptions): Required<Omit<HybridRetrievalOptions, 'decay'>> & { decay?: Decay } {
  if (decay && (stateDecay || exactTime))
    throw invalidArgument(
      'decay',
      'given without stateDecay and exactTime, whose place it takes',
      decay,
    );
  const options = { question, relevance, stateDecay, exactTime, mask, sentences, expansion };
  return decay ? { ...options, decay } : options;
}

const kinds = {
  question: questionKind,
  relevance: relevanceKind,
  exactTime: onOrOff,
  mask: onOrOff,
  sentences: onOrOff,
  expansion: expansionKind,
  events: onOrOff,
  spelling: onOrOff,
  stateDecay: orFalse(
    partsOf({
      low: finite,
      outside: finite,
      before: finite,
      near: finite,
      later: finite,
      after: finite,
    }),
  ),
  decay: checkedWhereUsed,
  credibility: partsOf({ field: text, of: checkedWhereUsed, otherwise: finite }),
  reranker: checkedWhereUsed,
  rerank: count,
  ranker: orFalse({ ...text, expected: "the path of a ranker's weights" }),
};

/** @throws AsOfError ERR_INVALID_ARGUMENT for an unknown option or a value of the wrong kind */
export function checkHybridOptions(options: HybridOptions): HybridOptions {
  const { ranker, reranker, rerank } = checkKinds('hybrid', options, kinds);
  if (reranker !== undefined && ranker === false)
    throw invalidArgument('reranker', 'given with a ranker, in whose log-odds it counts', reranker);
  if (rerank !== undefined && reranker === undefined)
    throw invalidArgument('rerank', 'given with a reranker', rerank);
  return options;
}
