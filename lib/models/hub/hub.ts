// Cache of hub models: one folder for each commit, usable offline once complete.
import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AsOfError, throwIfAborted } from '../../errors.js';
import type { RunOptions } from '../../records.js';
import { refuseWrite, writeAtomically } from '../../runtime/atomicFile.js';
import { download, type DownloadOptions } from './download.js';
import { checkHubOptions, type HubModel, type HubOptions } from './options.js';

/** A model's folder and its model file in it. */
export interface ModelFiles {
  path: string;
  file: string;
}

interface Record {
  format: 1;
  hub: string;
  revision: string;
  /** The folder of the snapshot: the commit, where the hub names it. */
  snapshot: string;
  modelFile: string;
  /** Bytes of each file. */
  files: { [file: string]: number };
}

const needed = ['config.json', 'tokenizer.json'];
const useful = [
  'tokenizer_config.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
  '1_Pooling/config.json',
];
/** External weights of a large model. */
const dataEndings = ['_data', '.data'];
const morePartsMost = 100;

/**
 * The files of a model, from the cache, else from the hub; processes share it: files are renamed
 * when complete.
 * @throws AsOfError ERR_INVALID_ARGUMENT; ERR_NOT_FOUND (no such model, revision or file, or none
 * without a token); ERR_DOWNLOAD_FAILED; ERR_STORAGE; ERR_ABORTED
 */
export async function fetchHubModel(
  options: HubOptions,
  candidates: readonly string[],
  timing: NonNullable<DownloadOptions['timing']> = {},
): Promise<ModelFiles> {
  const model = checkHubOptions(options);
  throwIfAborted(options.signal);
  const recordFile = join(
    model.folder,
    'records',
    `${slug(model.revision)}~${model.file === undefined ? '' : slug(model.file)}.json`,
  );
  const cached = await readRecord(model, recordFile);
  if (cached) return cached;
  const record = await downloadAll(
    model,
    model.file === undefined ? candidates : [model.file],
    options,
    timing,
  );
  await writeRecord(recordFile, record);
  return { path: snapshotFolder(model, record.snapshot), file: record.modelFile };
}

async function downloadAll(
  model: HubModel,
  candidates: readonly string[],
  { signal, onProgress }: RunOptions,
  timing: NonNullable<DownloadOptions['timing']>,
): Promise<Record> {
  const files: { [file: string]: number } = {};
  const bytes = new Map<string, { done: number; total: number }>();
  let commit: string | undefined;
  const snapshotOf = (of: string | undefined): string => of ?? slug(model.revision);
  const one = async (file: string): Promise<boolean> => {
    const downloaded = await download({
      model,
      revision: commit ?? model.revision,
      file,
      place: (of) => join(snapshotFolder(model, snapshotOf(commit ?? of)), file),
      onBytes(done, size) {
        bytes.set(file, { done, total: size ?? done });
        const sums = [...bytes.values()].reduce(
          (sum, each) => ({ done: sum.done + each.done, total: sum.total + each.total }),
          { done: 0, total: 0 },
        );
        onProgress?.(sums);
      },
      signal,
      timing,
    });
    if (!downloaded) return false;
    commit ??= downloaded.commit;
    files[file] = downloaded.size;
    return true;
  };
  for (const file of needed) if (!(await one(file))) throw absent(model, file);
  for (const file of useful) await one(file);
  let modelFile: string | undefined;
  for (const file of candidates) if (modelFile === undefined && (await one(file))) modelFile = file;
  if (modelFile === undefined) throw absent(model, candidates.join(' or '));
  for (const ending of dataEndings) {
    if (!(await one(modelFile + ending))) continue;
    for (
      let part = 1;
      part <= morePartsMost && (await one(`${modelFile}${ending}_${part}`));
      part += 1
    );
  }
  return {
    format: 1,
    hub: `${model.baseUrl}/${model.id}`,
    revision: model.revision,
    snapshot: snapshotOf(commit),
    modelFile,
    files,
  };
}

/** Undefined without a record, or if a file of it has changed. */
async function readRecord(model: HubModel, recordFile: string): Promise<ModelFiles | undefined> {
  try {
    const { format, snapshot, modelFile, files } = JSON.parse(
      await readFile(recordFile, 'utf8'),
    ) as Record;
    if (format !== 1 || !/^(?!\.+$)[\w.%-]+$/.test(snapshot) || !Object.hasOwn(files, modelFile))
      return undefined;
    const path = snapshotFolder(model, snapshot);
    for (const [file, size] of Object.entries(files))
      if ((await stat(join(path, file))).size !== size) return undefined;
    return { path, file: modelFile };
  } catch {
    return undefined; // none yet, or damaged: downloaded again
  }
}

async function writeRecord(recordFile: string, record: Record): Promise<void> {
  await mkdir(dirname(recordFile), { recursive: true }).catch((cause: unknown) =>
    refuseWrite(recordFile, cause),
  );
  await writeAtomically(recordFile, '', [`${JSON.stringify(record, null, 1)}\n`]);
}

function snapshotFolder(model: HubModel, snapshot: string): string {
  return join(model.folder, 'snapshots', snapshot);
}

/** A revision or path as one name of a file. */
function slug(path: string): string {
  return path.replaceAll('/', '%2F');
}

function absent(model: HubModel, file: string): AsOfError {
  const exporting = file.endsWith('.onnx')
    ? ' Name the model file as file if it is another; a model that is published without an ' +
      'ONNX file must be exported first (models/export/ in ' +
      'the repository of asof has a script for BERT models).'
    : ' Check the name and the revision: a model in ONNX form has it.';
  const message = `Expected ${model.id} on ${model.baseUrl} (${model.revision}) to have ${file}, it has none.${exporting}`;
  return new AsOfError('ERR_NOT_FOUND', message, {
    details: { hub: model.id, revision: model.revision, file },
  });
}
