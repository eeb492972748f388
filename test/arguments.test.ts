// Every function of the public API with arguments of the wrong type in each position: an AsOfError
// with expected, received and remedy, never a built-in error.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import * as evaluation from '../packages/evaluation/lib/index.js';
import * as core from '../lib/index.js';
import * as models from '../lib/models/index.js';
import * as papers from '../lib/papers/index.js';
import * as time from '../lib/time/index.js';
import * as train from '../packages/training/lib/index.js';

const wrong: readonly unknown[] = [null, undefined, 7, {}, []];

/**
 * Each wrong value in each place, and in all of them. A function with optional arguments has one
 * place more than it counts.
 */
function argumentLists({ length }: (...given: unknown[]) => unknown): unknown[][] {
  const places = Math.max(length, 1) + 1;
  return wrong.flatMap((value) => [
    ...Array.from({ length: places }, (_, place) =>
      Array.from({ length: place + 1 }, (_, at) => (at === place ? value : undefined)),
    ),
    Array.from({ length: places }, () => value),
  ]);
}

/** What calling it comes to, its promise and the first of its items included. */
async function settled(call: () => unknown): Promise<unknown> {
  try {
    const made = await call();
    if (typeof made === 'object' && made !== null && Symbol.asyncIterator in made) {
      await (made as AsyncIterable<unknown>)[Symbol.asyncIterator]().next();
    }
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('arguments of the wrong kind', () => {
  const isClass = (value: object): boolean =>
    /^class\b/.test(Function.prototype.toString.call(value));
  for (const [name, value] of Object.entries({
    ...core,
    ...time,
    ...papers,
    ...evaluation,
    ...train,
    ...models,
  })) {
    if (typeof value !== 'function' || isClass(value)) continue;
    const given = value as (...args: unknown[]) => unknown;
    it(`${name} refuses them with an error of asof's`, async function () {
      this.timeout(60_000);
      for (const args of argumentLists(given)) {
        const error = await settled(() => given(...args));
        if (error === undefined) continue; // some of them are what it takes
        assert.ok(
          core.AsOfError.is(error),
          `${name}(${args.map((each) => JSON.stringify(each)).join(', ')}): ${inspect(error)}`,
        );
        assert.ok(
          error.message.length > 20 && /[.!]$/.test(error.message),
          `${name}: ${error.message}`,
        );
      }
    });
  }
});
