#!/usr/bin/env node
// Entry point of the `asof` command line: dispatch, error messages and exit codes.
import { AsOfError } from '../errors.js';
import { UsageError, readArguments } from './command.js';
import { withoutCredentials } from './credentials.js';
import { installedVersion } from '../runtime/installation.js';
import { suggestion } from '../runtime/nearestName.js';
import { commandHelp, programHelp } from './help.js';
import { entries, type Entry } from './registry.js';
import { createTerminal } from './terminal.js';

/** Runs one command line and returns the exit code. */
async function run(args: readonly string[], signal: AbortSignal): Promise<number> {
  const first = args[0];
  if (first === '--version') {
    process.stdout.write(`asof ${installedVersion()}\n`);
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
  const { command, run: action } = await entry.load();
  const parsed = readArguments(command, args.slice(entry.name.split(' ').length));
  if (parsed.flags.has('help')) {
    process.stdout.write(commandHelp(command));
    return 0;
  }
  const terminal = createTerminal({ json: parsed.flags.has('json') });
  return (await action({ ...parsed, terminal, signal })) ?? 0;
}

function findEntry(args: readonly string[], group: readonly Entry[]): Entry {
  const match = entries.find(
    ({ name }) => name === args.slice(0, name.split(' ').length).join(' '),
  );
  if (match) return match;
  const written = group.length > 0 ? args.slice(0, 2).join(' ') : args[0]!;
  const near = suggestion(
    written,
    (group.length > 0 ? group : entries).map(({ name }) => name),
  );
  throw new UsageError(
    `asof has no command ${written}.${near || ` Its commands are ${entries.map(({ name }) => name).join(', ')}.`}`,
  );
}

/** Prints an error on one line of standard error; returns its exit code. */
function reportError(fault: unknown, signal: AbortSignal): number {
  const args = process.argv.slice(2);
  const told = (text: string): string => withoutCredentials(text, args);
  const message = told(fault instanceof Error ? fault.message : String(fault));
  const line = message.replace(/\s*\n\s*/g, ' ');
  if (process.env['ASOF_DEBUG'])
    process.stderr.write(`${fault instanceof Error ? told(fault.stack ?? message) : message}\n`);
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
  process.stderr.write(`asof: unexpected error: ${line} (ASOF_DEBUG=1 adds the stack trace)\n`);
  return 1;
}

const controller = new AbortController();
process.on('SIGINT', () => {
  if (controller.signal.aborted) process.exit(130); // a second interrupt exits at once
  controller.abort();
});
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (fault: NodeJS.ErrnoException) => {
    // the reader closed the pipe
    if (fault.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    const message = `Expected to write the output, the system refused: ${fault.message}. Check its space.`;
    if (stream === process.stdout) process.stderr.write(`asof: ${message}\n`);
    process.exit(1);
  });
}

process.exitCode = await run(process.argv.slice(2), controller.signal).catch((fault: unknown) =>
  reportError(fault, controller.signal),
);
