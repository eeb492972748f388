// Opens a command's corpus with the encoder that its --encoder option names. Corpora of the embedded encoder need no option.
import type { Invocation } from './command.js';
import { openEncoder } from './encoders.js';

/** The corpus at a folder; `create` is for writing. */
export async function openCorpus(folder: string, invocation: Invocation, access: { create: true } | { readOnly: true }) {
  const { Corpus } = await import('../index.js');
  const encoder = await openEncoder(invocation);
  return Corpus.open(folder, { ...access, ...(encoder ? { encoder } : {}) });
}
