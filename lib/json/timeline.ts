// The timeline of a series as JSON, whose field names are stable.
import type { SystemResult } from '../systems/system.js';
import type { TimelineEntry } from '../systems/timeline.js';
import { formatLast, formatTimestamp } from '../time/timeFormat.js';

/** Ends are inclusive where they are days, null where open. */
export const timelineJson = (
  question: string,
  entries: readonly TimelineEntry[] & Pick<SystemResult, 'missingShards'>,
  timeZone: string,
): Record<string, unknown> => ({
  question,
  ...(entries.missingShards ? { missing_shards: entries.missingShards } : {}),
  entries: entries.map((entry) => entryJson(entry, timeZone)),
});

function entryJson(entry: TimelineEntry, timeZone: string): Record<string, unknown> {
  const { start, end, publishedAt, ...others } = entry;
  return {
    start_iso: start === undefined ? null : formatTimestamp(start, timeZone),
    end_iso: end === undefined ? null : formatLast(end, timeZone),
    ...others,
    ...(publishedAt === undefined ? {} : { published_at: formatTimestamp(publishedAt, timeZone) }),
  };
}
