// The encoder and the reranker that a command's options name: the embedded
// one, a model file, or a published model in ONNX form from a folder or a hub,
// downloaded with a bar. It decides nothing about what they are used for.
import { stat } from 'node:fs/promises';
import { AsOfError } from '../errors.js';
import type { Encoder, ModelLocation, Reranker } from '../index.js';
import { option, UsageError, type Invocation, type OptionSpec } from './command.js';

const onnxForms =
  'onnx:FOLDER or onnx:OWNER/NAME[@REVISION] for a published model in ONNX form, in a folder or on a hub (#FILE for another of its .onnx files)';

/** The option of every command that encodes text. */
export const encoderOption: OptionSpec = {
  type: 'string',
  value: 'E',
  help:
    `what encodes passages and questions: default, ${onnxForms}, the path of a file like models/default-encoder.bin, or ` +
    'adapter:FILE of asof train adapter (adapter:FILE,E where it was trained over another encoder E)',
};

/** The option of commands whose systems may rerank. */
export const rerankerOption: OptionSpec = {
  type: 'string',
  value: 'R',
  help: `a cross-encoder that scores passages beside the question, in --system mrag and mrag+official: ${onnxForms}`,
};

/** What --encoder names; undefined for the embedded one. Its thread, where it has one, does not hold the process. */
export async function openEncoder(invocation: Invocation): Promise<Encoder | undefined> {
  const named = option(invocation, 'encoder');
  return named === undefined || named === 'default' ? undefined : encoderNamed(named, invocation);
}

async function encoderNamed(named: string, invocation: Invocation): Promise<Encoder> {
  const { adaptedEncoder, onnxEncoder, staticEncoder } = await import('../index.js');
  if (named.startsWith('onnx:')) return opened(named, invocation, (location) => onnxEncoder(location));
  if (!named.startsWith('adapter:')) return staticEncoder(named === 'default' ? {} : { model: named });
  const [, file, base = 'default'] = /^adapter:([^,]*)(?:,(.+))?$/s.exec(named)!;
  if (!file) throw new UsageError(`--encoder adapter:FILE needs the path of a file, received ${JSON.stringify(named)}.`);
  return adaptedEncoder(await encoderNamed(base, invocation), file);
}

/** Whether --encoder names one that takes milliseconds for a text. */
export function isSlow(invocation: Invocation): boolean {
  return option(invocation, 'encoder')?.startsWith('onnx:') ?? false;
}

/** What --reranker names; undefined without one. */
export async function openReranker(invocation: Invocation): Promise<Reranker | undefined> {
  const named = option(invocation, 'reranker');
  if (named === undefined) return undefined;
  if (!named.startsWith('onnx:')) throw new UsageError(`--reranker must be ${onnxForms}, received ${JSON.stringify(named)}.`);
  const { onnxReranker } = await import('../index.js');
  return opened(named, invocation, (location) => onnxReranker(location));
}

async function opened<Model>(named: string, { terminal, signal }: Invocation, open: (location: ModelLocation) => Promise<Model>): Promise<Model> {
  const { place, revision, file } = parts(named);
  const ofFile = file === undefined ? {} : { file };
  const isFolder = (await stat(place).catch(() => undefined))?.isDirectory() ?? false;
  // A folder comes first: a name of two words may be both.
  if (isFolder || !/^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/.test(place)) {
    if (revision !== undefined) throw new UsageError(`A revision is of a model on a hub, OWNER/NAME; received ${JSON.stringify(named)}.`);
    return open({ path: place, ...ofFile, signal });
  }
  const bar = terminal.progress(`downloading ${place}`, 'MB');
  const megabytes = (count: number): number => count / 1e6;
  const token = process.env['HF_TOKEN'];
  try {
    return await open({
      hub: place,
      ...ofFile,
      ...(revision === undefined ? {} : { revision }),
      ...(token ? { token } : {}),
      signal,
      onProgress: ({ done, total }) => bar.update({ done: megabytes(done), total: megabytes(total) }),
    });
  } catch (error) {
    if (!AsOfError.is(error) || !['ERR_NOT_FOUND', 'ERR_DOWNLOAD_FAILED'].includes(error.code)) throw error;
    throw new AsOfError(error.code, `${error.message} (${place} is no folder here, so it was taken as a model's name on a hub.)`, {
      cause: error,
      details: error.details,
    });
  } finally {
    bar.end();
  }
}

/** FOLDER#FILE or OWNER/NAME@REVISION#FILE. */
function parts(named: string): { place: string; revision: string | undefined; file: string | undefined } {
  const [, before, file] = /^onnx:(.*?)(?:#([^#]*\.onnx))?$/s.exec(named)!;
  const [, name, revision] = /^([\w.-]+\/[\w.-]+)@([^@]+)$/.exec(before!) ?? [undefined, before, undefined];
  if (!name) throw new UsageError(`A model is ${onnxForms}; received ${JSON.stringify(named)}.`);
  return { place: name, revision, file };
}
