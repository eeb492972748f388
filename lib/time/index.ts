// Public entry `asof/time`: tagger, question parser, intervals, temporal extractors.
export type {
  Clock,
  Condition,
  Constraint,
  ParsedQuestion,
  Relation,
  Window,
} from './constraint.js';
export type { Decay } from './decay.js';
export type {
  RecencyForm,
  SplineForm,
  SplineLine,
  TemporalForm,
} from './temporalForms.js';
export { formatDay, formatInstant, parseInstant } from './instant.js';
export type { Granularity, Instant, Interval } from './interval.js';
export {
  readTemporalQuery,
  type TemporalIntent,
  type TemporalQuery,
  type TemporalSignal,
} from './question/intent.js';
export type { Mention, ReadMode, TaggedText, Timex, TimexType } from './mention.js';
export { parseQuestion, type QuestionOptions } from './question/question.js';
export { tagText, tagTimes, type TagMode, type TagOptions } from './tagger.js';
export { fallbackExtractor } from './timeExtractor.js';
export {
  grammarExtractor,
  singleTimeExtractor,
  timeTuple,
  timeTuples,
  type ExtractOptions,
  type TextKind,
  type TimeExtractor,
  type TimeTupleOptions,
} from './timeExtractor.js';
export {
  deriveValidity,
  type DerivedValidity,
  type PassageDates,
  type ReadValidity,
  type ValidityRule,
} from './validity.js';
export type { TimeTuple } from './tuple.js';
export { splitSentences } from '../text/sentences.js';
