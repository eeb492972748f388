// The text of --help: sentences are wrapped where the screen ends and nowhere else.
import assert from 'node:assert/strict';
import { commandHelp } from '../../lib/cli/help.js';
import { command as re2 } from '../../lib/cli/commands/re2.js';
import { command as timeQuestion } from '../../lib/cli/commands/timeQuestion.js';

describe('the help of a command', () => {
  it('breaks no sentence where its source breaks a line', () => {
    const help = commandHelp(re2);
    assert.match(help, /generic \(default\); weather/);
    assert.doesNotMatch(help, /the newest date\nknown/);
  });

  it('breaks no word of a record', () => {
    assert.match(commandHelp(re2), / cumulative\?, told\?\}/);
  });

  it('begins lines anew for what goes in and out', () => {
    const lines = commandHelp(timeQuestion).split('\n');
    for (const start of ['in: {id', 'out: {id', 'constraints are all', 'Dates are printed']) {
      assert.ok(
        lines.some((line) => line.startsWith(start)),
        start,
      );
    }
  });
});
