// Options shared by ONNX encoders, rerankers and readers, and their checks.
import { invalidArgument, mustBeWhole, throwIfAborted } from '../../errors.js';
import type { RunOptions } from '../../records.js';
import { fetchHubModel } from '../hub/hub.js';
import { checkHubOptions, type HubOptions } from '../hub/options.js';
import { modelFiles } from './modelFolder.js';

/**
 * A model's folder, with its files as published: config.json, tokenizer.json, onnx/model.onnx or
 * model.onnx; others where it has them.
 */
export interface FolderOptions extends RunOptions {
  path: string;
  /**
   * The model file, from the folder on, where it is another: `onnx/model_quantized.onnx`. Default
   * onnx/model.onnx, else model.onnx.
   */
  file?: string | undefined;
  hub?: undefined;
}

/** Where a model is: in a folder, or on a hub, from which it is downloaded once. */
export type ModelLocation = FolderOptions | (HubOptions & { path?: undefined });

export interface RunSettings {
  /**
   * Maximum tokens of a text (for a reranker of question and text together, for a reader of
   * question and window), special ones included. Default, and at most, the model's own.
   */
  maxTokens?: number | undefined;
  /** Threads of the model, 1 to 64; default 1. */
  threads?: number | undefined;
  /**
   * Texts in one run of the model, 1 to 256; default 16. Fewer long texts,
   * so that a run has at most 8,192 tokens or one text. Closing, and process
   * exit, are delayed by at most one run.
   */
  batchSize?: number | undefined;
}

/** `file` is undefined where a folder is to be searched for one. */
export async function locate(options: ModelLocation): Promise<{ path: string; file?: string }> {
  throwIfAborted(options.signal);
  if (options.hub !== undefined) return fetchHubModel(options, modelFiles);
  const { path, file } = options;
  return file === undefined ? { path } : { path, file };
}

export function checkLocation(options: ModelLocation): void {
  if (typeof options !== 'object' || options === null)
    throw invalidArgument('options', 'an object { path, ... } or { hub, ... }', options);
  const { path, hub, file }: { path?: unknown; hub?: unknown; file?: unknown } = options;
  if (path !== undefined && hub !== undefined)
    throw invalidArgument('options', 'an object with either path or hub', options);
  if (hub !== undefined) return void checkHubOptions(options as HubOptions);
  if (typeof path !== 'string' || path === '' || path.includes('\0')) {
    throw invalidArgument('path', 'the path of a model folder', path, "Or give hub: 'owner/name'.");
  }
  if (file !== undefined && (typeof file !== 'string' || !/^[^/\\\0][^\0]*$/.test(file))) {
    throw invalidArgument('file', 'the path of a model file from its folder on', file);
  }
}

export function checkRunSettings({ maxTokens, threads, batchSize }: RunSettings): void {
  if (maxTokens !== undefined) mustBeWhole({ maxTokens }, 3, 1_000_000);
  if (threads !== undefined) mustBeWhole({ threads }, 1, 64);
  if (batchSize !== undefined) mustBeWhole({ batchSize }, 1, 256);
}
