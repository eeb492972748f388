// The extractor of times that --extractor names.
import { learnedTimeExtractor } from '../../models/onnx/learnedTimeExtractor.js';
import { fallbackExtractor } from '../../time/fallbackExtractor.js';
import { grammarExtractor, type TimeExtractor } from '../../time/timeExtractor.js';
import { option, UsageError, type Command, type Invocation } from '../command.js';

const names = ['grammar', 'learned', 'both'];

/** Opens the extractor; undefined without the option. The model of one ends with `close`. */
export async function openExtractor(
  invocation: Invocation,
  command: Command,
): Promise<{ extractor: TimeExtractor | undefined; close: () => Promise<void> }> {
  const { signal } = invocation;
  const name = option(invocation, 'extractor');
  if (name !== undefined && !names.includes(name))
    throw new UsageError(
      `--extractor must be ${names.join(', ')}, received ${JSON.stringify(name)}.`,
      command.name,
    );
  if (name === undefined || name === 'grammar')
    return { extractor: name ? grammarExtractor : undefined, close: () => Promise.resolve() };
  const learned = await learnedTimeExtractor({ signal });
  const extractor = name === 'both' ? fallbackExtractor(grammarExtractor, learned) : learned;
  return { extractor, close: () => learned.close() };
}
