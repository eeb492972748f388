// Passages and settings of the soak's actors. Each passage has one actor that writes it, in rising
// versions; deletions have versions too.
import type { Passage } from '../../../lib/records.js';

export interface Settings {
  path: string;
  log: string;
  actor: number;
  actors: number;
  seed: number;
  /** Milliseconds of the monotonic clock. */
  until: number;
  /** The newest versions of its passages that an earlier process has begun to write. */
  versions: [number: number, version: number][];
}

const passagesOfActor = 15;

export const ids = (actors: number): number[] =>
  Array.from({ length: actors * passagesOfActor }, (_, id) => id);

export const passageOf = (id: number, version: number): Passage => ({
  id: `p${id}`,
  text: `The bridge ${id} opened in ${1900 + (version % 100)}. This is version ${version}.`,
});

/** The version of a stored passage, which has to be whole; 0 of none. */
export function versionIn(passage: { id: string; text: string } | undefined): number {
  if (!passage) return 0;
  const version = Number(/version (\d+)\.$/.exec(passage.text)?.[1]);
  const whole = passageOf(Number(passage.id.slice(1)), version);
  if (whole.text !== passage.text) throw new Error(`torn: ${JSON.stringify(passage)}`);
  return version;
}
