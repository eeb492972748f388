// Systems that use --model and --reranker, of which there must be one.
import { needsReranker, systemNames, systemUses } from '../../papers/registry.js';
import { readerModes, type ReadOptions } from '../../reading/answer.js';
import { UsageError, option, type Command, type Invocation } from '../command.js';
import { namesModel } from '../options/model.js';
import { settingsFor, type SettingsFile } from '../options/settings.js';

/** The requested systems that use the reranker of --reranker, and those that use the model. */
export interface ModelUsers {
  reranker: readonly string[];
  model: readonly string[];
}

/**
 * @throws UsageError for an option that none of the systems would use; AsOfError
 * ERR_INVALID_ARGUMENT for an unknown system.
 */
export function modelUsersOf(
  names: readonly string[],
  read: ReadOptions,
  file: SettingsFile | undefined,
  invocation: Invocation,
  command: Command,
): ModelUsers {
  const using = (what: 'model' | 'reranker'): string[] =>
    names.filter((name) => systemUses(name, { read, ...settingsFor(name, file) })[what]);
  const users = { reranker: using('reranker'), model: using('model') };
  const requested = names.join(', ');
  const lacking = option(invocation, 'reranker') === undefined && names.find(needsReranker);
  if (lacking) {
    const forms = 'onnx:OWNER/NAME, cohere:NAME@URL or tei:NAME@URL';
    throw new UsageError(`${lacking} needs a reranker: --reranker ${forms}.`, command.name);
  }
  if (option(invocation, 'reranker') !== undefined && users.reranker.length === 0) {
    const reranking = systemNames.filter((name) => systemUses(name).reranker).join(' or ');
    throw new UsageError(
      `--reranker would not be used by ${requested}: name a system that reranks, ` +
        `--system ${reranking}, or omit it.`,
      command.name,
    );
  }
  if (namesModel(invocation) && users.model.length === 0) {
    const modes = readerModes.filter((mode) => mode !== 'extract').join(', ');
    throw new UsageError(
      `--model would not be used by ${requested} with --read extract: choose a reader that ` +
        `prompts it (--read ${modes}), name --system mrag, or omit it.`,
      command.name,
    );
  }
  return users;
}
