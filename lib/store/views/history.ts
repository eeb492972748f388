// Versions of passages that ended, of corpora with history: what a merge keeps of them, and what
// `Corpus.versions` says.
import type { SectionArray } from '../../../binding.js';
import type { StoredPassage } from '../../records.js';
import { recordedField } from '../fields/types.js';
import type { SegmentEntry } from '../format/manifest.js';
import { endedSections } from '../format/openSegments.js';
import { rowCounts } from './rowTimes.js';
import type { PreparedPassage } from '../passages/passages.js';
import { isClosing } from '../passages/seriesRecord.js';
import { passagesOf } from './passingPassages.js';
import type { Snapshot } from './snapshot.js';
import type { PassagePlace, SnapshotSegment } from './snapshotSegment.js';
import {
  allLive,
  endedOfColumn,
  isLive,
  mergeEnded,
  noneEnded,
  withoutPassages,
  withPassages,
  type Ended,
  type Tombstones,
} from '../format/tombstones.js';
import { withoutHistory } from './view.js';

/** A passage as it was recorded for some time. */
export interface PassageVersion {
  passage: StoredPassage;
  /** When it was written, in UTC epoch milliseconds. */
  recordedAt: number;
  /** When it was replaced or deleted: from then on it is not recorded. Absent if it is live. */
  endedAt?: number | undefined;
  /**
   * Why: the world changed, and another state of its series closed or opened its validity; or what
   * was recorded was wrong, and a version of the same id took its place; or it was deleted.
   */
  endedBy?: 'change' | 'correction' | 'deletion' | undefined;
}

/** Versions of a segment that ended at a time or later; by default all. */
export function endedVersions(snapshot: Snapshot, segment: number, from = -Infinity): Ended {
  const { passages, times } = mergeEnded(...snapshot.endedIn(segment));
  return {
    passages: passages.filter((_, at) => times[at]! >= from),
    times: times.filter((time) => time >= from),
  };
}

/** What is written of the ended versions in a merged segment. */
export interface MergedHistory {
  sections: { name: string; data: SectionArray }[];
  counts: Pick<SegmentEntry, 'deleted' | 'deletedRows' | 'deletedSentences'>;
  /** Absent if there are none. */
  tombstones?: Tombstones;
}

/** @param ended of each source, those that the merge keeps */
export function mergedHistory(
  sources: readonly SnapshotSegment[],
  ended: readonly Ended[],
  plan: { passages: number; newPassages: readonly Uint32Array[] },
): MergedHistory {
  let [deletedRows, deletedSentences] = [0, 0];
  const column = new Float64Array(plan.passages).fill(NaN);
  for (const [i, { passages, times }] of ended.entries()) {
    const { rows, sentences } = rowCounts(sources[i]!, Array.from(passages));
    deletedRows += rows;
    deletedSentences += sentences;
    passages.forEach((each, at) => void (column[plan.newPassages[i]![each]!] = times[at]!));
  }
  const { deleted, ...written } = endedIn(column);
  return { ...written, counts: { deleted, deletedRows, deletedSentences } };
}

/** What is written of versions with a segment: `column` has when each ended, NaN of a live one. */
export function endedIn(
  column: Float64Array,
): Omit<MergedHistory, 'counts'> & Pick<SegmentEntry, 'deleted'> {
  const ended = endedOfColumn(column);
  const deleted = ended.passages.length;
  if (deleted === 0) return { sections: [], deleted };
  return {
    sections: [
      { name: endedSections.passages, data: ended.passages },
      { name: endedSections.times, data: ended.times },
    ],
    deleted,
    tombstones: {
      live: withoutPassages(allLive(column.length), ended.passages),
      ended: noneEnded,
    },
  };
}

/** The live passages of a segment, and in corpora with history the versions that ended. */
export function* versionsIn(
  snapshot: Snapshot,
  segment: number,
): Generator<{ place: PassagePlace; version?: PreparedPassage['version'] }> {
  const each = snapshot.segments[segment]!;
  if (!snapshot.manifest.history) {
    for (const passage of passagesOf(each)) yield { place: { segment, passage } };
    return;
  }
  const ended = endedVersions(snapshot, segment);
  const endedAt = new Map(Array.from(ended.passages, (passage, at) => [passage, ended.times[at]]));
  const recorded = recordedTimes(snapshot, segment, 0, each.passages);
  const liveDocs = withPassages(each.liveDocs ?? allLive(each.passages), ended.passages);
  for (const passage of passagesOf({ passages: each.passages, liveDocs }))
    yield {
      place: { segment, passage },
      version: { recordedAt: recorded[passage]!, endedAt: endedAt.get(passage) },
    };
}

/**
 * Every version of an id that is kept, the oldest first.
 * @throws AsOfError ERR_INVALID_ARGUMENT without a history
 */
export function versionsOf(snapshot: Snapshot, id: string): PassageVersion[] {
  if (!snapshot.manifest.history) throw withoutHistory();
  const versions = snapshot.versions(id).map((place) => versionAt(snapshot, place));
  for (const [at, version] of versions.entries()) {
    const { passage, endedAt } = version;
    if (endedAt === undefined) continue;
    const next = versions[at + 1];
    if (next?.recordedAt !== endedAt) version.endedBy = 'deletion';
    else version.endedBy = isClosing(passage, next.passage) ? 'change' : 'correction';
  }
  return versions;
}

function versionAt(snapshot: Snapshot, { segment, passage }: PassagePlace): PassageVersion {
  const endedAt = snapshot
    .endedIn(segment)
    .map(({ passages, times }) => times[passages.indexOf(passage)])
    .find((time) => time !== undefined);
  const [recordedAt] = recordedTimes(snapshot, segment, passage, 1);
  return {
    passage: snapshot.passage(segment, passage),
    recordedAt: recordedAt!,
    ...(endedAt === undefined ? {} : { endedAt }),
  };
}

function recordedTimes(
  { manifest, segments }: Snapshot,
  segment: number,
  from: number,
  count: number,
): Float64Array {
  const section = `fields.${recordedField(manifest.fields)}.numbers`;
  return segments[segment]!.segment.read(section, from, count) as Float64Array;
}

/** The version of an id that was recorded at a time. */
export const versionRecordedAt = (
  snapshot: Snapshot,
  id: string,
  time: number,
): StoredPassage | undefined =>
  versionsOf(snapshot, id).findLast(
    ({ recordedAt, endedAt = Infinity }) => recordedAt <= time && time < endedAt,
  )?.passage;

/**
 * What contradicts itself in the times of a segment's versions: each is recorded no later than the
 * last write, and ends, if it is not live, after that.
 */
export function historyFault(snapshot: Snapshot, segment: number): string | undefined {
  const { passages, liveDocs } = snapshot.segments[segment]!;
  const { last } = snapshot.manifest.history!;
  const recorded = recordedTimes(snapshot, segment, 0, passages);
  if (recorded.some((time) => !(time <= last)))
    return 'versions to be recorded before the last write';
  for (const { passages: ended, times } of snapshot.endedIn(segment)) {
    if (times.length !== ended.length) return 'a time of each version that ended';
    for (const [at, passage] of ended.entries()) {
      const isNext = passage < passages && (at === 0 || passage > ended[at - 1]!);
      if (!isNext || !liveDocs || isLive(liveDocs, passage))
        return 'versions that ended, in ascending order, not to be live';
      if (!(times[at]! > recorded[passage]! && times[at]! <= last))
        return 'versions to end after they were recorded';
    }
  }
  return undefined;
}
