// Equality of what is shown of each of several items.
import assert from 'node:assert/strict';

/** `shown` of each item, in order, equals what is expected. */
export function assertEach<Item, Shown>(
  items: readonly Item[],
  shown: (item: Item, at: number) => Shown,
  expected: readonly Shown[],
  message?: string,
): void {
  assert.deepEqual(items.map(shown), expected, message);
}
