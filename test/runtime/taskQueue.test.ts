// TaskQueue: order, number of tasks at a time, cancellation of pending and running ones, closing.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { AsOfError } from '../../lib/index.js';
import { TaskQueue } from '../../lib/runtime/taskQueue.js';
import { failsWith } from '../failsWith.js';
import { assertEach } from '../assertEach.js';

const queueOf = (rejectAtOnce = false, concurrency = 1): TaskQueue =>
  new TaskQueue({
    rejectAtOnce,
    concurrency,
    closedError: (cause) => new AsOfError('ERR_CLOSED', 'Expected an open queue.', { cause }),
  });
/** Ends when its signal fires, after another turn of the event loop. */
const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () =>
      setImmediate(() => reject(new AsOfError('ERR_ABORTED', 'aborted'))),
    );
  });

describe('task queue', () => {
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
    assertEach(results, ({ status }) => status, ['rejected', 'fulfilled', 'fulfilled']);
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

  it('starts tasks in order, as many at a time as it has places', async () => {
    const queue = queueOf(false, 3);
    const [started, most] = [[] as number[], { running: 0, seen: 0 }];
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, number) =>
        queue.run(undefined, async () => {
          started.push(number);
          most.seen = Math.max(most.seen, (most.running += 1));
          await delay((number * 7) % 5);
          most.running -= 1;
          if (number % 4 === 0) throw new Error('frees its place');
        }),
      ),
    );
    assert.deepEqual(started, [...started.keys()]);
    assert.equal(most.seen, 3);
    assert.equal(results.filter(({ status }) => status === 'rejected').length, 5);
    assert.ok(queue.idle);
  });

  it('rejects aborted pending tasks at once, and serves the others in order', async () => {
    const queue = queueOf();
    const [ran, stop] = [[] as string[], new AbortController()];
    let end = (): void => {};
    const first = queue.run(undefined, () => new Promise<void>((resolve) => (end = resolve)));
    const run = (name: string, signal?: AbortSignal): Promise<void> =>
      queue.run(signal, async () => void ran.push(name));
    const [second, ...stopped] = [run('b'), run('c', stop.signal), run('d', stop.signal)];
    const last = run('e');
    stop.abort(new Error('too late'));
    for (const each of stopped)
      await assert.rejects(each, (error: AsOfError) => {
        assert.equal((error.cause as Error).message, 'too late');
        return error.code === 'ERR_ABORTED';
      });
    assert.deepEqual(ran, []);
    end();
    await Promise.all([first, second, last]);
    assert.deepEqual(ran, ['b', 'e']);
  });

  it('runs a task or rejects it, whenever it is aborted as it gets its place', async () => {
    const seen = new Set<string>();
    for (let microtasks = 0; microtasks < 12; microtasks += 1) {
      const queue = queueOf();
      const [stop, work] = [new AbortController(), delay(1)];
      let ran = false;
      const calls = [
        queue.run(undefined, () => work),
        queue.run(stop.signal, async () => void (ran = true)),
        queue.run(undefined, async () => {}),
      ];
      let later: Promise<unknown> = work;
      for (let i = 0; i < microtasks; i += 1) later = later.then();
      void later.then(() => stop.abort());
      const [, second, last] = await Promise.allSettled(calls);
      assert.equal(second!.status, ran ? 'fulfilled' : 'rejected');
      assert.equal(last!.status, 'fulfilled');
      assert.ok(queue.idle);
      seen.add(second!.status);
    }
    assert.equal(seen.size, 2);
  });

  it('lets any number of tasks share a signal', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    const { signal } = new AbortController();
    const queue = queueOf(false, 20);
    await Promise.all(Array.from({ length: 50 }, () => queue.run(signal, () => delay(1))));
    await delay(1);
    process.off('warning', note);
    assert.deepEqual(warnings, []);
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
