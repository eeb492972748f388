// The options that encoders and rerankers share, and the refusal of values that are none, before a file is read or a thread started.
import { invalidArgument } from '../../errors.js';

/** Where a model is: a folder with its files as published (config.json, tokenizer.json, onnx/model.onnx or model.onnx; others where it has them). */
export interface ModelLocation {
  path: string;
  /** The model file, from the folder on, where it is another: `onnx/model_quantized.onnx`. Default onnx/model.onnx, else model.onnx. */
  file?: string;
  signal?: AbortSignal;
}

export interface RunSettings {
  /** Tokens that are read of a text (of a question and a text together, by a reranker), special ones counted. Default, and at most, the model's own. */
  maxTokens?: number;
  /** Threads of the model, 1 to 64; default 1. */
  threads?: number;
  /** Texts in one run of the model, 1 to 256; default 16. Closing, and leaving the process, wait for one run; memory grows with it and with maxTokens. */
  batchSize?: number;
}

export function checkLocation(options: ModelLocation): void {
  if (typeof options !== 'object' || options === null) throw invalidArgument('options', 'an object { path, ... }', options);
  const { path, file } = options;
  if (typeof path !== 'string' || path === '' || path.includes('\0')) throw invalidArgument('path', 'the path of a model folder', path);
  if (file !== undefined && (typeof file !== 'string' || !/^[^/\\\0][^\0]*$/.test(file))) {
    throw invalidArgument('file', 'the path of a model file from its folder on', file);
  }
}

export function checkRunSettings({ maxTokens, threads, batchSize }: RunSettings): void {
  checkWhole('maxTokens', maxTokens, 3, 1_000_000);
  checkWhole('threads', threads, 1, 64);
  checkWhole('batchSize', batchSize, 1, 256);
}

function checkWhole(name: string, value: unknown, least: number, most: number): void {
  if (value === undefined) return;
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) throw invalidArgument(name, `a whole number from ${least} to ${most}`, value);
}
