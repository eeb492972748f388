// Entry point of `asof/kit`: the parts that other packages build on.
export type { PassageFilter, TimeColumns, TrainingHandle, TrainingRowsHandle } from '../binding.js';
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
export { type FeatureName, featureNames, featureSigns, width } from './facts/features/features.js';
export { candidateMembers } from './facts/members/candidates.js';
export { type MemberColumns, clockGate, stateGate } from './facts/members/members.js';
export { noneInputNames, noneInputs } from './facts/ranking/answerable.js';
export { type CascadeWeights, cascade, logSum, sigmoid } from './facts/ranking/cascade.js';
export { type RankerModel, modelOf } from './facts/ranking/model.js';
export {
  type Asked,
  asOfSchema,
  askedAtSchema,
  questionOf,
  questionSchema,
} from './json/agentQuestion.js';
export { agentResult, cut } from './json/agentResult.js';
export { type Clocks, checkClocks, clockNames, timesOf } from './json/clocks.js';
export { infoJson, spansJson } from './json/info.js';
export { passageJson, versionJson } from './json/passage.js';
export { passageOfRecord } from './json/passageRecord.js';
export { constraintJson, evidenceJson, resultJson } from './json/result.js';
export { timelineJson } from './json/timeline.js';
export { checkProviderOptions } from './models/aiSdk.js';
export { needsReranker } from './papers/registry.js';
export type { ReadablePassage } from './reading/answer.js';
export { fitPassages } from './reading/context.js';
export { passagesBlock } from './reading/prompts/prompt.js';
export { readPassages } from './reading/reader.js';
export { scanFlat } from './retrieval/flatScan.js';
export { scanHits } from './retrieval/scanHits.js';
export type { Exactness } from './retrieval/scanReport.js';
export { abortableItems, closingController } from './runtime/cancellation.js';
export { yieldToEventLoop } from './runtime/eventLoop.js';
export { installedFile, installedVersion, runsFromSource } from './runtime/installation.js';
export { suggestion } from './runtime/nearestName.js';
export { Newest } from './runtime/newest.js';
export { importPeer } from './runtime/peer.js';
export { replaceFile } from './runtime/replaceFile.js';
export { retried } from './runtime/retry.js';
export { TaskQueue } from './runtime/taskQueue.js';
export { fieldValues } from './store/fields/columns.js';
export { type FieldType, declaredFields, timesOfPassages } from './store/fields/types.js';
export { checkConditions, mostConditions } from './store/fields/where.js';
export {
  type PassageRules,
  type PreparedPassage,
  checkId,
  checkPassage,
  fileFieldName,
  readRecord,
  recordHash,
} from './store/passages/passages.js';
export {
  type IndexedPassage,
  PassageWriter,
  type StoredPassages,
} from './store/remote/passageWriter.js';
export { RemoteCorpus } from './store/remote/remoteCorpus.js';
export type { RemoteSettings, RemoteSource, RemoteView } from './store/remote/remoteSource.js';
export type { ListedPassage, RemoteStorage } from './store/remote/remoteStorage.js';
export type {
  CollectionStatistics,
  PlanQuery,
  PlanStatistics,
  QueryStatistics,
  Scope,
  ScorePlan,
} from './store/scorePlan.js';
export { missingText } from './store/searchableCorpus.js';
export { vectorsOfPassages } from './store/storedCorpus.js';
export type { PageRequest } from './store/views/listing.js';
export { Snapshot } from './store/views/snapshot.js';
export { viewOf } from './store/views/view.js';
export { passageTimes } from './store/writing/contentTimes.js';
export { passageText } from './store/writing/rows.js';
export type { AddCounts } from './store/writing/writer.js';
export type { HybridRetrievalOptions } from './systems/hybridOptions.js';
export { hybridRetrieval } from './systems/hybridRetrieval.js';
export {
  type DocumentRanking,
  checkDocumentRanking,
  rankDocuments,
} from './systems/rankDocuments.js';
export { numericOptions, optionsAt } from './systems/settings.js';
export { checkPassageCount, maxPassages } from './systems/system.js';
export { englishAnalyzer, englishStopWords } from './text/analyzer.js';
export { answerTokens, containsAnswer } from './text/answerTokens.js';
export { readCsv } from './text/csv.js';
export { generateJson, validatorOf } from './text/jsonAnswer.js';
export { type JsonPrompt, askJson } from './text/jsonPrompt.js';
export { listField, withLocation } from './text/lineFaults.js';
export {
  type Line,
  type LineLocation,
  type LineSource,
  type ReadLineOptions,
  excerpt,
  invalidLine,
  readJsonLines,
  readLines,
  stringField,
} from './text/lines.js';
export { type Random, mulberry32, seededRandom } from './text/random.js';
export { checkTextModel, generateText, stripThinking } from './text/textModel.js';
export { type CalendarUnit, calendarUnit, monthNames, yearOf } from './time/calendarUnit.js';
export {
  civilFromDays,
  dayMilliseconds,
  daysFromCivil,
  daysInMonth,
  yearMilliseconds,
} from './time/civil.js';
export { conditions, relations, windowOf } from './time/constraint.js';
export { contentIntervals } from './time/contentClock.js';
export type { Duration } from './time/duration.js';
export { questionTimes } from './time/fusionTimes.js';
export { parseAskedAt } from './time/instant.js';
export { granularities } from './time/interval.js';
export { temporalIntents } from './time/question/intent.js';
export { contentOutsideConstraints, jointConstraint } from './time/question/jointConstraint.js';
export { maxQuestionLength } from './time/question/question.js';
export {
  type TimeQuestionRecord,
  type TimeTagRecord,
  intervalIso,
  toTimeQuestionRecord,
  toTimeTagRecord,
} from './time/records.js';
export { splineForm } from './time/spline.js';
export { stateDecayForm } from './time/stateDecay.js';
export { tagModes } from './time/tagger.js';
export { type DecayForm, type Mask, normalizes } from './time/temporalForms.js';
export { checkExtractor } from './time/timeExtractor.js';
export {
  formatConstraint,
  formatInterval,
  formatLast,
  formatTimestamp,
} from './time/timeFormat.js';
export { checkTuple, noTime } from './time/tuple.js';
export { checkDevice, deviceNames, requireDevice } from './vectors/device.js';
export { canEncode, checkEncoder, encodeTexts } from './vectors/encoder.js';
export { type TimeKind, networkOf, timeColumns, timeKinds } from './vectors/timeEncoder.js';
export { unitVector } from './vectors/unitVector.js';
export { checkPath, readWeightFile, writeWeightFile } from './vectors/weightFile.js';
