// Definition of a command, and the parsing of its arguments with parseArgs.
import { parseArgs } from 'node:util';
import { suggestion } from '../runtime/nearestName.js';
import type { Terminal } from './terminal.js';

/** A group has a heading in help, after the options without a group. */
export type OptionGroup =
  | 'evaluation'
  | 'statistics'
  | 'perturbation'
  | 'training'
  | 'mining'
  | 'checkpoint'
  | 'model'
  | 'encoder'
  | 'limit';

export interface OptionSpec {
  /** One letter. */
  short?: string;
  /** May be given several times. */
  multiple?: boolean;
  /** The value's name in help: `K`. An option without one is a flag. */
  value?: string;
  /** Shown in the usage line; an error without it. */
  required?: true;
  /** An option in place of this required one. */
  alternative?: string;
  group?: OptionGroup;
  help: string;
}

export interface Invocation {
  command: Command;
  /** Values of string options, in the order given. */
  strings: Readonly<Record<string, readonly string[]>>;
  /** Boolean options that were given. */
  flags: ReadonlySet<string>;
  positionals: readonly string[];
  terminal: Terminal;
  signal: AbortSignal;
}

/** Definition of a command: all that help and the parsing of arguments need. */
export interface Command {
  /** Without the program's name: `time tag`. */
  name: string;
  summary: string;
  /** Positional arguments as in help: a trailing `...` takes several, brackets are optional. */
  positionals: readonly string[];
  options: Readonly<Record<string, OptionSpec>>;
  /** Input and output formats, printed below the options. */
  details?: string;
  /** A command line that works with files of the user. */
  example: string;
  /** Further meanings of exit code 1: `1 failure or invalid lines`. */
  failure?: string;
}

/** Runs a command and returns the exit code; undefined means 0. */
export type Action = (invocation: Invocation) => Promise<number | void>;

export interface CommandModule {
  command: Command;
  run: Action;
}

/** The commands of a package by name, as its entry `commands` exports them. */
export type Commands = Readonly<Record<string, () => Promise<CommandModule>>>;

/** Bad usage: exit code 2, and the hint to ask for help. */
export class UsageError extends Error {
  override name = 'UsageError';

  /** Also of another copy of this module, which a package may have. */
  static is(fault: unknown): fault is UsageError {
    return fault instanceof Error && fault.name === 'UsageError';
  }
}

/** Options of every command. */
export const commonOptions: Readonly<Record<string, OptionSpec>> = {
  json: { help: 'print JSON, without progress bars' },
  help: { short: 'h', help: 'print this help' },
};

export type Arguments = Omit<Invocation, 'terminal' | 'signal'>;

/** @throws UsageError for what does not fit the command: names, repetitions, values, counts */
export function readArguments(command: Command, args: readonly string[]): Arguments {
  const options = { ...command.options, ...commonOptions };
  const parserOptions = Object.fromEntries(
    Object.entries(options).map(([name, { value, short }]) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        multiple: true,
        ...(short ? { short } : {}),
      },
    ]),
  );
  const { tokens } = parseArgs({
    args: [...args],
    options: parserOptions,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const strings: Record<string, string[]> = {};
  const flags = new Set<string>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name]! : undefined;
    if (!option) throw unknownOption(command, token.rawName, Object.keys(options));
    if (option.value === undefined) {
      if (token.value !== undefined)
        throw new UsageError(
          `${token.rawName} takes no value, received ${JSON.stringify(token.value)}.`,
        );
      flags.add(token.name);
      continue;
    }
    if (token.value === undefined || token.value === '') {
      throw new UsageError(`${token.rawName} needs a value (${option.value}).`);
    }
    if (strings[token.name] && !option.multiple)
      throw new UsageError(`${token.rawName} may be given once, received again.`);
    (strings[token.name] ??= []).push(token.value);
  }
  if (!flags.has('help')) {
    checkPositionals(command, positionals);
    checkRequired(command, { strings, flags });
  }
  return { command, strings, flags, positionals };
}

