// Passages of a snapshot by id, and their number; which ones to delete.
import { checkOptionNames, invalidArgument, mustBe } from '../../errors.js';
import type { StoredPassage } from '../../records.js';
import type { Where } from '../fields/where.js';
import { versionRecordedAt } from './history.js';
import { isIterable } from '../../runtime/cancellation.js';
import { checkId } from '../passages/passages.js';
import type { Snapshot } from './snapshot.js';
import type { PassagePlace } from './snapshotSegment.js';
import { liveIn } from '../format/tombstones.js';
import { recordedTime, viewOf, type ViewOptions } from './view.js';

/** @throws AsOfError ERR_INVALID_ARGUMENT */
export function checkIds(ids: readonly string[]): void {
  mustBe('an array', { ids });
  for (const id of ids)
    checkId(id, (expected, remedy) => invalidArgument('an id', expected, id, remedy));
}

/** Passages of ids, in their order; as recorded at a time, if one is given. */
export function passagesById(
  snapshot: Snapshot,
  ids: readonly string[],
  { asRecorded }: Pick<ViewOptions, 'asRecorded'>,
): (StoredPassage | undefined)[] {
  const time = recordedTime(snapshot.manifest, asRecorded);
  if (time !== undefined) return ids.map((id) => versionRecordedAt(snapshot, id, time));
  return snapshot
    .findEach(ids)
    .map((place) => place && snapshot.passage(place.segment, place.passage));
}

/** Ids, each once, or a filter. @throws AsOfError ERR_INVALID_ARGUMENT */
export function checkedChoice(
  which: Iterable<string> | { where: Where },
): { ids: string[] } | { where: Where } {
  if (typeof which === 'object' && which !== null && 'where' in which) {
    checkOptionNames('delete', which, ['where']);
    const { where } = which;
    mustBe('an object', { where }); // absent, it would mean all
    return { where };
  }
  if (typeof which === 'string' || !isIterable(which))
    throw invalidArgument(
      'ids',
      'an iterable of ids, or { where }',
      which,
      'Pass an array, even for one id.',
    );
  const ids = [...new Set(which)];
  checkIds(ids);
  return { ids };
}

/** Finds passages that are named by their ids or by a filter, each once. */
export function choiceOf(
  which: Iterable<string> | { where: Where },
): (snapshot: Snapshot, signal: AbortSignal) => Promise<Iterable<PassagePlace>> {
  const choice = checkedChoice(which);
  return async (snapshot, signal) =>
    'where' in choice
      ? (await viewOf(snapshot, choice, { signal })).livePassages()
      : snapshot.findEach(choice.ids).filter((place) => place !== undefined);
}

export const livePassages = ({ segments }: Snapshot): number =>
  segments.reduce(
    (sum, { passages, liveDocs }) => sum + (liveDocs ? liveIn(liveDocs) : passages),
    0,
  );
