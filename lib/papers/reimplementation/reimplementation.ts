// The re-implementation of MRAG with Contriever (mrag-reimplementation.txt, section 3): dense
// passages, ranked again by their best sentence's keywords and similarity. Its published code ranks
// by sentence windows and years instead: `variant: 'published'`.
import { read } from '../../reading/reader.js';
import { retrieve } from '../../retrieval/retrieve.js';
import { semanticOnly } from '../../retrieval/search.js';
import { takeTop } from '../../reading/evidence.js';
import { summaryOverlap } from './summaryOverlap.js';
import { bestPerPassage, minMax, sumColumns, timesColumn } from '../../ranking/columns.js';
import { keywordOverlap } from './keywordOverlap.js';
import { derivedValidity, type MetadataOptions } from './derivedValidity.js';
import { publishedByThen } from '../../ranking/mask.js';
import { rank } from '../../ranking/rank.js';
import { bestWindow, passageYears } from './windows.js';
import { invalidArgument } from '../../errors.js';
import { pipeline } from '../../pipeline.js';
import {
  checkedWhereUsed,
  checkKinds,
  count,
  finite,
  onOrOff,
  partsOf,
  text,
} from '../../systems/optionKinds.js';
import { asAsked, withoutYears } from '../../systems/questions.js';
import type { Settings } from '../../systems/settings.js';
import {
  system,
  type Ask,
  type CommonOptions,
  type System,
  type Uses,
} from '../../systems/system.js';

export interface ReimplementationOptions extends CommonOptions {
  /** As the paper describes it, or as its published code computes it. Default paper. */
  variant?: 'paper' | 'published';
  /**
   * Passages that the first stage keeps. Default 100, as in the paper (section 3.2) and the code.
   */
  depth?: number;
  /** What each sentence score counts for; the paper gives no weights. Default 1 each. */
  weights?: { overlap?: number; similarity?: number; summary?: number };
  /**
   * How many of the first passages are summarised for the question, by the model or by extraction.
   * Default 0, as in the paper's full runs.
   */
  summaries?: number;
  /** Rank sentences and pool their best; false ranks whole passages. Default true. */
  sentences?: boolean;
  /**
   * Metadata-aware retrieval (section 4.1): hides what was published later, and weighs validity,
   * given or derived. Default: off.
   */
  metadata?: MetadataOptions | true;
  /**
   * The published code's b, 0 to 1: the share of the first stage's score beside the best window's.
   * Default 0.
   */
  base?: number;
  /** The published code's w, 0 to 1: how far the years decide. Default 1. */
  years?: number;
}

/**
 * What `reimplementation` would use: a model for summaries alone, which the published code has none
 * of.
 */
export function reimplementationUses({ variant, summaries }: Settings = {}): Uses {
  return { reranker: false, prompts: variant !== 'published' && Number(summaries ?? 0) > 0 };
}

const first = { scope: 'passages' as const, relevance: semanticOnly };

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

/**
 * The re-implementation of MRAG over Contriever: dense passages, ranked again by their best
 * sentence's keywords and similarity.
 * @throws AsOfError ERR_INVALID_ARGUMENT for options that it does not have or that are of the wrong
 * kind.
 */
export function reimplementation(options: ReimplementationOptions): System {
  if (options?.variant === 'published') return published(options);
  const { variant = 'paper' } = checkKinds('reimplementation', options, kinds);
  if (variant !== 'paper') throw invalidArgument('variant', 'paper or published', variant);
  const { corpus, model, read: reading, depth = 100, summaries = 0, sentences = true } = options;
  const { overlap = 1, similarity = 1, summary = 1 } = options.weights ?? {};
  if (!Number.isInteger(summaries) || summaries < 0)
    throw invalidArgument('summaries', 'a whole number of at least 0', summaries);
  const scope = sentences ? 'sentences' : 'passages';
  const metadata = options.metadata === true ? {} : options.metadata;
  const columns = summaries > 0 ? { overlap, similarity, summary } : { overlap, similarity };
  const dense = metadata
    ? retrieve(
        `dense(${depth}, published by then)`,
        { ...first, n: depth, mask: publishedByThen },
        'Re-implementation 3.2, first stage',
      )
    : retrieve(`dense(${depth})`, { ...first, n: depth }, 'Re-implementation 3.2, first stage');
  const composition = pipeline<Ask>(metadata ? 'reimplementation+metadata' : 'reimplementation')
    .then(asAsked()) // 3.2, the question is embedded whole
    .then(dense)
    .then(
      rank(
        `${scope}(similarity)`,
        { scope, relevance: semanticOnly },
        'Re-implementation 3.2, semantic similarity',
      ),
    )
    .then(keywordOverlap('Re-implementation 3.2, token overlap'))
    .thenIf(summaries, (n) => summaryOverlap(n, model, 'Re-implementation 3.2, summary overlap'))
    .then(sumColumns(columns, 'Re-implementation 3.2, hybrid score'))
    .thenIf(metadata, (given) => derivedValidity(given, 'Re-implementation 4.1'))
    .thenIf(metadata, (given) => timesColumn('validity', given.weight))
    .then(bestPerPassage('Re-implementation 3.2, max pooling'))
    .then(takeTop())
    .then(read(reading, model));
  return system(
    composition.done(),
    corpus,
    { variant, depth, weights: columns, summaries, sentences, ...(metadata ? { metadata } : {}) },
    reading,
  );
}

function published(options: ReimplementationOptions): System {
  const kinds = { variant: checkedWhereUsed, depth: count, base: checkedWhereUsed, years: finite };
  const {
    corpus,
    model,
    read: reading,
    depth = 100,
    base = 0,
    years = 1,
  } = checkKinds('reimplementation+published', options, kinds);
  if (!(base >= 0 && base <= 1)) throw invalidArgument('base', 'a number from 0 to 1', base);
  const composition = pipeline<Ask>('reimplementation+published')
    .then(withoutYears())
    .then(retrieve(`dense(${depth})`, { ...first, n: depth }))
    .then(bestWindow())
    .then(minMax(['similarity', 'window']))
    .then(sumColumns({ similarity: base, window: 1 - base }))
    .then(passageYears())
    .then(timesColumn('years', years))
    .then(takeTop())
    .then(read(reading, model));
  return system(composition.done(), corpus, { variant: 'published', depth, base, years }, reading);
}
