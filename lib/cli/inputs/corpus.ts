// Opening of a command's corpus with the encoder of --encoder.
import { Corpus } from '../../store/corpus.js';
import type { StoredCorpus } from '../../store/storedCorpus.js';
import type { Invocation } from '../command.js';
import { openEncoder } from './encoders.js';
import { checkFolder, openNamed, type CorpusAccess } from './storedCorpus.js';

type Access = Omit<CorpusAccess, 'encoder'> &
  (
    | {
        /** True for writing; false for questions, whose derived columns may be saved. */
        create: boolean;
      }
    | { readOnly: true }
  );

/** Opens the corpus in a folder or in PostgreSQL. */
export async function openCorpus(
  corpus: string,
  invocation: Invocation,
  access: Access,
): Promise<StoredCorpus> {
  const encoder = await openEncoder(invocation);
  return openNamed(corpus, invocation, { ...access, encoder });
}

/** Opens the corpus in a folder, for what reads its files. */
export async function openFolder(
  folder: string,
  invocation: Invocation,
  access: Access,
): Promise<Corpus> {
  checkFolder(folder);
  const encoder = await openEncoder(invocation);
  return Corpus.open(folder, { ...access, encoder });
}
