// Options of `reimplementation` and their resolution.
import { invalidArgument, mustBeWhole } from '../../errors.js';
import { publicationMask } from '../../retrieval/mask.js';
import { semanticOnly, type Ranking } from '../../retrieval/search.js';
import {
  checkedWhereUsed,
  checkKinds,
  count,
  finite,
  onOrOff,
  partsOf,
  text,
} from '../../systems/optionKinds.js';
import type { Settings } from '../../systems/settings.js';
import type { CommonOptions, Uses } from '../../systems/system.js';
import type { MetadataOptions } from './derivedValidity.js';

export interface ReimplementationOptions extends CommonOptions {
  /** As the paper describes it, or as its published code computes it. Default 'paper'. */
  variant?: 'paper' | 'published' | undefined;
  /** Passages that the first stage retrieves. Default 100, as in the paper (3.2) and the code. */
  depth?: number | undefined;
  /** Weights of the sentence scores, of which the paper gives none. Default 1 each. */
  weights?:
    | {
        overlap?: number | undefined;
        similarity?: number | undefined;
        summary?: number | undefined;
      }
    | undefined;
  /**
   * How many of the first passages are summarised for the question, by the model or by extraction.
   * Default 0, as in the paper's full runs.
   */
  summaries?: number | undefined;
  /** Rank sentences and pool their best; false ranks whole passages. Default true. */
  sentences?: boolean | undefined;
  /**
   * Metadata-aware retrieval (section 4.1): masks publication after the question, and weights
   * validity, given or derived. Default: off.
   */
  metadata?: MetadataOptions | true | undefined;
  /**
   * Of the published code: the weight of the first stage's score against the best window's, 0 to 1.
   * Default 0.
   */
  base?: number | undefined;
  /** Of the published code: the weight of the years, 0 to 1. Default 1. */
  years?: number | undefined;
}

interface ResolvedReimplementationOptions extends CommonOptions {
  name: string;
  dense: { name: string; ranking: Ranking };
  scope: 'sentences' | 'passages';
  summaries: number;
  weights: Record<string, number>;
  metadata: MetadataOptions | undefined;
  /** Options as tables print them. */
  shown: Record<string, unknown>;
}

/** What `reimplementation` would use: a model for summaries, which the published code lacks. */
export function reimplementationUses({ variant, summaries }: Settings = {}): Uses {
  return { reranker: false, prompts: variant !== 'published' && Number(summaries ?? 0) > 0 };
}

const metadataKind = partsOf({
  fields: partsOf({ published: text, updated: text, crawled: text }),
  versions: text,
  contentFirst: onOrOff,
  outside: finite,
  weight: finite,
});
const kinds = {
  variant: checkedWhereUsed,
  depth: count,
  summaries: checkedWhereUsed,
  sentences: onOrOff,
  weights: partsOf({ overlap: finite, similarity: finite, summary: finite }),
  metadata: {
    ...metadataKind,
    takes: (value: unknown) => value === true || metadataKind.takes(value),
  },
};

/** @throws AsOfError ERR_INVALID_ARGUMENT for a value of the wrong kind or range. */
export function resolveOptions(options: ReimplementationOptions): ResolvedReimplementationOptions {
  const { variant = 'paper' } = checkKinds('reimplementation', options, kinds);
  if (variant !== 'paper') throw invalidArgument('variant', 'paper or published', variant);
  const { corpus, model, read, depth = 100, summaries = 0, sentences = true } = options;
  const { overlap = 1, similarity = 1, summary = 1 } = options.weights ?? {};
  mustBeWhole({ summaries }, 0);
  const metadata = options.metadata === true ? {} : options.metadata;
  const weights: Record<string, number> =
    summaries > 0 ? { overlap, similarity, summary } : { overlap, similarity };
  const ranking: Ranking = { scope: 'passages', relevance: semanticOnly, n: depth };
  return {
    corpus,
    model,
    read,
    name: metadata ? 'reimplementation+metadata' : 'reimplementation',
    dense: metadata
      ? { name: `dense(${depth}, masked)`, ranking: { ...ranking, mask: publicationMask } }
      : { name: `dense(${depth})`, ranking },
    scope: sentences ? 'sentences' : 'passages',
    summaries,
    weights,
    metadata,
    shown: { variant, depth, weights, summaries, sentences, ...(metadata ? { metadata } : {}) },
  };
}
