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
