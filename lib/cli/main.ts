#!/usr/bin/env node
// The command `asof`: finds the command, reads its arguments, runs it, and turns what happens into
// words and an exit code. Every command is in a file of its own and is loaded only when asked for;
// no work is done here.
import { createRequire } from 'node:module';
import { AsOfError } from '../errors.js';
import { UsageError, readArguments, suggestion, type Command } from './command.js';
import { commandHelp, programHelp } from './help.js';
import { createTerminal } from './terminal.js';

interface Entry {
  name: string;
  summary: string;
  load: () => Promise<{ command: Command }>;
}

const entries: readonly Entry[] = [
  {
    name: 'demo',
    summary: 'index the bundled example corpus and answer example questions',
    load: () => import('./commands/demo.js'),
  },
  { name: 'index', summary: 'add passages to a corpus', load: () => import('./commands/index.js') },
  {
    name: 'ask',
    summary: 'answer a question from a corpus, as of a time',
    load: () => import('./commands/ask.js'),
  },
  {
    name: 'eval',
    summary: 'run systems over queries and measure them',
    load: () => import('./commands/eval.js'),
  },
  {
    name: 'metrics',
    summary: "trec_eval's measures on an existing run",
    load: () => import('./commands/metrics.js'),
  },
  {
    name: 'judge',
    summary: "a run's documents judged for the measures of time",
    load: () => import('./commands/judge.js'),
  },
  {
    name: 'compare',
    summary: 'systems over sets of questions, tested for chance',
    load: () => import('./commands/compare.js'),
  },
  {
    name: 'report',
    summary: 'a comparison as one HTML page',
    load: () => import('./commands/report.js'),
  },
  {
    name: 'tempo info',
    summary: "what a folder with TEMPO's data holds",
    load: () => import('./commands/tempoInfo.js'),
  },
  {
    name: 'tempo eval',
    summary: "TEMPO's tasks and tables",
    load: () => import('./commands/tempoEval.js'),
  },
  {
    name: 'tempo annotate',
    summary: 'queries and passages annotated as TEMPO does',
    load: () => import('./commands/tempoAnnotate.js'),
  },
  {
    name: 'train weights',
    summary: "a system's numeric options, searched on judged questions",
    load: () => import('./commands/trainWeights.js'),
  },
  {
    name: 'train mine',
    summary: 'triplets to train an encoder with, mined from a corpus by time',
    load: () => import('./commands/trainMine.js'),
  },
  {
    name: 'train adapter',
    summary: 'a low-rank adapter over an encoder',
    load: () => import('./commands/trainAdapter.js'),
  },
  {
    name: 'train re3',
    summary: "Re3's time encoder over an encoder",
    load: () => import('./commands/trainRe3.js'),
  },
  {
    name: 'time tag',
    summary: 'the times that texts mention',
    load: () => import('./commands/timeTag.js'),
  },
  {
    name: 'time question',
    summary: 'what questions ask of time',
    load: () => import('./commands/timeQuestion.js'),
  },
  {
    name: 'time tuple',
    summary: 'the one time of each text',
    load: () => import('./commands/timeTuple.js'),
  },
  {
    name: 'bench-data perturb',
    summary: 'dated questions with other constraints that keep their answers',
    load: () => import('./commands/perturb.js'),
  },
  {
    name: 'bench-data beir',
    summary: 'passages, queries and judgements as a BEIR folder',
    load: () => import('./commands/beir.js'),
  },
  {
    name: 'bench-data pool',
    summary: 'a fixed pool of candidates: relevant passages and hard negatives',
    load: () => import('./commands/pool.js'),
  },
  {
    name: 'bench-data re2',
    summary: 'versions that conflict and hard negatives, from structured records',
    load: () => import('./commands/re2.js'),
  },
  {
    name: 'devices',
    summary: 'what searches can run on here, and why not on the rest',
    load: () => import('./commands/devices.js'),
  },
  {
    name: 'info',
    summary: 'what a corpus holds, and whether it is intact',
    load: () => import('./commands/info.js'),
  },
];

/** Runs one command line and returns the exit code. */
async function run(args: readonly string[], signal: AbortSignal): Promise<number> {
  const first = args[0];
  if (first === '--version') {
    const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
    process.stdout.write(`asof ${version}\n`);
    return 0;
  }
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    process.stdout.write(programHelp(entries));
    return first === undefined ? 2 : 0;
  }
  const group = entries.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0 && (args[1] === undefined || args[1] === '--help' || args[1] === '-h')) {
    process.stdout.write(programHelp(group));
    return args[1] === undefined ? 2 : 0;
  }
  const entry = findEntry(args, group);
  const { command } = await entry.load();
  const given = readArguments(command, args.slice(entry.name.split(' ').length));
  if (given.flags.has('help')) {
    process.stdout.write(commandHelp(command));
    return 0;
  }
  return (
    (await command.run({
      ...given,
      terminal: createTerminal({ json: given.flags.has('json') }),
      signal,
    })) ?? 0
  );
}

function findEntry(args: readonly string[], group: readonly Entry[]): Entry {
  const found = entries.find(
    ({ name }) => name === args.slice(0, name.split(' ').length).join(' '),
  );
  if (found) return found;
  const written = group.length > 0 ? args.slice(0, 2).join(' ') : args[0]!;
  const near = suggestion(
    written,
    (group.length > 0 ? group : entries).map(({ name }) => name),
  );
  throw new UsageError(
    `asof has no command ${written}.${near || ` Its commands are ${entries.map(({ name }) => name).join(', ')}.`}`,
  );
}

/** Says what went wrong on one line of standard error, and gives the exit code for it. */
function explain(fault: unknown, signal: AbortSignal): number {
  const message = fault instanceof Error ? fault.message : String(fault);
  const line = message.replace(/\s*\n\s*/g, ' ');
  if (process.env['ASOF_DEBUG'])
    process.stderr.write(`${fault instanceof Error ? fault.stack : message}\n`);
  if (signal.aborted) {
    process.stderr.write('asof: interrupted\n');
    return 130;
  }
  if (fault instanceof UsageError) {
    process.stderr.write(
      `asof: ${line} See asof ${fault.command === undefined ? '' : `${fault.command} `}--help.\n`,
    );
    return 2;
  }
  if (AsOfError.is(fault)) {
    process.stderr.write(`asof: ${line}\n`);
    return fault.code === 'ERR_INVALID_ARGUMENT' ? 2 : 1;
  }
  process.stderr.write(`asof: an unexpected fault: ${line} (ASOF_DEBUG=1 shows where)\n`);
  return 1;
}

const controller = new AbortController();
process.on('SIGINT', () => {
  if (controller.signal.aborted) process.exit(130); // a second one does not wait
  controller.abort();
});
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (fault: NodeJS.ErrnoException) => {
    // the reader has gone: nothing left to say
    if (fault.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    const said = `Expected to write the output, the system refused: ${fault.message}. Check its space.`;
    if (stream === process.stdout) process.stderr.write(`asof: ${said}\n`);
    process.exit(1);
  });
}

process.exitCode = await run(process.argv.slice(2), controller.signal).catch((fault: unknown) =>
  explain(fault, controller.signal),
);
