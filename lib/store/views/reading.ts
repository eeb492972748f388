// Passages of a snapshot by id, and their number; which ones to delete.
import { AsOfError, checkOptionNames, invalidArgument, mustBe } from '../../errors.js';
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

/** The passages of a write: of ids, or all that pass a filter. */
type Choice = Iterable<string> | { where: Where };

/** Ids, each once, or a filter. @throws AsOfError ERR_INVALID_ARGUMENT */
export function checkedChoice(
  which: Choice,
  of: 'delete' | 'update',
): { ids: string[] } | { where: Where } {
  if (typeof which === 'object' && which !== null && 'where' in which) {
    checkOptionNames(of, which, ['where']);
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

/**
 * Finds passages that are named by their ids or by a filter, each once; of `update` all ids have to
 * be there.
 */
export function choiceOf(
  which: Choice,
  of: 'delete' | 'update',
): (snapshot: Snapshot, signal: AbortSignal) => Promise<Iterable<PassagePlace>> {
  const choice = checkedChoice(which, of);
  return async (snapshot, signal) => {
    if ('where' in choice) return (await viewOf(snapshot, choice, { signal })).livePassages();
    const places = snapshot.findEach(choice.ids);
    if (of === 'update') checkKnown(choice.ids.filter((_, at) => !places[at]));
    return places.filter((place) => place !== undefined);
  };
}

/** @throws AsOfError ERR_NOT_FOUND where ids are unknown */
export function checkKnown(unknown: readonly string[]): void {
  if (unknown.length === 0) return;
  const some = unknown.slice(0, 3).map((id) => JSON.stringify(id.slice(0, 60)));
  throw new AsOfError(
    'ERR_NOT_FOUND',
    `Expected ids of passages, found none of ${some.join(', ')}` +
      `${unknown.length > 3 ? ` and ${unknown.length - 3} others` : ''}. ` +
      'Nothing was changed: leave them out, or add the passages.',
    { details: { ids: unknown } },
  );
}

export const livePassages = ({ segments }: Snapshot): number =>
  segments.reduce(
    (sum, { passages, liveDocs }) => sum + (liveDocs ? liveIn(liveDocs) : passages),
    0,
  );
