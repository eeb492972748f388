// Opening of a command's corpus with the encoder of --encoder.
import { Corpus } from '../../store/corpus.js';
import type { Storage } from '../../store/manifest.js';
import type { Device } from '../../vectors/device.js';
import type { Invocation } from '../command.js';
import { openEncoder } from './encoders.js';

/**
 * Opens the corpus in a folder. `create: true` for writing; `create: false` for questions, whose
 * derived columns may be saved.
 */
export async function openCorpus(
  folder: string,
  invocation: Invocation,
  access:
    | { create: boolean; storage?: Storage; sentences?: boolean; device?: Device }
    | { readOnly: true },
) {
  const encoder = await openEncoder(invocation);
  return Corpus.open(folder, { ...access, ...(encoder ? { encoder } : {}) });
}
