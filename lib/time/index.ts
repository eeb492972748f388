// Times in texts and questions: the tagger, the question parser, intervals, extractors.
export { contentIntervals, contentOfSentences } from './contentClock.js';
export {
  type Clock,
  type Condition,
  type Constraint,
  type ParsedQuestion,
  type Relation,
  type Window,
  conditions,
  relations,
} from './constraint.js';
export type { RecencyForm, SplineForm, SplineLine, TemporalForm } from './temporalForms.js';
export { formatDay, formatInstant, parseAskedAt, parseInstant } from './instant.js';
export { granularities, type Granularity, type Instant, type Interval } from './interval.js';
export {
  readTemporalQuery,
  temporalIntents,
  type TemporalIntent,
  type TemporalQuery,
  type TemporalSignal,
} from './question/intent.js';
export {
  timexTypes,
  type Mention,
  type ReadMode,
  type TaggedText,
  type Timex,
  type TimexType,
} from './mention.js';
export { parseQuestion, type QuestionOptions } from './question/question.js';
export {
  intervalIso,
  toTimeQuestionRecord,
  toTimeTagRecord,
  type TimeConstraintRecord,
  type TimeQuestionRecord,
  type TimeTagRecord,
} from './records.js';
export { tagModes, tagText, tagTimes, type TagMode, type TagOptions } from './tagger.js';
export { fallbackExtractor } from './fallbackExtractor.js';
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
export { fusionTimes } from './question/fusionTimes.js';
export { queryVariant, queryVariants, type QueryVariant } from './question/variants.js';
export {
  deriveValidity,
  eventGapDays,
  validityRules,
  type DerivedValidity,
  type PassageDates,
  type ReadValidity,
  type ValidityRule,
} from './validity.js';
export { noTime, timeTupleOf, type TimeTuple } from './tuple.js';
