// Turns of the event loop: work over its time budget yields, first come, first served, and short
// synchronous searches leave turns to timers.
import assert from 'node:assert/strict';
import { VectorIndex } from '../../lib/index.js';
import { atOnce, inTurns, yieldToEventLoop, type Steps } from '../../lib/runtime/eventLoop.js';
import { turnsDuring } from '../turnsDuring.js';

const longerThanItsShareMs = 4;

describe('turns of the event loop', () => {
  it('go to concurrent work in order, one each', async () => {
    let turns = 0;
    let counting = true;
    const count = (): void => void (counting && setImmediate(() => ((turns += 1), count())));
    count();
    const order: number[] = [];
    const began: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, async (_, number) => {
        const turn = yieldToEventLoop();
        if (turn) await turn;
        order.push(number);
        began.push(turns);
        for (const until = performance.now() + longerThanItsShareMs; performance.now() < until; );
      }),
    );
    counting = false;
    assert.deepEqual(
      order,
      Array.from({ length: 20 }, (_, number) => number),
    );
    assert.equal(new Set(began).size, 20, `began in turns ${began.join(' ')}`);
  });

  it('come to a timer during consecutive small searches', async () => {
    using index = new VectorIndex({ dimensions: 2, vectors: Float32Array.of(1, 0, 0, 1) });
    let fired = false;
    setTimeout(() => (fired = true), 1);
    let searches = 0;
    while (!fired && searches < 1_000_000) {
      const { row } = await index.searchBatch(Float32Array.of(0, 1), 1);
      assert.equal(row[0], 1);
      searches += 1;
    }
    assert.ok(fired, `no timer in ${searches} searches`);
  });

  it('are left to others between the steps of long work, which a signal ends', async () => {
    function* steps(count: number): Steps<number> {
      for (let step = 0; step < count; step += 1) {
        for (const until = performance.now() + 1; performance.now() < until; );
        yield;
      }
      return count;
    }
    const turns = await turnsDuring(async () => assert.equal(await inTurns(steps(40)), 40));
    assert.ok(turns >= 5, `${turns} turns`);
    assert.equal(atOnce(steps(2)), 2);
    const controller = new AbortController();
    setImmediate(() => controller.abort());
    await assert.rejects(inTurns(steps(1000), controller.signal), { code: 'ERR_ABORTED' });
  });
});
