// Training: mined triplets, adapters, time encoders, rankers, option search.
export {
  adaptedEncoder,
  readAdapter,
  writeAdapter,
  type AdapterWeights,
} from '../vectors/adapter.js';
export {
  readTimeEncoder,
  timeColumns,
  timeEncoder,
  timeKinds,
  writeTimeEncoder,
  type TimeColumns,
  type TimeEncoder,
  type TimeEncoderWeights,
  type TimeKind,
} from '../vectors/timeEncoder.js';
export {
  featureNames as rankerFeatures,
  type FeatureName as RankerFeature,
} from '../ranking/ranker/features.js';
export { checkRanker, Ranker, type RankerModel } from '../ranking/ranker/model.js';
export { trainAdapter, type AdapterTrainingOptions } from './adapter/trainAdapter.js';
export { mineGeneralTriplets, type GeneralMiningOptions } from './mining/general.js';
export { splitOf } from './mining/split.js';
export { matchings, mineTriplets, type Matching, type MiningOptions } from './mining/temporal.js';
export {
  readTriplets,
  splits,
  toTripletRecord,
  type Split,
  type Triplet,
  type TripletPassage,
} from './mining/triplets.js';
export {
  rankingExamples,
  type JudgedQuestion,
  type RankingExample,
  type RankingExampleOptions,
} from './ranker/examples.js';
export { trainRanker, type TrainRankerOptions } from './ranker/train.js';
export type { CheckpointOptions, TrainingProgress } from './trainingLoop.js';
export { readTimeTriplets, type TimeTriplet } from './timeEncoder/triplets.js';
export {
  trainTimeEncoder,
  type TimeTrainingData,
  type TimeTrainingOptions,
} from './timeEncoder/trainTimeEncoder.js';
export {
  tuneOptions,
  type TuningFold,
  type TuningObjective,
  type OptionPoint,
  type TuneOptions,
  type TuningResult,
} from './tuneOptions.js';
