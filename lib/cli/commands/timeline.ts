// `asof timeline`: the facts of one series in the order of time.
import { type Command, countOption, option, type Invocation } from '../command.js';
import { asRecordedOption, asRecordedOf } from '../options/asRecorded.js';
import { encoderOptions } from '../options/encoders.js';
import { schemaOption } from '../options/postgres.js';
import { timeZoneOption } from '../options/timeZone.js';
import { maxPassages } from '../../systems/system.js';
import { timelineJson } from '../../json/timeline.js';
import { timeline, type TimelineEntry } from '../../systems/timeline.js';
import { formatLast, formatTimestamp } from '../../time/timeFormat.js';
import { openCorpus } from '../inputs/corpus.js';
import { timeZoneOf } from '../inputs/timeZone.js';
import { counted, wrap } from '../tables/layout.js';
import type { Terminal } from '../terminal.js';

export const command: Command = {
  name: 'timeline',
  summary: 'Prints what changed with time: the facts of one series, each with its validity.',
  positionals: ['DIR', '"QUESTION OR NAME"'],
  options: {
    'asked-at': {
      type: 'string',
      value: 'T',
      help: 'time of the question (ISO 8601): later publications are hidden; default now',
    },
    'as-recorded': asRecordedOption,
    'time-zone': timeZoneOption('days of the question and of T; default that of the corpus'),
    passages: {
      type: 'string',
      value: 'N',
      help: 'passages that are read, the nearest first, default 400',
    },
    ...encoderOptions,
    schema: schemaOption,
  },
  example: 'asof timeline wiki.asof "prime minister of the United Kingdom"',
};

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal } = invocation;
  const [folder, text] = invocation.positionals as [string, string];
  const askedAt = option(invocation, 'asked-at');
  const timeZone = timeZoneOf(invocation, command);
  const passages = countOption(invocation, command, 'passages', { most: maxPassages });
  const corpus = await openCorpus(folder, invocation, { create: false });
  try {
    const question = { text, timeZone, askedAt };
    const entries = await timeline(corpus, question, {
      signal,
      ...asRecordedOf(invocation),
      passages,
    });
    if (terminal.json) await terminal.printJson(timelineJson(text, entries, corpus.timeZone));
    else if (entries.length === 0) await terminal.print('No passage states a fact of it.\n');
    else
      await terminal.print(
        entries.map((entry) => rendered(entry, corpus.timeZone, terminal)).join(''),
      );
    return 0;
  } finally {
    await corpus.close();
  }
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
