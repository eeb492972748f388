// Entry point of `asof/command`: what commands of other packages are made of.
export {
  type Arguments,
  type Command,
  type Commands,
  type Invocation,
  type OptionSpec,
  UsageError,
  countOption,
  listOption,
  option,
  requiredOption,
} from './command.js';
export { isPostgres } from './credentials.js';
export { openCorpus, openFolder } from './inputs/corpus.js';
export { openEncoder, openReranker } from './inputs/encoders.js';
export { faultCollector } from './inputs/faults.js';
export { filterLines } from './inputs/filterLines.js';
export { openModel } from './inputs/model.js';
export { type ModelUsers, modelUsersOf } from './inputs/modelUsers.js';
export { readingOf } from './inputs/reading.js';
export { deviceOf } from './inputs/searchOptions.js';
export { openStored } from './inputs/storedCorpus.js';
export { openExtractor } from './inputs/timeExtractor.js';
export { askOptions, askValues } from './options/ask.js';
export { deviceOption } from './options/device.js';
export { encoderOptions, rerankerOption } from './options/encoders.js';
export { extractorOption } from './options/extractor.js';
export { modelOptions, namesModel } from './options/model.js';
export { schemaOption } from './options/postgres.js';
export { readingOptions } from './options/reading.js';
export {
  type SettingsFile,
  settingsFor,
  settingsOf,
  settingsOption,
  systemsWith,
} from './options/settings.js';
export { checkOutput, ensureFolder, refuse, temporaryPath, writeOutput } from './outputs.js';
export { counted, table, wrap } from './tables/layout.js';
export { type Terminal, duration, whole } from './terminal.js';
