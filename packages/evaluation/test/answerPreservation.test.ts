// Which constraints an answer satisfies, case by case: an answer from 1995 to 2000 among others.
import assert from 'node:assert/strict';
import { preservesAnswer, type Validity } from '../lib/perturbation/answerPreservation.js';
import type { Condition, Relation } from '../../../lib/time/index.js';

const year = (first: number, last = first): { start: number; end: number } => ({
  start: Date.UTC(first, 0),
  end: Date.UTC(last + 1, 0),
});
const may = (of: number): { start: number; end: number } => ({
  start: Date.UTC(of, 4),
  end: Date.UTC(of, 5),
});
const answer: Validity = { ...year(1995, 2000), vague: [] };
const vague: Validity = { ...year(1995, 2000), vague: [year(1995), year(2000)] };

type Case = [Condition, Relation, { start: number; end: number }, boolean];

function check(
  cases: readonly Case[],
  held: Validity,
  others?: { start: number; end: number }[],
): void {
  for (const [condition, relation, date, kept] of cases) {
    assert.equal(
      preservesAnswer(condition, relation, date, held, others),
      kept,
      `${condition} ${relation} ${new Date(date.start).toISOString()} to ${new Date(date.end).toISOString()}`,
    );
  }
}

describe('what keeps an answer', () => {
  it('the stretches that it alone holds in', () => {
    check(
      [
        ['none', 'in', year(1997), true],
        ['none', 'in', year(2001), false],
        ['none', 'between', year(1990, 1996), true],
        ['none', 'between', year(1985, 1996), false],
        ['none', 'before', year(1996), false],
        ['none', 'after', year(1996), true],
        ['none', 'since', year(1980), false],
        ['none', 'until', year(1994), false],
      ],
      answer,
      [year(1980, 1989)],
    );
  });

  it('"as of": dates throughout which it holds; "around": dates with no other answer near', () => {
    check(
      [
        ['none', 'as of', year(2000), true],
        ['none', 'as of', { start: Date.UTC(2000, 11, 31), end: Date.UTC(2001, 0, 2) }, false],
        ['none', 'as of', year(1990), false],
        ['none', 'around', year(1997), true],
        ['none', 'around', year(1995), false],
        ['none', 'around', year(1993), false],
        ['last', 'around', year(1995), false],
        ['last', 'around', year(2001), false],
      ],
      answer,
      [year(1980, 1994)],
    );
  });

  it('for the last, those whose last holder it is and that began after all others', () => {
    check(
      [
        ['last', 'as of', year(1997), true],
        ['latest', 'by', year(2010), true],
        ['last', 'before', year(1995), false],
        ['last', 'between', year(1980, 1996), true],
        ['last', 'after', year(1985), true],
      ],
      answer,
      [year(1980, 1994)],
    );
    check(
      [
        ['last', 'as of', year(2003), false],
        ['last', 'as of', year(1996), true],
      ],
      answer,
      [year(1990, 1994), year(2002)],
    );
    // began later, ended sooner: neither is plainly the last
    check([['last', 'as of', year(2003), false]], answer, [year(1996, 1998)]);
    check(
      [
        ['last', 'as of', year(1996), false],
        ['last', 'as of', year(2000), true],
      ],
      answer,
      [year(1980, 1997)],
    ); // both hold in 1996
  });

  it('for the first, the mirror of it', () => {
    check(
      [
        ['first', 'since', year(1997), true],
        ['earliest', 'after', year(1970), true],
        ['first', 'since', year(2002), false],
        ['first', 'as of', year(2020), true],
        ['first', 'in', year(2000), true],
      ],
      answer,
      [year(2001, 2010)],
    );
    check([['first', 'since', year(1970), false]], answer, [year(1996, 1998)]);
    check(
      [
        ['first', 'since', year(1999), false],
        ['first', 'since', year(1996), true],
      ],
      answer,
      [year(1998, 2005)],
    );
  });

  it('only dates within it, or that it ends or opens, where the others are not known', () => {
    check(
      [
        ['none', 'in', year(2000), true],
        ['none', 'between', year(1994, 1996), false],
        ['last', 'as of', year(1998), true],
        ['last', 'as of', year(2001), false],
        ['first', 'since', year(1996), true],
        ['first', 'since', year(1990), false],
        ['first', 'as of', year(1996), false],
      ],
      answer,
    );
  });

  it('no edge within the unit in which it begins or ends', () => {
    check(
      [
        ['none', 'in', may(2000), false],
        ['none', 'in', may(1999), true],
        ['none', 'in', year(2000), true],
        ['last', 'as of', may(1995), false],
        ['none', 'between', { start: may(1995).start, end: may(1999).end }, false],
      ],
      vague,
      [],
    );
    check([['none', 'in', may(2000), true]], answer, []);
  });
});
