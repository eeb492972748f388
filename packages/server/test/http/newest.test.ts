// Values that arrive faster than they are taken: the newest, in order, to the end.
import assert from 'node:assert/strict';
import { Newest } from '../../lib/http/newest.js';

describe('the newest of values', () => {
  it('replaces what nobody has taken, and ends after the last', async () => {
    const values = new Newest<number>();
    values.push(1);
    values.push(2);
    const taken = values[Symbol.asyncIterator]();
    assert.deepEqual(await taken.next(), { done: false, value: 2 });
    const waiting = taken.next();
    values.push(3);
    assert.deepEqual(await waiting, { done: false, value: 3 });
    values.push(4);
    values.end();
    assert.deepEqual(await taken.next(), { done: false, value: 4 });
    assert.deepEqual(await taken.next(), { done: true, value: undefined });
  });

  it('ends one that waits', async () => {
    const values = new Newest<number>();
    const waiting = values[Symbol.asyncIterator]().next();
    values.end();
    assert.deepEqual(await waiting, { done: true, value: undefined });
  });
});
