// The extractor of times that --extractor names.
import { learnedTimeExtractor } from '../../models/onnx/learnedTimeExtractor.js';
import { systemNames, takesExtractor } from '../../papers/registry.js';
import {
  fallbackExtractor,
  grammarExtractor,
  type TimeExtractor,
} from '../../time/timeExtractor.js';
import { option, UsageError, wordOption, type Invocation, type OptionSpec } from '../command.js';

export const extractorOption: OptionSpec = {
  value: 'E',
  help:
    "with re3, each text's one time: by grammar, learned (needs onnxruntime-node) or both; " +
    'default the times at which answers are, and the content times of passages',
};

export const weightsOption: OptionSpec = {
  value: 'FILE',
  help: 'with re3, the time encoder of asof train re3; default the one of the embedded encoder',
};

const names = ['grammar', 'learned', 'both'] as const;

export interface OpenedExtractor extends AsyncDisposable {
  /** For `createSystem` and `trainTimeEncoder`. */
  options: { extractor?: TimeExtractor; timeWeights?: string };
}

/** @throws UsageError for another name, and for options that none of `systems` would use */
export async function openExtractor(
  invocation: Invocation,
  systems?: readonly string[],
): Promise<OpenedExtractor> {
  const name = wordOption(invocation, 'extractor', names);
  const weights = systems && option(invocation, 'weights');
  const unused = systems && !systems.some(takesExtractor) && { extractor: name, weights };
  for (const [given, value] of Object.entries(unused || {}))
    if (value !== undefined)
      throw new UsageError(
        `--${given} would not be used by ${systems!.join(', ')}: name ` +
          `${systemNames.filter(takesExtractor).join(' or ')}, or omit it.`,
      );
  const learned =
    name === undefined || name === 'grammar'
      ? undefined
      : await learnedTimeExtractor({ signal: invocation.signal });
  const extractor =
    name === 'both' ? fallbackExtractor(grammarExtractor, learned!) : (learned ?? grammarExtractor);
  return {
    options: {
      ...(name ? { extractor } : {}),
      ...(weights === undefined ? {} : { timeWeights: weights }),
    },
    [Symbol.asyncDispose]: async () => learned?.close(),
  };
}
