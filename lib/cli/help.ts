// The text of --help, made from the commands' own descriptions. Nothing here is written twice.
import { commonOptions, type Command, type OptionSpec } from './command.js';
import { wrap } from './tables/layout.js';

const columns = 100;

/**
 * Where a description goes on in the next line of its source: "in:" and "out:" begin anew, as does
 * what follows a stop or a record.
 */
const insideSentence = /(?<![.:}])\n(?=[a-z(])(?!\w+:)/g;

/** How a command is called, on one line. */
function usageLine(command: Command): string {
  const required = Object.entries(command.options).filter(([, option]) =>
    option.help.startsWith('needed'),
  );
  const parts = [
    ...command.positionals,
    ...required.map(([name, option]) => `--${name} ${option.value}`),
    '[options]',
  ];
  return `asof ${command.name} ${parts.join(' ')}`;
}

export function commandHelp(command: Command): string {
  const options = { ...command.options, ...commonOptions };
  const rows = Object.entries(options).map(
    ([name, option]) => [optionForm(name, option), option.help] as const,
  );
  const width = Math.max(...rows.map(([form]) => form.length));
  const lines = rows.map(
    ([form, help]) =>
      `  ${form.padEnd(width)}  ${wrap(help, { width: columns, indent: width + 4 }).trim()}`,
  );
  const details =
    command.details === undefined
      ? ''
      : `\n\n${command.details
          .replace(insideSentence, ' ')
          .split('\n')
          .map((line) => wrap(line, { width: columns }))
          .join('')
          .trimEnd()}`;
  return `${command.summary}\n\nusage: ${usageLine(command)}\n\n${lines.join('\n')}${details}\n`;
}

export function programHelp(commands: readonly { name: string; summary: string }[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return (
    `Time-aware retrieval: the passages that answer a question as of a time.\n\nusage: asof COMMAND [arguments] ` +
    `[options]\n\n${lines.join('\n')}\n\n` +
    'asof COMMAND --help says more of each. Exit code: 0 done, 1 failure, 2 bad usage, 130 interrupted.\n' +
    'NO_COLOR switches colours off, ASOF_DEBUG=1 adds the stack to an error.\n'
  );
}

function optionForm(name: string, option: OptionSpec): string {
  const value = option.type === 'string' ? ` ${option.value ?? 'VALUE'}` : '';
  if (name.length === 1) return `-${name}${value}`;
  return `${option.short ? `-${option.short}, ` : ''}--${name}${value}`;
}
