// Re3's learned temporal extractor (section 3.2): a small transformer in a worker thread.
import { invalidArgument, throwIfAborted } from '../../errors.js';
import type { RunOptions } from '../../records.js';
import { extractorInput, headsWidth, referenceDay, decodeTuple } from './timeHeads.js';
import type { ExtractOptions, TimeExtractor } from '../../time/timeExtractor.js';
import type { TimeTuple } from '../../time/tuple.js';
import { checkTexts } from '../../vectors/encoder.js';
import { readModelFolder } from './modelFolder.js';
import { checkLocation, checkRunSettings, type RunSettings } from './options.js';
import { openModel, type WorkerModel } from './workerClient.js';
import { installedFile } from '../../runtime/installation.js';

export interface LearnedTimeExtractorOptions extends RunOptions, RunSettings {
  /**
   * The model's folder: config.json, tokenizer.json, model.onnx. Default: the one that comes with
   * asof.
   */
  path?: string | undefined;
}

/** An extractor whose model is in a worker thread until it is closed. */
export interface LearnedTimeExtractor extends TimeExtractor, WorkerModel {}

const shipped = installedFile('models/time-extractor');

/**
 * Opens the learned extractor, with onnxruntime-node (an optional peer: `npm install
 * onnxruntime-node`). It reads a text's first 128 tokens, English, years from 1000 to 2999; what is
 * older, or names no time, is `noTime`. Dates without a year and words such as "next Friday" need
 * the text's reference; of a query none means now. `batchSize` is 64 by default.
 *
 * @throws AsOfError ERR_NATIVE_UNAVAILABLE (no onnxruntime-node), ERR_NOT_FOUND, ERR_INVALID_INPUT
 * (a model of other heads), ERR_INVALID_ARGUMENT, ERR_ABORTED; of extract() also ERR_CLOSED and
 * ERR_MODEL_FAILED
 * @example await using extractor = await learnedTimeExtractor(); const [tuple] = await
 * timeTuples(['Rain is expected next Friday.'], { references: '2026-11-22', extractor });
 */
export async function learnedTimeExtractor(
  options: LearnedTimeExtractorOptions = {},
): Promise<LearnedTimeExtractor> {
  if (typeof options !== 'object' || options === null)
    throw invalidArgument('options', 'an object { path?, threads?, batchSize? }', options);
  const { path = shipped, batchSize = 64, signal } = options;
  checkLocation({ path });
  checkRunSettings(options);
  throwIfAborted(signal);
  const model = await readModelFolder(path, options);
  const head = { kind: 'logits', width: headsWidth } as const;
  const { client, opened } = await openModel(model, head, ['times'], { ...options, batchSize });
  return {
    ...opened,
    async extract(
      texts,
      { kind, references, signal: ofCall }: ExtractOptions,
    ): Promise<TimeTuple[]> {
      throwIfAborted(ofCall);
      checkTexts(texts);
      const days = texts.map((_, at) => referenceDay(kind, references[at]));
      const logits = await client.run(
        {
          texts: texts.map((text, at) =>
            text.trim() === '' ? '' : extractorInput(text, kind, days[at]),
          ),
        },
        ofCall,
      );
      return days.map((day, at) =>
        decodeTuple(logits.subarray(at * headsWidth, (at + 1) * headsWidth), day),
      );
    },
  };
}
