// Options of answer reading: help, values and errors.
import assert from 'node:assert/strict';
import { readArguments, UsageError, type Command, type Invocation } from '../../lib/cli/command.js';
import { readingOf } from '../../lib/cli/inputs/reading.js';
import { readingOptions } from '../../lib/cli/options/reading.js';
import { readerModes } from '../../lib/reading/answer.js';

const command: Command = {
  name: 'ask',
  summary: 'x',
  example: '',
  positionals: [],
  options: readingOptions,
};
const reading = (hasModel: boolean, ...args: string[]) =>
  readingOf(readArguments(command, args) as Invocation, command, hasModel);

describe('reading options', () => {
  it('help names every mode', () => {
    for (const mode of readerModes) assert.ok(readingOptions['read']!.help.includes(mode), mode);
  });

  it('gives the values of the options that are present', () => {
    assert.deepEqual(reading(false), {});
    assert.deepEqual(reading(false, '--read', 'extract', '--passages', '3'), {
      mode: 'extract',
      passages: 3,
    });
    assert.deepEqual(reading(true, '--read', 'selfMrag'), { mode: 'selfMrag' });
  });

  it('refuses unknown modes, modes without their model, and invalid counts', () => {
    const refuses = (pattern: RegExp, hasModel: boolean, ...args: string[]): void =>
      assert.throws(
        () => reading(hasModel, ...args),
        (error: unknown) => error instanceof UsageError && pattern.test(error.message),
      );
    refuses(/one of extract, .*Did you mean selfMrag\?/, true, '--read', 'selfmarg');
    refuses(/--model/, false, '--read', 'direct');
    refuses(/whole number/, true, '--passages', '0');
  });
});
