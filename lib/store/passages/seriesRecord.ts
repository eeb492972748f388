// Records of states of a series, which begin with their validity and may be closed by the next.
import type { StoredPassage } from '../../records.js';

/** What closed a state: the next one, and when that begins. */
export type Closing = Omit<NonNullable<StoredPassage['supersededBy']>, 'validTo'>;

/** When a state of a series starts; undefined if nothing says. */
export function startOf({ validFrom, publishedAt, validTo }: StoredPassage): number | undefined {
  if (validFrom !== undefined || publishedAt === undefined) return validFrom;
  return validTo === undefined || publishedAt <= validTo ? publishedAt : undefined;
}

/**
 * Whether a version differs from the one before it only by other states of its series: they closed
 * its validity, or opened it.
 */
export function isClosing(before: StoredPassage, after: StoredPassage): boolean {
  const series = after.series ?? before.series;
  if (series === undefined) return false;
  const [a, b] = [before, after].map((each) =>
    JSON.stringify(memberRecord(withoutClosing(each), series)),
  );
  return a === b && JSON.stringify(before) !== JSON.stringify(after);
}

export function withoutClosing({ supersededBy, ...passage }: StoredPassage): StoredPassage {
  if (!supersededBy) return passage;
  delete passage.validTo;
  const { validTo } = supersededBy;
  return { ...passage, ...(validTo !== undefined && { validTo }) };
}

/** The record of a state of a series, whose validity begins with it. */
export function memberRecord(
  passage: StoredPassage,
  series: string,
  closing?: Closing,
): StoredPassage {
  const { validFrom: _, validTo, series: _series, supersedes, ...rest } = passage;
  const start = startOf(passage);
  const end = closing ? closing.from : validTo;
  return {
    ...rest,
    ...(start !== undefined && { validFrom: start }),
    ...(end !== undefined && { validTo: end }),
    series,
    ...(supersedes !== undefined && { supersedes }),
    ...(closing && { supersededBy: { ...closing, ...(validTo !== undefined && { validTo }) } }),
  };
}
