// What a trained reader gets right in most of some cases, and need not in each.
import assert from 'node:assert/strict';

/** Asserts that at least a share of cases holds; the others are named. */
export function mostly<Case>(
  cases: readonly Case[],
  least: number,
  check: (each: Case) => void,
): void {
  const wrong: string[] = [];
  for (const each of cases)
    try {
      check(each);
    } catch (error) {
      if (!(error instanceof assert.AssertionError)) throw error;
      wrong.push(error.message);
    }
  const right = cases.length - wrong.length;
  assert.ok(right >= least * cases.length, `${right} of ${cases.length}\n${wrong.join('\n')}`);
}
