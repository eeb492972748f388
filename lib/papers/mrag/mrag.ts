// MRAG (arXiv 2412.15540): a question's main content finds passages, its temporal constraint ranks
// their sentences and summaries. Each stage is left out by an option, so that what it is worth can
// be measured; `variant: 'official'` is the published code.
import { read } from '../../reading/reader.js';
import type { Asked } from '../../retrieval/candidate.js';
import { retrieveFirst } from '../../retrieval/firstStage.js';
import { summarise } from './summary/summarise.js';
import { takeTop } from '../../reading/evidence.js';
import { rankByKeywords } from './keywordRanking.js';
import { leadInTime } from './shortlist.js';
import { publishedAsAsked } from '../../ranking/mask.js';
import { rank } from '../../ranking/rank.js';
import { rankSemantically, rerankPassages } from './rerank.js';
import { rankSentences } from './sentences.js';
import { temporalForm } from '../../ranking/temporal.js';
import { pipeline } from '../../pipeline.js';
import { findKeywords } from './keywords.js';
import { checkMragOptions, type MragOptions } from './options.js';
import { mragOfficial } from './official/mrag.js';
import { decompose, undivided } from '../../systems/questions.js';
import { system, type Ask, type System } from '../../systems/system.js';

export { mragUses, type MragOptions } from './options.js';

/**
 * MRAG (arXiv 2412.15540): the main content of a question finds passages, and its temporal
 * constraint ranks their sentences and summaries by a spline. Works by rules; a `model` may stand
 * in for three stages. `variant: 'official'` computes what the published code computes.
 * @throws AsOfError ERR_INVALID_ARGUMENT for options that it does not have or that are of the wrong
 * kind.
 * @example const { evidence } = await mrag({ corpus }).run({ text: 'Who last won the cup before
 * 1990?' });
 */
export function mrag(options: MragOptions): System {
  if (options?.variant === 'official') return mragOfficial(options);
  const {
    corpus,
    read: reading,
    model,
    prompts,
    reranker,
    printed,
    ...checked
  } = checkMragOptions(options);
  const {
    question,
    depth,
    relevance,
    fusion,
    keywordRanking,
    rerank,
    summaries,
    bySentence,
    passageShare,
    spline,
    naming,
    passages,
    mask,
  } = checked;
  const form = (asked: Asked) =>
    spline ? temporalForm(asked, spline) : ({ combine: 'none' } as const);
  const seen = { relevance, mask: mask ? publishedAsAsked : () => ({}) };
  const timed = bySentence
    ? rankSentences(
        'rank(semantic x spline)',
        { ...seen, form, naming, passageShare, ...bySentence },
        'MRAG 4, hybrid ranking',
      )
    : rank('rankPassages(semantic x spline)', { ...seen, form, scope: 'passages' });
  const composition = pipeline<Ask>('mrag')
    .then(question ? decompose(question, prompts('question')) : undivided()) // 4, question processing
    .thenIf(keywordRanking, () => findKeywords(prompts('keywords'))) // appendix F, keyword extraction
    .then(retrieveFirst(depth, fusion, seen)) // 4, retrieval; 5.1, hybrid
    .thenIf(keywordRanking, (ranking) =>
      rankByKeywords(ranking, 'MRAG appendix F, keyword ranking'),
    )
    .then(
      reranker
        ? rerankPassages(rerank, reranker, 'MRAG 4, semantic ranking')
        : rankSemantically('MRAG 4, semantic ranking'),
    )
    .thenIf(bySentence && !reranker && passages, (n) => leadInTime(n, { ...seen, form })) // ours: whose sentences are worth reading
    .thenIf(summaries, (n) =>
      summarise(n, prompts('summaries'), 'MRAG 4, query-focused summarisation'),
    )
    .then(timed) // 4, hybrid ranking; appendix G
    .then(takeTop())
    .then(read(reading, model)); // 2.2, answer generation
  return system(composition.done(), corpus, printed, reading);
}
