// Words by case: common words, surnames.
import assert from 'node:assert/strict';
import { lowercaseWords, surnames } from '../../lib/text/pieces.js';

describe('text: words by case', () => {
  it('classifies words in lower case as common, with inner apostrophes', () => {
    assert.deepEqual(
      lowercaseWords("Who's the Wimbledon women's singles champion of 1999, über-fast?"),
      ['the', "women's", 'singles', 'champion', 'of', 'über', 'fast'],
    );
    assert.deepEqual(lowercaseWords('COVID-19 iPhone x2 McEnroe'), ['iPhone', 'x']);
    assert.deepEqual(lowercaseWords(''), []);
  });

  it('takes the last of several capitalised words as a surname', () => {
    assert.deepEqual(surnames('Jonas Svensson of SWE beat Thierry Champion of FRA.'), [
      'Svensson',
      'Champion',
    ]);
    assert.deepEqual(surnames('the Prime Minister met Champion'), ['Minister']);
    assert.deepEqual(surnames("The Women's Singles and the Men’s Final"), []);
    assert.deepEqual(surnames('the Champion won'), []);
  });
});
