// The extractor of times that --extractor names.
import { learnedTimeExtractor } from '../../models/onnx/learnedTimeExtractor.js';
import { systemNames, takesExtractor } from '../../papers/registry.js';
import {
  fallbackExtractor,
  grammarExtractor,
  type TimeExtractor,
} from '../../time/timeExtractor.js';
import { UsageError, wordOption, type Invocation, type OptionSpec } from '../command.js';

export const extractorOption: OptionSpec = {
  value: 'E',
  help:
    "with re3, each text's one time: by grammar, learned (needs onnxruntime-node) or both; " +
    'default the times at which answers are, and the content times of passages',
};

const names = ['grammar', 'learned', 'both'] as const;

export interface OpenedExtractor extends AsyncDisposable {
  /** For `createSystem` and `trainTimeEncoder`. */
  options: { extractor?: TimeExtractor };
}

/** @throws UsageError for another name, and where none of `systems` would use it */
export async function openExtractor(
  invocation: Invocation,
  systems?: readonly string[],
): Promise<OpenedExtractor> {
  const name = wordOption(invocation, 'extractor', names);
  if (name === undefined) return opened();
  if (systems && !systems.some(takesExtractor))
    throw new UsageError(
      `--extractor would not be used by ${systems.join(', ')}: name ` +
        `${systemNames.filter(takesExtractor).join(' or ')}, or omit it.`,
    );
  if (name === 'grammar') return opened(grammarExtractor);
  const learned = await learnedTimeExtractor({ signal: invocation.signal });
  return opened(name === 'both' ? fallbackExtractor(grammarExtractor, learned) : learned, () =>
    learned.close(),
  );
}

function opened(
  extractor?: TimeExtractor,
  close = async (): Promise<void> => undefined,
): OpenedExtractor {
  return { options: extractor ? { extractor } : {}, [Symbol.asyncDispose]: close };
}
