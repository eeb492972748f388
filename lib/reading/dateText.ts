// Dates as answers: an expression that only its passage's date completes ("yesterday", "in May") is
// given as the day or month that it means.
import { monthNames } from '../time/civil.js';
import { formatDay } from '../time/instant.js';
import type { Instant } from '../time/interval.js';
import type { Mention } from '../time/mention.js';
import type { Span } from '../text/sentences.js';

/** "27 July 2020", "July 2020" or "2020". */
function written(
  instant: Instant,
  granularity: 'day' | 'month' | 'year',
  timeZone: string | undefined,
): string {
  const [year, month, day] = formatDay(instant, timeZone).split(/(?<=\d)-/) as [
    string,
    string,
    string,
  ];
  const parts = granularity === 'day' ? [Number(day)] : [];
  return [...parts, ...(granularity === 'year' ? [] : [monthNames[Number(month) - 1]]), year].join(
    ' ',
  );
}

export const publicationDate = (instant: Instant, timeZone?: string): string =>
  written(instant, 'day', timeZone);

/** The words of a date's span, or the time that they mean where they tell no year. */
export function dateText(
  words: string,
  mentions: readonly Mention[],
  { start, end }: Span,
  timeZone?: string,
): string {
  if (/\d{3}/.test(words)) return words;
  const mention = mentions.find((each) => each.start <= start && each.end >= end);
  const { interval, timexes = [] } = mention ?? {};
  if (!interval || timexes.length !== 1 || !Number.isFinite(interval.start)) return words;
  const { granularity } = interval;
  return granularity === 'day' || granularity === 'month' || granularity === 'year'
    ? written(interval.start, granularity, timeZone)
    : words;
}
