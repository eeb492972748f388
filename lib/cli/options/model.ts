// The options of commands that name a language model, and its opening.
import type { TextModel } from '../../text/textModel.js';
import { ggufTextModel } from '../../models/gguf/ggufTextModel.js';
import { openAiCompatible } from '../../models/openAiCompatible.js';
import { UsageError, option, type Command, type Invocation, type OptionSpec } from '../command.js';
import { encodesByServer } from './encoders.js';
import { serverKey, serverOption, serverUrl } from './server.js';

export const modelOptions: Readonly<Record<string, OptionSpec>> = {
  model: {
    type: 'string',
    value: 'M',
    help:
      'a language model for the stages that can use one, default none: its name on the server of --base-url, or gguf:FILE for a file run ' +
      'here (needs node-llama-cpp)',
  },
  'base-url': serverOption,
};

/** Whether a model was named; nothing is opened. */
export function namesModel(invocation: Invocation): boolean {
  return option(invocation, 'model') !== undefined;
}

export interface OpenedModel extends AsyncDisposable {
  /** For `createSystem`. */
  options: { model?: TextModel };
}

/**
 * The model that --model names, or none. Errors: UsageError for options that do not go together.
 */
export async function openModel(invocation: Invocation, command: Command): Promise<OpenedModel> {
  const named = option(invocation, 'model');
  const server = option(invocation, 'base-url');
  if (named === undefined) return opened();
  if (named.startsWith('gguf:')) {
    const path = named.slice('gguf:'.length);
    if (server !== undefined && !encodesByServer(invocation)) {
      throw new UsageError('--model gguf:FILE runs here: leave --base-url out.', command.name);
    }
    if (path === '')
      throw new UsageError('--model gguf:FILE needs the path of a file.', command.name);
    const model = await ggufTextModel({ path, signal: invocation.signal });
    return opened(model, () => model.close());
  }
  const baseURL = serverUrl(invocation);
  if (baseURL === undefined) {
    throw new UsageError(
      `--model ${named} needs the server that has it: --base-url URL (or gguf:FILE for a file).`,
      command.name,
    );
  }
  return opened(openAiCompatible({ baseURL, model: named, ...serverKey() }));
}

function opened(model?: TextModel, close = async (): Promise<void> => undefined): OpenedModel {
  return { options: model ? { model } : {}, [Symbol.asyncDispose]: close };
}
