// What is remembered of segments: bounded by weight, the least useful forgotten first, and numbers
// that tell segments apart.
import assert from 'node:assert/strict';
import { numberOf, Recent } from '../../lib/retrieval/recent.js';

describe('what was read lately', () => {
  it('keeps what is used, forgets what is not, and never holds more than its weight twice', () => {
    const recent = new Recent<number>(16);
    recent.keep('used', 0, 1);
    for (let i = 1; i <= 100; i += 1) {
      recent.keep(`once ${i}`, i, 1);
      recent.keep('used', recent.get('used')!, 1);
      const held = Array.from({ length: i }, (_, n) => recent.get(`once ${n + 1}`)).filter(
        (each) => each !== undefined,
      );
      assert.ok(held.length < 32);
      assert.equal(recent.get('used'), 0);
      assert.equal(recent.get(`once ${i}`), i);
    }
    assert.equal(recent.get('once 1'), undefined);
  });

  it('does not keep what would crowd out the rest', () => {
    const recent = new Recent<number>(160);
    recent.keep('large', 1, 11);
    recent.keep('small', 2, 10);
    assert.deepEqual([recent.get('large'), recent.get('small')], [undefined, 2]);
  });

  it('numbers each object once, and no two alike', () => {
    const [a, b] = [{}, {}];
    assert.equal(numberOf(a), numberOf(a));
    assert.notEqual(numberOf(a), numberOf(b));
  });
});
