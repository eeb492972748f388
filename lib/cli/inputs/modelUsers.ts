// Errors for a --model or --reranker that no stage of the systems would use.
import { systemNames, systemUses } from '../../papers/registry.js';
import { readerModes, type ReadOptions } from '../../reading/answer.js';
import { UsageError, option, type Command, type Invocation } from '../command.js';
import { namesModel } from '../options/model.js';
import { settingsFor, type SettingsFile } from '../options/settings.js';

/** Of the systems asked for, which use the reranker that --reranker names, and which the model. */
export interface Users {
  reranker: readonly string[];
  model: readonly string[];
}

/**
 * Errors: UsageError for an option that none of the systems would use; ERR_INVALID_ARGUMENT for a
 * system that there is not.
 */
export async function usersOf(
  names: readonly string[],
  read: ReadOptions,
  file: SettingsFile | undefined,
  invocation: Invocation,
  command: Command,
): Promise<Users> {
  const using = (what: 'model' | 'reranker'): string[] =>
    names.filter((name) => systemUses(name, { read, ...settingsFor(name, file) })[what]);
  const users = { reranker: using('reranker'), model: using('model') };
  const asked = names.join(', ');
  if (option(invocation, 'reranker') !== undefined && users.reranker.length === 0) {
    const those = systemNames.filter((name) => systemUses(name).reranker).join(' or ');
    throw new UsageError(
      `--reranker would not be used by ${asked}: name a system that reranks, --system ${those}, or leave it out.`,
      command.name,
    );
  }
  if (namesModel(invocation) && users.model.length === 0) {
    const modes = readerModes.filter((mode) => mode !== 'extract').join(', ');
    throw new UsageError(
      `--model would not be used by ${asked} with --read extract: have it read the answer with --read (${modes}), name --system mrag, or leave ` +
        `it out.`,
      command.name,
    );
  }
  return users;
}
