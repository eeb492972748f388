// The text of --help, generated from the definitions of the commands, in 80 columns.
import { commonOptions, type Command, type OptionGroup, type OptionSpec } from './command.js';
import type { Entry } from './registry.js';
import { wrap } from './tables/layout.js';

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
  const headings = [...new Set(entries.map(({ heading }) => heading))].map((heading) => {
    const members = entries.filter((entry) => entry.heading === heading);
    const lines = members.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`);
    return `${heading}\n${lines.join('')}`;
  });
  return [
    'Time-aware retrieval: the passages that answer a question as of a time.\n',
    'usage: asof COMMAND [arguments] [options]\n',
    ...headings,
    paragraph('asof help COMMAND describes a command. Try asof demo first.') +
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

const terms: readonly (readonly [term: string, pattern: RegExp, meaning: string])[] = [
  [
    'qrels',
    /qrels/i,
    'relevance judgements, a line "query 0 document grade" (TREC) or a tsv (BEIR)',
  ],
  [
    'TREC run',
    /TREC run|\.trec\b/,
    'a ranking, a line "query Q0 document rank score tag" for each document',
  ],
  ['BEIR folder', /BEIR/, 'corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv in one folder'],
  ['BM25', /BM25|bm25/, 'ranking by the words that question and passage share'],
  ['encoder', /\bencoder/i, 'a model that turns a text into a vector; similar texts lie close'],
  [
    'cross-encoder',
    /cross-encoder/,
    'a model that reads question and passage together and scores the pair',
  ],
  ['ONNX', /\bONNX\b/, 'a file format of neural networks, run by onnxruntime-node'],
  ['granularity', /granularity/, 'the unit that a date is known to: year, month, day ...'],
  ['TIMEX3', /TIMEX3|timex/, "TimeML's standard for expressions of time, with a type and a value"],
  [
    'window',
    /window_start/,
    'the times that satisfy the question: "before 2020" has an open start',
  ],
  ['constraint', /\bconstraint/, 'the part of a question that limits the time: "as of May 2021"'],
  ['TEMPO', /\bTEMPO/, 'a benchmark of temporal retrieval with 13 domains and its own metrics'],
  [
    'MRAG',
    /\bMRAG|\bmrag\b/,
    'a published system for time-sensitive questions (modular retrieval)',
  ],
  ['Re3', /\bRe3\b|\bre3\b/, 'a published system that encodes times in addition to texts'],
  ['triplet', /triplets?\b/, 'a question with a passage that answers it and one that does not'],
  ['hard negative', /hard negative/, 'a passage that looks relevant and is not'],
  ['adapter', /\badapter\b/, 'a small trained matrix that is applied to the vectors of an encoder'],
  ['fold', /\bfolds?\b/, 'a part of the questions that is held out while the rest choose'],
];

/** The terms that occur in a text, with their meanings. */
function termsIn(text: string): [term: string, meaning: string][] {
  return terms
    .filter(([, pattern]) => pattern.test(text))
    .map(([term, , meaning]) => [term, meaning]);
}
