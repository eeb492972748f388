// The public API of asof: everything that users, the command line and the adapters may rely on. It
// re-exports and defines nothing itself. In the order of the flow: text, time, vectors, store,
// candidates, scores, evidence, answer, systems, training, evaluation, adapters.
export { AsOfError, errorCodes, type ErrorCode } from './errors.js';
export type {
  Passage,
  Progress,
  Question,
  RunOptions,
  StoredPassage,
  TimeInput,
} from './records.js';
export type { TraceEntry } from './stage.js';

export { englishAnalyser, englishStopWords, type Analyser } from './text/analyser.js';
export { readCsv, type CsvOptions } from './text/csv.js';
export {
  invalidLine,
  readJsonLines,
  readLines,
  stringField,
  type Line,
  type ReadLineOptions,
  type Where,
} from './text/lines.js';
export {
  keywordTypes,
  keywordWeights,
  type Keyword,
  type KeywordType,
} from './text/keywords/keyword.js';
export { extractKeywords } from './text/keywords/keywordRules.js';
export { generateJson, type JsonGeneration } from './text/jsonAnswer.js';
export { checkTextModel, generateText } from './text/textModel.js';
export type {
  GenerateRequest,
  Generation,
  JsonSchema,
  TextModel,
  TokenUsage,
} from './text/textModel.js';

export { contentIntervals, contentOfSentences } from './time/clocks.js';
export type {
  Clock,
  Condition,
  Constraint,
  ParsedQuestion,
  Relation,
  Window,
} from './time/constraint.js';
export { conditions, relations } from './time/constraint.js';
export type { RecencyForm, SplineForm, SplineLine, TemporalForm } from './time/forms.js';
export { formatDay, formatInstant, parseAskedAt, parseInstant } from './time/instant.js';
export { granularities, type Granularity, type Instant, type Interval } from './time/interval.js';
export {
  readTemporalQuery,
  temporalIntents,
  type TemporalIntent,
  type TemporalQuery,
  type TemporalSignal,
} from './time/question/intent.js';
export {
  timexTypes,
  type Mention,
  type ReadMode,
  type TaggedText,
  type Timex,
  type TimexType,
} from './time/mention.js';
export { parseQuestion, type QuestionOptions } from './time/question/question.js';
export {
  intervalIso,
  toTimeQuestionRecord,
  toTimeTagRecord,
  type TimeConstraintRecord,
  type TimeQuestionRecord,
  type TimeTagRecord,
} from './time/records.js';
export { tagModes, tagText, tagTimes, type TagMode, type TagOptions } from './time/tagger.js';
export { firstTimeExtractor } from './time/firstExtractor.js';
export {
  grammarExtractor,
  soleTimeExtractor,
  timeTuple,
  timeTuples,
} from './time/timeExtractor.js';
export { timesToFuse } from './time/question/fusing.js';
export type {
  ExtractOptions,
  TextKind,
  TimeExtractor,
  TimeTupleOptions,
} from './time/timeExtractor.js';
export { queryVariant, queryVariants, type QueryVariant } from './time/question/variants.js';
export {
  deriveValidity,
  eventGapDays,
  validityRules,
  type DerivedValidity,
  type PassageDates,
  type ReadValidity,
  type ValidityRule,
} from './time/validity.js';
export { noTime, timeTupleOf, type TimeTuple } from './time/tuple.js';

export {
  adaptedEncoder,
  readAdapter,
  writeAdapter,
  type AdapterWeights,
} from './vectors/adapter.js';
export { deviceNames, devices, type Device, type DeviceInfo } from './vectors/device.js';
export { checkEncoder, encodeTexts, type EncodeOptions, type Encoder } from './vectors/encoder.js';
export type { HubOptions } from './vectors/hub/options.js';
export type { Activation, Pooling } from './vectors/onnx/messages.js';
export type { Prefixes } from './vectors/onnx/modelFolder.js';
export {
  learnedTimeExtractor,
  type LearnedTimeExtractor,
  type LearnedTimeExtractorOptions,
} from './vectors/onnx/learnedTimeExtractor.js';
export {
  onnxEncoder,
  type OnnxEncoder,
  type OnnxEncoderOptions,
  type OnnxEncoderSettings,
} from './vectors/onnx/onnxEncoder.js';
export {
  onnxReranker,
  type OnnxReranker,
  type OnnxRerankerOptions,
  type OnnxRerankerSettings,
} from './vectors/onnx/onnxReranker.js';
export type { FolderOptions, ModelLocation, RunSettings } from './vectors/onnx/options.js';
export {
  checkReranker,
  rerankTexts,
  type Reranker,
  type RerankOptions,
} from './vectors/reranker.js';
export { staticEncoder, type StaticEncoderOptions } from './vectors/staticEncoder.js';
export {
  readTimeEncoder,
  timeColumns,
  timeEncoder,
  timeKinds,
  writeTimeEncoder,
} from './vectors/timeEncoder.js';
export type {
  TimeColumns,
  TimeEncoder,
  TimeEncoderWeights,
  TimeKind,
} from './vectors/timeEncoder.js';

