// A stored passage as a JSON record, in the form that `asof index` reads.
import type { StoredPassage } from '../records.js';
import type { PassageVersion } from '../store/views/history.js';
import { formatInstant } from '../time/instant.js';
import { formatLast, formatTimestamp } from '../time/timeFormat.js';

/** Indexed again, into a corpus of the same time zone, it is the same passage. */
export function passageJson(passage: StoredPassage, timeZone?: string): Record<string, unknown> {
  const { id, text, title, publishedAt, validFrom, validTo, metadata, chunk } = passage;
  const { series, supersedes, supersededBy } = passage;
  return {
    id,
    text,
    ...(title === undefined ? {} : { title }),
    ...(publishedAt === undefined ? {} : { published_at: formatTimestamp(publishedAt, timeZone) }),
    ...(validFrom === undefined ? {} : { valid_from: formatTimestamp(validFrom, timeZone) }),
    ...(validTo === undefined ? {} : { valid_to: formatLast(validTo, timeZone) }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(chunk === undefined ? {} : { chunk }),
    ...(series === undefined ? {} : { series }),
    ...(supersedes === undefined ? {} : { supersedes }),
    ...(supersededBy ? { superseded_by: closingJson(supersededBy, timeZone) } : {}),
  };
}

/** How a passage was closed by the next one of its series. */
export const closingJson = (
  { id, from, validTo }: NonNullable<StoredPassage['supersededBy']>,
  timeZone?: string,
): Record<string, unknown> => ({
  id,
  from: formatTimestamp(from, timeZone),
  ...(validTo === undefined ? {} : { valid_to: formatLast(validTo, timeZone) }),
});

/** A version of a passage, with when it was recorded and why it ended. */
export const versionJson = (
  { passage, recordedAt, endedAt, endedBy }: PassageVersion,
  timeZone?: string,
): Record<string, unknown> => ({
  ...passageJson(passage, timeZone),
  recorded_at: formatInstant(recordedAt),
  ...(endedAt === undefined ? {} : { ended_at: formatInstant(endedAt), ended_by: endedBy }),
});
