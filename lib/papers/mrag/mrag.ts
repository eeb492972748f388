// MRAG (arXiv 2412.15540, figure 3): the main content of a question retrieves passages, its
// temporal constraint ranks their sentences and summaries.
import { pipeline, stage, type Stage } from '../../pipeline.js';
import { sortByScore } from '../../ranking/columns.js';
import { rerankBySearch } from '../../ranking/rerankBySearch.js';
import { rerankPassages } from '../../ranking/rerankPassages.js';
import { limit } from '../../reading/evidence.js';
import { read } from '../../reading/reader.js';
import type { Candidates } from '../../retrieval/candidate.js';
import { decompose, questionAsQuery } from '../../systems/queryAnalysis.js';
import { system, type QueryRequest, type System } from '../../systems/system.js';
import { firstStage } from './firstStage.js';
import { rankByKeywords } from './keywordRanking.js';
import { findKeywords } from './keywords.js';
import { mragOfficial } from './official/mrag.js';
import { resolveMragOptions, type MragOptions } from './options.js';
import { rankSentences } from './sentences.js';
import { shortlist } from './shortlist.js';
import { summarise } from './summary/summarise.js';

export { mragUses, type MragOptions } from './options.js';

const semantic = 'MRAG 4, semantic ranking';

/**
 * MRAG (arXiv 2412.15540): the main content of a question finds passages, and its temporal
 * constraint ranks their sentences and summaries by a spline. Rules take the place of three prompts
 * without a `model`. `variant: 'official'` computes what the published code computes.
 * @throws AsOfError ERR_INVALID_ARGUMENT for unknown options and values of the wrong kind.
 * @example const { evidence } = await mrag({ corpus }).run({ text: 'Who last won the cup before
 * 1990?' });
 */
export function mrag(options: MragOptions): System {
  if (options?.variant === 'official') return mragOfficial(options);
  const { corpus, model, read: reading, reranker, ...resolved } = resolveMragOptions(options);
  const { question, depth, fusion, keywords, rerank, shortlistSize, summaries } = resolved;
  const { promptModel, timed, sentences, shown } = resolved;
  const composition = pipeline<QueryRequest>('mrag')
    .then(
      question
        ? decompose(question, promptModel('question'))
        : questionAsQuery({ questionWords: false }),
    ) // 4
    .thenIf(keywords, () => findKeywords(promptModel('keywords'))) // F, keyword extraction
    .then(firstStage(depth, fusion, timed)) // 4, retrieval; 5.1, hybrid
    .thenIf(keywords, rankByKeywords) // appendix F, keyword ranking
    .then(reranker ? rerankPassages(rerank, reranker, semantic) : rankSemantically())
    .thenIf(shortlistSize, (n) => shortlist(n, timed)) // ours
    .thenIf(summaries, (n) => summarise(n, promptModel('summaries'))) // 4; appendix H
    .then(
      sentences
        ? rankSentences(sentences) // 4, hybrid ranking; appendix G
        : rerankBySearch('rankPassages(semantic x spline)', { ...timed, scope: 'passages' }),
    )
    .then(limit())
    .then(read(reading, model)); // 2.2, answer generation
  return system(composition.done(), corpus, shown, reading);
}

/** Passages by their retrieval scores, after keyword ranking. */
function rankSemantically(): Stage<Candidates, Candidates> {
  return stage(
    'rank(semantic)',
    ({ query, hits }) => ({ query, hits: sortByScore(hits) }),
    semantic,
  );
}
