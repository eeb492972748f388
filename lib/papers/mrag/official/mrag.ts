// MRAG as its published code computes it (siyue-zhang/MRAG, commit 19f3bcf), but for two things:
// publication is masked, and without a model rules take the place of prompts.
import { read } from '../../../reading/reader.js';
import { firstStage } from '../firstStage.js';
import { semanticOnly } from '../../../retrieval/search.js';
import { summarise } from '../summary/summarise.js';
import { limit } from '../../../reading/evidence.js';
import { rankByKeywords } from '../keywordRanking.js';
import { constrainedPublicationMask } from '../../../ranking/mask.js';
import { rankOfficial } from './rank.js';
import { rerankBySearch } from '../../../ranking/rerankBySearch.js';
import { rerankPassages } from '../../../ranking/rerankPassages.js';
import { pipeline } from '../../../pipeline.js';
import { findKeywords } from '../keywords.js';
import { resolveMragOptions, type MragOptions } from '../options.js';
import { decomposeOfficial } from '../../../systems/queryAnalysis.js';
import { system, type QueryRequest, type System } from '../../../systems/system.js';

/** Of the published code: passages after keyword ranking, summaries, and ranked sentences. */
const passages = 100;
const defaultSummaries = 5;
const sentences = 200;

/**
 * Uses the options `model`, `prompted`, `read`, `reranker`, `depth`, `relevance` (default dense),
 * `fusion` and `summarise`.
 */
export function mragOfficial(options: MragOptions): System {
  const {
    corpus,
    model,
    read: reading,
    promptModel,
    reranker,
    depth,
    fusion,
  } = resolveMragOptions(options);
  const { relevance = semanticOnly, summarise: summaries = defaultSummaries } = options;
  const dense = {
    scope: 'passages' as const,
    relevance: semanticOnly,
    mask: constrainedPublicationMask,
  };
  const composition = pipeline<QueryRequest>('mrag+official')
    .then(decomposeOfficial()) // 4, question processing
    .then(findKeywords(promptModel('keywords'))) // appendix F, keyword extraction
    .then(firstStage(depth, fusion, { relevance, mask: constrainedPublicationMask })) // 4; 5.1
    .then(rankByKeywords({ n: passages })) // appendix F, keyword ranking
    .then(
      reranker
        ? rerankPassages(passages, reranker, 'MRAG 4, semantic ranking')
        : rerankBySearch('rank(semantic)', dense, 'MRAG 4, semantic ranking'),
    )
    .thenIf(summaries, (n) => summarise(n, promptModel('summaries'))) // 4; appendix H
    .then(rankOfficial(sentences, reranker)) // 4, hybrid ranking; appendices F and G
    .then(limit())
    .then(read(reading, model));
  const shown = {
    variant: 'official',
    depth,
    relevance,
    fusion,
    summarise: summaries,
    ...(reranker ? { reranker: reranker.id } : {}),
  };
  return system(composition.done(), corpus, shown, reading);
}
