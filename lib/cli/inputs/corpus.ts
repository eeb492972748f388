// Opening of a command's corpus with the encoder of --encoder.
import { Corpus } from '../../store/corpus.js';
import type { CorpusOptions } from '../../store/corpusOptions.js';
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
    | (Pick<
        CorpusOptions,
        'storage' | 'device' | 'timeZone' | 'sentences' | 'fields' | 'history'
      > & { create: boolean })
    | { readOnly: true },
) {
  const encoder = await openEncoder(invocation);
  return Corpus.open(folder, { ...access, encoder });
}
