// MRAG as its published code computes it (siyue-zhang/MRAG, commit 19f3bcf): years, its own line,
// keyword ranking, two hundred sentences. What no option here changes is that nothing published
// after the question is shown, and that without a model rules stand in.
import { read } from '../../../reading/reader.js';
import { retrieveFirst } from '../../../retrieval/firstStage.js';
import { semanticOnly } from '../../../retrieval/search.js';
import { summarise } from '../summary/summarise.js';
import { takeTop } from '../../../reading/evidence.js';
import { rankByKeywords } from '../keywordRanking.js';
import { publishedAsAsked } from '../../../ranking/mask.js';
import { rankOfficially } from './rank.js';
import { rank } from '../../../ranking/rank.js';
import { rerankPassages } from '../rerank.js';
import { pipeline } from '../../../pipeline.js';
import { findKeywords } from '../keywords.js';
import { checkMragOptions, type MragOptions } from '../options.js';
import { decomposeOfficially } from '../../../systems/questions.js';
import { system, type Ask, type System } from '../../../systems/system.js';

const kept = 100;
const condensed = 5;
const timed = 200;

/**
 * Of the options `model`, `prompted`, `read`, `reranker`, `depth`, `relevance` (default dense),
 * `fusion` and `summarise` count.
 */
export function mragOfficial(options: MragOptions): System {
  const {
    corpus,
    model,
    read: reading,
    prompts,
    reranker,
    depth,
    fusion,
  } = checkMragOptions(options);
  const { relevance = semanticOnly, summarise: summaries = condensed } = options;
  const dense = { scope: 'passages' as const, relevance: semanticOnly, mask: publishedAsAsked };
  const composition = pipeline<Ask>('mrag+official')
    .then(decomposeOfficially())
    .then(findKeywords(prompts('keywords'))) // appendix F
    .then(retrieveFirst(depth, fusion, { relevance, mask: publishedAsAsked }))
    .then(rankByKeywords({ n: kept }, 'MRAG appendix F, keyword ranking'))
    .then(
      reranker
        ? rerankPassages(kept, reranker, 'MRAG 4, semantic ranking')
        : rank('rank(semantic)', dense, 'MRAG 4, semantic ranking'),
    )
    .thenIf(summaries, (n) =>
      summarise(n, prompts('summaries'), 'MRAG 4, query-focused summarisation'),
    )
    .then(rankOfficially(timed))
    .then(takeTop())
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
