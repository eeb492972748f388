// Help of the program and of every command: 80 columns, grouped options, terms, an example.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { commonOptions, type Command } from '../../lib/cli/command.js';
import { command as ask } from '../../lib/cli/commands/ask.js';
import { command as evaluate } from '../../packages/evaluation/lib/commands/eval.js';
import { commands as ofEvaluation } from '../../packages/evaluation/lib/commands/index.js';
import { command as re2 } from '../../packages/evaluation/lib/commands/benchDataRe2.js';
import { commands as ofServer } from '../../packages/server/lib/commands/index.js';
import { commands as ofTraining } from '../../packages/training/lib/commands/index.js';
import { command as timeQuestion } from '../../lib/cli/commands/timeQuestion.js';
import { commandHelp, programHelp } from '../../lib/cli/help.js';
import { entries } from '../../lib/cli/registry.js';
import { asof } from './spawn.js';

const longLines = (help: string): string[] => help.split('\n').filter((line) => line.length > 80);

describe('the help of the program', () => {
  const help = programHelp(entries);

  it('fits 80 columns', () => assert.deepEqual(longLines(help), []));

  it('lists first what most people need, then the groups', () => {
    assert.deepEqual(
      entries.slice(0, 8).map(({ name }) => name),
      ['demo', 'index', 'ask', 'timeline', 'info', 'time tag', 'time question', 'time tuple'],
    );
    const headings = [
      'Commands',
      'Servers',
      'Maintenance of a corpus',
      'Evaluation',
      'Training',
      'Test collections',
      'Devices',
    ];
    assert.deepEqual(
      help.split('\n').filter((line) => headings.includes(line)),
      headings,
    );
    for (const { name, summary } of entries)
      assert.match(help, new RegExp(`^  ${name} +${summary}$`, 'm'));
  });
});

describe('the registry', () => {
  // Each name of the registry is loaded below; here: no package has a command that lacks a name.
  it('names every command of the packages', () => {
    const names = entries.map(({ name }) => name);
    const commands = [ofEvaluation, ofServer, ofTraining].flatMap(Object.keys);
    assert.deepEqual(
      commands.filter((name) => !names.includes(name)),
      [],
    );
  });
});

describe('the help of a command', () => {
  for (const { name, load } of entries) {
    describe(name, () => {
      let command: Command;
      before(async () => void ({ command } = await load()));

      it('fits 80 columns', () => assert.deepEqual(longLines(commandHelp(command)), []));

      it('has its name, every option, a valid example and the exit codes', () => {
        assert.equal(command.name, name);
        const help = commandHelp(command);
        for (const option of Object.keys({ ...command.options, ...commonOptions }))
          assert.match(
            help,
            new RegExp(`^ .*${option.length === 1 ? '-' : '--'}${option}\\b`, 'm'),
          );
        assert.match(command.example, new RegExp(`(?:^|\\| )asof ${name}\\b`));
        for (const [, option] of command.example.matchAll(/ --([\w-]+)/g))
          assert.ok(option! in command.options, `--${option}`);
        assert.match(help.replace(/\s+/g, ' '), /Exit code: 0 done, 1 failure.*, 2 bad usage/);
      });
    });
  }

  it('shows common options first, then the groups', () => {
    const help = commandHelp(ask);
    const order = ['--asked-at', '--json', 'Language model', '--model', 'Encoder and search'];
    const places = order.map((text) => help.indexOf(text));
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
    );
    assert.ok(!places.includes(-1));
  });

  it('explains the terms that it uses, and no others', () => {
    assert.match(commandHelp(evaluate), /^ {2}qrels: relevance judgements/m);
    assert.match(commandHelp(evaluate), /^ {2}cross-encoder: /m);
    assert.match(commandHelp(timeQuestion), /^ {2}granularity: /m);
    assert.doesNotMatch(commandHelp(timeQuestion), /^ {2}qrels: /m);
  });

  it('names required options in the usage line', () => {
    assert.match(commandHelp(evaluate), /^usage: asof eval DIR --queries Q\.jsonl \[options\]$/m);
  });

  it('breaks no sentence where its source breaks a line', () => {
    const help = commandHelp(re2).replace(/\n */g, ' ');
    assert.match(help, /generic \(default\); weather/);
  });

  it('breaks no word of a record', () => {
    assert.match(commandHelp(re2), /cumulative\?,\s+told\?\}/);
  });

  it('starts new lines for input and output formats', () => {
    const lines = commandHelp(timeQuestion).split('\n');
    for (const start of ['in: {id', 'out: {id', 'constraints lists', 'Dates are printed']) {
      assert.ok(
        lines.some((line) => line.startsWith(start)),
        start,
      );
    }
  });

  it('of the program is printed without loading the library', () => {
    const small = [
      'errors',
      'runtime/ambient',
      'runtime/nearestName',
      'runtime/installation',
      'runtime/peer',
    ];
    const library = [...staticImports('lib/cli/main.ts')].filter(
      (path) => !path.startsWith('lib/cli/') && !small.some((name) => path === `lib/${name}.ts`),
    );
    assert.deepEqual(library, []);
  });
});

/** The modules of lib that a module loads by static imports, itself included. */
function staticImports(start: string): Set<string> {
  const reached = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const [, what, target] of readFileSync(path, 'utf8').matchAll(
      /^(?:import|export) ([^;]*?from )?'(\.[^']+)';/gm,
    ))
      if (!what?.startsWith('type '))
        visit(normalize(join(dirname(path), target!)).replace(/\.js$/, '.ts'));
  };
  visit(start);
  return reached;
}

describe('asof help and asof -V', () => {
  it('say what --help and --version say', async () => {
    for (const [short, long] of [
      [
        ['help', 'ask'],
        ['ask', '--help'],
      ],
      [
        ['help', 'time', 'tag'],
        ['time', 'tag', '--help'],
      ],
      [
        ['help', 'time'],
        ['time', '--help'],
      ],
      [['help'], ['--help']],
      [['-V'], ['--version']],
    ] as const) {
      const [said, expected] = [await asof(short), await asof(long)];
      assert.equal(said.code, 0);
      assert.deepEqual(said, expected);
    }
    const { code, stderr } = await asof(['help', 'aks']);
    assert.equal(code, 2);
    assert.match(stderr, /Did you mean ask\?/);
  });
});
