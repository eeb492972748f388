// Records of passages: limits of their fields.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { preparePassage, readRecord } from '../../../lib/store/passages/passages.js';
import { failsWith } from '../../failsWith.js';

const shape = { dimensions: 2, sentences: true, encodes: true, fields: {} };

describe('preparePassage', () => {
  it('takes fields of the greatest length', () => {
    const passage = {
      id: 'é'.repeat(500),
      text: '\u0001'.repeat(1 << 20),
      title: '\ufffd'.repeat(1000),
      metadata: { m: 'x'.repeat((1 << 18) - 8) },
    };
    const { stored } = preparePassage(passage, 0, shape);
    assert.deepEqual(stored, passage);
  });

  for (const [field, changes] of [
    ['id', { id: 'x\ud800' }],
    ['text', { text: 'a\udc00b' }],
    ['title', { title: '\ud800' }],
    ['series', { series: '\ud800' }],
    ['metadata.a[1]', { metadata: { a: ['', '\ud800'] } }],
    ['metadata["\\ud800"]', { metadata: { '\ud800': 1 } }],
  ] as const)
    it(`refuses a lone surrogate in ${field}`, () =>
      assert.throws(
        () => preparePassage({ id: 'x', text: 'y', ...changes }, 3, shape),
        failsWith('ERR_INVALID_ARGUMENT', /well-formed UTF-16.*Remove the lone surrogate/, {
          argument: field,
          index: 3,
        }),
      ));
});

describe('metadata', () => {
  const copyOf = (metadata: unknown): unknown => {
    const { record, stored } = preparePassage({ id: 'x', text: 'y', metadata } as never, 0, shape);
    assert.deepStrictEqual(readRecord(record, 'x').metadata, stored.metadata);
    return stored.metadata;
  };
  const cyclic: Record<string, unknown> = { a: {} };
  (cyclic['a'] as Record<string, unknown>)['b'] = cyclic;
  const match = Object.assign(['x'], { index: 0 });
  const deep = (levels: number): unknown =>
    JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
  let shared: unknown = 'x';
  for (let doublings = 0; doublings < 40; doublings += 1) shared = [shared, shared];

  for (const [path, metadata, expected] of [
    ['metadata', [], /a plain object of JSON values, received an array of 0/],
    ['metadata', new Map(), /a plain object/],
    ['metadata.n', { n: NaN }, /a finite number, received number NaN/],
    ['metadata.a[3]', { a: [1, 2, 3, -Infinity] }, /a finite number/],
    ['metadata.f', { f: () => 1 }, /a JSON value, received a function/],
    ['metadata.n', { n: 1n }, /a JSON value, received bigint 1/],
    ['metadata["a b"].s', { 'a b': { s: Symbol('x') } }, /a JSON value, received a symbol/],
    ['metadata.a[1]', { a: [1, undefined] }, /a JSON value, received undefined/],
    ['metadata.a[0]', { a: new Array(1) }, /a JSON value, received undefined/],
    ['metadata.a', { a: match }, /an array without names of its own/],
    ['metadata.m', { m: new Map([[1, 2]]) }, /a plain object, .* received Map/],
    ['metadata.d', { d: new Date(0) }, /a plain object.*Give its toISOString\(\)/],
    ['metadata.t.toJSON', { t: { toJSON: () => 1 } }, /a JSON value, received a function/],
    ['metadata.b', { b: new Uint8Array(2) }, /a plain object/],
    ['metadata.b', { b: new Number(1) }, /a plain object/],
    ['metadata', { [Symbol('x')]: 1 }, /without symbols as keys/],
    ['metadata.a.b', cyclic, /without cycles/],
    [
      'metadata',
      { a: shared },
      /at most 1,048,576 UTF-16 units of JSON, received Object with keys a/,
    ],
  ] as const)
    it(`is refused for ${path}: ${expected.source}`, () =>
      assert.throws(
        () => copyOf(metadata),
        failsWith('ERR_INVALID_ARGUMENT', expected, { argument: path, index: 0 }),
      ));

  it('refuses more than 1,000 levels', () => {
    assert.deepEqual(copyOf({ a: deep(999) }), { a: deep(999) });
    assert.throws(() => copyOf({ a: deep(1000) }), /at most 1000 levels deep/);
  });

  it('omits undefined properties, keeps __proto__, and has one zero', () => {
    const own = JSON.parse('{"__proto__":{"x":1},"constructor":2}') as Record<string, unknown>;
    assert.deepStrictEqual(copyOf({ a: undefined, b: [{ c: undefined }], d: -0 }), {
      b: [{}],
      d: 0,
    });
    assert.equal(JSON.stringify(copyOf(own)), JSON.stringify(own));
    assert.equal(({} as Record<string, unknown>)['x'], undefined);
  });

  it('of any value is refused, or comes back as it was', () => {
    const withoutUndefined = (value: unknown): unknown => {
      if (Object.is(value, -0)) return 0;
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map(withoutUndefined);
      const entries = Object.entries(value).filter(([, each]) => each !== undefined);
      return Object.fromEntries(entries.map(([key, each]) => [key, withoutUndefined(each)]));
    };
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withObjectString: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
      withUnicodeString: true,
    } as never);
    let stored = 0;
    fc.assert(
      fc.property(
        fc.oneof(anything, fc.dictionary(fc.string(), fc.oneof(anything, fc.jsonValue()))),
        (metadata) => {
          let copy: unknown;
          try {
            copy = copyOf(metadata);
          } catch (error) {
            failsWith('ERR_INVALID_ARGUMENT')(error);
            return;
          }
          if (copy !== undefined) stored += 1;
          assert.deepStrictEqual(copy, metadata === null ? undefined : withoutUndefined(metadata));
        },
      ),
      { numRuns: 3000 },
    );
    assert.ok(stored > 100);
  });
});

