// Records of passages: limits of their fields, and title and text from a record's bytes.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { plainTexts, preparePassage } from '../../lib/store/passages.js';

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
