// The options of `ask` and `eval` that say how the answer is read off the passages. They name a
// mode and leave its work to the library.
import { readerModes, type ReaderMode, type ReadOptions } from '../../reading/answer.js';
import {
  UsageError,
  countOption,
  option,
  suggestion,
  type Command,
  type Invocation,
  type OptionSpec,
} from '../command.js';

/** The mode's names stand here too, so that help needs no library; a test compares them. */
export const readingOptions: Readonly<Record<string, OptionSpec>> = {
  read: {
    type: 'string',
    value: 'MODE',
    help: 'how the answer is made: extract (default, by rules), or by --model: direct, chainOfThought, concatenated, selfMrag',
  },
  passages: {
    type: 'string',
    value: 'N',
    help: 'how many passages the answer is read from, default 5',
  },
};

/**
 * What --read and --passages say; `hasModel` is whether one was named. Errors: UsageError for a
 * mode that is none or lacks its model.
 */
export async function readingOf(
  invocation: Invocation,
  command: Command,
  hasModel: boolean,
): Promise<ReadOptions> {
  const mode = option(invocation, 'read');
  const passages = countOption(invocation, command, 'passages');
  if (mode !== undefined && !readerModes.includes(mode as ReaderMode)) {
    throw new UsageError(
      `--read must be one of ${readerModes.join(', ')}, received ${JSON.stringify(mode)}.${suggestion(mode, readerModes)}`,
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
