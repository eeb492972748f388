// The language model of --model.
import { openAiCompatible } from '../../models/openAiCompatible.js';
import { withPrompts } from '../../text/promptTemplates.js';
import type { TextModel } from '../../text/textModel.js';
import { UsageError, option, type Invocation, type OptionSpec } from '../command.js';
import { serverKey, serverUrl, serverOption } from '../options/server.js';
import { needsReranker, systemNames, systemUses } from '../../papers/registry.js';
import { readerModes, type ReadOptions } from '../../reading/answer.js';
import { settingsFor, type SettingsFile } from '../options/settings.js';

export const modelOptions: Readonly<Record<string, OptionSpec>> = {
  model: {
    value: 'M',
    group: 'model',
    help: 'language model: NAME on the server of --base-url; default none: stages are rule-based',
  },
  'base-url': serverOption,
  prompts: {
    value: 'DIR',
    group: 'model',
    help: "templates of the model's prompts, NAME.txt each, in place of asof's prompts/",
  },
};

/** Whether --model is present. */
export function namesModel(invocation: Invocation): boolean {
  return option(invocation, 'model') !== undefined;
}

/** The model of --model as options of `createSystem`. @throws UsageError without a server */
export function openModel(invocation: Invocation): { options: { model?: TextModel } } {
  const model = option(invocation, 'model');
  const prompts = option(invocation, 'prompts');
  if (model === undefined && prompts !== undefined)
    throw new UsageError('--prompts are of a language model: add --model, or omit them.');
  if (model === undefined) return { options: {} };
  const baseURL = serverUrl(invocation);
  if (baseURL === undefined)
    throw new UsageError(`--model ${model} needs the server that has it: --base-url URL.`);
  const opened = openAiCompatible({ baseURL, model, ...serverKey() });
  return { options: { model: prompts === undefined ? opened : withPrompts(opened, prompts) } };
}

/** The requested systems that use the reranker of --reranker, and those that use the model. */
interface ModelUsers {
  reranker: readonly string[];
  model: readonly string[];
}

/** @throws UsageError for an option that none of the systems would use */
export function modelUsersOf(
  names: readonly string[],
  read: ReadOptions,
  file: SettingsFile | undefined,
  invocation: Invocation,
): ModelUsers {
  const using = (what: 'model' | 'reranker'): string[] =>
    names.filter((name) => systemUses(name, { read, ...settingsFor(name, file) })[what]);
  const users = { reranker: using('reranker'), model: using('model') };
  const requested = names.join(', ');
  const lacking = option(invocation, 'reranker') === undefined && names.find(needsReranker);
  if (lacking) {
    const forms = 'onnx:OWNER/NAME, cohere:NAME@URL or tei:NAME@URL';
    throw new UsageError(`${lacking} needs a reranker: --reranker ${forms}.`);
  }
  if (option(invocation, 'reranker') !== undefined && users.reranker.length === 0) {
    const reranking = systemNames.filter((name) => systemUses(name).reranker).join(' or ');
    throw new UsageError(
      `--reranker would not be used by ${requested}: name a system that reranks, ` +
        `--system ${reranking}, or omit it.`,
    );
  }
  if (namesModel(invocation) && users.model.length === 0) {
    const modes = readerModes.filter((mode) => mode !== 'extract').join(', ');
    throw new UsageError(
      `--model would not be used by ${requested} with --read extract: choose a reader that ` +
        `prompts it (--read ${modes}), name --system mrag, or omit it.`,
    );
  }
  return users;
}
