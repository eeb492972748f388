// Equality of results of corpora that differ in their segments.
import assert from 'node:assert/strict';

/**
 * Equal but for the last bits of sums, whose order depends on the segments: numbers differ by at
 * most `tolerance` times the greater of them and 1.
 */
export function assertClose(
  actual: unknown,
  expected: unknown,
  message?: string,
  tolerance = 1e-9,
): void {
  assert.deepEqual(nearest(actual, expected, tolerance), plain(expected), message);
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** The actual value with the expected numbers in place of those that are close to them. */
function nearest(actual: unknown, expected: unknown, tolerance: number): unknown {
  const walk = (a: unknown, b: unknown): unknown => {
    if (typeof a === 'number' && typeof b === 'number')
      return Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b)) ? b : a;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a;
    if (Array.isArray(a))
      return a.map((each: unknown, at) => walk(each, (b as readonly unknown[])[at]));
    return Object.fromEntries(
      Object.entries(a).map(([key, each]) => [
        key,
        walk(each, (b as Record<string, unknown>)[key]),
      ]),
    );
  };
  return walk(plain(actual), plain(expected));
}
