// Schemas as node-llama-cpp's grammars read them: what becomes of optional properties, choices and
// types in lists, what is left to validation, what gives no grammar, and that an answer under the
// grammar, nulls taken out, fits the schema.
import assert from 'node:assert/strict';
import { Validator, type Schema } from '@cfworker/json-schema';
import { grammarSchema, withoutNulls } from '../../../lib/models/gguf/grammarSchema.js';

const text = { type: 'string' };
const whole = { type: 'integer' };
const object = (
  properties: object,
  required: string[] = Object.keys(properties),
  more: object = {},
) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
  ...more,
});

describe('adapters: schemas as grammars', () => {
  it('requires every property, the optional ones with null', () => {
    assert.deepEqual(grammarSchema(object({ a: whole, b: text }, ['a'])), {
      type: 'object',
      properties: { a: whole, b: { oneOf: [text, { type: 'null' }] } },
    });
  });

  it('keeps what grammars know and leaves the rest to validation', () => {
    const schema = object({
      a: { type: 'integer', minimum: 3, description: 'x' },
      b: { type: 'string', pattern: '^x', minLength: 1, maxLength: 9 },
      c: { type: 'string', format: 'date' },
      d: { type: 'string', format: 'email' },
    });
    assert.deepEqual(grammarSchema(schema), {
      type: 'object',
      properties: {
        a: whole,
        b: { type: 'string', minLength: 1, maxLength: 9 },
        c: { type: 'string', format: 'date' },
        d: text,
      },
    });
    assert.deepEqual(
      grammarSchema({
        type: 'array',
        items: { enum: ['a', 1, null] },
        minItems: 1,
        maxItems: 3,
        uniqueItems: true,
      }),
      {
        type: 'array',
        items: { enum: ['a', 1, null] },
        minItems: 1,
        maxItems: 3,
      },
    );
    assert.deepEqual(grammarSchema({ type: ['string', 'null'], maxLength: 3 }), {
      oneOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }],
    });
    assert.deepEqual(
      grammarSchema({
        anyOf: [{ const: 'x' }, { $ref: '#/$defs/p' }],
        $defs: { p: object({ a: whole }) },
      }),
      {
        oneOf: [{ const: 'x' }, { $ref: '#/$defs/p' }],
        $defs: { p: { type: 'object', properties: { a: whole } } },
      },
    );
    assert.deepEqual(grammarSchema({ type: 'object' }), {
      type: 'object',
      additionalProperties: true,
    });
    assert.deepEqual(grammarSchema({ properties: { a: whole }, required: ['a'] }), {
      type: 'object',
      properties: { a: whole },
    });
  });

  it('gives no grammar where one would bind to something else', () => {
    const without: Record<string, unknown>[] = [
      {},
      { not: text },
      { allOf: [object({ a: whole })] },
      object({ a: {} }),
      object({ a: whole }, ['a', 'b']),
      object({ a: true }),
      { enum: [{ a: 1 }] },
      { const: [1] },
      { $ref: 'elsewhere.json' },
      object({ a: whole }, ['a'], { patternProperties: { x: text } }),
      { anyOf: [text], type: 'string' },
      { anyOf: [text], oneOf: [whole] },
      { type: 'array', contains: whole },
      { anyOf: [text], if: {} },
    ];
    assert.deepEqual(
      without.map(grammarSchema),
      without.map(() => undefined),
    );
  });

  it('takes out only the nulls that stand for something left out', () => {
    const page = object({ page: whole, side: text }, ['page']);
    const schema = object(
      {
        a: whole,
        b: text,
        c: { type: ['string', 'null'] },
        d: { anyOf: [{ $ref: '#/$defs/page' }, { type: 'null' }] },
        list: { type: 'array', items: { $ref: '#/$defs/page' } },
        e: { enum: ['x', null] },
      },
      ['a', 'list'],
      { $defs: { page } },
    );
    const answer = {
      a: 1,
      b: null,
      c: null,
      d: { page: 2, side: null },
      list: [
        { page: 3, side: null },
        { page: 4, side: 'left' },
      ],
      e: null,
    };
    const restored = withoutNulls(answer, schema);
    assert.deepEqual(restored, {
      a: 1,
      c: null,
      d: { page: 2 },
      list: [{ page: 3 }, { page: 4, side: 'left' }],
      e: null,
    });
    const validator = new Validator(structuredClone(schema) as Schema, '2020-12');
    assert.ok(validator.validate(restored).valid);
    assert.ok(!validator.validate(answer).valid);
    assert.equal(withoutNulls(null, schema), null);
    assert.deepEqual(withoutNulls({ a: null }, { type: 'object' }), { a: null });
    const loop = { $ref: '#/$defs/l', $defs: { l: { $ref: '#/$defs/l' } } };
    assert.deepEqual(withoutNulls({ a: null }, loop), { a: null });
  });
});
