// The options of `hybrid`: every stage can be left out, so that a table can say what it is worth.
import type { BridgeOptions } from '../retrieval/bridge.js';
import type { Relevance } from '../retrieval/search.js';
import type { VersionOptions } from '../facts/versions/dropOutdated.js';
import type { PersistenceOptions } from '../ranking/persistence.js';
import type { QuestionOptions } from '../time/question/question.js';
import {
  bridgeKind,
  checkKinds,
  finite,
  onOrOff,
  orFalse,
  partsOf,
  questionKind,
  relevanceKind,
  text,
  versionsKind,
} from './optionKinds.js';
import type { Settings } from './settings.js';
import type { CommonOptions, Uses } from './system.js';

export interface HybridOptions extends CommonOptions {
  /**
   * Conventions of a data set that differ from ours, such as its parts of a decade; false searches
   * by the whole question.
   */
  question?: QuestionOptions | false;
  relevance?: Relevance;
  /**
   * How dates before, inside and after the question's window count when passages are looked for;
   * false looks without time.
   */
  persistence?: PersistenceOptions | false;
  /**
   * Look for statements of the very time named too, and rank them with the others. Default true.
   */
  namedTime?: boolean;
  /**
   * The newest first of a series, where a question asks for the latest: statements of one subject
   * that differ by their day. Default true.
   */
  newest?: boolean;
  /** Hide what was published after the question was asked. Default true. */
  mask?: boolean;
  /**
   * Look for sentences beside whole passages, at about twice the time. Default: only where no
   * ranker scores the sentences of what was found.
   */
  sentences?: boolean;
  /**
   * How a word of the question that no passage found has is answered by one that they have; false
   * leaves it missing.
   */
  bridge?: BridgeOptions | false;
  /**
   * How passages that a newer one contradicts are left out (Re3's recency filter); false shows them
   * too.
   */
  versions?: VersionOptions | false;
  /**
   * A file of weights of your own training (`trainRanker`); false keeps the order of the scan.
   * Default: those of the package.
   */
  ranker?: string | false;
}

const kinds = {
  question: questionKind,
  relevance: relevanceKind,
  namedTime: onOrOff,
  newest: onOrOff,
  mask: onOrOff,
  sentences: onOrOff,
  bridge: bridgeKind,
  versions: versionsKind,
  persistence: orFalse(
    partsOf({
      low: finite,
      outside: finite,
      before: finite,
      near: finite,
      later: finite,
      after: finite,
    }),
  ),
  ranker: orFalse({ ...text, expected: "the path of a ranker's weights" }),
};

/**
 * @throws AsOfError ERR_INVALID_ARGUMENT for a value of the wrong kind, or a part of an option that
 * there is not.
 */
export const checkHybridOptions = (options: HybridOptions): HybridOptions =>
  checkKinds('hybrid', options, kinds);

/** What `hybrid` would use: a model only where it is to read versions. */
export const hybridUses = ({ versions }: Settings = {}): Uses => {
  const { by } = (versions || {}) as VersionOptions;
  return { reranker: false, prompts: by === 'model' };
};
