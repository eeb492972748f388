// Cross-encoders in ONNX format (ms-marco-MiniLM, ELECTRA, BGE), run in a worker thread.
import { invalidArgument, throwIfAborted } from '../../errors.js';
import { checkTexts } from '../../vectors/encoder.js';
import type { Reranker } from '../../vectors/reranker.js';
import type { Activation } from './messages.js';
import { readModelFolder } from './modelFolder.js';
import {
  checkLocation,
  checkRunSettings,
  locate,
  type ModelLocation,
  type RunSettings,
} from './options.js';
import { openModel, type WorkerModel } from './workerClient.js';

export type OnnxRerankerOptions = ModelLocation &
  RunSettings & {
    /**
     * Activation of a score: 'sigmoid', from 0 to 1 (for a model of two classes the probability of
     * the relevant one), or 'none', the logit itself (of two classes the difference). Both rank
     * alike. Default 'sigmoid', since scores are multiplied by those of time.
     */
    activation?: Activation | undefined;
    /**
     * Of two classes, the one that means relevant; default 1. Unused by models of one logit.
     */
    positive?: 0 | 1 | undefined;
  };

/** A reranker whose model is in a worker thread until it is closed. */
export interface OnnxReranker extends Reranker, WorkerModel {}

/**
 * Opens a cross-encoder from a folder or a hub, with onnxruntime-node (an optional peer: `npm
 * install onnxruntime-node`). Its id is the model's architecture and a hash of the model, its
 * tokenizer, length and activation. A pair that is too long is cut at its longer text. Requests
 * are queued fairly; an abort rejects immediately. An idle reranker does not keep the process
 * alive.
 *
 * @throws AsOfError ERR_NOT_FOUND (the folder or one of its files), ERR_INVALID_INPUT (invalid
 * files), ERR_NATIVE_UNAVAILABLE (no onnxruntime-node), ERR_DOWNLOAD_FAILED and
 * ERR_STORAGE (of a hub's model), ERR_INVALID_ARGUMENT, ERR_ABORTED
 * @example await using reranker = await onnxReranker({ path: 'models/ms-marco-MiniLM-L-6-v2' });
 * const system = mrag({ corpus, reranker });
 */
export async function onnxReranker(options: OnnxRerankerOptions): Promise<OnnxReranker> {
  checkOptions(options);
  const { activation = 'sigmoid', positive = 1 } = options;
  const { path, file } = await locate(options);
  const model = await readModelFolder(path, { ...options, file });
  const head = { kind: 'score', activation, positive } as const;
  const choices = ['reranker', activation, positive];
  const { client, opened } = await openModel(model, head, choices, options);
  return {
    ...opened,
    async score(
      query: string,
      texts: readonly string[],
      { signal: ofCall }: { signal?: AbortSignal } = {},
    ): Promise<Float32Array> {
      throwIfAborted(ofCall);
      if (typeof query !== 'string') throw invalidArgument('query', 'a string', query);
      checkTexts(texts);
      return client.run({ texts, query }, ofCall);
    },
  };
}

function checkOptions(options: OnnxRerankerOptions): void {
  checkLocation(options);
  checkRunSettings(options);
  const { activation, positive } = options;
  if (activation !== undefined && activation !== 'sigmoid' && activation !== 'none') {
    throw invalidArgument('activation', "'sigmoid' or 'none'", activation);
  }
  if (positive !== undefined && positive !== 0 && positive !== 1)
    throw invalidArgument('positive', '0 or 1', positive);
}
