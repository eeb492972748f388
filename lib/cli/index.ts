// Entry point of `asof/command`: what commands of other packages are made of. A choice is what an
// option offers in help, with the reader of what was given.
import { isServer } from './credentials.js';
import { openCorpus, openFolder, openStored, schemaOption } from './inputs/storedCorpus.js';
import { openEncoder, openReranker, encoderOptions, rerankerOption } from './inputs/encoders.js';
import { openModel, modelOptions, modelUsersOf, namesModel } from './inputs/model.js';
import { readingOf, readingOptions } from './inputs/reading.js';
import { deviceOf, deviceOption } from './inputs/searchOptions.js';
import { openExtractor, extractorOption, weightsOption } from './inputs/timeExtractor.js';
import { settingsFor, settingsOf, settingsOption, systemsWith } from './options/settings.js';

export {
  UsageError,
  countOption,
  listOption,
  option,
  requiredOption,
  wordOption,
  wordsOption,
  type Command,
  type Commands,
  type Invocation,
  type OptionSpec,
} from './command.js';
export { askOptions, askValues } from './options/ask.js';
export { checkOutput, ensureFolder, writeOutput } from './outputs.js';
export { counted, table, wrap } from './tables/layout.js';
export { duration, type Terminal, whole } from './terminal.js';
export { faultCollector } from './inputs/faults.js';
export { filterLines } from './inputs/filterLines.js';

/** The corpus of a command: a folder or servers. */
export const corpusChoice = {
  schema: schemaOption,
  isServer,
  open: openCorpus,
  openFolder,
  openStored,
};
export const encoderChoice = { options: encoderOptions, open: openEncoder };
export const rerankerChoice = { option: rerankerOption, open: openReranker };
/** The language model; `users` are the systems that use it and the reranker. */
export const modelChoice = {
  options: modelOptions,
  isGiven: namesModel,
  open: openModel,
  users: modelUsersOf,
};
export const readingChoice = { options: readingOptions, of: readingOf };
/** A settings file, the systems of a command with it, and its settings for a system. */
export const settingsChoice = {
  option: settingsOption,
  of: settingsOf,
  systems: systemsWith,
  for: settingsFor,
};
export const extractorChoice = {
  option: extractorOption,
  weights: weightsOption,
  open: openExtractor,
};
export const deviceChoice = { option: deviceOption, of: deviceOf };
