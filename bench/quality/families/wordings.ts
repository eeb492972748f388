// Choice and capitalization of wordings.
import type { Random } from './family.js';

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the items in turn, in a random order, so that each is used about equally often. */
export function rotation<Item>(items: readonly Item[], random: Random): () => Item {
  const order = random.sample(items, items.length);
  let next = 0;
  return () => order[next++ % order.length]!;
}
