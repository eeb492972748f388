// The library's own system: relevance, time and publication mask in one exact pass over the corpus,
// then a trained ranker over sentence features.
import { latestOfSeries } from '../facts/latestOfSeries.js';
import { seriesRanker } from '../facts/series/model.js';
import { rankBySeries } from '../facts/series/rankBySeries.js';
import { dropSuperseded } from '../facts/versions/dropSuperseded.js';
import { pipeline } from '../pipeline.js';
import { embeddedRanker, readRanker } from '../ranking/ranker/model.js';
import { rankByFeatures } from '../ranking/ranker/rankByFeatures.js';
import { limit } from '../reading/evidence.js';
import { read } from '../reading/reader.js';
import {
  checkHybridOptions,
  resolveRetrievalOptions,
  type HybridOptions,
} from './hybridOptions.js';
import { hybridRetrieval, shortlistOfSeries } from './hybridRetrieval.js';
import { system, type QueryRequest, type System } from './system.js';

export type { HybridOptions } from './hybridOptions.js';

/**
 * The library's own system. One exact scan over the whole corpus scores relevance (cosine and BM25)
 * times temporal fit, without passages published after the query time; a small ranker orders the
 * best candidates by their sentences. Each stage can be switched off by an option.
 * @throws AsOfError ERR_INVALID_ARGUMENT for unknown options and values of the wrong kind.
 * @example const { evidence, answer } = await hybrid({ corpus }).run({ text: 'Who led the company
 * in 2004?' });
 */
export function hybrid(options: HybridOptions): System {
  const { corpus, model, read: reading, ...checked } = checkHybridOptions(options);
  const { ranker, ...others } = checked;
  const series = typeof ranker === 'string' ? seriesRanker(ranker) : undefined;
  // The ranking by series decides what is latest and what is superseded itself.
  const {
    latestOfSeries: latest = !series,
    versions = series ? false : {},
    ...stageOptions
  } = others;
  const weights =
    series || ranker === false
      ? undefined
      : ranker === undefined
        ? embeddedRanker()
        : readRanker(ranker);
  const { sentences = ranker === false } = stageOptions;
  const retrieval = resolveRetrievalOptions({ ...stageOptions, sentences });
  const { question, stateDecay, exactTime, mask, expansion } = retrieval;
  // Scores of two temporal forms are comparable only by a ranker.
  const usesExactTime = exactTime && ranker !== false;
  const stages = hybridRetrieval(
    { ...retrieval, exactTime: usesExactTime },
    series && shortlistOfSeries,
  );
  const composition = pipeline<QueryRequest>('hybrid')
    .then(stages.analyze)
    .then(stages.retrieve)
    .thenIf(stages.expand, (expand) => expand)
    .thenIf(series, rankBySeries)
    .thenIf(weights, (trained) => rankByFeatures(trained, stages.ranking))
    .thenIf(latest, () => latestOfSeries(stages.ranking.relevance))
    .thenIf(versions, (versionOptions) => dropSuperseded(versionOptions, model))
    .then(limit())
    .then(read(reading, model));
  const reportedOptions = {
    relevance: stages.ranking.relevance,
    ranker: ranker ?? weights!.id,
    exactTime,
    latestOfSeries: latest,
    mask,
    sentences,
    expansion,
    versions,
    ...(stateDecay || { stateDecay }),
    ...(question || { question }),
  };
  return system(composition.done(), corpus, reportedOptions, reading);
}
