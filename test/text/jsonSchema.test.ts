// Checks by schemas, beside an independent validator.
import assert from 'node:assert/strict';
import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { schemaFaults } from '../../lib/text/jsonSchema.js';

const whole = (least: number, most: number) => fc.integer({ min: least, max: most });
/** Few names and values, so that many of them fit. */
const name = fc.constantFrom('a', 'b', '__proto__', 'toString');
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, 0, 1, 2.5, -3, '', 'a', 'bb', 'ccc'),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(name, tie('any'), { maxKeys: 3 }),
  ),
})).any;
const limited = (least: string, most: string) =>
  fc.record({ [least]: whole(0, 2), [most]: whole(0, 3) }, { requiredKeys: [] });
const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', 'array', 'object');
const schema = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constant({}),
    fc.record({ type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 2 })) }),
    fc.record({ enum: fc.array(fc.constantFrom<unknown>('a', 1, null), { minLength: 1 }) }),
    limited('minimum', 'maximum'),
    limited('minLength', 'maxLength'),
    fc.record({ type: fc.constant('string'), pattern: fc.constantFrom('^a', 'b+$') }),
    fc
      .record({ items: tie('any') }, { requiredKeys: [] })
      .chain((given) => limited('minItems', 'maxItems').map((more) => ({ ...given, ...more }))),
    fc.record(
      {
        properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('any'), { maxKeys: 2 }),
        required: fc.uniqueArray(name, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('any')),
      },
      { requiredKeys: [] },
    ),
  ),
})).any as fc.Arbitrary<Record<string, unknown>>;

/** The first fault, in words. */
const faultOf = (given: object, instance: unknown): string | undefined =>
  [...schemaFaults(given as Record<string, unknown>, 'the value')(instance)][0]?.message;

describe('a check by a schema', () => {
  it('takes what an independent validator takes', () => {
    fc.assert(
      fc.property(schema, value, (given, instance) => {
        // Own properties alone, as of parsed JSON.
        const plain = JSON.parse(JSON.stringify(instance)) as unknown;
        const validator = new Validator(structuredClone<object>(given), '2020-12', false);
        assert.equal(faultOf(given, plain) === undefined, validator.validate(plain).valid);
      }),
      { numRuns: 2000 },
    );
  });

  it('says where, what fits and what was received', () => {
    const item = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } };
    const given = {
      type: 'object',
      additionalProperties: false,
      properties: {
        k: { type: 'integer', minimum: 1, maximum: 1000 },
        mode: { enum: ['news', 'narrative'] },
        title: { type: ['string', 'null'], maxLength: 5 },
        items: { type: 'array', minItems: 1, maxItems: 2, items: item },
      },
    };
    const cases: readonly [unknown, string][] = [
      [[], 'Expected the value to be an object, received an array of 0.'],
      [{ k: 1001 }, 'Expected k to be a whole number from 1 to 1,000, received number 1001.'],
      [{ mode: 'n' }, 'Expected mode to be one of news, narrative, received the string "n".'],
      [
        { title: 'longer' },
        'Expected title to be a string of 0 to 5 characters or null, received the string "longer".',
      ],
      [{ items: [] }, 'Expected items to be a list of 1 to 2 objects, received an array of 0.'],
      [
        { items: [{ text: 'a' }, { txt: 1 }] },
        'Expected items[1] to have text, received txt. Give text: a string.',
      ],
      [{ items: [{ text: 1 }] }, 'Expected items[0].text to be a string, received number 1.'],
      [
        { tile: 'a' },
        'Expected the value to be an object of k, mode, title, items, received the string ' +
          '"tile". Did you mean title?',
      ],
    ];
    for (const [instance, message] of cases) assert.equal(faultOf(given, instance), message);
  });

  it('looks at no element of a list that is too long', () => {
    const items = { type: 'object', properties: { a: { type: 'string' } } };
    const long = [{}, {}];
    Object.defineProperty(long, 2, { get: () => assert.fail('an element was read') });
    assert.match(faultOf({ type: 'array', maxItems: 2, items }, long) ?? '', /a list of 0 to 2/);
  });

  it('refuses keywords and types that it does not know, in any part', () => {
    for (const given of [
      { $ref: '#/a' },
      { properties: { a: { format: 'date' } } },
      { items: { type: 'text' } },
      { additionalProperties: { not: {} } },
    ])
      assert.throws(() => schemaFaults(given, 'it'), {
        code: 'ERR_INVALID_ARGUMENT',
        message: /^Expected schema to be /,
      });
  });
});
