// Accuracy of temporal parsing (Re3 section 4, table 5): year, month and day accuracy, exact match.
import { invalidArgument, mustBe } from 'asof/kit';
import type { TimeTuple } from 'asof/time';

function checkTuple(name: string, tuple: TimeTuple | undefined): asserts tuple is TimeTuple {
  const { year, month, dayOfMonth, mask } = (tuple ?? {}) as Partial<TimeTuple>;
  if (![year, month, dayOfMonth].every(Number.isInteger) || mask?.length !== 3)
    throw invalidArgument(name, 'a tuple { year, month, dayOfMonth, mask }', tuple);
}

/**
 * Y.Acc, M.Acc, D.Acc and EM of the paper, as shares of the texts, 0 to 1. A component is right if
 * its mask is and, unless masked, its value; an exact match has every component right. Shares of
 * empty lists are 0.
 * @throws AsOfError ERR_INVALID_ARGUMENT for lists of unequal length or other content.
 */
export function tupleAccuracy(
  predicted: readonly TimeTuple[],
  expected: readonly TimeTuple[],
): { year: number; month: number; dayOfMonth: number; exactMatch: number; count: number } {
  mustBe('an array', { predicted, expected });
  if (predicted.length !== expected.length)
    throw invalidArgument(
      'predicted',
      `${expected.length} tuples, one for each expected one`,
      predicted,
    );
  const right = [0, 0, 0, 0];
  expected.forEach((wanted, at) => {
    const given = predicted[at];
    checkTuple(`expected ${at}`, wanted);
    checkTuple(`predicted ${at}`, given);
    const components = [
      given.year === wanted.year,
      given.month === wanted.month,
      given.dayOfMonth === wanted.dayOfMonth,
    ];
    const agree = components.map(
      (equal, component) => equal && given.mask[component] === wanted.mask[component],
    );
    [...agree, agree.every(Boolean)].forEach((yes, each) => (right[each]! += yes ? 1 : 0));
  });
  const share = (at: number): number => (expected.length === 0 ? 0 : right[at]! / expected.length);
  return {
    year: share(0),
    month: share(1),
    dayOfMonth: share(2),
    exactMatch: share(3),
    count: expected.length,
  };
}
