// The model of a bench's --model: a name, with --base-url.
import type { TextModel } from '../../lib/index.js';
import { openAiCompatible } from '../../lib/models/index.js';

export async function openModel(
  name: string | undefined,
  baseURL?: string,
): Promise<TextModel | undefined> {
  if (name === undefined) return undefined;
  if (baseURL === undefined) throw new Error('Expected --base-url with --model NAME.');
  return openAiCompatible({ baseURL, model: name });
}
