// Entry point of `asof/kit`: the parts that other packages build on.
export { buildInfo } from './binding.js';
export {
  checkOptionNames,
  invalidArgument,
  mustBe,
  mustBeWhole,
  rejectOnAbort,
  throwIfAborted,
} from './errors.js';
export { needsReranker } from './papers/registry.js';
export { passagesBlock } from './reading/prompts/prompt.js';
export { readPassages } from './reading/reader.js';
export { writeAtomically } from './runtime/atomicFile.js';
export { abortableItems } from './runtime/cancellation.js';
export { yieldToEventLoop } from './runtime/eventLoop.js';
export { importPeer } from './runtime/installation.js';
export { suggestion } from './runtime/nearestName.js';
export { TaskQueue } from './runtime/taskQueue.js';
export { fieldValues } from './store/fields/columns.js';
export { declaredFields } from './store/fields/types.js';
export { checkConditions, mostConditions } from './store/fields/where.js';
export { type Clocks, checkClocks, timesOf } from './store/passages/clocks.js';
export { passageOfRecord } from './store/passages/passageRecord.js';
export {
  type PreparedPassage,
  checkPassage,
  readRecord,
  recordHash,
} from './store/passages/passages.js';
export { PassageWriter } from './store/remote/passageWriter.js';
export { bm25Weights, rankPlan } from './store/remote/rankPlan.js';
export { RemoteCorpus } from './store/remote/remoteCorpus.js';
export type { RemoteStorage } from './store/remote/remoteStorage.js';
export type { ScorePlan } from './store/scorePlan.js';
export { missingText } from './store/searchableCorpus.js';
export { vectorsOfPassages } from './store/storedCorpus.js';
export { passageTimes } from './store/writing/contentTimes.js';
export { passageText } from './store/writing/rows.js';
export { agentResult, cut } from './systems/agents.js';
export { agentSchema, askOf, askSchema, inWordsOf, maxPassages } from './systems/askOptions.js';
export { toJson } from './systems/json.js';
export { documentRanker } from './systems/rankDocuments.js';
export { rankerForm, rankingTables } from './systems/rankerFitting.js';
export { englishAnalyzer } from './text/analyzer.js';
export { answerTokens } from './text/answerTokens.js';
export { askTemplate, askTemplateText } from './text/jsonPrompt.js';
export { schemaFaults } from './text/jsonSchema.js';
export {
  type LineLocation,
  excerpt,
  invalidLine,
  listField,
  readJsonLines,
  readLines,
  stringField,
  withLocation,
} from './text/lines.js';
export { type Random, seededRandom } from './text/random.js';
export { checkTextModel } from './text/textModel.js';
export { relations, windowOf } from './time/constraint.js';
export { contentIntervals } from './time/contentClock.js';
export { questionTimes } from './papers/re3/fusionTimes.js';
export { parseAskedAt } from './time/instant.js';
export { granularities } from './time/interval.js';
export { intervalIso } from './time/records.js';
export { questionForms } from './time/stateDecay.js';
export { formatConstraint, formatInterval } from './time/timeFormat.js';
export { canEncode, checkEncoder, encodeTexts } from './vectors/encoder.js';
export { TrainingRows } from './vectors/training.js';
export { unitVector } from './vectors/unitVector.js';
