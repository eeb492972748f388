// TEMPO's query variants (section 6, appendix D.2) from the question parse, for measuring the
// contribution of a query's time to retrieval.
import type { Question } from 'asof';
import { readTemporalQuery, type Mention, type TemporalSignal, type Timex } from 'asof/time';

/**
 * TEMPO's query variants: unchanged, without temporal words, those words alone, or with intent and
 * date tags appended.
 */
export const queryVariants = ['baseline', 'strip', 'temporal-only', 'normalized'] as const;
export type QueryVariant = (typeof queryVariants)[number];

/**
 * A variant of a query's text:
 * - `baseline`: the query unchanged;
 * - `strip`: without its temporal signals (dates, durations, "first", "currently"); question words
 * and named events stay, as part of the topic;
 * - `temporal-only`: its signals alone, question words and named events included, in order; ''
 * without signals;
 * - `normalized`: the query with its tags appended, in the paper's format: `TEMPORAL_INTENT=when;
 * ANCHORS=[2015, 2023]`.
 * @throws AsOfError as parseQuestion.
 * @example queryVariant({ text: 'Who led the party after 1990?' }, 'strip') // 'Who led the party?'
 */
export function queryVariant(question: Question, variant: QueryVariant): string {
  const { parsed, intent, signals, mentions } = readTemporalQuery(question);
  switch (variant) {
    case 'baseline':
      return parsed.text;
    case 'strip':
      return removeSpans(
        parsed.text,
        signals.filter(({ kind }) => kind === 'date' || kind === 'word'),
      );
    case 'temporal-only':
      return signals.map(({ text }) => text.replace(/\s+/g, ' ')).join(' ');
    case 'normalized':
      return (
        `${parsed.text.trimEnd()} TEMPORAL_INTENT=${intent}; ` +
        `ANCHORS=[${anchors(parsed.text, mentions).join(', ')}]`
      );
  }
}

/**
 * The dates of a query, distinct: ISO years, months and days, coarser units in the query's words.
 */
function anchors(text: string, mentions: readonly Mention[]): string[] {
  const timexes = mentions.flatMap(({ interval, timexes: within }) =>
    interval === undefined ? [] : within,
  );
  const written = ({ start, end, value }: Timex): string =>
    /^-?\d{4}(?:-\d\d){0,2}$/.test(value)
      ? value
      : text.slice(start, end).replace(/[\s,[\]]+/g, ' ');
  return [...new Set(timexes.map(written))];
}

/** Words before a removed date that would dangle, unless a following word completes them. */
const dangling =
  /(?:\b(?:and|or)\s+)?(?:\b(?:over|during|within|throughout|in|on|at|for|of|than|to)\s+)?(?:\b(?:the|an?)\s+)?$/i;

/**
 * The text without the given spans (in order, disjoint), with blanks, orphaned commas and dangling
 * words repaired.
 */
export function removeSpans(
  text: string,
  signals: readonly Pick<TemporalSignal, 'start' | 'end'>[],
): string {
  if (signals.length === 0) return text;
  let result = '';
  let at = 0;
  for (const { start, end } of signals) {
    const before = text.slice(at, start);
    const closes = /^\s*(?:$|[?.!,;:)])/.test(text.slice(end, end + 40));
    result += `${closes ? before.replace(dangling, '') : before} `;
    at = end;
  }
  return `${result}${text.slice(at)}`
    .replace(/\s+/g, ' ')
    .replace(/,(?:\s*,)+/g, ',')
    .replace(/,?\s*(?=[?.!;:]|$)/g, '')
    .replace(/\s+(?=[,)])/g, '')
    .replace(/^[\s,;:]+/, '')
    .trimEnd();
}
