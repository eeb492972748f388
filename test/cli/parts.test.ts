// The parts of the command line without a process: arguments, suggestions, layout, progress lines.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  countOption,
  listOption,
  option,
  readArguments,
  UsageError,
  type Command,
} from '../../lib/cli/command.js';
import { nearest } from '../../lib/runtime/nearestName.js';
import { clip, table, textWidth, wrap } from '../../lib/cli/tables/layout.js';
import { barText, bytes, duration } from '../../lib/cli/terminal.js';

const command: Command = {
  name: 'ask',
  summary: 'x',
  example: '',
  positionals: ['DIR', '"QUESTION"'],
  options: {
    'asked-at': { value: 'T', help: '' },
    k: { value: 'K', help: '' },
    system: { value: 'S', multiple: true, help: '' },
    explain: { help: '' },
  },
};

describe('arguments', () => {
  it('takes options before, between and after arguments, and values that start with a dash', () => {
    const given = readArguments(command, [
      '--explain',
      'dir',
      '-k',
      '5',
      'who?',
      '--asked-at',
      '-0043-03-15',
      '--system=a,b',
      '--system',
      'c',
    ]);
    assert.deepEqual(given.positionals, ['dir', 'who?']);
    assert.equal(option(given, 'asked-at'), '-0043-03-15');
    assert.equal(countOption(given, 'k'), 5);
    assert.deepEqual(listOption(given, 'system'), ['a', 'b', 'c']);
    assert.ok(given.flags.has('explain'));
  });

  it('takes arguments after -- as positionals', () => {
    assert.deepEqual(readArguments(command, ['dir', '--', '--explain']).positionals, [
      'dir',
      '--explain',
    ]);
  });

  it('refuses unknown options, also names of the object prototype', () => {
    for (const args of [
      ['d', 'q', '--explian'],
      ['d', 'q', '--constructor'],
      ['d', 'q', '--no-explain'],
      ['d'],
      [],
      ['d', 'q', 'r'],
      ['d', 'q', '-k'],
    ]) {
      assert.throws(() => readArguments(command, args), UsageError, args.join(' '));
    }
    assert.throws(
      () => countOption(readArguments(command, ['d', 'q', '-k', '1e3']), 'k'),
      UsageError,
    );
  });

  it('suggests near names only', () => {
    assert.equal(nearest('metrcis', ['metrics', 'info']), 'metrics');
    assert.equal(nearest('hybird', ['hybrid', 'dense']), 'hybrid');
    assert.equal(nearest('frobnicate', ['metrics', 'info']), undefined);
  });
});

describe('layout', () => {
  it('counts columns of wide characters, marks and colours', () => {
    assert.equal(textWidth('\x1b[1mé\x1b[22me\u0301日本'), 6);
  });

  it('aligns columns of any content', () => {
    assert.equal(
      table([
        ['a', 'bb'],
        ['日本', 'c'],
      ]),
      'a     bb\n日本   c\n',
    );
  });

  it('wraps no line beyond its width and loses no word', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 40 })),
        fc.integer({ min: 20, max: 60 }),
        (words, width) => {
          const text = words.join(' ');
          const lines = wrap(text, { width }).split('\n');
          assert.ok(lines.every((line) => textWidth(line) <= width));
          assert.equal(lines.join('').replace(/\s/g, ''), text.replace(/\s/g, ''));
        },
      ),
    );
    assert.equal(
      wrap('one two three four five six seven', { width: 22, lines: 1, indent: 2 }),
      '  one two three four…\n',
    );
  });

  it('clips to a width with an ellipsis', () => {
    assert.equal(clip('abcdef', 4), 'abc…');
    assert.equal(clip('abcd', 4), 'abcd');
  });

  it('draws progress within the terminal width, with and without a total', () => {
    assert.equal(
      barText('indexing', 'passages', { done: 50, total: 100 }, 2, 80),
      `indexing  ${'█'.repeat(15)}${'░'.repeat(15)}  50 of 100 passages  25/s  0:02 left`,
    );
    assert.equal(
      barText('indexing', 'passages', { done: 5000, total: 0 }, 2, 80),
      'indexing  5,000 passages  2,500/s',
    );
    for (const columns of [20, 40, 60, 200]) {
      assert.ok(
        barText('indexing', 'passages', { done: 1, total: 3e9 }, 9, columns).length <
          Math.max(columns, 11),
      );
    }
  });

  it('prints times and sizes in a fitting unit', () => {
    assert.deepEqual([0.414, 12, 1300, 125_000].map(duration), [
      '0.41 ms',
      '12 ms',
      '1.3 s',
      '2 min 5 s',
    ]);
    assert.deepEqual([0, 1023, 1536, 3 * 2 ** 30].map(bytes), [
      '0 bytes',
      '1023 bytes',
      '1.5 KiB',
      '3.0 GiB',
    ]);
  });
});
