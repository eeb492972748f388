// Iterables of the caller's under a signal: an item that never comes, and iterators that are
// asked to return.
import assert from 'node:assert/strict';
import { abortableItems } from '../../lib/runtime/cancellation.js';

const never = new Promise<never>(() => undefined);

async function collect<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  { signal, most = Infinity }: { signal?: AbortSignal; most?: number } = {},
): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of abortableItems(items, signal)) {
    collected.push(item);
    if (collected.length >= most) break;
  }
  return collected;
}

describe('items of an iterable under a signal', () => {
  it('are those of the iterable, promises of a synchronous one awaited', async () => {
    assert.deepEqual(await collect([1, 2, 3]), [1, 2, 3]);
    assert.deepEqual(await collect([Promise.resolve(1), 2]), [1, 2]);
    assert.deepEqual(
      await collect(
        (async function* () {
          yield* [1, 2];
        })(),
      ),
      [1, 2],
    );
  });

  it('end with the signal, even where the next one never comes', async () => {
    const endless: (Iterable<unknown> | AsyncIterable<unknown>)[] = [
      (async function* () {
        yield 1;
        await never;
      })(),
      [1, never],
      { [Symbol.asyncIterator]: () => ({ next: () => never, return: () => never }) },
    ];
    for (const items of endless) {
      const controller = new AbortController();
      setImmediate(() => controller.abort());
      await assert.rejects(collect(items, { signal: controller.signal }), { code: 'ERR_ABORTED' });
    }
  });

  it('end with the signal where the iterator does not return', async () => {
    const controller = new AbortController();
    const items = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: 1 }),
        return: () => never,
      }),
    };
    setImmediate(() => controller.abort());
    await assert.rejects(collect(items, { signal: controller.signal, most: 1 }), {
      code: 'ERR_ABORTED',
    });
  });

  it('let the iterator return once, where they are left before its end', async () => {
    for (const [most, expected] of [
      [1, 1],
      [Infinity, 0],
    ] as const) {
      let returned = 0;
      let at = 0;
      const items: AsyncIterable<number> = {
        [Symbol.asyncIterator]: () => ({
          next: async () => (at < 2 ? { done: false, value: at++ } : { done: true, value: at }),
          return: async () => {
            returned += 1;
            return { done: true, value: undefined };
          },
        }),
      };
      await collect(items, { most });
      assert.equal(returned, expected);
    }
  });

  it('fail as the iterator does, which is then at its end', async () => {
    let returned = false;
    const items: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(new Error('own')),
        return: async () => {
          returned = true;
          return { done: true, value: undefined };
        },
      }),
    };
    await assert.rejects(collect(items), /own/);
    assert.equal(returned, false);
  });
});
