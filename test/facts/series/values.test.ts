// Agreement of values: numbers decide where both have them, whatever names stand next to them.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { agree } from '../../../lib/facts/series/values.js';

const states = (one: string, other: string): boolean =>
  agree(new Set(one.split(' ').filter(Boolean)), new Set(other.split(' ').filter(Boolean)));

describe('agree', () => {
  it('compares numbers where both have some', () => {
    assert.ok(states('48 f', '48 national service'));
    assert.ok(!states('48 f', '49 f'));
    assert.ok(states('48 3', '48'));
    assert.ok(!states('48 3', '48 4'));
  });

  it('compares names where one has no number', () => {
    assert.ok(states('anna wirth', 'wirth'));
    assert.ok(!states('anna wirth', 'karl rau'));
    assert.ok(!states('anna wirth', 'karl rau 47'));
  });

  it('is symmetric, and true of what states nothing', () => {
    const values = fc.array(fc.constantFrom('1', '2', '3', 'a', 'b'), { maxLength: 4 });
    fc.assert(
      fc.property(values, values, (one, other) => {
        const [a, b] = [new Set(one), new Set(other)];
        assert.equal(agree(a, b), agree(b, a));
        assert.ok(agree(a, a) && agree(a, new Set()));
      }),
    );
  });
});
