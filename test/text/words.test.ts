// Words by case: common words, capitalised words, surnames.
import assert from 'node:assert/strict';
import { capitalizedWords, lowercaseWords, surnames } from '../../lib/text/words.js';

describe('text: words by case', () => {
  it('classifies words in lower case as common, with inner apostrophes', () => {
    assert.deepEqual(
      lowercaseWords("Who's the Wimbledon women's singles champion of 1999, über-fast?"),
      ['the', "women's", 'singles', 'champion', 'of', 'über', 'fast'],
    );
    assert.deepEqual(lowercaseWords('COVID-19 iPhone x2 McEnroe'), ['iPhone', 'x']);
    assert.deepEqual(lowercaseWords(''), []);
  });

  it('counts the first word as capitalised only in the position of a name', () => {
    assert.deepEqual(capitalizedWords('How many COVID-19 cases had the Isle of Man?'), [
      'COVID-19',
      'Isle',
      'Man',
    ]);
    assert.deepEqual(capitalizedWords('Dover: how warm?'), ['Dover']);
    assert.deepEqual(capitalizedWords("Dover's mayor"), ["Dover's"]);
    assert.deepEqual(capitalizedWords('How, in Óbidos, is it?'), ['How', 'Óbidos']);
    assert.deepEqual(capitalizedWords('how warm is dover'), []);
    assert.deepEqual(capitalizedWords(''), []);
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
