// Train and test split by page: no page is in both (80/20 in the re-implementation, section 4.2).
import { mustBe, seededRandom } from 'asof/kit';
import type { Split } from './triplets.js';

/** Percentage of pages for training. */
const trainShare = 0.8;

/**
 * The split of a passage's page, by its title, or by its id without one. Deterministic by seed.
 */
export function splitOf(passage: { id: string; title?: string }, seed: number): Split {
  mustBe('an object', { passage });
  const { id, title } = passage;
  return seededRandom(seed, `split ${title ?? `\0${id}`}`).next() < trainShare ? 'train' : 'test';
}