export { Corpus, type AddOptions, type CorpusOptions } from './store/corpus.js';
export type { CorpusInfo } from './store/info.js';
export { storages, type Storage } from './store/manifest.js';
export type { AddCounts, CompactCounts } from './store/writer.js';
export type { PassagePlace, Snapshot, SnapshotSegment } from './store/snapshot.js';
export { checkPassage } from './store/passages.js';

export { fusions, type Fusion } from './candidates/firstStage.js';
export {
  normalisedSum,
  reciprocalRankFusion,
  type Fused,
  type Ranked,
} from './candidates/fusion.js';
export type { BridgeOptions } from './candidates/bridge.js';
export type { Relevance } from './candidates/search.js';
export { exactnesses, type Exactness, type ScanReading } from './candidates/flatScan.js';
export { searchVectors, VectorIndex } from './candidates/vectorIndex.js';
export type { PassageColumns } from './candidates/passageColumns.js';
export type { ColumnSearchOptions, PassageHit, PassageHits } from './candidates/vectorIndex.js';
export type {
  VectorHits,
  VectorRows,
  VectorSearchOptions,
  VectorTimes,
} from './candidates/vectorIndex.js';
export type { MetadataOptions } from './scores/derivedValidity.js';
export {
  featureNames as rankerFeatures,
  type FeatureName as RankerFeature,
} from './scores/ranker/features.js';
export { checkRanker, Ranker, type RankerModel } from './scores/ranker/model.js';
export type { PersistenceOptions } from './scores/persistence.js';
export type { RecencyOptions } from './scores/recency.js';
export type { SplineOptions } from './scores/spline.js';
export type { TemporalOptions } from './scores/temporal.js';
export type { Dropped, Evidence } from './evidence/evidence.js';
export type { Arbitrated } from './evidence/versions/arbitrate.js';
export { voteOnVersions, type VoteOptions } from './evidence/versions/byRules.js';
export type { VersionOptions } from './evidence/versions/dropOutdated.js';
export {
  readerModes,
  type Answer,
  type ReadablePassage,
  type ReaderMode,
  type ReadOptions,
} from './answer/answer.js';
export { readPassages, type PassagesRead } from './answer/reader.js';

export { bm25, dense, type BaselineOptions } from './systems/baselines.js';
export { hybrid, type HybridOptions } from './systems/hybrid.js';
export { mrag, type MragOptions } from './systems/mrag.js';
export { mragPrompts, type MragPrompt } from './systems/mragOptions.js';
export { re3, type Re3Options } from './systems/re3.js';
export { reimplementation, type ReimplementationOptions } from './systems/reimplementation.js';
export { createSystem, systemNames, systemUses, type SystemOptions } from './systems/registry.js';
export { numericOptions, settingsAt, type Settings } from './systems/settings.js';
export {
  mostPassages,
  type AskOptions,
  type CommonOptions,
  type System,
  type SystemResult,
} from './systems/system.js';
export { tempralm, type TempralmOptions } from './systems/tempralm.js';

export { trainAdapter, type AdapterTrainingOptions } from './training/adapter/trainAdapter.js';
export { mineGeneralTriplets, type GeneralMiningOptions } from './training/mining/general.js';
export { splitOf } from './training/mining/split.js';
export {
  matchings,
  mineTriplets,
  type Matching,
  type MiningOptions,
} from './training/mining/temporal.js';
export {
  readTriplets,
  splits,
  toTripletRecord,
  type Split,
  type Triplet,
  type TripletPassage,
} from './training/mining/triplets.js';
export {
  rankingExamples,
  type JudgedQuestion,
  type RankingExample,
  type RankingExampleOptions,
} from './training/ranker/examples.js';
export { trainRanker, type TrainRankerOptions } from './training/ranker/train.js';
export type { CheckpointOptions, TrainingProgress } from './training/run.js';
export { readTimeTriplets, type TimeTriplet } from './training/timeEncoder/triplets.js';
export {
  trainTimeEncoder,
  type TimeTrainingData,
  type TimeTrainingOptions,
} from './training/timeEncoder/trainTimeEncoder.js';
export {
  searchSettings,
  type Fold,
  type Objective,
  type Point,
  type SearchOptions,
  type SearchResult,
} from './training/searchSettings.js';

