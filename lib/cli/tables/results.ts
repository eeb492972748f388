// The result of a system as text.
import { toJson } from '../../systems/json.js';
import type { TraceEntry } from '../../pipeline.js';
import type { Evidence } from '../../reading/evidence.js';
import { missingText } from '../../store/searchableCorpus.js';
import type { System, SystemResult } from '../../systems/system.js';
import { duration, type Terminal } from '../terminal.js';
import { clip, table, wrap } from './layout.js';
import {
  formatConstraint,
  formatInterval,
  formatTimestamp,
  formatValidity,
} from '../../time/timeFormat.js';

export interface RenderOptions {
  system: System;
  milliseconds: number;
  explain: boolean;
  terminal: Terminal;
}

/** `asof ask` for people. */
export function renderResult(result: SystemResult, options: RenderOptions): string {
  const { terminal, explain } = options;
  const { question, evidence, answer, dropped } = result;
  const parts: string[] = [];
  // A whole sentence is printed below anyway.
  const isSpan = answer && answer.text !== (evidence[0]?.sentence ?? evidence[0]?.text);
  if (isSpan) {
    parts.push(
      `${wrap(answer.text, { width: terminal.columns, lines: 4 })
        .split('\n')
        .map((line) => terminal.style(line, 'bold'))
        .join('\n')
        .trimEnd()}\n\n`,
    );
  }
  if (result.missingShards)
    parts.push(`${terminal.style(missingText(result.missingShards), 'yellow')}\n\n`);
  if (evidence.length === 0)
    parts.push('No passage of the corpus answers this as of that time.\n\n');
  else if (result.unanswered !== undefined)
    parts.push(`No answer: ${result.unanswered} The nearest passages:\n\n`);
  parts.push(evidence.map((each) => renderEvidence(each, terminal, explain)).join('\n'));
  if (dropped && dropped.length > 0) {
    parts.push(
      `\n${terminal.style('excluded', 'yellow')}\n`,
      ...dropped.map(({ id, because }) =>
        wrap(`${id}: ${because}`, { width: terminal.columns, indent: 4 }),
      ),
    );
  }
  for (const [field, values] of Object.entries(result.facets ?? {})) {
    const counts = values.map(({ value, count }) => `${value} ${count.toLocaleString('en-US')}`);
    const line = `${field}: ${counts.length === 0 ? 'no values' : counts.join(', ')}`;
    parts.push('\n', wrap(line, { width: terminal.columns, lines: 4 }));
  }
  const constraint = `as of ${formatTimestamp(question.askedAt, question.timeZone)}, constraint: ${formatConstraint(question.constraint, question.timeZone)}`;
  const { resolved } = question;
  if (resolved) {
    const time = formatInterval(resolved.interval, question.timeZone);
    const stated = `${resolved.phrase}: ${time}, stated by ${resolved.passage}`;
    parts.push(`\n${terminal.style(clip(stated, terminal.columns), 'dim')}`);
  }
  parts.push(
    `\n${terminal.style(clip(`${options.system.name}, ${constraint}, ${duration(options.milliseconds)}`, terminal.columns), 'dim')}\n`,
  );
  if (explain) parts.push(renderExplanation(result, String(options.system), terminal));
  return parts.join('');
}

function renderEvidence(evidence: Evidence, terminal: Terminal, explain: boolean): string {
  const score = evidence.score.toFixed(4);
  const heading = clip(evidence.title ?? evidence.id, terminal.columns - 16);
  const head = `${String(evidence.rank).padStart(3)} ${terminal.style(heading, 'cyan')}  ${terminal.style(score, 'dim')}\n`;
  const body = wrap(highlighted(evidence, terminal), {
    width: terminal.columns,
    indent: 4,
    lines: 3,
  });
  const times = timesLine(evidence);
  const { validity } = evidence;
  const { rule, clock } = validity ?? {};
  const validityLine = [
    ...(validity?.state === undefined ? [] : [formatValidity(validity, evidence.timeZone)]),
    ...(explain && rule
      ? [`validity ${rule === 'given' ? 'given' : `derived (${rule})`}, read by ${clock}`]
      : []),
  ];
  const scores = explain
    ? [
        `${evidence.id}: ${Object.entries(evidence.scores)
          .map(([name, value]) => `${name} ${format(value)}`)
          .join(', ')}`,
      ]
    : [];
  const { chunk } = evidence;
  const place = chunk ? [`${chunk.parent}, ${chunk.start} to ${chunk.end}`] : [];
  const lines = [...(times === '' ? [] : [times]), ...place, ...validityLine, ...scores]
    .map((line) => `    ${terminal.style(clip(line, terminal.columns - 4), 'dim')}\n`)
    .join('');
  return (
    head +
    body +
    lines +
    (explain && evidence.shares ? renderShares(evidence.shares, terminal) : '')
  );
}

