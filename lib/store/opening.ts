// Steps of opening a corpus: its first manifest, and its encoder, which is that of its passages.
import { AsOfError, invalidArgument } from '../errors.js';
import type { Encoder, NamedEncoder } from '../vectors/encoder.js';
import { staticEncoder } from '../vectors/staticEncoder.js';
import { defaultLockTimeout, type CorpusOptions } from './corpusOptions.js';
import { syncParents } from './files.js';
import type { CorpusFolder } from './folder.js';
import { hasSentenceRows, type Manifest } from './manifest.js';
import type { ManifestFile } from './manifestFile.js';
import { waitForLock } from './writerLease.js';

/** Writes the first manifest, unless another process did while this one waited. */
export async function createCorpus(
  folder: CorpusFolder,
  file: ManifestFile,
  manifest: Manifest,
  { lockTimeout = defaultLockTimeout, signal }: CorpusOptions,
): Promise<Manifest> {
  const lock = await waitForLock(folder.lock, lockTimeout, signal);
  try {
    const stored = file.read();
    if (stored) return stored;
    const first = { ...manifest, generation: 1 };
    // The names of its folders and of those made for them, before anybody takes it for a corpus.
    await syncParents(folder.segments);
    await file.write(first);
    return first;
  } finally {
    lock.release();
  }
}

/** The embedded encoder, if the corpus is new or was created with it. */
export async function embeddedEncoder(
  manifest: Manifest | undefined,
): Promise<Encoder | undefined> {
  const encoder = await staticEncoder();
  return !manifest || manifest.encoder.id === encoder.id ? encoder : undefined;
}

/** @throws AsOfError ERR_ENCODER_MISMATCH */
export function checkSameEncoder(manifest: Manifest, encoder: NamedEncoder): void {
  const { id, dimensions } = manifest.encoder;
  if (encoder.id === id && encoder.dimensions === dimensions) return;
  throw new AsOfError(
    'ERR_ENCODER_MISMATCH',
    `Expected the encoder ${id} (${dimensions} dimensions) of the corpus, ` +
      `received ${encoder.id} (${encoder.dimensions} dimensions). ` +
      'Open it with that encoder, or index the passages into a new corpus.',
    { details: { expected: id, received: encoder.id } },
  );
}

/** @throws AsOfError ERR_INVALID_ARGUMENT for a corpus that was created otherwise */
export function checkSameSentences(manifest: Manifest, given: boolean | undefined): void {
  const created = hasSentenceRows(manifest);
  if (given === undefined || given === created) return;
  const remedy = 'Omit it, or index the passages into a new corpus.';
  throw invalidArgument('sentences', `${created}, as the corpus was created`, given, remedy);
}
