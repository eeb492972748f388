// Records of passages: limits of their fields, and title and text from a record's bytes.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { plainTexts, preparePassage, readRecord } from '../../../lib/store/passages/passages.js';
import { failsWith } from '../../failsWith.js';

const shape = { dimensions: 2, sentences: true, encodes: true, fields: {} };
const bytesOf = (passage: Parameters<typeof preparePassage>[0]): string =>
  Buffer.from(preparePassage(passage, 0, shape).record, 'utf8').toString('latin1');

describe('preparePassage', () => {
  it('takes fields of the greatest length', () => {
    const passage = {
      id: 'é'.repeat(500),
      text: '\u0001'.repeat(1 << 20),
      title: '\ud800'.repeat(1000),
      metadata: { m: 'x'.repeat((1 << 18) - 8) },
    };
    const { stored } = preparePassage(passage, 0, shape);
    assert.deepEqual(stored, { ...passage, title: '\ufffd'.repeat(1000) });
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

describe('plainTexts', () => {
  it('reads plain records only', () => {
    assert.deepEqual(
      plainTexts(bytesOf({ id: 'a', text: 'One.', title: '', publishedAt: '2020' })),
      { text: 'One.', title: '' },
    );
    assert.deepEqual(plainTexts(bytesOf({ id: 'a', text: 'One.', metadata: { title: 'é' } })), {
      text: 'One.',
    });
    assert.equal(plainTexts(bytesOf({ id: 'a', text: 'One.', title: 'É' })), undefined);
    assert.equal(plainTexts(bytesOf({ id: 'a', text: 'One\n.' })), undefined);
  });

  it('equals the parsed record whenever it returns a value', () => {
    const text = fc.string({
      unit: fc.constantFrom(
        'a',
        'B',
        ' ',
        '"',
        '\\',
        ',',
        ':',
        'é',
        '\ud800',
        '\u007f',
        '{',
        '\u2028',
      ),
    });
    const fields = {
      id: fc.string({ minLength: 1 }),
      text,
      title: text,
      metadata: fc.dictionary(text, text),
    };
    const passage = fc.record(fields, { requiredKeys: ['id', 'text'] });
    fc.assert(
      fc.property(passage, (given) => {
        fc.pre(!/\p{Surrogate}/u.test(given.id) && given.text.trim() !== '');
        const { text, title } = preparePassage(given, 0, shape).stored;
        const read = plainTexts(bytesOf(given));
        if (read) assert.deepEqual(read, { text, ...(title === undefined ? {} : { title }) });
        else assert.ok(/["\\]|[^ -~]/.test(given.id + text + (title ?? '')));
      }),
      { numRuns: 2000 },
    );
  });
});
