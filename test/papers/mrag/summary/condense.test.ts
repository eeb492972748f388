// Condensing a passage by extraction: which sentences are taken, whose dates count, and when there
// is nothing to condense.
import assert from 'node:assert/strict';
import { condense } from '../../../../lib/papers/mrag/summary/summarise.js';

interface Sentence {
  words: string[];
  dated: boolean;
}
const sentence = (text: string, dated = false): Sentence => ({
  words: text.toLowerCase().match(/\w+/g) ?? [],
  dated,
});

/** The places of what is condensed of the sentences behind their title. */
function condensed(sentences: readonly Sentence[], wanted: string, beside = '', title = '') {
  const said = title.split(' ');
  const open = (words: string): Set<string> =>
    new Set(words.split(' ').filter((word) => word !== '' && !said.includes(word)));
  const all = sentences.map(({ words, dated }, at) => ({
    at,
    terms: new Set(words),
    dates: dated ? [{ start: 0, end: 1, granularity: 'day' as const }] : [],
  }));
  const found = condense(all, new Set([...open(wanted), ...open(beside)]), open(beside));
  const places = (some: readonly { at: number }[]): number[] => some.map(({ at }) => at);
  return found && { chosen: places(found.chosen), dating: places(found.dating) };
}

describe('condense', () => {
  const record = [
    sentence('The medal in botany 1927', true),
    sentence('Born 1877 in Varn', true),
    sentence('Died 1957', true),
    sentence('Share 1'),
  ];

  it('takes the fewest sentences that say what is asked, in their order', () => {
    assert.deepEqual(condensed(record, 'born medal botany')?.chosen, [0, 1]);
  });

  it('has the dates of the sentence that the constraint hangs on', () => {
    assert.deepEqual(condensed(record, 'born medal botany', 'born')?.dating, [1]);
    assert.deepEqual(condensed(record, 'born medal botany', 'botany')?.dating, [0]);
    assert.deepEqual(condensed(record, 'born medal botany', 'anywhere')?.dating, [0, 1]);
    assert.deepEqual(condensed(record, 'born medal botany', 'born', 'born')?.dating, undefined);
  });

  it('adds the nearest date to sentences without one', () => {
    const story = [
      sentence('The first season began on air 2018', true),
      sentence('It was filmed at sea'),
      sentence('The winner was Ann'),
      sentence('A sequel came 2021', true),
    ];
    assert.deepEqual(condensed(story, 'winner')?.chosen, [2, 3]);
  });

  it('has nothing to add to one sentence, or to none that says anything', () => {
    assert.equal(condensed(record.slice(0, 1), 'medal'), undefined);
    assert.equal(condensed(record, 'zebra'), undefined);
    assert.equal(condensed(record, 'died'), undefined);
  });
});
