// The public API of asof: everything that users, the command line and the adapters may rely on. It re-exports and defines
// nothing itself.
export { AsOfError, errorCodes, type ErrorCode } from './errors.js';
export type { Passage, Progress, Question, RunOptions, StoredPassage, TimeInput } from './records.js';
export type { TraceEntry } from './stage.js';
export { invalidLine, readJsonLines, readLines, stringField, type Line, type ReadOptions, type Where } from './text/lines.js';
export type { Clock, Condition, Constraint, ParsedQuestion, Relation, Window } from './time/constraint.js';
export { contentIntervals, contentOfSentences } from './time/clocks.js';
export { formatDay, formatInstant, parseAskedAt, parseInstant } from './time/instant.js';
export { granularities, type Granularity, type Instant, type Interval } from './time/interval.js';
export { timexTypes, type Mention, type TimexType } from './time/mention.js';
export { parseQuestion } from './time/question.js';
export { intervalIso, toTimeQuestionRecord, toTimeTagRecord, type TimeQuestionRecord, type TimeTagRecord } from './time/records.js';
export { tagModes, tagText, tagTimes, type TagMode, type TagOptions } from './time/tagger.js';
export { scoreRun, type Average, type QueryScores, type RunScores, type ScoreRunOptions } from './evaluation/averages.js';
export { checkEncoder, encodeTexts, type EncodeOptions, type Encoder } from './vectors/encoder.js';
export { staticEncoder, type StaticEncoderOptions } from './vectors/staticEncoder.js';
export { evaluate, type EvaluableSystem, type EvaluateOptions, type Evaluation, type EvaluationQuery } from './evaluation/evaluate.js';
export { metricForms, parseMetric, parseMetrics, type Metric } from './evaluation/metricNames.js';
export { readQrels, readRun, writeRun, type Qrels, type RankedDocument, type Run } from './evaluation/trec.js';
export { englishAnalyser, englishStopWords, type Analyser } from './text/analyser.js';
export { normalisedSum, reciprocalRankFusion, type Fused, type Ranked } from './candidates/fusion.js';
export { Corpus, type AddOptions, type CorpusOptions } from './store/corpus.js';
export type { CorpusInfo } from './store/info.js';
export type { AddCounts } from './store/writer.js';
