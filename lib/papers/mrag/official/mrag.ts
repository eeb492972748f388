// MRAG as its published code computes it (siyue-zhang/MRAG, commit 19f3bcf), but for two things:
// publication is masked, and without a model rules take the place of prompts.
import { pipeline } from '../../../pipeline.js';
import { constrainedPublicationMask } from '../../../retrieval/mask.js';
import { rerankBySearch } from '../../../retrieval/rerankBySearch.js';
import { rerankPassages } from '../../../systems/rerankPassages.js';
import { limit } from '../../../reading/evidence.js';
import { read } from '../../../reading/reader.js';
import { semanticOnly, type Ranking } from '../../../retrieval/search.js';
import { system, type QueryRequest, type System } from '../../../systems/system.js';
import { firstStage } from '../firstStage.js';
import { rankByKeywords } from '../keywords/rankByKeywords.js';
import { findKeywords } from '../keywords/findKeywords.js';
import type { ResolvedMragOptions } from '../options.js';
import { summarise } from '../summary/summarise.js';
import { decomposeOfficial } from './question.js';
import { rankOfficial } from './rank.js';

/** Of the published code: passages after keyword ranking, and sentences that are scored in time. */
const passages = 100;
const sentences = 200;
const semantic = 'MRAG 4, semantic ranking';

/** Uses the options of `mrag` that its variant 'official' takes. */
export function mragOfficial(resolved: ResolvedMragOptions): System {
  const { corpus, model, read: reading, promptModel, reranker, depth, retriever } = resolved;
  const { summaries, shown } = resolved;
  const mask = constrainedPublicationMask;
  const dense: Ranking = { scope: 'passages', relevance: semanticOnly, mask };
  const composition = pipeline<QueryRequest>('mrag+official')
    .then(decomposeOfficial()) // 4, question processing
    .then(findKeywords(promptModel('keywords'))) // appendix F, keyword extraction
    .then(firstStage(depth, retriever, mask)) // 4, retrieval; 5.1
    .then(rankByKeywords(passages)) // appendix F, keyword ranking
    .then(
      reranker
        ? rerankPassages(passages, reranker, semantic)
        : rerankBySearch('rank(semantic)', dense, semantic),
    )
    .thenIf(summaries, (n) => summarise(n, promptModel('summaries'))) // 4; appendix H
    .then(rankOfficial(sentences, reranker)) // 4, hybrid ranking; appendices F and G
    .then(limit())
    .then(read(reading, model));
  return system(composition.done(), corpus, shown, reading);
}