describe('the place of a chunk', () => {
  const chunk = { parent: 'a/b#c', start: 7, end: 11, headings: ['Part', 'Two'] };
  const passage = { id: 'a/b#c#12', text: 'One.', chunk };

  it('is part of the record', () => {
    const { record, stored } = preparePassage(passage, 0, shape);
    assert.deepEqual(stored, passage);
    assert.deepEqual(readRecord(record, 'x').chunk, chunk);
    const { headings: _, ...bare } = chunk;
    assert.deepEqual(preparePassage({ ...passage, chunk: bare }, 0, shape).stored.chunk, bare);
  });

  for (const [what, changes, pattern] of [
    ['of another parent', { parent: 'a/b' }, /a parent whose id, # and a number/],
    ['without a parent', { parent: undefined }, /a parent whose id/],
    ['of another length', { end: 12 }, /offsets as far apart as the text/],
    ['before the document', { start: -1, end: 3 }, /offsets/],
    ['under headings that are none', { headings: [1] }, /headings of at most 1000/],
    ['under too many headings', { headings: Array<string>(33).fill('h') }, /at most 32 headings/],
    ['with other fields', { page: 1 }, /an object \{ parent, start, end, headings \}/],
  ] as const)
    it(`is refused ${what}`, () =>
      assert.throws(
        () => preparePassage({ ...passage, chunk: { ...chunk, ...changes } as never }, 3, shape),
        failsWith('ERR_INVALID_ARGUMENT', pattern, { argument: 'chunk', index: 3 }),
      ));

  it('needs a number without leading zeros in the id', () => {
    for (const id of ['a/b#c#', 'a/b#c#01', 'a/b#c#x', 'a/b#c#1234567890', 'a/b#c'])
      assert.throws(
        () => preparePassage({ ...passage, id }, 0, shape),
        failsWith('ERR_INVALID_ARGUMENT'),
      );
  });
});
