// `asof timeline`: the facts of one series in the order of time.
import type { Command, Invocation } from '../command.js';
import { askOptions, askValues, questionText } from '../options/ask.js';
import { encoderOptions } from '../inputs/encoders.js';
import { schemaOption, openCorpus } from '../inputs/storedCorpus.js';
import { toJson } from '../../systems/json.js';
import { timeline, type TimelineEntry } from '../../systems/timeline.js';
import { formatLast, formatTimestamp } from '../../time/timeFormat.js';
import { counted, wrap } from '../tables/layout.js';
import type { Terminal } from '../terminal.js';

const begunBy = 'only states that had begun by this time: ISO 8601, or words ("last May")';

export const command: Command = {
  name: 'timeline',
  summary: 'Prints what changed with time: the facts of one series, each with its validity.',
  positionals: ['DIR', '"QUESTION OR NAME"'],
  options: {
    ...askOptions({
      askedAt: {},
      timeZone: {},
      asOf: { help: begunBy },
      where: {},
      since: {},
      until: {},
      asRecorded: {},
      passages: { default: 400 },
    }),
    ...encoderOptions,
    schema: schemaOption,
  },
  example: 'asof timeline wiki.asof "prime minister of the United Kingdom"',
};

export async function run(invocation: Invocation): Promise<void> {
  const { terminal, signal } = invocation;
  const [folder, argument] = invocation.positionals as [string, string];
  const text = await questionText(argument);
  const { askedAt, timeZone, ...options } = askValues(invocation, [
    ...(['askedAt', 'timeZone', 'asOf', 'where', 'since', 'until'] as const),
    ...(['asRecorded', 'passages'] as const),
  ]);
  await using corpus = await openCorpus(folder, invocation, { create: false });
  const entries = await timeline(corpus, { text, timeZone, askedAt }, { ...options, signal });
  if (terminal.json) return terminal.printJson(toJson.timeline(text, entries, corpus.timeZone));
  const facts = entries.map((entry) => rendered(entry, corpus.timeZone, terminal)).join('');
  await terminal.print(facts || 'No passage states a fact of it.\n');
}

function rendered(entry: TimelineEntry, timeZone: string, terminal: Terminal): string {
  const { start, end, values, statement, evidence, supersedes, probability } = entry;
  const to = end === undefined ? undefined : formatLast(end, timeZone);
  const from = start === undefined ? undefined : formatTimestamp(start, timeZone);
  const time =
    from === undefined
      ? `until ${to ?? 'an unknown time'}`
      : to === undefined
        ? `from ${from}`
        : from === to
          ? from
          : `${from} to ${to}`;
  const others = [
    ...(evidence.length > 1 ? [counted(evidence.length, 'passage', 'passages')] : []),
    ...(supersedes.length > 0 ? [`supersedes ${supersedes.length}`] : []),
    probability.toFixed(2),
  ];
  const head = `${time}  ${terminal.style(values.join(', '), 'bold')}`;
  return (
    `${head.trimEnd()}  ${terminal.style(`${evidence[0]!}; ${others.join(', ')}`, 'dim')}\n` +
    wrap(statement, { width: terminal.columns, indent: 4, lines: 2 })
  );
}
