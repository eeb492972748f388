// Equality of results of corpora that differ in their segments.
import assert from 'node:assert/strict';

/** Equal but for the last bits of sums, whose order depends on the segments. */
export function assertClose(actual: unknown, expected: unknown, message?: string): void {
  const rounded = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value ?? null, (_, each: unknown) =>
        typeof each === 'number' && !Number.isInteger(each) ? Number(each.toPrecision(9)) : each,
      ),
    );
  assert.deepEqual(rounded(actual), rounded(expected), message);
}
