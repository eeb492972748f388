/** The first index from which on `holds` is true, by halving; the length where it never is. */
export function firstIndex<T>(
  items: { readonly length: number; readonly [index: number]: T },
  holds: (item: T) => boolean,
): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
