// Opens a command's corpus with the encoder that its --encoder option names, for the device that
// the command was told of. Corpora of the embedded encoder need no option.
import { Corpus } from '../../store/corpus.js';
import type { Device } from '../../vectors/device.js';
import type { Storage } from '../../store/manifest.js';
import type { Invocation } from '../command.js';
import { openEncoder } from './encoders.js';

/**
 * The corpus at a folder; `create` is for writing; where it is false, what questions compute of it
 * may be saved.
 */
export async function openCorpus(
  folder: string,
  invocation: Invocation,
  access: { create: boolean; storage?: Storage; device?: Device } | { readOnly: true },
) {
  const encoder = await openEncoder(invocation);
  return Corpus.open(folder, { ...access, ...(encoder ? { encoder } : {}) });
}
