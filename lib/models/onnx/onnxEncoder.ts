// Sentence encoders in ONNX format (MiniLM, Contriever, E5, BGE), run in a worker thread.
import { invalidArgument, throwIfAborted } from '../../errors.js';
import { checkTexts, type EncodeOptions, type Encoder } from '../../vectors/encoder.js';
import { poolings, type Pooling } from './messages.js';
import { checkPrefixes, readEncoderFolder, type Prefixes } from './modelFolder.js';
import {
  checkLocation,
  checkRunSettings,
  locate,
  type ModelLocation,
  type RunSettings,
} from './options.js';
import { openModel, type WorkerModel } from './workerClient.js';

export type OnnxEncoderOptions = ModelLocation &
  RunSettings & {
    /**
     * Pooling of token vectors: their mean, or the first or the last token's. Default: that of
     * 1_Pooling/config.json, else mean.
     */
    pooling?: Pooling | undefined;
    /**
     * Prefixes of texts by kind. Default: the prompts `query` and
     * `passage` (or `document`) of config_sentence_transformers.json, else nothing.
     * E5 needs { query: 'query: ', passage: 'passage: ' }, which its folder lacks.
     */
    prefixes?: Prefixes | undefined;
  };

/** An encoder whose model is in a worker thread until it is closed. */
export interface OnnxEncoder extends Encoder, WorkerModel {}

/**
 * Opens a sentence encoder from a folder or a hub, with onnxruntime-node (an optional peer: `npm
 * install onnxruntime-node`). Its id is the model's architecture and a hash of the model, its
 * tokenizer, pooling, prefixes and length, whatever its folder is called. Rows have length 1; blank
 * texts give zeros. Requests are queued fairly; an abort rejects immediately. An idle encoder does
 * not keep the process alive.
 *
 * @throws AsOfError ERR_NOT_FOUND (the folder or one of its files), ERR_INVALID_INPUT (invalid
 * files), ERR_NATIVE_UNAVAILABLE (no onnxruntime-node), ERR_DOWNLOAD_FAILED and
 * ERR_STORAGE (of a hub's model), ERR_INVALID_ARGUMENT, ERR_ABORTED
 * @example await using encoder = await onnxEncoder({ path: 'models/all-MiniLM-L6-v2' }); using
 * corpus = await Corpus.open('wiki.asof', { encoder });
 */
export async function onnxEncoder(options: OnnxEncoderOptions): Promise<OnnxEncoder> {
  checkOptions(options);
  const { path, file } = await locate(options);
  const { pooling, prefixes, dimensions, ...model } = await readEncoderFolder(path, {
    ...options,
    file,
  });
  const { client, opened } = await openModel(
    model,
    { kind: 'vector', pooling, dimensions },
    ['encoder', pooling, prefixes.query, prefixes.passage],
    options,
  );
  return {
    ...opened,
    dimensions: client.width,
    async encode(
      texts: readonly string[],
      { kind, signal: ofCall }: EncodeOptions,
    ): Promise<Float32Array> {
      throwIfAborted(ofCall);
      checkTexts(texts);
      return client.run(
        { texts, prefix: kind === 'query' ? prefixes.query : prefixes.passage },
        ofCall,
      );
    },
  };
}

function checkOptions(options: OnnxEncoderOptions): void {
  checkLocation(options);
  checkRunSettings(options);
  const { pooling, prefixes } = options;
  if (pooling !== undefined && !poolings.includes(pooling))
    throw invalidArgument('pooling', `one of ${poolings.join(', ')}`, pooling);
  if (prefixes !== undefined) checkPrefixes(prefixes);
}
