// Extractive question-answering models in ONNX format (BERT, RoBERTa, DeBERTa, MiniLM after SQuAD),
// run in a worker thread.
import { invalidArgument, throwIfAborted } from '../../errors.js';
import type { ReadSpan, SpanReader } from '../../reading/spanReader.js';
import type { RunOptions } from '../../records.js';
import { checkTexts } from '../../vectors/encoder.js';
import { readModelFolder } from './modelFolder.js';
import {
  checkLocation,
  checkRunSettings,
  locate,
  type ModelLocation,
  type RunSettings,
} from './options.js';
import { bestOfTexts } from './spanScores.js';
import { openModel, type WorkerModel } from './workerClient.js';

export type OnnxReaderOptions = ModelLocation & RunSettings;

/** A reader whose model is in a worker thread until it is closed. */
export interface OnnxReader extends SpanReader, WorkerModel {}

/**
 * Opens an extractive reader from a folder or a hub, with onnxruntime-node (an optional peer: `npm
 * install onnxruntime-node`): any model of start and end logits for each token. Its id is the
 * model's architecture and a hash of the model, its tokenizer and length. A long text is read in
 * windows of `maxTokens` that share 128 tokens. The span with the highest sum of its start and end
 * logit is given, of at most 30 tokens. Its probability is the softmax over all spans of all
 * windows and texts and "no answer", the least sum of the first token's logits in any window; it is
 * not calibrated. Where "no answer" has the higher sum, `read` resolves with undefined. Requests
 * are queued fairly; an abort rejects immediately. An idle reader does not keep the process alive.
 *
 * @throws AsOfError ERR_NOT_FOUND (the folder or one of its files), ERR_INVALID_INPUT (invalid
 * files, a model of other outputs), ERR_NATIVE_UNAVAILABLE (no onnxruntime-node),
 * ERR_DOWNLOAD_FAILED and ERR_STORAGE (of a hub's model), ERR_INVALID_ARGUMENT, ERR_ABORTED; of
 * read() also ERR_CLOSED and ERR_MODEL_FAILED
 * @example await using reader = await onnxReader({ path: 'models/minilm-uncased-squad2' });
 * const system = hybrid({ corpus, read: { reader } });
 */
export async function onnxReader(options: OnnxReaderOptions): Promise<OnnxReader> {
  checkLocation(options);
  checkRunSettings(options);
  const { path, file } = await locate(options);
  const model = await readModelFolder(path, { ...options, file });
  const { client, opened } = await openModel(model, { kind: 'span' }, ['reader'], options);
  return {
    ...opened,
    async read(
      question: string,
      texts: readonly string[],
      { signal: ofCall }: RunOptions = {},
    ): Promise<ReadSpan | undefined> {
      throwIfAborted(ofCall);
      if (typeof question !== 'string') throw invalidArgument('question', 'a string', question);
      checkTexts(texts);
      return bestOfTexts(await client.run({ texts, query: question }, ofCall));
    },
  };
}
