// The model of a bench's --model: gguf:FILE, or a name with --base-url.
import type { TextModel } from '../../lib/index.js';
import { ggufTextModel, openAiCompatible } from '../../lib/models/index.js';

export async function openModel(
  name: string | undefined,
  baseURL?: string,
): Promise<(TextModel & Partial<AsyncDisposable>) | undefined> {
  if (name === undefined) return undefined;
  if (name.startsWith('gguf:')) return ggufTextModel({ path: name.slice(5), threads: 1 });
  if (baseURL === undefined) throw new Error('Expected --base-url with --model NAME.');
  return openAiCompatible({ baseURL, model: name });
}
