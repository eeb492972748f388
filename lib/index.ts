// The public API of asof: everything that users, the command line and the adapters may rely on. It re-exports and defines
// nothing itself.
export { AsOfError, errorCodes, type ErrorCode } from './errors.js';
export type { Passage, Progress, Question, RunOptions, StoredPassage, TimeInput } from './records.js';
export type { TraceEntry } from './stage.js';
export { invalidLine, readJsonLines, readLines, stringField, type Line, type ReadOptions, type Where } from './text/lines.js';
export { scoreRun, type Average, type QueryScores, type RunScores, type ScoreRunOptions } from './evaluation/averages.js';
export { evaluate, type EvaluableSystem, type EvaluateOptions, type Evaluation, type EvaluationQuery } from './evaluation/evaluate.js';
export { metricForms, parseMetric, parseMetrics, type Metric } from './evaluation/metricNames.js';
export { readQrels, readRun, writeRun, type Qrels, type RankedDocument, type Run } from './evaluation/trec.js';
