// One command line: dispatch, error messages and exit codes.
import { AsOfError } from '../errors.js';
import { UsageError, readArguments } from './command.js';
import { withoutCredentials } from './credentials.js';
import { installedVersion } from '../runtime/installation.js';
import { suggestion } from '../runtime/nearestName.js';
import { commandHelp, programHelp } from './help.js';
import { entries, type Entry } from './registry.js';
import { createTerminal, type Streams } from './terminal.js';

/** The exit code of a command line: 0 done, 1 failure, 2 bad usage, 130 interrupted. */
export async function runCommandLine(
  args: readonly string[],
  streams: Streams,
  signal: AbortSignal,
): Promise<number> {
  try {
    return await dispatch(args, streams, signal);
  } catch (fault) {
    return reportError(fault, { args, streams, signal });
  }
}

async function dispatch(
  args: readonly string[],
  streams: Streams,
  signal: AbortSignal,
): Promise<number> {
  const first = args[0];
  if (first === '--version' || first === '-V') {
    streams.stdout.write(`asof ${installedVersion()}\n`);
    return 0;
  }
  if (first === 'help' && args.length > 1)
    return dispatch([...args.slice(1), '--help'], streams, signal);
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    streams.stdout.write(programHelp(entries));
    return first === undefined ? 2 : 0;
  }
  const group = entries.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0 && (args[1] === undefined || args[1] === '--help' || args[1] === '-h')) {
    streams.stdout.write(programHelp(group));
    return args[1] === undefined ? 2 : 0;
  }
  const entry = findEntry(args, group);
  const { command, run: action } = await entry.load();
  const parsed = readArguments(command, args.slice(entry.name.split(' ').length));
  if (parsed.flags.has('help')) {
    streams.stdout.write(commandHelp(command));
    return 0;
  }
  const terminal = createTerminal({ json: parsed.flags.has('json') }, streams);
  return (await action({ ...parsed, terminal, signal })) ?? 0;
}

const namedEntry = (args: readonly string[]): Entry | undefined =>
  entries.find(({ name }) => name === args.slice(0, name.split(' ').length).join(' '));

function findEntry(args: readonly string[], group: readonly Entry[]): Entry {
  const match = namedEntry(args);
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
async function reportError(
  fault: unknown,
  {
    args,
    streams: { stderr, env },
    signal,
  }: { args: readonly string[]; streams: Streams; signal: AbortSignal },
): Promise<number> {
  const told = (text: string): string => withoutCredentials(text, args);
  const message = told(fault instanceof Error ? fault.message : String(fault));
  const line = message.replace(/\s*\n\s*/g, ' ');
  if (env['ASOF_DEBUG'])
    stderr.write(`${fault instanceof Error ? told(fault.stack ?? message) : message}\n`);
  if (signal.aborted) {
    stderr.write('asof: interrupted\n');
    return 130;
  }
  if (UsageError.is(fault)) {
    const command = ['asof', namedEntry(args)?.name, '--help'].filter((each) => each !== undefined);
    stderr.write(`asof: ${line} See ${command.join(' ')}.\n`);
    return 2;
  }
  if (AsOfError.is(fault)) {
    // Loaded here, since help loads none of the library.
    const { inWordsOf } = await import('../systems/askOptions.js');
    stderr.write(`asof: ${inWordsOf(line, '-')}\n`);
    return fault.code === 'ERR_INVALID_ARGUMENT' ? 2 : 1;
  }
  stderr.write(`asof: unexpected error: ${line} (ASOF_DEBUG=1 adds the stack trace)\n`);
  return 1;
}
