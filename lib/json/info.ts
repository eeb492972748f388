// What a corpus holds as JSON, whose field names are stable.
import type { StoredCorpusInfo } from '../store/info.js';
import { formatDay } from '../time/instant.js';

/** First and last day of each clock, both inclusive; an open end is null. */
export type SpansJson = Record<string, { start_iso: string | null; end_iso: string | null }>;

export function infoJson(info: StoredCorpusInfo): Record<string, unknown> {
  const { timeZone, ...others } = info;
  return { ...others, time_zone: timeZone, spans: spansJson(info) };
}

/** The intervals of content and validity are half-open. */
export function spansJson(info: StoredCorpusInfo): SpansJson {
  const day = (instant: number | null): string | null =>
    instant === null ? null : formatDay(instant, info.timeZone);
  return Object.fromEntries(
    Object.entries(info.spans).map(([clock, [start, end]]) => {
      const last =
        end === null || clock === 'published' ? end : Math.max(start ?? -Infinity, end - 1);
      return [clock, { start_iso: day(start), end_iso: day(last) }];
    }),
  );
}