export {
  checkPool,
  relevanceByAnswers,
  withinPool,
  type Pool,
} from './evaluation/answerRelevance.js';
export { minePool, type MinePoolOptions, type PooledPassage } from './evaluation/minePool.js';
export {
  averageByGroup,
  scoreRun,
  type Average,
  type GroupedAverages,
  type QueryScores,
  type RunScores,
  type ScoreRunOptions,
} from './evaluation/measures/averages.js';
export { scoreRunFile, type RunFileScores } from './evaluation/measures/runFile.js';
export type { MoreJudgements, QueryEvidence } from './evaluation/measures/evidence.js';
export {
  beirPassage,
  beirQrels,
  readBeir,
  readBeirQueries,
  writeBeir,
  type BeirContent,
  type BeirFolder,
} from './evaluation/files/beir.js';
export {
  readJudgements,
  type DocumentVerdict,
  type JudgedQuery,
  type TemporalJudgements,
} from './evaluation/files/judgements.js';
export {
  crossPeriodByCode,
  periodsByCode,
  type TempoGuidance,
} from './evaluation/measures/tempoPeriods.js';
export {
  temporalCoverage,
  temporalPrecision,
  temporalRecall,
  temporalRelevance,
  tempoDefinitions,
  type TempoDefinition,
  type TemporalRanking,
} from './evaluation/measures/temporal.js';
export {
  evaluate,
  type EvaluableSystem,
  type EvaluateOptions,
  type Evaluation,
  type EvaluationQuery,
} from './evaluation/evaluate.js';
export {
  metricForms,
  parseMetric,
  parseMetrics,
  type Metric,
  type MetricOptions,
} from './evaluation/measures/metricNames.js';
export { dateGranularities, type DateGranularity } from './evaluation/perturbation/dates.js';
export { perturbQuestion } from './evaluation/perturbation/perturb.js';
export {
  canBePerturbed,
  perturbSet,
  type PerturbedSet,
} from './evaluation/perturbation/perturbSet.js';
export { changeOf, distanceSteps } from './evaluation/comparison/degradation.js';
export type {
  AnswerTimes,
  DatedQuestion,
  PerturbedQuestion,
  PerturbOptions,
} from './evaluation/perturbation/perturb.js';
export {
  pairedDifference,
  type PairedDifference,
  type PairedOptions,
} from './evaluation/comparison/paired.js';
export { cellFolder, type CellRecord, type CellStore } from './evaluation/comparison/cells.js';
export { checkComparison, compare, type CompareOptions } from './evaluation/comparison/compare.js';
export type { ComparisonQuery, QuestionSet } from './evaluation/comparison/questionSet.js';
export { dateScores, type DateScoreOptions } from './evaluation/comparison/dateScores.js';
export { sampleOf } from './evaluation/comparison/describe.js';
export { correctedFor } from './evaluation/comparison/significance.js';
export {
  comparisonFormat,
  corrections,
  lowerIsBetter,
  readComparison,
  significanceTests,
  type ComparedMetric,
  type ComparedQuestion,
  type ComparedSystem,
  type Comparison,
  type ComparisonCell,
  type ComparisonMachine,
  type ComparisonSet,
  type Correction,
  type DateReasoning,
  type DateScore,
  type MetricMeans,
  type PaperCell,
  type PaperVerdict,
  type PerturbationPoint,
  type RankedPassage,
  type Significance,
  type SignificanceTest,
} from './evaluation/comparison/result.js';
export { comparisonReport, type ReportOptions } from './evaluation/report/report.js';
export { readRe2Records, type Re2Record } from './evaluation/re2/records.js';
export { re2Benchmark, type Re2Benchmark, type Re2Options } from './evaluation/re2/benchmark.js';
export { writeByModel, type ModelTexts } from './evaluation/re2/modelTexts.js';
export type { NegativeKind, NegativeOptions } from './evaluation/re2/negatives.js';
export type { PassageTruth, Re2Passage } from './evaluation/re2/passages.js';
export type { Re2Question } from './evaluation/re2/questions.js';
export type { Re2Attribute, Re2Schema } from './evaluation/re2/schema.js';
export type { Re2Split, SplitOptions, Unseen } from './evaluation/re2/splits.js';
export type { Re2Statistics } from './evaluation/re2/statistics.js';
export { writeRe2, type WriteRe2Options } from './evaluation/re2/write.js';
export { perturbationRobustness, type Robustness } from './evaluation/measures/robustness.js';
export {
  agreement,
  judgeAgreement,
  temporalJudgements,
  type Agreement,
  type JudgeAgreement,
} from './evaluation/judges/agreement.js';
export {
  judgeInstances,
  judgeRun,
  type DocumentSource,
  type JudgedInstances,
  type JudgedRun,
  type JudgeRunOptions,
} from './evaluation/judges/batch.js';
export { budgetedModel, type BudgetedModel } from './evaluation/judges/budget.js';
export {
  judgementLines,
  temporalFocuses,
  writeJudgements,
  type TemporalFocus,
} from './evaluation/judges/judgement.js';
export type {
  AnswerToJudge,
  DocumentJudgement,
  DocumentToJudge,
  EvidenceJudgement,
  InstanceToJudge,
  IntentJudgement,
  Judge,
  QueryGuidance,
  QueryJudgement,
  QuestionToJudge,
  RelevanceJudgement,
  ScoreJudgement,
} from './evaluation/judges/judgement.js';
export { modelJudge, type ModelJudgeOptions } from './evaluation/judges/model.js';
export { isCrossPeriod, periodsOf } from './evaluation/judges/periods.js';
export { ruleJudge } from './evaluation/judges/rules.js';
export {
  annotatedClasses,
  classForms,
  classOf,
  reportedClass,
  reportedClasses,
  tempoDomainGroups,
  tempoDomains,
  type AnnotatedClass,
  type ClassForm,
  type ReportedClass,
  type TempoDomainName,
} from './evaluation/tempo/names.js';
export {
  guidanceOf,
  toGuidanceRecord,
  toPassageRecord,
  type PassageAnnotation,
  type PlannedStep,
  type QueryAnnotation,
} from './evaluation/tempo/annotation.js';
export {
  annotatePassages,
  annotateQueries,
  type Annotated,
  type Annotator,
  type QueryToAnnotate,
} from './evaluation/tempo/annotator.js';
export { modelAnnotator, type ModelAnnotatorOptions } from './evaluation/tempo/byModel.js';
export { ruleAnnotator } from './evaluation/tempo/byRules.js';
export {
  stepStrategies,
  stepTexts,
  tempoVariant,
  variantReadings,
  type StepStrategy,
  type VariantReading,
} from './evaluation/tempo/queries.js';
export {
  answerContexts,
  answerMeasures,
  scoreAnswers,
  type AnswerContext,
  type AnswerOptions,
  type AnswerScores,
} from './evaluation/tempo/rag.js';
export { reformulate } from './evaluation/tempo/reformulate.js';
export {
  excludedOf,
  exclusions,
  scoreDocuments,
  scoreSteps,
  type Exclusion,
  type TempoDocumentOptions,
  type TempoDocumentScores,
  type TempoRetrievalOptions,
  type TempoStepScores,
} from './evaluation/tempo/retrieval.js';
export {
  evaluateTempo,
  tempoFormat,
  type TempoOptions,
  type TempoResult,
  type TempoRow,
} from './evaluation/tempo/suite.js';
export {
  classCounts,
  tempoTable,
  type TempoScored,
  type TempoTable,
} from './evaluation/tempo/tables.js';
export {
  readTempo,
  type ReadTempoOptions,
  type TempoData,
  type TempoDomain,
  type TempoQuery,
  type TempoStep,
} from './evaluation/tempo/read.js';
export {
  readQrels,
  readRun,
  runByQuery,
  writeRun,
  type Qrels,
  type RankedDocument,
  type RankedQuery,
  type Run,
} from './evaluation/files/trec.js';
export {
  readFacts,
  scoreVersions,
  type Facts,
  type VersionJudgements,
  type VersionScores,
} from './evaluation/measures/versions.js';
export { tupleAccuracy, type TupleAccuracy } from './evaluation/measures/tupleAccuracy.js';

export type {
  AiSdkEmbeddingModel,
  AiSdkLanguageModel,
  AiSdkProviderOptions,
} from './adapters/aiSdk.js';
export { aiSdkEncoder, type AiSdkEncoderOptions } from './adapters/aiSdkEncoder.js';
export { aiSdkTextModel, type AiSdkTextModelOptions } from './adapters/aiSdkTextModel.js';
export type { EmbeddingOptions } from './adapters/embeddings.js';
export {
  ggufTextModel,
  type GgufTextModel,
  type GgufTextModelOptions,
} from './adapters/gguf/ggufTextModel.js';
export { openAiCompatible, type OpenAiCompatibleOptions } from './adapters/openAiCompatible.js';
export {
  openAiCompatibleEncoder,
  type OpenAiCompatibleEncoderOptions,
} from './adapters/openAiCompatibleEncoder.js';
export {
  recordReplay,
  recordReplayModes,
  type RecordReplayMode,
  type RecordReplayOptions,
} from './adapters/recordReplay.js';
export type { ServerOptions } from './adapters/server.js';
