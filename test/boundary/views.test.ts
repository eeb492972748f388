// Typed arrays that are not simple: views into the middle of a buffer, odd byte offsets, detached,
// shared, resized and huge ones.
import assert from 'node:assert/strict';
import { binding } from '../../lib/binding.js';
import { addon } from '../addon.js';
import { normals } from '../kernels/levels.js';
import { goodCalls, type Call } from './calls.js';
import { isDeliberate, outcomeOf } from './outcomes.js';

type TypedArray =
  | Float32Array
  | Float64Array
  | Uint32Array
  | Int32Array
  | Uint8Array
  | BigInt64Array;

/**
 * The same values in a view `elements` elements into a larger buffer whose other bytes are all
 * ones.
 */
function moved<T extends TypedArray>(
  view: T,
  elements: number,
  Buffer: new (bytes: number) => ArrayBuffer | SharedArrayBuffer = ArrayBuffer,
): T {
  const size = view.BYTES_PER_ELEMENT;
  const buffer = new Buffer((view.length + elements + 3) * size);
  new Uint8Array(buffer).fill(255);
  const Class = view.constructor as new (
    buffer: ArrayBufferLike,
    offset: number,
    length: number,
  ) => T;
  const copy = new Class(buffer, elements * size, view.length);
  copy.set(view as never);
  return copy;
}

/** Every typed array of a call's arguments replaced, fields of objects included. */
function mapArrays(args: unknown[], change: (view: TypedArray) => unknown): unknown[] {
  return args.map((argument) => {
    if (ArrayBuffer.isView(argument)) return change(argument as TypedArray);
    if (
      argument === null ||
      typeof argument !== 'object' ||
      Object.getPrototypeOf(argument) !== Object.prototype
    )
      return argument;
    return Object.fromEntries(
      Object.entries(argument).map(([key, value]) => [
        key,
        ArrayBuffer.isView(value) ? change(value as TypedArray) : value,
      ]),
    );
  });
}

describe('typed arrays given to the addon', () => {
  let calls: Record<string, Call>;
  before(async () => {
    const all = await goodCalls();
    calls = Object.fromEntries(
      Object.entries(all).filter(([, call]) =>
        mapArrays(call.args(), () => 'seen').some(
          (each, at) => each !== call.args()[at] && JSON.stringify(each)?.includes('seen'),
        ),
      ),
    );
    assert.ok(Object.keys(calls).length > 10);
  });

  const plain = (value: unknown) =>
    JSON.stringify(value, (_, each) =>
      ArrayBuffer.isView(each)
        ? [...(each as Float32Array)].map(String)
        : typeof each === 'bigint'
          ? String(each)
          : each,
    );

  for (const elements of [1, 3]) {
    it(`are read from where a view begins, ${elements} elements into its buffer`, async () => {
      for (const [name, call] of Object.entries(calls)) {
        const [expected, found] = [
          await outcomeOf(name, call, call.args()),
          await outcomeOf(
            name,
            call,
            mapArrays(call.args(), (view) => moved(view, elements)),
          ),
        ];
        assert.equal(plain(found), plain(expected), name);
      }
    });
  }

  it('may be backed by shared memory', async () => {
    for (const [name, call] of Object.entries(calls)) {
      const [expected, found] = [
        await outcomeOf(name, call, call.args()),
        await outcomeOf(
          name,
          call,
          mapArrays(call.args(), (view) => moved(view, 1, SharedArrayBuffer)),
        ),
      ];
      if ('error' in found) assert.ok(isDeliberate(found.error), `${name}: ${String(found.error)}`);
      else assert.equal(plain(found), plain(expected), name);
    }
  });

  it('are refused where their buffer was detached', async () => {
    for (const [name, call] of Object.entries(calls)) {
      const places = call
        .args()
        .flatMap((argument, place) => (ArrayBuffer.isView(argument) ? [place] : []));
      for (const place of places) {
        const args = call.args();
        const view = args[place] as TypedArray;
        structuredClone(view.buffer, { transfer: [view.buffer as ArrayBuffer] });
        const outcome = await outcomeOf(name, call, args);
        assert.ok(
          'error' in outcome && isDeliberate(outcome.error),
          `${name}, argument ${place}: ${JSON.stringify(outcome)}`,
        );
        assert.match((outcome.error as Error).message, /detached|transferred/, name);
      }
      const spoiled = await outcomeOf(
        name,
        call,
        mapArrays(call.args(), (given) => {
          const view = moved(given, 0); // Node refuses to transfer the pool of its buffers
          structuredClone(view.buffer, { transfer: [view.buffer as ArrayBuffer] });
          return view;
        }),
      );
      assert.ok(
        'error' in spoiled && isDeliberate(spoiled.error),
        `${name}: ${JSON.stringify(spoiled)}`,
      );
    }
  });

  it('may be resizable, and a view beyond its resized buffer is rejected or empty', async () => {
    const Resizable = ArrayBuffer as unknown as new (
      length: number,
      options: { maxByteLength: number },
    ) => ArrayBuffer & { resize(length: number): void };
    for (const [name, call] of Object.entries(calls)) {
      for (const left of [0, 4]) {
        const args = mapArrays(call.args(), (view) => {
          const buffer = new Resizable(view.byteLength + 16, { maxByteLength: 4096 });
          const Class = view.constructor as new (
            buffer: ArrayBuffer,
            offset: number,
            length?: number,
          ) => TypedArray;
          const fixed = new Class(buffer, 8, view.length);
          fixed.set(view as never);
          buffer.resize(left);
          return fixed;
        });
        const outcome = await outcomeOf(name, call, args);
        assert.ok(
          'value' in outcome || isDeliberate(outcome.error),
          `${name}: ${JSON.stringify(outcome)}`,
        );
      }
    }
  });

  it('are copied when called: what the caller changes afterwards does not matter', async () => {
    const queries = normals(3 * 65, 1);
    const rows = normals(5000 * 65, 2);
    const expected = await binding.innerProduct(queries, rows, 65);
    const task = binding.innerProduct(queries, rows, 65);
    queries.fill(NaN);
    structuredClone(rows.buffer, { transfer: [rows.buffer as ArrayBuffer] });
    assert.deepEqual(await task, expected);
  });

  it('that cannot be multiplied out are refused before anything is allocated', () => {
    assert.throws(() => binding.innerProduct(new Float32Array(5), new Float32Array(4), 4), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /queries.*vectors of 4.*array of 5/,
    });
    assert.throws(() => binding.innerProduct(new Float32Array(4), new Float32Array(5), 4), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /rows/,
    });
    assert.throws(
      () =>
        addon.film({
          x: new Float32Array(4),
          gamma: new Float32Array(3),
          beta: new Float32Array(4),
          alpha: 1,
          timed: new Uint8Array(1),
          dimensions: 4,
        }),
      {
        code: 'ERR_INVALID_ARGUMENT',
        message: /gamma/,
      },
    );
    assert.throws(
      () =>
        addon.film({
          x: new Float32Array(4),
          gamma: new Float32Array(4),
          beta: new Float32Array(4),
          alpha: 1,
          timed: new Uint8Array(2),
          dimensions: 4,
        }),
      {
        code: 'ERR_INVALID_ARGUMENT',
        message: /timed/,
      },
    );
    assert.throws(() => addon.topK(new Float32Array(4), 2 ** 33), {
      code: 'ERR_INVALID_ARGUMENT',
    });
  });
});
