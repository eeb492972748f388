// Entry point of `asof/kit`: the parts that other packages build on.
export type { PassageFilter, Segment, TrainingHandle, TrainingRowsHandle } from '../binding.js';
export { addonPath, binding, withCancellation } from './binding.js';
export {
  abortError,
  checkOptionNames,
  describe,
  invalidArgument,
  mustBe,
  mustBeWhole,
  rejectOnAbort,
  throwIfAborted,
} from './errors.js';
export { noneInputNames, noneInputs } from './facts/ranking/answerable.js';
export { candidateMembers } from './facts/members/candidates.js';
export { cascade, logSum, sigmoid, type CascadeWeights } from './facts/ranking/cascade.js';
export { featureNames, featureSigns, type FeatureName, width } from './facts/features/features.js';
export { clockGate, stateGate } from './facts/members/members.js';
export { modelOf } from './facts/ranking/model.js';
export {
  asOfSchema,
  askedAtSchema,
  questionOf,
  questionSchema,
  type Asked,
} from './json/agentQuestion.js';
export { agentResult, cut } from './json/agentResult.js';
export { checkClocks, clockNames, timesOf, type Clocks } from './json/clocks.js';
export { infoJson, spansJson } from './json/info.js';
export { passageJson, versionJson } from './json/passage.js';
export { passageOfRecord } from './json/passageRecord.js';
export { constraintJson, evidenceJson, resultJson } from './json/result.js';
export { timelineJson } from './json/timeline.js';
export { checkProviderOptions } from './models/aiSdk.js';
export { needsReranker } from './papers/registry.js';
export { splineForm } from './time/spline.js';
export { stateDecayForm } from './time/stateDecay.js';
export type { ReadablePassage } from './reading/answer.js';
export { fitPassages } from './reading/context.js';
export { passagesBlock } from './reading/prompts/prompt.js';
export { readPassages } from './reading/reader.js';
export { checkBm25 } from './retrieval/bm25.js';
export { scanFlat } from './retrieval/flatScan.js';
export { scanHits } from './retrieval/scanHits.js';
export type { Exactness } from './retrieval/scanReport.js';
export {
  abortableItems,
  checkRunOptions,
  closingController,
  withLinkedSignal,
} from './runtime/cancellation.js';
export { yieldToEventLoop } from './runtime/eventLoop.js';
export { installedFile, installedVersion, runsFromSource } from './runtime/installation.js';
export { suggestion } from './runtime/nearestName.js';
export { Newest } from './runtime/newest.js';
export { importPeer } from './runtime/peer.js';
export { replaceFile } from './runtime/replaceFile.js';
export { backoff, pause } from './runtime/retry.js';
export { TaskQueue } from './runtime/taskQueue.js';
export { temporaryColumns, type DerivedColumnSpec } from './store/derived/derivedColumn.js';
export { valueIn } from './store/fields/columns.js';
export {
  listOptions,
  pageRequest,
  type PageRequest,
  type Place,
  unitCounter,
} from './store/views/listing.js';
export {
  checkFields,
  declaredFields,
  timesOfPassages,
  type FieldType,
  type PassageSchema,
  withSeries,
} from './store/fields/types.js';
export { checkConditions, compileWhere, mostConditions } from './store/fields/where.js';
export { mapTemporaryFile } from './store/format/files.js';
export {
  hasSentenceRows,
  newManifest,
  newSegmentId,
  type Manifest,
  type SegmentEntry,
  type TimeSpan,
} from './store/format/manifest.js';
export { OpenSegments } from './store/format/openSegments.js';
export { unionSpans } from './store/info.js';
export { checkSameEncoder, embeddedEncoder } from './store/opening.js';
export type { OwnVectors } from './store/passages/ownVectors.js';
export { addInBatches, checkAddArguments } from './store/writing/passageBatches.js';
export {
  checkId,
  checkPassage,
  fileFieldName,
  passageRules,
  readRecord,
  recordHash,
  type PassageRules,
  type PreparedPassage,
} from './store/passages/passages.js';
export { SeriesStates } from './store/writing/series.js';
export { isUnchanged, type Version } from './store/views/storedVersion.js';
export { QuestionQueue } from './store/questionQueue.js';
export type {
  CollectionStatistics,
  PlanQuery,
  PlanStatistics,
  QueryStatistics,
  RecencyMoments,
  RemoteRows,
  Scope,
  ScorePlan,
} from './store/scorePlan.js';
export { vectorsOfPassages } from './store/storedCorpus.js';
export { missingText } from './store/searchableCorpus.js';
export { checkIds, checkedChoice } from './store/views/reading.js';
export { sentenceRowsOf, wholeRowOf } from './store/views/rowTimes.js';
export { Snapshot } from './store/views/snapshot.js';
export type { PassagePlace } from './store/views/snapshotSegment.js';
export { recordedTime, type ViewOptions, viewOf, withoutHistory } from './store/views/view.js';
export { passageTimes } from './store/writing/contentTimes.js';
export { layOutRows, passageText, type Rows } from './store/writing/rows.js';
export {
  eachRowTerms,
  pipelineNames,
  rowsOf,
  segmentContent,
} from './store/writing/segmentBuilder.js';
export { compareBatch, type AddCounts } from './store/writing/writer.js';
export { closedError, readOnlyError } from './store/writing/writerLease.js';
export type { HybridRetrievalOptions } from './systems/hybridOptions.js';
export { hybridRetrieval } from './systems/hybridRetrieval.js';
export {
  checkDocumentRanking,
  rankDocuments,
  type DocumentRanking,
} from './systems/rankDocuments.js';
export { numericOptions, optionsAt } from './systems/settings.js';
export { checkPassageCount, maxPassages } from './systems/system.js';
export { englishAnalyzer, englishStopWords, type Analyzer } from './text/analyzer.js';
export { answerTokens, containsAnswer } from './text/answerTokens.js';
export { readCsv } from './text/csv.js';
export { generateJson, validatorOf } from './text/jsonAnswer.js';
export { listField, withLocation } from './text/lineFaults.js';
export {
  excerpt,
  invalidLine,
  readJsonLines,
  readLines,
  stringField,
  type Line,
  type LineLocation,
  type LineSource,
  type ReadLineOptions,
} from './text/lines.js';
export { askJson, type JsonPrompt } from './text/jsonPrompt.js';
export { mulberry32, seededRandom, type Random } from './text/random.js';
export { checkTextModel, generateText, stripThinking } from './text/textModel.js';
export { calendarUnit, monthNames, type CalendarUnit, yearOf } from './time/calendarUnit.js';
export {
  civilFromDays,
  dayMilliseconds,
  daysFromCivil,
  daysInMonth,
  yearMilliseconds,
} from './time/civil.js';
export { conditions, relations } from './time/constraint.js';
export { contentIntervals } from './time/contentClock.js';
export type { Duration } from './time/duration.js';
export { parseAskedAt } from './time/instant.js';
export { granularities } from './time/interval.js';
export { questionTimes } from './time/fusionTimes.js';
export { temporalIntents } from './time/question/intent.js';
export { contentOutsideConstraints, jointConstraint } from './time/question/jointConstraint.js';
export { maxQuestionLength } from './time/question/question.js';
export {
  queryVariant,
  queryVariants,
  removeSpans,
  type QueryVariant,
} from './time/question/variants.js';
export {
  intervalIso,
  toTimeQuestionRecord,
  toTimeTagRecord,
  type TimeQuestionRecord,
  type TimeTagRecord,
} from './time/records.js';
export { tagModes } from './time/tagger.js';
export { normalizes, type DecayForm, type Mask } from './time/temporalForms.js';
export { checkExtractor } from './time/timeExtractor.js';
export {
  formatConstraint,
  formatInterval,
  formatLast,
  formatTimestamp,
} from './time/timeFormat.js';
export { checkTuple, noTime } from './time/tuple.js';
export { windowOf } from './time/window.js';
export { checkDevice, deviceNames, requireDevice } from './vectors/device.js';
export {
  canEncode,
  checkEncoder,
  checkNamedEncoder,
  encodeTexts,
  type NamedEncoder,
  withEncode,
} from './vectors/encoder.js';
export {
  networkOf,
  timeColumns,
  timeKinds,
  type TimeColumns,
  type TimeKind,
} from './vectors/timeEncoder.js';
export { unitVector } from './vectors/unitVector.js';
export { checkPath, readWeightFile, writeWeightFile } from './vectors/weightFile.js';
export type { MemberColumns } from './facts/members/members.js';
export type { RankerModel } from './facts/ranking/model.js';
