// The text of --help, generated from the definitions of the commands, in 80 columns.
import { commonOptions, type Command, type OptionGroup, type OptionSpec } from './command.js';
import type { CommandGroup, Entry } from './registry.js';
import { wrap } from './tables/layout.js';
import { termsIn } from './terms.js';

const columns = 80;
/** Forms that are longer stand on a line of their own. */
const widestForm = 22;

/** Headings of the groups of options, in the order of help; ungrouped options come first. */
const optionHeadings: Readonly<Record<OptionGroup, string>> = {
  evaluation: 'Judgements and metrics',
  statistics: 'Significance',
  perturbation: 'Temporal perturbation',
  training: 'Training',
  mining: 'Triplet mining',
  checkpoint: 'Checkpoints',
  model: 'Language model and answers',
  encoder: 'Encoder and search',
  limit: 'Limits',
};

const commandHeadings: Readonly<Record<CommandGroup, string>> = {
  start: 'Commands',
  servers: 'Servers',
  maintenance: 'Maintenance of a corpus',
  evaluation: 'Evaluation',
  training: 'Training',
  collections: 'Test collections',
  devices: 'Devices',
};

const exitCodes = 'Exit code: 0 done, 1 failure, 2 bad usage, 130 interrupted.';

/** A line break of the source inside a sentence; "in:", "out:" and a new sentence begin anew. */
const insideSentence = /(?<![.:}])\n(?=[a-z(])(?!\w+:)/g;

/** Help of one command: summary, usage, options by group, details, terms, example, exit codes. */
export function commandHelp(command: Command): string {
  const sections = [
    paragraph(command.summary),
    paragraph(`usage: ${usageLine(command)}`),
    ...optionSections(command),
    ...(command.details === undefined ? [] : [detailLines(command.details)]),
  ];
  const terms = termsIn(sections.join('\n')).map(([term, meaning]) =>
    paragraph(`${term}: ${meaning}`, 2),
  );
  if (terms.length > 0) sections.push(`Terms\n${terms.join('')}`);
  sections.push(
    `Example\n${paragraph(command.example, 2)}`,
    paragraph(command.failure ? exitCodes.replace('1 failure', command.failure) : exitCodes),
  );
  return sections.join('\n');
}

/** Help of the program, or of one group of commands such as `asof time`. */
export function programHelp(entries: readonly Entry[]): string {
  const width = Math.max(...entries.map(({ name }) => name.length));
  const headings = Object.entries(commandHeadings).flatMap(([group, heading]) => {
    const members = entries.filter((entry) => entry.group === group);
    const lines = members.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`);
    return lines.length === 0 ? [] : [`${heading}\n${lines.join('')}`];
  });
  return [
    'Time-aware retrieval: the passages that answer a question as of a time.\n',
    'usage: asof COMMAND [arguments] [options]\n',
    ...headings,
    paragraph('asof COMMAND --help describes a command. Try asof demo first.') +
      paragraph(exitCodes) +
      paragraph('NO_COLOR turns colours off; ASOF_DEBUG=1 adds the stack trace to an error.'),
  ].join('\n');
}

function usageLine({ name, positionals, options }: Command): string {
  const required = Object.entries(options).filter(([, each]) => each.required);
  const parts = required.map(([option, { value }]) => `--${option} ${value}`);
  return ['asof', name, ...positionals, ...parts, '[options]'].join(' ');
}

function optionSections(command: Command): string[] {
  const options = Object.entries(command.options);
  const ungrouped = options.filter(([, { group }]) => group === undefined);
  const sections = [optionLines([...ungrouped, ...Object.entries(commonOptions)])];
  for (const [group, heading] of Object.entries(optionHeadings)) {
    const members = options.filter(([, option]) => option.group === group);
    if (members.length > 0) sections.push(`${heading}\n${optionLines(members)}`);
  }
  return sections;
}

function optionLines(options: readonly (readonly [string, OptionSpec])[]): string {
  const lines = options.map(([name, option]) => {
    const form = optionForm(name, option);
    const help = wrap(option.help, { width: columns, indent: widestForm + 4 });
    return form.length > widestForm
      ? `  ${form}\n${help}`
      : `  ${form.padEnd(widestForm)}  ${help.trimStart()}`;
  });
  return lines.join('');
}

function optionForm(name: string, option: OptionSpec): string {
  const value = option.value === undefined ? '' : ` ${option.value}`;
  if (name.length === 1) return `-${name}${value}`;
  return `${option.short ? `-${option.short}, ` : ''}--${name}${value}`;
}

const detailLines = (details: string): string =>
  details
    .replace(insideSentence, ' ')
    .split('\n')
    .map((line) => paragraph(line))
    .join('');

const paragraph = (text: string, indent = 0): string => wrap(text, { width: columns, indent });
