// The language model of --model.
import { openAiCompatible } from '../../models/openAiCompatible.js';
import type { TextModel } from '../../text/textModel.js';
import { UsageError, option, type Command, type Invocation } from '../command.js';
import { serverKey, serverUrl } from '../options/server.js';

/**
 * The model of --model, if present, as options of `createSystem`.
 * @throws UsageError for a name without a server.
 */
export function openModel(
  invocation: Invocation,
  command: Command,
): { options: { model?: TextModel } } {
  const model = option(invocation, 'model');
  if (model === undefined) return { options: {} };
  const baseURL = serverUrl(invocation);
  if (baseURL === undefined)
    throw new UsageError(
      `--model ${model} needs the server that has it: --base-url URL.`,
      command.name,
    );
  return { options: { model: openAiCompatible({ baseURL, model, ...serverKey() }) } };
}
