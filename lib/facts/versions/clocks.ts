// Times of day and ranges as texts write them, each one thing: "7 pm" and "19:00" are one, and
// "6-4" or "4 to 6" is no two numbers. What lies inside a date is left to the reader of dates.
import type { Quantity } from './quantities.js';

interface Span {
  start: number;
  end: number;
}

const clock = new RegExp(
  '(?<![\\p{L}\\p{N}:.-])(\\d{1,2})(?:[:.](\\d{2}))?\\s?(a\\.?m\\.?|p\\.?m\\.?)(?!\\p{L})|' +
    '(?<![\\p{L}\\p{N}:.-])([01]?\\d|2[0-3]):([0-5]\\d)(?![\\p{L}\\p{N}:])',
  'giu',
);

/** Times of day, in minutes. */
export function clockQuantities(text: string, times: readonly Span[]): Quantity[] {
  const found: Quantity[] = [];
  for (const match of text.matchAll(clock)) {
    const hour = Number(match[1] ?? match[4]);
    const half = match[3]?.toLowerCase().startsWith('p') ? 12 : 0;
    const value =
      ((match[3] === undefined ? hour : hour % 12) + half) * 60 + Number(match[2] ?? match[5] ?? 0);
    const [start, end] = [match.index, match.index + match[0].length];
    // A clock inside a date's mention stands beside it.
    const inside = times.find((each) => start >= each.start && end <= each.end);
    const from = inside ? Math.min(start, inside.end - 1) : start;
    found.push({
      start: from,
      end,
      value,
      written: value,
      dimension: 'clock',
      factor: 1,
      grain: 0,
      slack: 0,
    });
  }
  return found;
}

const range =
  /(?<![\p{L}\p{N}.,:$€£-])(\d{1,4})(?:\s?[-–]\s?|(?<!\bfrom\s\d{1,4})\sto\s)(\d{1,4})(?![\p{L}\p{N}:-]|[.,]\d)/gu;

/** Scores and ranges ("6-4", "185 to 482"). "From 6 to 4" is a change. */
export function rangeQuantities(text: string, times: readonly Span[]): Quantity[] {
  return [...text.matchAll(range)]
    .map((match): Quantity => {
      const value = Number(match[1]) * 10_000 + Number(match[2]);
      return {
        start: match.index,
        end: match.index + match[0].length,
        value,
        written: value,
        dimension: 'range',
        factor: 1,
        grain: 0,
        slack: 0,
      };
    })
    .filter(({ start, end }) => !times.some((each) => start < each.end && end > each.start));
}
