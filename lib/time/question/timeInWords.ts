// Times as people give them: ISO 8601, or words such as "yesterday" and "last May".
import type { TimeInput } from '../../records.js';
import { parseInstant } from '../instant.js';
import type { Instant } from '../interval.js';
import { tagText } from '../tagger.js';

/**
 * As `parseInstant`, also of "now" and of a text that is one time in words, relative to `now`; its
 * end is the last millisecond.
 * @throws AsOfError ERR_INVALID_ARGUMENT
 * @example timeInWords('yesterday', 'end', { name: 'until', now: Date.now() })
 */
export function timeInWords(
  value: TimeInput,
  edge: 'start' | 'end',
  { name, now, timeZone }: { name: string; now: Instant; timeZone?: string | undefined },
): Instant {
  let range: { start: Instant; end: Instant };
  try {
    const start = parseInstant(value, 'start', name, timeZone);
    range = { start, end: parseInstant(value, 'end', name, timeZone) };
  } catch (error) {
    if (/^\s*now\s*$/i.test(String(value))) return now;
    const mentioned = typeof value === 'string' ? onlyTime(value, now, timeZone) : undefined;
    if (!mentioned) throw error;
    range = mentioned;
  }
  return edge === 'end' && range.end > range.start ? range.end - 1 : range.start;
}

/** The time that is all of a text. */
function onlyTime(
  text: string,
  now: Instant,
  timeZone: string | undefined,
): { start: Instant; end: Instant } | undefined {
  const { mentions } = tagText(text.slice(0, longest), { reference: now, timeZone });
  const [mention] = mentions;
  const isAll = mention && text.slice(0, mention.start) + text.slice(mention.end);
  const { interval } = mention ?? {};
  return isAll?.trim() === '' && interval && Number.isFinite(interval.end - interval.start)
    ? interval
    : undefined;
}

/** UTF-16 units of a time in words, at most. */
const longest = 100;
