// A passage as it stood at a time: not closed by passages published later.
import type { StoredPassage } from '../../records.js';
import type { Snapshot } from './snapshot.js';

/** The passage without the end that a successor gave it which was published after `askedAt`. */
export function asKnown(
  snapshot: Snapshot,
  passage: StoredPassage,
  askedAt: number,
): StoredPassage {
  const { supersededBy, ...open } = passage;
  if (!supersededBy) return passage;
  // Of all passages: one that a filter excludes was published no later for that.
  const place = snapshot.versions(supersededBy.id).at(-1);
  const successor = place && snapshot.passage(place.segment, place.passage);
  if ((successor?.publishedAt ?? supersededBy.from) <= askedAt) return passage;
  const { validTo: _, ...rest } = open;
  const { validTo } = supersededBy;
  return { ...rest, ...(validTo === undefined ? {} : { validTo }) };
}
