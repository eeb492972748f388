// Every export of the addon with every wrong kind in every place: refused with an AsOfError that
// names what was expected, never a crash, a hang or another error. Fields of objects are spoiled
// one by one.
import assert from 'node:assert/strict';
import { binding } from '../../lib/binding.js';
import { addon } from '../addon.js';
import { AsOfError, errorCodes } from '../../lib/errors.js';
import { folder, goodCalls, type Call, type Kind } from './calls.js';
import { isDeliberate, outcomeOf } from './outcomes.js';

const wrongValues: Record<string, unknown> = {
  undefined: undefined,
  null: null,
  'a string': 'text',
  'an empty string': '',
  'a broken string': '\ud800',
  zero: 0,
  'a negative number': -1,
  'a fraction': 1.5,
  'a huge number': 1e300,
  NaN: NaN,
  infinity: Infinity,
  'a bigint': 1n,
  'a boolean': true,
  'a symbol': Symbol('s'),
  'an object': {},
  'a list': [],
  'a list of wrong things': [null, {}, 1],
  'a function': () => 1,
  'a date': new Date(),
  'an ArrayBuffer': new ArrayBuffer(8),
  'a DataView': new DataView(new ArrayBuffer(8)),
  'a Float64Array': new Float64Array(3),
  'a Float32Array': new Float32Array(3),
  'a Uint32Array': new Uint32Array(3),
  'an Int32Array': new Int32Array(3),
  'a Uint8Array': new Uint8Array(3),
  'a BigInt64Array': new BigInt64Array(3),
  'an empty Float32Array': new Float32Array(0),
  'an object without a prototype': Object.create(null),
  'a proxy': new Proxy({}, {}),
  'another class': new Map(),
};
const typeName = (value: unknown) =>
  ArrayBuffer.isView(value) ? value.constructor.name : typeof value;

/** Whether a value is of a kind that the place may accept; what it then means is its own check. */
function fits(value: unknown, kind: Kind, good: unknown): boolean {
  if (kind.startsWith('optional') && value === undefined) return true;
  switch (kind.replace('optional ', '')) {
    case 'array': {
      const wider = value instanceof Float64Array || value instanceof BigInt64Array;
      return typeName(value) === typeName(good) || (good instanceof Int32Array && wider);
    }
    case 'number':
      return typeof value === 'number';
    case 'count':
      return (
        value === undefined ||
        (typeof value === 'number' && value >= 0 && Number.isInteger(value) && value < 1e300)
      );
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return value === undefined || typeof value === 'boolean';
    case 'object':
      return typeof value === 'object' && value !== null;
    case 'handle':
      return false;
    case 'class':
      return typeof value === 'function';
    default:
      return value === undefined;
  }
}

describe('arguments of the addon', () => {
  let calls: Record<string, Call>;
  const home = process.cwd();
  before(async () => {
    process.chdir(folder); // where a wrong string is a good path, the file appears there
    calls = await goodCalls();
  });
  after(() => {
    process.chdir(home);
    binding.setErrorClass(AsOfError);
    addon.setThreadCount(0);
    addon.setIsa('');
  });

  it('test/boundary/calls.ts has a good call of every export', async () => {
    assert.deepEqual(Object.keys(calls).sort(), Object.keys(binding).sort());
    for (const [name, call] of Object.entries(calls)) {
      const outcome = await outcomeOf(name, call, call.args());
      assert.ok('value' in outcome, `${name}: ${'error' in outcome ? String(outcome.error) : ''}`);
    }
  });

  it('a wrong kind in any place is refused', async () => {
    for (const [name, call] of Object.entries(calls)) {
      for (const [place, kind] of call.kinds.entries()) {
        for (const [what, value] of Object.entries(wrongValues)) {
          // any function is a class until it is used
          if (name === 'setErrorClass' && typeof value === 'function') continue;
          const args = call.args();
          const good = args[place];
          args[place] = value;
          const outcome = await outcomeOf(name, call, args);
          addon.setThreadCount(0);
          addon.setIsa('');
          if ('error' in outcome) {
            assert.ok(
              isDeliberate(outcome.error),
              `${name}, argument ${place} ${what}: ${String((outcome.error as Error)?.stack ?? outcome.error)}`,
            );
          } else assert.ok(fits(value, kind, good), `${name}, argument ${place} accepted ${what}`);
        }
      }
    }
  });

  it('a wrong kind in any field of an object is rejected or read as absent', async () => {
    const wrong: string[] = [];
    for (const [name, call] of Object.entries(calls)) {
      for (const [place, kind] of call.kinds.entries()) {
        if (!kind.endsWith('object')) continue;
        const keys = Object.keys(call.args()[place] as object);
        for (const key of keys) {
          for (const [what, value] of Object.entries(wrongValues)) {
            const args = call.args();
            (args[place] as Record<string, unknown>)[key] = value;
            const outcome = await outcomeOf(name, call, args);
            if ('error' in outcome && !isDeliberate(outcome.error))
              wrong.push(`${name}, ${key} ${what}: ${String(outcome.error)}`);
          }
        }
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('missing arguments are refused', async () => {
    for (const [name, call] of Object.entries(calls)) {
      if (call.kinds.every((kind) => kind === 'cancellation')) continue;
      const outcome = await outcomeOf(name, call, []);
      assert.ok('error' in outcome && isDeliberate(outcome.error), name);
    }
  });

  it('an error thrown by a getter of the caller comes back as it is', async () => {
    const mine = new Error('mine');
    const trap = Object.defineProperty({ mean: 1, squares: 1 }, 'count', {
      get() {
        throw mine;
      },
    });
    assert.throws(
      () => addon.mergeMoments(trap as never, { count: 1, mean: 1, squares: 1 }),
      (error) => error === mine,
    );
  });

  it('a method borrowed onto another object is refused', () => {
    const cancel = binding.Cancellation.prototype.cancel;
    for (const receiver of [{}, null, new Map(), binding.MemoryRows.prototype])
      assert.throws(() => cancel.call(receiver as never));
    assert.throws(() => addon.topK(new Float32Array(1), 1, { cancel }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
    assert.throws(
      () => addon.topK(new Float32Array(1), 1, Object.create(binding.Cancellation.prototype)),
      { code: 'ERR_INVALID_ARGUMENT' },
    );
  });

  it('codes that the native side can raise are codes of lib/errors.ts', () => {
    for (const value of ['nonsense', '']) {
      try {
        addon.setIsa(value);
      } catch (error) {
        assert.ok(errorCodes.includes((error as AsOfError).code));
      }
    }
  });
});
