// Sentence encoders in ONNX form, as they are published (MiniLM, Contriever, E5, BGE): the public face. What a folder says about its model is
// read in modelFolder, the model runs in a worker thread (workerClient). Nothing is fetched here, and onnxruntime-node is the user's to install.
import { basename, resolve } from 'node:path';
import { invalidArgument, throwIfAborted } from '../../errors.js';
import { checkTexts, type EncodeOptions, type Encoder } from '../encoder.js';
import { fingerprint, readModelFolder, type Pooling, type Prefixes } from './modelFolder.js';
import { WorkerClient } from './workerClient.js';

export interface OnnxEncoderOptions {
  /** The model's folder as published: config.json, tokenizer.json and onnx/model.onnx or model.onnx; the other files where it has them. */
  path: string;
  /** How token vectors become one: their mean, or the first token's. Default: what 1_Pooling/config.json says, else mean. */
  pooling?: Pooling;
  /**
   * What is put before texts of a kind. Default: the prompts `query` and `passage` (or `document`) of config_sentence_transformers.json, else nothing.
   * E5 needs { query: 'query: ', passage: 'passage: ' }, which its folder does not say.
   */
  prefixes?: Prefixes;
  /** Tokens of a text that are read, its special tokens counted; the rest is cut off. Default, and at most, what the model's configuration says. */
  maxTokens?: number;
  /** Threads of the model, 1 to 64; default 1. */
  threads?: number;
  /** Texts in one run of the model, 1 to 256; default 16. Closing, and leaving the process, wait for one run. */
  batchSize?: number;
}

/** An encoder whose model is in a worker thread until it is closed. */
export interface OnnxEncoder extends Encoder, AsyncDisposable {
  /** Rejects what waits (ERR_CLOSED), lets the running batch finish and frees the model. May be called again. */
  close(): Promise<void>;
}

/**
 * Opens a sentence encoder from a folder, with onnxruntime-node (an optional peer: `npm install onnxruntime-node`). Its id is the folder's name and a
 * hash of the model, its tokenizer, pooling, prefixes and length. Rows have length 1; blank texts give zeros. Requests queue and take turns;
 * an abort rejects at once. While nothing is asked of it, it does not hold the process open.
 *
 * @throws AsOfError ERR_NOT_FOUND (the folder or a file of it), ERR_INVALID_INPUT (files that are not what they should be),
 * ERR_NATIVE_UNAVAILABLE (no onnxruntime-node), ERR_INVALID_ARGUMENT
 * @example
 * await using encoder = await onnxEncoder({ path: 'models/all-MiniLM-L6-v2' });
 * using corpus = await Corpus.open('wiki.asof', { encoder });
 */
export async function onnxEncoder(options: OnnxEncoderOptions): Promise<OnnxEncoder> {
  checkOptions(options);
  const { path, threads = 1, batchSize = 16 } = options;
  const model = await readModelFolder(path, options);
  const id = `${basename(resolve(path)).slice(0, 100)}-${await fingerprint(model)}`;
  const client = await WorkerClient.start({ ...model, threads, batchSize });
  return {
    id,
    dimensions: client.dimensions,
    async encode(texts: readonly string[], { kind, signal }: EncodeOptions): Promise<Float32Array> {
      throwIfAborted(signal);
      checkTexts(texts);
      const prefix = kind === 'query' ? model.prefixes.query : model.prefixes.passage;
      return client.encode(texts, prefix, signal);
    },
    close: () => client.close(),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function checkOptions(options: OnnxEncoderOptions): void {
  if (typeof options !== 'object' || options === null) throw invalidArgument('options', 'an object { path, ... }', options);
  const { path, pooling, prefixes, maxTokens, threads, batchSize } = options;
  if (typeof path !== 'string' || path === '' || path.includes('\0')) throw invalidArgument('path', 'the path of a model folder', path);
  if (pooling !== undefined && pooling !== 'mean' && pooling !== 'cls') throw invalidArgument('pooling', "'mean' or 'cls'", pooling);
  if (prefixes !== undefined && (typeof prefixes !== 'object' || prefixes === null)) throw invalidArgument('prefixes', 'an object { query?, passage? }', prefixes);
  for (const kind of ['query', 'passage'] as const) {
    const prefix: unknown = prefixes?.[kind];
    if (prefix !== undefined && typeof prefix !== 'string') throw invalidArgument(`prefixes.${kind}`, 'a string', prefix);
  }
  checkWhole('maxTokens', maxTokens, 3, 1_000_000);
  checkWhole('threads', threads, 1, 64);
  checkWhole('batchSize', batchSize, 1, 256);
}

function checkWhole(name: string, value: unknown, least: number, most: number): void {
  if (value === undefined) return;
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) throw invalidArgument(name, `a whole number from ${least} to ${most}`, value);
}
