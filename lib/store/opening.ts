// Steps of opening a corpus: its first manifest, and its encoder, which is that of its passages.
import { AsOfError, invalidArgument, throwIfAborted } from '../errors.js';
import { requireDevice } from '../vectors/device.js';
import { checkNamedEncoder, type Encoder, type NamedEncoder } from '../vectors/encoder.js';
import { staticEncoder } from '../vectors/staticEncoder.js';
import { checkTimeZone, isSameZone } from '../time/timeZone.js';
import { defaultLockTimeout, type CorpusOptions } from './corpusOptions.js';
import { declaredFields, withSeries, type Fields } from './fields/types.js';
import { syncParents } from './format/files.js';
import { corpusFolder, prepareFolder, type CorpusFolder } from './format/folder.js';
import { hasSentenceRows, newManifest, type Manifest } from './format/manifest.js';
import { ManifestFile } from './format/manifestFile.js';
import { pipelineNames } from './writing/segmentBuilder.js';
import { waitForLock } from './writing/writerLease.js';

/** Opens the folder of a corpus, which is created if it may be; the encoder, if there is one. */
export async function openFolder(
  path: string,
  options: CorpusOptions,
): Promise<{
  folder: CorpusFolder;
  file: ManifestFile;
  encoder: NamedEncoder | undefined;
  timeZone: string | undefined;
}> {
  const { readOnly = false, create = !readOnly } = options;
  await requireDevice(options.device ?? 'cpu');
  const folder = corpusFolder(path);
  prepareFolder(folder, create && !readOnly);
  const given = options.encoder && checkNamedEncoder(options.encoder);
  const file = new ManifestFile(folder);
  let manifest = file.read();
  if (!manifest && (readOnly || !create)) {
    throw new AsOfError(
      'ERR_NOT_FOUND',
      `Expected a corpus at ${folder.path}, found one whose creation did not finish. ` +
        'Index passages into it first.',
    );
  }
  const encoder = given ?? (await embeddedEncoder(manifest));
  manifest ??= await createCorpus(
    folder,
    file,
    newManifest(encoder!, pipelineNames, { ...options, fields: withSeries(options.fields ?? {}) }),
    options,
  );
  if (encoder) checkSameEncoder(manifest, encoder);
  checkSameFields(manifest, options.fields);
  checkSameTimeZone(manifest, options.timeZone);
  checkSameSentences(manifest, options.sentences);
  checkSameHistory(manifest, options.history);
  throwIfAborted(options.signal);
  return { folder, file, encoder, timeZone: manifest.timeZone };
}

/** Writes the first manifest, unless another process did while this one waited. */
async function createCorpus(
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
    await file.write(first, undefined);
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

/** @throws AsOfError ERR_INVALID_ARGUMENT */
function checkSameFields(manifest: Manifest, fields: Fields | undefined): void {
  const declared = declaredFields(manifest.fields);
  const [has, wants] = [declared, fields ?? declared].map((each) =>
    JSON.stringify(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
  if (has === wants) return;
  throw invalidArgument(
    'fields',
    `those of the corpus, ${JSON.stringify(declared)}`,
    JSON.stringify(fields),
    'Omit them, and add, rename or drop fields by alterFields.',
  );
}

/**
 * Its times were made in the zone that the corpus was created with, and days of questions default
 * to it.
 * @throws AsOfError ERR_INVALID_ARGUMENT for another zone than that of the corpus
 */
function checkSameTimeZone(manifest: Manifest, timeZone: string | undefined): void {
  const stored = checkTimeZone(manifest.timeZone, "the corpus's time zone");
  if (timeZone === undefined || isSameZone(checkTimeZone(timeZone), stored)) return;
  throw invalidArgument(
    'timeZone',
    `${stored ?? 'UTC'}, the time zone that the corpus was created with`,
    timeZone,
    'Leave it out. For days of another zone give questions a timeZone, or index the passages ' +
      'into a new corpus.',
  );
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
function checkSameSentences(manifest: Manifest, given: boolean | undefined): void {
  const created = hasSentenceRows(manifest);
  if (given === undefined || given === created) return;
  const remedy = 'Omit it, or index the passages into a new corpus.';
  throw invalidArgument('sentences', `${created}, as the corpus was created`, given, remedy);
}

/** @throws AsOfError ERR_INVALID_ARGUMENT for a corpus that was created otherwise */
function checkSameHistory({ history }: Manifest, given: CorpusOptions['history']): void {
  if (given === undefined || (given !== false) === (history !== undefined)) return;
  const created = history ? 'true or { keepDays }' : 'false';
  const remedy = 'Omit it, or index the passages into a new corpus.';
  throw invalidArgument('history', `${created}, as the corpus was created`, given, remedy);
}
