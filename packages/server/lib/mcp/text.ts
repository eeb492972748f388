// Results as short plain text, for models that read no structured content.
import {
  cut,
  missingText,
  formatConstraint,
  formatInterval,
  formatLast,
  formatTimestamp,
} from 'asof/kit';
import type { Evidence, SystemResult, TimelineEntry } from 'asof';
import { type ParsedQuestion, formatInstant } from 'asof/time';

/** UTF-16 units of a text rendering, at most, and of a passage in it. */
const mostUnits = 16_000;
const passageUnits = 700;

/** Lines as long as they fit; then how many entries are omitted. */
export function bounded(head: string, entries: readonly string[], what: string): string {
  let text = head;
  for (const [at, entry] of entries.entries()) {
    if (text.length + entry.length > mostUnits)
      return `${text}\n${entries.length - at} more ${what}, which the structured content has.`;
    text += `\n${entry}`;
  }
  return text;
}

/** The time that a question was read to ask for, and its own. */
export function readingText({ constraint, askedAt }: ParsedQuestion, timeZone: string): string {
  const read = formatConstraint(constraint, timeZone);
  const time = read === 'none' ? 'no time' : read;
  return `${time}; asked at ${formatInstant(askedAt)}; days of ${timeZone}.`;
}

/** How the question was read, the answer, and the passages with their times. */
export function resultText(result: SystemResult, timeZone: string): string {
  const { question, evidence, answer, unanswered, missingShards } = result;
  const { resolved } = question;
  const lines = [`Read as: ${readingText(question, timeZone)}`];
  if (resolved)
    lines.push(
      `"${resolved.phrase}" is ${formatInterval(resolved.interval, timeZone)}, stated by ` +
        `passage ${resolved.passage}.`,
    );
  if (evidence.length === 0) lines.push('No passage answers this as of that time.');
  else if (unanswered !== undefined) lines.push(`No answer: ${unanswered} The nearest passages:`);
  else if (answer) lines.push(`Answer: ${cut(answer.text, passageUnits)}`);
  if (missingShards) lines.push(missingText(missingShards));
  return bounded(lines.join('\n'), evidence.map(evidenceText), 'passages');
}

function evidenceText(evidence: Evidence): string {
  const { id, rank, title, text, sentence = text } = evidence;
  const heading = `${rank}. [${id}]${title === undefined ? '' : ` ${cut(title, 200)}`}`;
  const times = timesText(evidence);
  return [heading, ...(times === '' ? [] : [`   ${times}`]), `   ${passageText(sentence)}`].join(
    '\n',
  );
}

const passageText = (text: string): string => cut(text.replace(/\s+/g, ' '), passageUnits);

/** Validity, what supersedes the passage, publication, and the times that it speaks of. */
function timesText(evidence: Evidence): string {
  const { validFrom, validTo, publishedAt, supersededBy, supersedes, timeZone } = evidence;
  const { dates = [] } = evidence;
  const at = (instant: number): string => formatTimestamp(instant, timeZone);
  return [
    ...(validFrom === undefined && validTo === undefined
      ? []
      : [`valid ${periodText(validFrom, validTo, timeZone)}`]),
    ...(supersededBy ? [`superseded by [${supersededBy.id}] from ${at(supersededBy.from)}`] : []),
    ...(supersedes === undefined ? [] : [`supersedes [${supersedes}]`]),
    ...(publishedAt === undefined ? [] : [`published ${at(publishedAt)}`]),
    ...(dates.length === 0
      ? []
      : [
          `speaks of ${dates
            .slice(0, 4)
            .map((each) => formatInterval(each, timeZone))
            .join(', ')}`,
        ]),
  ].join('; ');
}

function periodText(start?: number, end?: number, timeZone?: string): string {
  const to = end === undefined ? undefined : formatLast(end, timeZone);
  const from = start === undefined ? undefined : formatTimestamp(start, timeZone);
  if (from === undefined) return to === undefined ? 'at an unknown time' : `until ${to}`;
  if (to === undefined) return `from ${from}`;
  return from === to ? `on ${from}` : `from ${from} to ${to}`;
}

/** A line for each state, the oldest first. */
export function timelineText(
  entries: readonly TimelineEntry[],
  omitted: number,
  timeZone: string,
  missingShards?: readonly string[],
): string {
  const missing = missingShards ? `\n${missingText(missingShards)}` : '';
  if (entries.length === 0) return `No passage states a fact of it.${missing}`;
  const head = `States in the order of time, days of ${timeZone}${
    omitted > 0 ? `; ${omitted} earlier ones are omitted` : ''
  }:${missing}`;
  return bounded(
    head,
    entries.map(({ start, end, values, statement, evidence, supersedes }) => {
      const others = supersedes.length > 0 ? `; supersedes ${supersedes.join(', ')}` : '';
      const period = periodText(start, end, timeZone);
      return `- ${period}: ${cut(values.join(', '), 200)}\n  ${passageText(statement)} [${evidence[0]!}${others}]`;
    }),
    'states',
  );
}
