// Highlights: which words and times of a text they name, by their offsets.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bm25, hybrid, type Corpus, type Passage } from '../../lib/index.js';
import { englishAnalyzer, termSpans } from '../../lib/text/analyzer.js';
import { withCorpus } from '../corpus.js';
import { failsWith } from '../failsWith.js';
import { assertEach } from '../assertEach.js';

const passages: Passage[] = [
  {
    id: 'fee',
    text: 'On 4 May 2021 the harbour’s fees rose; 𝒳 Harbours charge fees. In 1990 there was none.',
    publishedAt: '2021-05-05',
  },
  { id: 'news', text: 'Yesterday the harbour fee fell.', publishedAt: '2021-05-20' },
  { id: 'marks', text: 'A cafe\u0301 by the harbour. The Cafés of May.' },
];

describe('highlights', () => {
  let corpus: Corpus;
  withCorpus(passages, (opened) => (corpus = opened));

  async function marked(text: string, id: string, system = hybrid({ corpus })) {
    const asked = { text, askedAt: '2022-01-01' };
    const { evidence } = await system.run(asked, { highlights: true });
    const found = evidence.find((each) => each.id === id)!;
    return found.highlights!.map(({ start, end, kind }) => [kind, found.text.slice(start, end)]);
  }

  it('are the words of the search in all forms, and the times that are asked for', async () => {
    assert.deepEqual(await marked('What was the harbour fee in May 2021?', 'fee'), [
      ['time', 'On 4 May 2021'],
      ['term', 'harbour’s'],
      ['term', 'fees'],
      ['term', 'Harbours'],
      ['term', 'fees'],
    ]);
    assert.deepEqual(await marked('What was the harbour fee in May 2021?', 'news'), [
      ['time', 'Yesterday'],
      ['term', 'harbour'],
      ['term', 'fee'],
    ]);
    assert.deepEqual(
      (await marked('What was the harbour fee before 2000?', 'fee')).filter(
        ([kind]) => kind === 'time',
      ),
      [['time', 'In 1990']],
    );
  });

  it('are words alone of a question without a time', async () => {
    const words = await marked('harbour fee', 'fee', bm25({ corpus }));
    assertEach(words, ([kind]) => kind, ['term', 'term', 'term', 'term']);
  });

  it('have offsets into the text as it is written, composed or not', async () => {
    assert.deepEqual(await marked('Which café is by the harbour?', 'marks'), [
      ['term', 'cafe\u0301'],
      ['term', 'harbour'],
      ['term', 'Cafés'],
    ]);
  });

  it('are made where they are asked for only', async () => {
    const { evidence } = await hybrid({ corpus }).run({ text: 'harbour fee' });
    assert.ok(evidence.every((each) => !('highlights' in each)));
    await assert.rejects(
      hybrid({ corpus }).run({ text: 'harbour fee' }, { highlights: 1 as never }),
      failsWith('ERR_INVALID_ARGUMENT', /highlights to be a boolean/),
    );
  });

  it('are the words that the analyzer makes these terms of, of any text', () => {
    const { analyze } = englishAnalyzer();
    const word = fc.constantFrom('Mills', 'mill', 'U.S.', 'US', '1,234', '1234', 'the', "o'neil");
    const other = fc.constantFrom(' ', ', ', '. ', '-', '\ud83d\ude00', '\ud800', '\u0301', ' – ');
    const text = fc
      .array(fc.tuple(word, other), { maxLength: 12 })
      .map((each) => each.flat().join(''));
    fc.assert(
      fc.property(text, fc.subarray(['mill', 'us', '1234', "o'neil", 'none']), (written, terms) => {
        const spans = termSpans(written, terms);
        for (const [at, { start, end }] of spans.entries()) {
          assert.ok(start < end && start >= (spans[at - 1]?.end ?? 0));
          const [term, ...more] = analyze(written.slice(start, end));
          assert.ok(terms.includes(term!) && more.length === 0, written);
        }
        const expected = analyze(written).filter((term) => terms.includes(term));
        assert.equal(spans.length, expected.length, JSON.stringify(written));
      }),
    );
  });
});
