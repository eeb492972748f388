// Evaluation: measures, runs, comparison, relevance judges, TEMPO, perturbation, Re2, reports.
export {
  evaluate,
  type EvaluableSystem,
  type EvaluateOptions,
  type Evaluation,
  type EvaluationQuery,
} from './evaluate.js';
export { parseMetrics, type Metric } from './measures/metricNames.js';
export {
  averageByGroup,
  scoreRun,
  type QueryScores,
  type RunScores,
  type ScoreRunOptions,
} from './measures/averages.js';
export { tupleAccuracy } from './measures/tupleAccuracy.js';
export { readFacts } from './measures/versions.js';
export { readQrels, readRun, writeRun, type Qrels, type Run } from './files/trec.js';
export { readBeir, writeBeir } from './files/beir.js';
export { readJudgements } from './files/judgements.js';
export { qrelsFromAnswers } from './answerQrels.js';
export { buildCandidatePool } from './poolBuilder.js';
export { compare } from './comparison/compare.js';
export type { CompareOptions } from './comparison/compareOptions.js';
export { pairedDifference } from './comparison/pairedTest.js';
export { readComparison, type Comparison } from './comparison/result.js';
export { runFolder } from './comparison/runStore.js';
export type { CollectionQuery, TestCollection } from './comparison/testCollection.js';
export { comparisonReport } from './report/report.js';
export { judgeAgreement } from './judges/agreement.js';
export { budgetedModel } from './judges/budget.js';
export { judgeInstances, judgeRun } from './judges/judgeRun.js';
export {
  writeJudgements,
  type JudgeDocument,
  type JudgeQuestion,
  type QueryJudgement,
  type RelevanceJudge,
} from './judges/judgement.js';
export { modelJudge } from './judges/modelJudge.js';
export { ruleJudge } from './judges/ruleJudge.js';
export { perturbationRobustness } from './measures/robustness.js';
export {
  perturbQuestion,
  type DatedQuestion,
  type PerturbedQuestion,
  type PerturbOptions,
} from './perturbation/perturbQuestion.js';
export { perturbQuestions } from './perturbation/perturbQuestions.js';
export { re2Benchmark, type Re2Benchmark } from './re2/benchmark.js';
export { writeByModel } from './re2/modelTexts.js';
export { readRe2Records } from './re2/records.js';
export type { Re2Schema } from './re2/schema.js';
export { writeRe2 } from './re2/write.js';
export type { TempoData } from './tempo/data.js';
export { annotatePassages, annotateQueries } from './tempo/annotator.js';
export { modelAnnotator } from './tempo/modelAnnotator.js';
export type { TempoOptions } from './tempo/options.js';
export { readTempo } from './tempo/read.js';
export type { TempoResult } from './tempo/result.js';
export { ruleAnnotator } from './tempo/ruleAnnotator.js';
export { evaluateTempo } from './tempo/suite.js';
// Types in signatures of the entry.
export type { ReadLineOptions } from '../text/lines.js';
export type { CandidatePool } from './candidatePool.js';
export type {
  PairedDifference,
  PairedOptions,
  ResamplingDraws,
} from './comparison/pairedTest.js';
export type {
  CollectionSummary,
  ComparisonMachine,
  DateReasoning,
  DateScore,
  MetricMeans,
  MetricSummary,
  PaperFigure,
  PaperVerdict,
  PerturbationPoint,
  QuestionDetail,
  RankedPassage,
  RunSummary,
  Significance,
  SystemDescription,
} from './comparison/result.js';
export type { RunRecord, RunStore } from './comparison/runStore.js';
export type { BeirContent, BeirFolder } from './files/beir.js';
export type { DocumentVerdict, TemporalJudgement, TemporalJudgements } from './files/judgements.js';
export type { RankedDocument } from './files/trec.js';
export type { Agreement, JudgeAgreement } from './judges/agreement.js';
export type { BudgetedModel } from './judges/budget.js';
export type {
  DocumentSource,
  InstanceJudgements,
  JudgeRunOptions,
  RunJudgements,
} from './judges/judgeRun.js';
export type {
  DocumentJudgement,
  EvidenceJudgement,
  IntentJudgement,
  JudgeAnswer,
  JudgeInstance,
  QueryGuidance,
  RelevanceJudgement,
  ScoreJudgement,
} from './judges/judgement.js';
export type { ModelJudgeOptions } from './judges/modelJudge.js';
export type { Average, GroupedAverages } from './measures/averages.js';
export type { AuxiliaryJudgements, MetricInput } from './measures/metricInput.js';
export type { MetricOptions, MetricSource } from './measures/metricNames.js';
export type { GradedRanking } from './measures/ranking.js';
export type { Robustness } from './measures/robustness.js';
export type { TemporalRanking } from './measures/temporal.js';
export type { TupleAccuracy } from './measures/tupleAccuracy.js';
export type { Facts, VersionJudgements, VersionRanking } from './measures/versions.js';
export type { AnswerTimes } from './perturbation/perturbQuestion.js';
export type { PerturbationOptions, PerturbedQuestions } from './perturbation/perturbQuestions.js';
export type { CandidatePoolOptions, PoolEntry } from './poolBuilder.js';
export type { Re2Options } from './re2/benchmark.js';
export type { RecordDate } from './re2/dates.js';
export type { ModelTexts } from './re2/modelTexts.js';
export type { NegativeOptions } from './re2/negatives.js';
export type { PassageFact, PassageTruth, Re2Passage } from './re2/passages.js';
export type { Re2Question } from './re2/question.js';
export type { Re2Record } from './re2/records.js';
export type { Re2Attribute } from './re2/schema.js';
export type { Re2Split, SplitOptions, Unseen } from './re2/splits.js';
export type { Re2Statistics } from './re2/statistics.js';
export type { WriteRe2Options } from './re2/write.js';
export type { ReportOptions } from './report/report.js';
export type { PassageAnnotation, PlannedStep, QueryAnnotation } from './tempo/annotation.js';
export type { Annotations, Annotator, AnnotatorQuery } from './tempo/annotator.js';
export type { TempoDomain, TempoQuery, TempoStep } from './tempo/data.js';
export type { ModelAnnotatorOptions } from './tempo/modelAnnotator.js';
export type { ReadTempoOptions } from './tempo/read.js';
export type { TempoRow } from './tempo/result.js';
export type { TempoQueryScores } from './tempo/tables.js';
