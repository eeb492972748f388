// The library's own system: relevance, time and publication mask in one exact pass over the corpus,
// then the member of the series that the question asks for.
import { embeddedRanker, readRanker } from '../facts/ranking/model.js';
import { rankBySeries } from '../facts/ranking/rankBySeries.js';
import { pipeline } from '../pipeline.js';
import { decayScores, hybridRetrieval } from './hybridRetrieval.js';
import { limit } from '../reading/evidence.js';
import { read } from '../reading/reader.js';
import {
  checkHybridOptions,
  resolveRetrievalOptions,
  type HybridOptions,
} from './hybridOptions.js';
import { resolveEvents } from './eventResolution.js';
import { correctSpelling } from './spelling.js';
import { system, type QueryRequest, type System } from './system.js';

/** Passages that a reranker scores. */
const defaultJudged = 20;

export type { HybridOptions } from './hybridOptions.js';

/**
 * The library's own system. One exact scan over the whole corpus scores relevance (cosine and BM25)
 * times temporal fit, without passages published after the query time; the best candidates are
 * ranked by the probability that one of their statements is the member of the series that the
 * question asks for. Each stage can be switched off by an option.
 * @throws AsOfError ERR_INVALID_ARGUMENT for unknown options and values of the wrong kind.
 * @example const { evidence, answer } = await hybrid({ corpus }).run({ text: 'Who led the company
 * in 2004?' });
 */
export function hybrid(options: HybridOptions): System {
  const { corpus, model, read: reading, ...checked } = checkHybridOptions(options);
  const {
    ranker,
    credibility,
    reranker,
    rerank,
    events = true,
    spelling = false,
    ...stageOptions
  } = checked;
  const reranking = reranker && { reranker, count: rerank ?? defaultJudged };
  const weights =
    ranker === false ? undefined : ranker === undefined ? embeddedRanker() : readRanker(ranker);
  const { sentences = ranker === false } = stageOptions;
  const retrieval = resolveRetrievalOptions({ ...stageOptions, sentences });
  const { question, stateDecay, decay, exactTime, mask, expansion } = retrieval;
  // Scores of two temporal forms are comparable only by a ranker.
  const usesExactTime = exactTime && weights !== undefined;
  const stages = hybridRetrieval({ ...retrieval, exactTime: usesExactTime });
  const composition = pipeline<QueryRequest>('hybrid')
    .thenIf(spelling && stages.lookup, correctSpelling)
    .thenIf(events && stages.lookup, resolveEvents)
    .then(stages.analyze)
    .then(stages.retrieve)
    .thenIf(stages.expand, (expand) => expand)
    .thenIf(weights && stages.neutral, (neutral) => neutral)
    .thenIf(weights, (given) => rankBySeries(given, { credibility, reranking }))
    .thenIf(weights && decay, decayScores)
    .then(limit())
    .then(read(reading, model));
  const reportedOptions = {
    relevance: retrieval.relevance,
    ranker: ranker ?? weights!.id,
    ...(credibility ? { credibility } : {}),
    ...(reranking ? { reranker: reranking.reranker.id, rerank: reranking.count } : {}),
    exactTime,
    mask,
    sentences,
    expansion,
    events,
    ...(spelling ? { spelling } : {}),
    ...(decay ? { decay } : stateDecay || { stateDecay }),
    ...(question || { question }),
  };
  return system(composition.done(), corpus, reportedOptions, reading, (own) =>
    hybrid({
      ...options,
      decay: own.decay ?? options.decay,
      relevance: own.relevance ?? options.relevance,
    }),
  );
}
