// What is remembered of texts read: within its bytes, what was asked for lately.
import assert from 'node:assert/strict';
import { Memory } from '../../../lib/facts/versions/memory.js';

describe('memory of texts', () => {
  it('makes a value once', () => {
    const memory = new Memory<number>(100);
    let made = 0;
    const next = (): number => (made += 1);
    assert.deepEqual(
      [memory.of('a', 10, next), memory.of('a', 10, next), memory.of('b', 10, next)],
      [1, 1, 2],
    );
  });

  it('forgets what was not asked for while its half filled twice, and nothing else', () => {
    const memory = new Memory<string>(100);
    for (let at = 0; at < 20; at += 1) {
      memory.of('kept', 10, () => {
        assert.equal(at, 0);
        return 'kept';
      });
      memory.set(`${at}`, 'passing', 10);
    }
    assert.equal(memory.get('0'), undefined);
    assert.equal(memory.get('19'), 'passing');
    assert.equal(memory.get('kept'), 'kept');
  });

  it('keeps nothing that would fill it alone', () => {
    const memory = new Memory<string>(100);
    memory.set('small', 'x', 10);
    memory.set('large', 'x', 60);
    assert.deepEqual([memory.get('small'), memory.get('large')], ['x', undefined]);
  });
});
