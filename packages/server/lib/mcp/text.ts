// Results as short plain text, for models that read no structured content.
import { cut, formatConstraint, formatInterval, missingText, toJson } from 'asof/kit';
import type { Answer, Evidence, SystemResult } from 'asof';
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
  const { question, evidence, answer, unanswered, missingShards, facets = {} } = result;
  const { resolved } = question;
  const lines = [`Read as: ${readingText(question, timeZone)}`];
  if (resolved)
    lines.push(
      `"${resolved.phrase}" is ${formatInterval(resolved.interval, timeZone)}, stated by ` +
        `passage ${resolved.passage}.`,
    );
  if (evidence.length === 0) lines.push('No passage answers this as of that time.');
  else if (unanswered !== undefined) lines.push(`No answer: ${unanswered} The nearest passages:`);
  else if (answer) lines.push(`Answer: ${cut(answer.text, passageUnits)}${sureness(answer)}`);
  for (const [field, values] of Object.entries(facets))
    lines.push(`${field}: ${values.map(({ value, count }) => `${value} ${count}`).join(', ')}`);
  if (missingShards) lines.push(missingText(missingShards));
  return bounded(lines.join('\n'), evidence.map(evidenceText), 'passages');
}

/** How probable the answer is, where its reader says so. */
const sureness = ({ confidence }: Answer): string =>
  confidence === undefined ? '' : ` (confidence ${confidence.toFixed(2)})`;

function evidenceText(evidence: Evidence): string {
  const { id, rank, title, text, sentence = text } = evidence;
  const heading = `${rank}. [${id}]${title === undefined ? '' : ` ${cut(title, 200)}`}`;
  const details = [timesText(evidence), matchesText(evidence), passageText(sentence)];
  return [heading, ...details.filter((line) => line !== '').map((line) => `   ${line}`)].join('\n');
}

/** The words and times that highlights mark. */
function matchesText({ text, highlights = [] }: Evidence): string {
  const words = new Set(highlights.map(({ start, end }) => passageText(text.slice(start, end))));
  return words.size === 0 ? '' : `matches ${cut([...words].join(', '), passageUnits)}`;
}

const passageText = (text: string): string => cut(text.replace(/\s+/g, ' '), passageUnits);

interface Times {
  published_at?: string;
  valid_from?: string;
  valid_to?: string;
  superseded_by?: { id: string; from: string };
  validity?: { from: string | null; to: string | null; state?: string };
}

/** Validity, what supersedes the passage, publication, and the times that it speaks of. */
function timesText(evidence: Evidence): string {
  const { supersedes, timeZone, dates = [] } = evidence;
  const times = toJson.evidence(evidence) as Times;
  const { published_at: published, valid_from: from, valid_to: to, superseded_by: next } = times;
  const { validity } = times;
  const spoken = dates.slice(0, 4).map((each) => formatInterval(each, timeZone));
  return [
    validity?.state === undefined
      ? []
      : `${validity.state} (${periodText(validity.from, validity.to)})`,
    from === undefined && to === undefined ? [] : `valid ${periodText(from, to)}`,
    next ? `superseded by [${next.id}] from ${next.from}` : [],
    supersedes === undefined ? [] : `supersedes [${supersedes}]`,
    published === undefined ? [] : `published ${published}`,
    spoken.length === 0 ? [] : `speaks of ${spoken.join(', ')}`,
  ]
    .flat()
    .join('; ');
}

function periodText(from?: string | null, to?: string | null): string {
  if (!from) return to ? `until ${to}` : 'at an unknown time';
  if (!to) return `from ${from}`;
  return from === to ? `on ${from}` : `from ${from} to ${to}`;
}

/** A state as `toJson.timeline` has it. */
interface State {
  start_iso: string | null;
  end_iso: string | null;
  values: string[];
  statement: string;
  evidence: string[];
  supersedes: string[];
}

/** A line for each state, the oldest first. */
export function timelineText(
  timeline: Readonly<Record<string, unknown>>,
  omitted: number,
  timeZone: string,
): string {
  const { entries, missing_shards: shards } = timeline as {
    entries: State[];
    missing_shards?: string[];
  };
  const missing = shards ? `\n${missingText(shards)}` : '';
  if (entries.length === 0) return `No passage states a fact of it.${missing}`;
  const head = `States in the order of time, days of ${timeZone}${
    omitted > 0 ? `; ${omitted} earlier ones are omitted` : ''
  }:${missing}`;
  return bounded(
    head,
    entries.map(({ start_iso, end_iso, values, statement, evidence, supersedes }) => {
      const others = supersedes.length > 0 ? `; supersedes ${supersedes.join(', ')}` : '';
      const period = periodText(start_iso, end_iso);
      return `- ${period}: ${cut(values.join(', '), 200)}\n  ${passageText(statement)} [${evidence[0]!}${others}]`;
    }),
    'states',
  );
}
