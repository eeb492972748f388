// What a question asks of series: the words that are left to search for.
import assert from 'node:assert/strict';
import { withoutAsking } from '../../../lib/facts/question/question.js';
import { englishAnalyzer } from '../../../lib/text/analyzer.js';

const terms = (text: string): string[] =>
  englishAnalyzer().analyze(withoutAsking(text, { text, askedAt: '2020-06-01' }));

describe("a question's words to search for", () => {
  it('are without those of asking and of order', () => {
    assert.deepEqual(terms('Which version of acorn is the newest?'), ['acorn']);
    assert.deepEqual(terms('What was the first release of the Trefoil parser?'), [
      'trefoil',
      'parser',
    ]);
    assert.deepEqual(terms('What is the latest version?'), []);
  });

  it('are all of a query of no others, which asks for no order', () => {
    assert.deepEqual(terms('release'), ['releas']);
    assert.deepEqual(terms('What is the amount?'), ['what', 'amount']);
  });

  it('keep words of asking and of order in names', () => {
    assert.deepEqual(terms('Who painted the Last Supper?'), ['paint', 'last', 'supper']);
    assert.deepEqual(terms('When was The Figure of the Earth printed?'), [
      'figur',
      'earth',
      'print',
    ]);
  });
});
