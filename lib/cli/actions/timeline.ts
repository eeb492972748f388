// `asof timeline`: the facts of one series in the order of time.
import { maxPassages } from '../../systems/system.js';
import { timeline, type TimelineEntry } from '../../systems/timeline.js';
import { formatDay } from '../../time/instant.js';
import { countOption, option, type Invocation } from '../command.js';
import { command } from '../commands/timeline.js';
import { openCorpus } from '../inputs/corpus.js';
import { counted, wrap } from '../tables/layout.js';
import { formatTimestamp } from '../tables/timeFormat.js';
import type { Terminal } from '../terminal.js';

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal } = invocation;
  const [folder, text] = invocation.positionals as [string, string];
  const askedAt = option(invocation, 'asked-at');
  const passages = countOption(invocation, command, 'passages', { most: maxPassages });
  const corpus = await openCorpus(folder, invocation, { create: false });
  try {
    const entries = await timeline(corpus, askedAt === undefined ? { text } : { text, askedAt }, {
      signal,
      ...(passages === undefined ? {} : { passages }),
    });
    if (terminal.json)
      await terminal.printJson({ question: text, entries: entries.map(entryJson) });
    else if (entries.length === 0) await terminal.print('No passage states a fact of it.\n');
    else await terminal.print(entries.map((entry) => rendered(entry, terminal)).join(''));
    return 0;
  } finally {
    await corpus.close();
  }
}

/** An end is exclusive; its last day is printed. */
const lastDay = (end: number): string => formatDay(end - 1);

function entryJson(entry: TimelineEntry): Record<string, unknown> {
  const { start, end, publishedAt, ...others } = entry;
  return {
    start_iso: start === undefined ? null : formatTimestamp(start),
    end_iso: end === undefined ? null : lastDay(end),
    ...others,
    ...(publishedAt === undefined ? {} : { published_at: formatTimestamp(publishedAt) }),
  };
}

function rendered(entry: TimelineEntry, terminal: Terminal): string {
  const { start, end, values, statement, evidence, supersedes, probability } = entry;
  const to = end === undefined ? undefined : lastDay(end);
  const from = start === undefined ? undefined : formatTimestamp(start);
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
