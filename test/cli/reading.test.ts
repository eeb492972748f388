// The options that say how an answer is read: what help names, what is refused, and how a read
// answer is shown.
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

  it('gives what was asked for, and nothing else', async () => {
    assert.deepEqual(await reading(false), {});
    assert.deepEqual(await reading(false, '--read', 'extract', '--passages', '3'), {
      mode: 'extract',
      passages: 3,
    });
    assert.deepEqual(await reading(true, '--read', 'selfMrag'), { mode: 'selfMrag' });
  });

  it('refuses modes that are none, modes without their model, and counts that are none', async () => {
    const refused = (pattern: RegExp) => (error: unknown) =>
      error instanceof UsageError && pattern.test(error.message);
    await assert.rejects(
      reading(true, '--read', 'selfmarg'),
      refused(/one of extract, .*Did you mean selfMrag\?/),
    );
    await assert.rejects(reading(false, '--read', 'direct'), refused(/--model/));
    await assert.rejects(reading(true, '--passages', '0'), refused(/whole number/));
  });
});
