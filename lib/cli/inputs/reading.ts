// Values of --read and --passages.
import { readerModes, type ReaderMode, type ReadOptions } from '../../reading/answer.js';
import { UsageError, countOption, option, type Command, type Invocation } from '../command.js';
import { suggestion } from '../../runtime/nearestName.js';

/**
 * Parses --read and --passages; `hasModel`: whether --model is present.
 * @throws UsageError for an unknown mode, or one that prompts a model without --model.
 */
export function readingOf(
  invocation: Invocation,
  command: Command,
  hasModel: boolean,
): ReadOptions {
  const mode = option(invocation, 'read');
  const passages = countOption(invocation, command, 'passages');
  if (mode !== undefined && !readerModes.includes(mode as ReaderMode)) {
    const expected = `--read must be one of ${readerModes.join(', ')}`;
    throw new UsageError(
      `${expected}, received ${JSON.stringify(mode)}.${suggestion(mode, readerModes)}`,
      command.name,
    );
  }
  if (mode !== undefined && mode !== 'extract' && !hasModel) {
    throw new UsageError(
      `--read ${mode} prompts a model: name one with --model, or use --read extract.`,
      command.name,
    );
  }
  return {
    ...(mode === undefined ? {} : { mode: mode as ReaderMode }),
    ...(passages === undefined ? {} : { passages }),
  };
}