/** What is shown of the text, with highlights; each word by itself, since lines break at blanks. */
function highlighted({ text, sentence = text, highlights }: Evidence, terminal: Terminal): string {
  const from = text.indexOf(sentence);
  let shown = '';
  let at = from;
  for (const { start, end, kind } of highlights ?? []) {
    if (from < 0 || start < at || end > from + sentence.length) continue;
    const style = kind === 'term' ? 'bold' : 'yellow';
    shown += text.slice(at, start);
    shown += text.slice(start, end).replace(/\S+/g, (word) => terminal.style(word, style));
    at = end;
  }
  return from < 0 ? sentence : shown + text.slice(at, from + sentence.length);
}

/** Contributions to the score: the larger ones by name, the others as a sum. */
function renderShares(shares: Readonly<Record<string, number>>, terminal: Terminal): string {
  const all = Object.entries(shares);
  const large = all.filter(([, share]) => Math.abs(share) >= 0.05);
  const rest = all
    .filter(([, share]) => Math.abs(share) < 0.05)
    .reduce((sum, [, share]) => sum + share, 0);
  const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(2)}`;
  const parts = [
    ...large.map(([name, share]) => `${name} ${signed(share)}`),
    ...(large.length < all.length ? [`others ${signed(rest)}`] : []),
  ];
  return wrap(`score = ${parts.join(', ')}`, { width: terminal.columns, indent: 4 }).replace(
    /[^\n]+/g,
    (line) => terminal.style(line, 'dim'),
  );
}

/** The dates of the evidence and its publication, on one line; empty without any. */
export function timesLine(evidence: Pick<Evidence, 'dates' | 'publishedAt' | 'timeZone'>): string {
  const { timeZone } = evidence;
  const dates = (evidence.dates ?? [])
    .slice(0, 3)
    .map((interval) => formatInterval(interval, timeZone));
  const more = (evidence.dates?.length ?? 0) > 3 ? ` and ${evidence.dates!.length - 3} more` : '';
  const parts = [
    ...(dates.length > 0 ? [`mentions ${dates.join('; ')}${more}`] : []),
    ...(evidence.publishedAt === undefined
      ? []
      : [`published ${formatTimestamp(evidence.publishedAt, timeZone)}`]),
  ];
  return parts.join(', ');
}

function renderExplanation(
  { question, trace }: SystemResult,
  system: string,
  terminal: Terminal,
): string {
  const { constraints: all, ...constraint } = toJson.constraint(question);
  const others = (all as { constraint_text: string | null; binds: boolean }[]).filter(
    (each) => each.constraint_text !== constraint['constraint_text'],
  );
  const also = others
    .map((each) => `${each.constraint_text ?? 'current'}${each.binds ? '' : ' (describes)'}`)
    .join('; ');
  const rows = Object.entries({ ...constraint, also: also || null })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, String(value)]);
  const heading = (text: string): string => `\n${terminal.style(text, 'bold')}\n`;
  return (
    heading('question') +
    table(rows, { align: ['left', 'left'], indent: 4 }) +
    heading('system') +
    wrap(system, { width: terminal.columns, indent: 4 }) +
    heading('stages') +
    renderTrace(trace, terminal)
  );
}

/** A line per stage: name, time, notes. */
function renderTrace(trace: readonly TraceEntry[], terminal: Terminal): string {
  const names = Math.max(0, ...trace.map(({ stage }) => stage.length));
  const rows = trace.map(({ stage, milliseconds, notes }) => {
    const noteText = Object.entries(notes ?? {})
      .map(([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(', ');
    return [
      stage,
      duration(milliseconds),
      clip(noteText, Math.max(20, terminal.columns - names - 18)),
    ];
  });
  return table(rows, { align: ['left', 'right', 'left'], indent: 4 });
}

function format(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(4);
}
