// Runs an operation again and again while the n-th allocation of the addon fails, for n = 1, 2, 3,
// ... until it succeeds, and says what came of each call: an error of asof's, nothing that is kept,
// and the right result of the same call afterwards.
import { isDeepStrictEqual } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { AsOfError } from '../../../lib/errors.js';
import { addon } from '../../addon.js';
import { type Attempt, comparable, type Operation } from './operations.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

// In a build for them the C++ library frees by their operator delete, which is not seen here.
const sanitized = process.env['ASOF_BINDING']?.includes('build-asan') ?? false;

let known = 0;

/** Allocations that are not freed once finalizers of garbage have run, besides known ones. */
async function kept(): Promise<number> {
  let all = addon.watchedAllocations().kept;
  for (let round = 0; round < 4 && all > known; round += 1) {
    collect();
    await new Promise((resolve) => void setImmediate(resolve));
    all = addon.watchedAllocations().kept;
  }
  const more = Math.max(0, all - known);
  known = all;
  return more;
}

export interface Swept {
  /** What should not be. */
  wrong: string[];
}

/** The first `most` one by one, of the others about as many, farther and farther apart. */
function* points(allocations: number, most: number, random: () => number): Generator<number> {
  for (let n = 1; n <= Math.min(allocations, most); n += 1) yield n;
  const step = Math.max(1.01, (allocations / most) ** (1 / most));
  for (let n = most + 1; n <= allocations; n = Math.max(n + 1, Math.ceil(n * step)))
    yield Math.min(allocations, n + Math.floor(random() * n * (step - 1)));
}

async function outcomeOf(run: () => unknown): Promise<{ value: unknown } | { error: unknown }> {
  try {
    return { value: await run() };
  } catch (error) {
    return { error };
  }
}

async function resultOf(attempt: Attempt): Promise<unknown> {
  const value = await attempt.run();
  return comparable(attempt.after ? await attempt.after() : value);
}

async function once(prepare: Operation['prepare'], run = resultOf): Promise<unknown> {
  const attempt = await prepare();
  const result = await run(attempt);
  await attempt.end?.();
  return result;
}

interface SweepOptions {
  /** All allocations after the n-th fail too, until the call has ended. */
  lasting: boolean;
  random: () => number;
  most?: number;
}

/** A thread keeps what it made room for in its first calls; what later calls keep is a leak. */
export async function sweep(operation: Operation, options: SweepOptions): Promise<Swept> {
  const first = await sweepOnce(operation, options);
  return first.left === 0 ? first : sweepOnce(operation, options);
}

async function sweepOnce(
  { prepare }: Operation,
  { lasting, random, most = 40 }: SweepOptions,
): Promise<Swept & { left: number }> {
  const swept: Swept & { left: number } = { wrong: [], left: 0 };
  let allocations = 0;
  await once(prepare); // what is made once for all calls
  const expected = await once(prepare);
  await once(prepare, async (attempt) => {
    addon.watchAllocations(0, false);
    await attempt.run();
    allocations = addon.watchedAllocations().made;
  });
  // A function of its own, so that nothing of the last call is referred to afterwards.
  const failAt = async (n: number): Promise<void> => {
    const attempt = await prepare();
    addon.watchAllocations(n, lasting);
    const ended = await outcomeOf(attempt.run);
    if (addon.watchedAllocations().failed > 0) {
      const error = 'error' in ended ? ended.error : undefined;
      if (error && (!AsOfError.is(error) || error.code !== 'ERR_OUT_OF_MEMORY'))
        swept.wrong.push(`allocation ${n}: ${error instanceof Error ? error.stack : 'no error'}`);
      const again = await outcomeOf(() => (attempt.repeatable ? resultOf(attempt) : once(prepare)));
      if ('error' in again || !isDeepStrictEqual(again.value, expected))
        swept.wrong.push(
          `allocation ${n}, repeated: ${'error' in again ? String(again.error) : 'another result'}`,
        );
    }
    await attempt.end?.();
  };
  for (const n of points(allocations, most, random)) await failAt(n);
  swept.left = sanitized ? 0 : await kept();
  if (swept.left > 0) swept.wrong.push(`${swept.left} allocations are not freed`);
  return swept;
}
