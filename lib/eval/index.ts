// Evaluation: measures, runs, comparisons, judges, TEMPO, perturbation, reports.
export { checkPool, qrelsFromAnswers, restrictToPool, type CandidatePool } from './answerQrels.js';
export { buildCandidatePool, type CandidatePoolOptions, type PoolEntry } from './candidatePool.js';
export {
  averageByGroup,
  scoreRun,
  type Average,
  type GroupedAverages,
  type QueryScores,
  type RunScores,
  type ScoreRunOptions,
} from './measures/averages.js';
export { scoreRunFile, type RunFileScores } from './measures/runFile.js';
export type { AuxiliaryJudgements, MetricInput } from './measures/metricInput.js';
export {
  beirPassage,
  beirQrels,
  readBeir,
  readBeirQueries,
  writeBeir,
  type BeirContent,
  type BeirFolder,
} from './files/beir.js';
export {
  readJudgements,
  type DocumentVerdict,
  type TemporalJudgement,
  type TemporalJudgements,
} from './files/judgements.js';
export { crossPeriodByCode, periodsByCode, type TempoGuidance } from './measures/tempoPeriods.js';
export {
  temporalCoverage,
  temporalPrecision,
  temporalRecall,
  temporalRelevance,
  tempoDefinitions,
  type TempoDefinition,
  type TemporalRanking,
} from './measures/temporal.js';
export {
  evaluate,
  type EvaluableSystem,
  type EvaluateOptions,
  type Evaluation,
  type EvaluationQuery,
} from './evaluate.js';
export {
  metricForms,
  parseMetric,
  parseMetrics,
  type Metric,
  type MetricOptions,
} from './measures/metricNames.js';
export { dateGranularities, type DateGranularity } from './perturbation/dates.js';
export {
  perturbQuestion,
  type AnswerTimes,
  type DatedQuestion,
  type PerturbedQuestion,
  type PerturbOptions,
} from './perturbation/perturbQuestion.js';
export {
  isPerturbable,
  perturbQuestions,
  type PerturbedQuestions,
} from './perturbation/perturbQuestions.js';
export { measuredRobustness, distanceSteps } from './comparison/robustnessCurves.js';
export {
  pairedDifference,
  type PairedDifference,
  type PairedOptions,
} from './comparison/pairedTest.js';
export { runFolder, type RunRecord, type RunStore } from './comparison/runStore.js';
export { compare } from './comparison/compare.js';
export { checkComparison, type CompareOptions } from './comparison/compareOptions.js';
export type { CollectionQuery, TestCollection } from './comparison/testCollection.js';
export { dateScores, type DateScoreOptions } from './comparison/dateScores.js';
export { sampleQueries } from './comparison/summaries.js';
export { correctPValues } from './comparison/significance.js';
export {
  comparisonFormat,
  corrections,
  lowerIsBetter,
  readComparison,
  significanceTests,
  type MetricSummary,
  type QuestionDetail,
  type SystemDescription,
  type Comparison,
  type RunSummary,
  type ComparisonMachine,
  type CollectionSummary,
  type Correction,
  type DateReasoning,
  type DateScore,
  type MetricMeans,
  type PaperFigure,
  type PaperVerdict,
  type PerturbationPoint,
  type RankedPassage,
  type Significance,
  type SignificanceTest,
} from './comparison/result.js';
export { comparisonReport, type ReportOptions } from './report/report.js';
export { readRe2Records, type Re2Record } from './re2/records.js';
export { re2Benchmark, type Re2Benchmark, type Re2Options } from './re2/benchmark.js';
export { writeByModel, type ModelTexts } from './re2/modelTexts.js';
export type { NegativeKind, NegativeOptions } from './re2/negatives.js';
export type { PassageTruth, Re2Passage } from './re2/passages.js';
export type { Re2Question } from './re2/question.js';
export type { Re2Attribute, Re2Schema } from './re2/schema.js';
export type { Re2Split, SplitOptions, Unseen } from './re2/splits.js';
export type { Re2Statistics } from './re2/statistics.js';
export { writeRe2, type WriteRe2Options } from './re2/write.js';
export { perturbationRobustness, type Robustness } from './measures/robustness.js';
export {
  agreement,
  judgeAgreement,
  toTemporalJudgements,
  type Agreement,
  type JudgeAgreement,
} from './judges/agreement.js';
export {
  judgeInstances,
  judgeRun,
  type DocumentSource,
  type InstanceJudgements,
  type RunJudgements,
  type JudgeRunOptions,
} from './judges/judgeRun.js';
export { budgetedModel, type BudgetedModel } from './judges/budget.js';
export {
  judgementLines,
  temporalFocuses,
  writeJudgements,
  type TemporalFocus,
  type JudgeAnswer,
  type DocumentJudgement,
  type JudgeDocument,
  type EvidenceJudgement,
  type JudgeInstance,
  type IntentJudgement,
  type RelevanceJudge,
  type QueryGuidance,
  type QueryJudgement,
  type JudgeQuestion,
  type RelevanceJudgement,
  type ScoreJudgement,
} from './judges/judgement.js';
export { modelJudge, type ModelJudgeOptions } from './judges/modelJudge.js';
export { isCrossPeriod, periodsOf } from './judges/periods.js';
export { ruleJudge } from './judges/ruleJudge.js';
export {
  annotatedClasses,
  classForms,
  breakdownClass,
  reportedClass,
  reportedClasses,
  tempoDomainGroups,
  tempoDomains,
  type AnnotatedClass,
  type ClassForm,
  type ReportedClass,
  type TempoDomainName,
} from './tempo/names.js';
export {
  guidanceOf,
  toGuidanceRecord,
  toPassageRecord,
  type PassageAnnotation,
  type PlannedStep,
  type QueryAnnotation,
} from './tempo/annotation.js';
export {
  annotatePassages,
  annotateQueries,
  type Annotations,
  type Annotator,
  type AnnotatorQuery,
} from './tempo/annotator.js';
export { modelAnnotator, type ModelAnnotatorOptions } from './tempo/modelAnnotator.js';
export { ruleAnnotator } from './tempo/ruleAnnotator.js';
export {
  stepStrategies,
  stepTexts,
  tempoVariant,
  variantReadings,
  type StepStrategy,
  type VariantReading,
} from './tempo/queries.js';
export {
  answerContexts,
  answerMeasures,
  scoreAnswers,
  type AnswerContext,
  type AnswerOptions,
  type AnswerScores,
} from './tempo/rag.js';
export { reformulate } from './tempo/reformulate.js';
export {
  excludedIds,
  exclusions,
  scoreDocuments,
  scoreSteps,
  type Exclusion,
  type TempoDocumentOptions,
  type TempoDocumentScores,
  type TempoRetrievalOptions,
  type TempoStepScores,
} from './tempo/retrieval.js';
export { evaluateTempo } from './tempo/suite.js';
export type { TempoOptions } from './tempo/options.js';
export { tempoFormat, type TempoResult, type TempoRow } from './tempo/result.js';
export { classCounts, tempoTable, type TempoQueryScores, type TempoTable } from './tempo/tables.js';
export { readTempo, type ReadTempoOptions } from './tempo/read.js';
export type { TempoData, TempoDomain, TempoQuery, TempoStep } from './tempo/data.js';
export {
  readQrels,
  readRun,
  runByQuery,
  writeRun,
  type Qrels,
  type RankedDocument,
  type QueryRanking,
  type Run,
} from './files/trec.js';
export {
  readFacts,
  scoreVersions,
  type Facts,
  type VersionJudgements,
  type VersionScores,
} from './measures/versions.js';
export { tupleAccuracy, type TupleAccuracy } from './measures/tupleAccuracy.js';
