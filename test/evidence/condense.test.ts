// Condensing a passage by extraction: which sentences are taken, whose dates count, and when there is nothing to condense.
import assert from 'node:assert/strict';
import { condense, type DatedSentence } from '../../lib/evidence/summary/condense.js';

const year = (y: number) => ({ start: Date.UTC(y, 0), end: Date.UTC(y + 1, 0), granularity: 'year' as const });
const sentence = (text: string, ...years: number[]): DatedSentence => ({
  text,
  terms: new Set(text.toLowerCase().match(/\w+/g)),
  dates: years.map(year),
});
const wanted = (terms: string, beside = '') => ({ terms: new Set(terms.split(' ')), beside: new Set(beside === '' ? [] : [beside]) });

describe('condense', () => {
  const record = [sentence('The medal in botany 1927', 1927), sentence('Born 1877 in Varn', 1877), sentence('Died 1957', 1957), sentence('Share 1')];

  it('takes the fewest sentences that say what is asked, in their order', () => {
    assert.equal(condense(record, wanted('born medal botany'))?.text, 'The medal in botany 1927 Born 1877 in Varn');
  });

  it('has the dates of the sentence that the constraint hangs on', () => {
    assert.deepEqual(condense(record, wanted('born medal botany', 'born'))?.dates, [year(1877)]);
    assert.deepEqual(condense(record, wanted('born medal botany', 'botany'))?.dates, [year(1927)]);
    assert.deepEqual(condense(record, wanted('born medal botany', 'anywhere'))?.dates, [year(1927), year(1877)]);
  });

  it('adds the nearest date to sentences without one', () => {
    const story = [
      sentence('The first season began on air 2018', 2018), sentence('It was filmed at sea'), sentence('The winner was Ann'),
      sentence('A sequel came 2021', 2021),
    ];
    assert.deepEqual(condense(story, wanted('winner')), { text: 'The winner was Ann A sequel came 2021', dates: [year(2021)] });
  });

  it('has nothing to add to one sentence, or to none that says anything', () => {
    assert.equal(condense(record.slice(0, 1), wanted('medal')), undefined);
    assert.equal(condense(record, wanted('zebra')), undefined);
    assert.equal(condense(record, wanted('died')), undefined);
  });
});
