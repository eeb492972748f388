// Training: triplet mining, adapters, time encoders, the ranker, option tuning.
export { trainAdapter, type AdapterTrainingOptions } from './adapter/trainAdapter.js';
export { mineGeneralTriplets } from './mining/general.js';
export { mineTriplets, type MiningOptions } from './mining/temporal.js';
export { readTriplets, toTripletRecord, type Triplet } from './mining/triplets.js';
export { rankingExamples } from './ranker/examples.js';
export { trainRanker } from './ranker/train.js';
export { readTimeTriplets, type TimeTriplet } from './timeEncoder/triplets.js';
export { trainTimeEncoder, type TimeTrainingOptions } from './timeEncoder/trainTimeEncoder.js';
export { tuneOptions, type TuneOptions, type TuningResult } from './tuneOptions.js';
// Types in signatures of the entry.
export type { GeneralMiningOptions } from './mining/general.js';
export type { TripletPassage } from './mining/triplets.js';
export type { JudgedQuestion, RankingExample, RankingExampleOptions } from './ranker/examples.js';
export type { TrainRankerOptions } from './ranker/train.js';
export type { TimeTrainingData } from './timeEncoder/trainTimeEncoder.js';
export type { CheckpointOptions, TrainingProgress } from './trainingLoop.js';
export type { OptionPoint, TuningObjective } from './tuneOptions.js';
