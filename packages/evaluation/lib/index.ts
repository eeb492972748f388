// Evaluation: measures, runs, comparison, relevance judges, TEMPO, perturbation, reports.
export {
  evaluate,
  type EvaluableSystem,
  type EvaluateOptions,
  type Evaluation,
  type EvaluationQuery,
} from './evaluate.js';
export { parseMetrics, type Metric } from './measures/metricNames.js';
export {
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
export {
  recordReplay,
  type RecordReplayMode,
  type RecordReplayOptions,
} from './judges/recordReplay.js';
export { judgeRun } from './judges/judgeRun.js';
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
export type { TempoData } from './tempo/data.js';
export type { TempoOptions } from './tempo/options.js';
export { readTempo } from './tempo/read.js';
export type { TempoResult } from './tempo/result.js';
export { evaluateTempo } from './tempo/suite.js';
// Types in signatures of the entry.
export type { PairedDifference, PairedOptions } from './comparison/pairedTest.js';
export type { MetricMeans, QuestionDetail, RunSummary, Significance } from './comparison/result.js';
export type { RunStore } from './comparison/runStore.js';
export type { TemporalJudgements } from './files/judgements.js';
export type { RankedDocument } from './files/trec.js';
export type { Agreement, JudgeAgreement } from './judges/agreement.js';
export type { JudgeRunOptions } from './judges/judgeRun.js';
export type {
  IntentJudgement,
  JudgeAnswer,
  JudgeInstance,
  RelevanceJudgement,
  ScoreJudgement,
} from './judges/judgement.js';
export type { Average } from './measures/averages.js';
export type { AuxiliaryJudgements, MetricInput } from './measures/metricInput.js';
export type { GradedRanking } from './measures/ranking.js';
export type { Robustness } from './measures/robustness.js';
export type { TemporalRanking } from './measures/temporal.js';
export type { Facts, VersionJudgements, VersionRanking } from './measures/versions.js';
export type { PerturbedQuestions } from './perturbation/perturbQuestions.js';
export type { ReportOptions } from './report/report.js';
export type { PassageAnnotation, QueryAnnotation } from './tempo/annotation.js';
export type { TempoDomain, TempoQuery } from './tempo/data.js';
export type { ReadTempoOptions } from './tempo/read.js';
export type { TempoRow } from './tempo/result.js';
export { negativeKinds, type NegativeKind } from './re2/negativeKinds.js';
export { readQueries } from './files/queries.js';
