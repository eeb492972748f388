// SerialQueue: order, cancellation of pending and running tasks, closing.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { AsOfError } from '../../lib/index.js';
import { SerialQueue } from '../../lib/runtime/serialQueue.js';
import { failsWith } from '../failsWith.js';

const queueOf = (rejectAtOnce = false): SerialQueue =>
  new SerialQueue({
    rejectAtOnce,
    closedError: (cause) => new AsOfError('ERR_CLOSED', 'Expected an open queue.', { cause }),
  });
/** Ends when its signal fires, after another turn of the event loop. */
const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () =>
      setImmediate(() => reject(new AsOfError('ERR_ABORTED', 'aborted'))),
    );
  });

describe('serial queue', () => {
  it('runs one task at a time, in order, whether earlier ones succeed or fail', async () => {
    const queue = queueOf();
    let running = 0;
    const order: number[] = [];
    const results = await Promise.allSettled(
      [3, 1, 2].map((ms, number) =>
        queue.run(undefined, async () => {
          assert.equal((running += 1), 1);
          await delay(ms);
          running -= 1;
          order.push(number);
          if (number === 0) throw new Error('the first fails');
          return number;
        }),
      ),
    );
    assert.deepEqual(order, [0, 1, 2]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'fulfilled', 'fulfilled'],
    );
    assert.ok(queue.idle);
  });

  it('never runs a task that was aborted while pending', async () => {
    const queue = queueOf();
    const controller = new AbortController();
    const first = queue.run(undefined, () => delay(2));
    let ran = false;
    const second = queue.run(controller.signal, async () => void (ran = true));
    controller.abort();
    await assert.rejects(second, failsWith('ERR_ABORTED'));
    await first;
    assert.equal(ran, false);
  });

  for (const atOnce of [false, true]) {
    it(`rejects an aborted call ${atOnce ? 'at once' : 'when its task has ended'}`, async () => {
      const queue = queueOf(atOnce);
      const controller = new AbortController();
      let ended = false;
      const call = queue.run(controller.signal, (signal) =>
        untilAborted(signal).finally(() => (ended = true)),
      );
      await delay(1);
      controller.abort();
      await assert.rejects(call, failsWith('ERR_ABORTED'));
      assert.equal(ended, !atOnce);
      await queue.close();
      assert.ok(ended);
    });
  }

  it('ends running and pending tasks when it closes, and rejects later ones', async () => {
    const queue = queueOf();
    const calls = [untilAborted, untilAborted].map((task) =>
      assert.rejects(queue.run(undefined, task), failsWith('ERR_CLOSED')),
    );
    await delay(1);
    assert.equal(queue.idle, false);
    await Promise.all([queue.close(), queue.close(), ...calls]);
    assert.ok(queue.idle);
    await assert.rejects(queue.run(undefined, untilAborted), failsWith('ERR_CLOSED'));
  });
});