/** The single value of a string option. */
export function option(invocation: Arguments, name: string): string | undefined {
  return invocation.strings[name]?.[0];
}

/** The value of a required option. */
export function requiredOption(invocation: Arguments, name: string): string {
  const value = option(invocation, name);
  if (value === undefined) throw missingOption(invocation.command, name);
  return value;
}

/** The value of an option that is a whole number, by default from 1 to 999,999,999. */
export function countOption(
  invocation: Arguments,
  name: string,
  { least = 1, most = 999_999_999 }: { least?: number; most?: number } = {},
): number | undefined {
  const value = option(invocation, name);
  if (value === undefined) return undefined;
  const count = /^\d{1,9}$/.test(value) ? Number(value) : -1;
  if (count < least || count > most) {
    const range = `${least} to ${most.toLocaleString('en-US')}`;
    throw new UsageError(
      `${name.length === 1 ? '-' : '--'}${name} must be a whole number from ${range}, received ${JSON.stringify(value)}.`,
    );
  }
  return count;
}

/** The value of an option that is one of some words. */
export function wordOption<Word extends string>(
  invocation: Arguments,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const value = option(invocation, name);
  return value === undefined ? undefined : checkedWord(name, words, value);
}

/** The values of an option that are each one of some words. */
export const wordsOption = <Word extends string>(
  invocation: Arguments,
  name: string,
  words: readonly Word[],
): Word[] | undefined =>
  listOption(invocation, name)?.map((value) => checkedWord(name, words, value));

function checkedWord<Word extends string>(
  name: string,
  words: readonly Word[],
  value: string,
): Word {
  if (words.includes(value as Word)) return value as Word;
  throw new UsageError(
    `--${name} must be ${words.length > 1 ? 'one of ' : ''}${words.join(', ')}, received ${JSON.stringify(value)}.${suggestion(value, words)}`,
  );
}

/** Values `NAME=VALUE` of an option that may be given several times. */
export function pairsOption(
  { command, strings }: Arguments,
  name: string,
): Record<string, string> | undefined {
  const entries = strings[name]?.map((each) => {
    const at = each.lastIndexOf('=');
    if (at > 0) return [each.slice(0, at), each.slice(at + 1)] as const;
    const { value } = command.options[name]!;
    throw new UsageError(`--${name} must be ${value}, received ${JSON.stringify(each)}.`);
  });
  return entries && Object.fromEntries(entries);
}

/** Values that may be given several times or between commas. */
export function listOption(invocation: Arguments, name: string): string[] | undefined {
  return invocation.strings[name]
    ?.flatMap((each) => each.split(','))
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

function unknownOption(command: Command, rawName: string, known: readonly string[]): UsageError {
  const dashed = known.map((name) => (name.length === 1 ? `-${name}` : `--${name}`));
  return new UsageError(
    `asof ${command.name} has no option ${rawName}.${suggestion(rawName, dashed)}`,
  );
}

function missingOption(command: Command, name: string): UsageError {
  const value = command.options[name]?.value ?? 'VALUE';
  return new UsageError(`--${name} ${value} is needed.`);
}

function checkRequired(command: Command, given: Pick<Arguments, 'strings' | 'flags'>): void {
  const has = (name: string): boolean => name in given.strings || given.flags.has(name);
  for (const [name, { required, alternative }] of Object.entries(command.options)) {
    if (!required || has(name) || (alternative !== undefined && has(alternative))) continue;
    throw missingOption(command, name);
  }
}

function checkPositionals(command: Command, received: readonly string[]): void {
  const expected = command.positionals;
  const required = expected.filter((each) => !each.startsWith('['));
  if (received.length < required.length)
    throw new UsageError(
      `asof ${command.name} needs ${required[received.length]!.replace('...', '')}.`,
    );
  const many = expected.some((each) => each.includes('...'));
  if (!many && received.length > expected.length) {
    throw new UsageError(
      `asof ${command.name} takes ${expected.length === 0 ? 'no arguments' : expected.join(' ')}, received also ${JSON.stringify(received[expected.length])}.`,
    );
  }
}
