// MRAG (arXiv 2412.15540, figure 3): the main content of a question retrieves passages, its
// temporal constraint ranks their sentences and summaries.
import { pipeline } from '../../pipeline.js';
import { rerankBySearch } from '../../retrieval/rerankBySearch.js';
import { rerankPassages } from '../../systems/rerankPassages.js';
import { limit } from '../../reading/evidence.js';
import { read } from '../../reading/reader.js';
import { semanticOnly, type Ranking } from '../../retrieval/search.js';
import { questionAsQuery } from '../../systems/queryAnalysis.js';
import { system, type QueryRequest, type System } from '../../systems/system.js';
import { decompose } from './decompose.js';
import { firstStage } from './firstStage.js';
import { rankSentences } from './hybridRanking.js';
import { rankByKeywords } from './keywords/rankByKeywords.js';
import { findKeywords } from './keywords/findKeywords.js';
import { mragOfficial } from './official/mrag.js';
import { resolveMragOptions, type MragOptions } from './options.js';
import { summarise } from './summary/summarise.js';

export { mragUses, type MragOptions } from './options.js';

/**
 * MRAG (arXiv 2412.15540): the main content of a question finds passages, and its temporal
 * constraint ranks their sentences and summaries by a spline. Rules take the place of three prompts
 * without a `model`. `variant: 'official'` computes what the published code computes.
 * @throws AsOfError ERR_INVALID_ARGUMENT for unknown options and values of the wrong kind.
 * @example const { evidence } = await mrag({ corpus }).run({ text: 'Who last won the cup before
 * 1990?' });
 */
export function mrag(options: MragOptions): System {
  const resolved = resolveMragOptions(options);
  if (options.variant === 'official') return mragOfficial(resolved);
  const { corpus, model, read: reading, reranker, question, keywords, retriever } = resolved;
  const { depth, passages, summaries, promptModel, times, sentences, shown } = resolved;
  const dense: Ranking = { scope: 'passages', relevance: semanticOnly, mask: times.mask };
  const composition = pipeline<QueryRequest>('mrag')
    // 4, question processing
    .then(question ? decompose(question, promptModel('question')) : questionAsQuery())
    .thenIf(keywords, () => findKeywords(promptModel('keywords'))) // appendix F, keyword extraction
    .then(firstStage(keywords ? depth : passages, retriever, times.mask)) // 4, retrieval; 5.1
    .thenIf(keywords, () => rankByKeywords(passages)) // appendix F, keyword ranking
    // 4, semantic ranking
    .then(reranker ? rerankPassages(passages, reranker) : rerankBySearch('rank(semantic)', dense))
    .thenIf(summaries, (n) => summarise(n, promptModel('summaries'))) // 4; appendix H
    .then(
      sentences
        ? rankSentences(sentences, times, reranker) // 4, hybrid ranking; appendix G
        : rerankBySearch('rankPassages(semantic x spline)', { ...dense, ...times }),
    )
    .then(limit())
    .then(read(reading, model)); // 2.2, answer generation
  return system(composition.done(), corpus, shown, reading);
}
