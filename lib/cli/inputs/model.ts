// The language model of --model.
import { ggufTextModel } from '../../models/gguf/ggufTextModel.js';
import { openAiCompatible } from '../../models/openAiCompatible.js';
import type { TextModel } from '../../text/textModel.js';
import { UsageError, option, type Command, type Invocation } from '../command.js';
import { usesBaseUrl } from '../options/encoders.js';
import { serverKey, serverUrl } from '../options/server.js';

export interface OpenedModel extends AsyncDisposable {
  /** For `createSystem`. */
  options: { model?: TextModel };
}

/**
 * Opens the model of --model, if present.
 * @throws UsageError for --base-url with gguf:FILE, or a name without a server.
 */
export async function openModel(invocation: Invocation, command: Command): Promise<OpenedModel> {
  const named = option(invocation, 'model');
  const server = option(invocation, 'base-url');
  if (named === undefined) return opened();
  if (named.startsWith('gguf:')) {
    const path = named.slice('gguf:'.length);
    if (server !== undefined && !usesBaseUrl(invocation)) {
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
