// Words by how they are written: which are common, which are somebody's surname.
import assert from 'node:assert/strict';
import { capitalizedWords, lowercaseWords, surnames } from '../../lib/text/words.js';

describe('text: words by their capitals', () => {
  it('takes as common what is in lower case, apostrophes inside', () => {
    assert.deepEqual(
      lowercaseWords("Who's the Wimbledon women's singles champion of 1999, über-fast?"),
      ['the', "women's", 'singles', 'champion', 'of', 'über', 'fast'],
    );
    assert.deepEqual(lowercaseWords('COVID-19 iPhone x2 McEnroe'), ['iPhone', 'x']);
    assert.deepEqual(lowercaseWords(''), []);
  });

  it('takes as capitalised what opens a text only where a name stands so', () => {
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

  it('takes as surnames the last of capitalised words', () => {
    assert.deepEqual(surnames('Jonas Svensson of SWE beat Thierry Champion of FRA.'), [
      'Svensson',
      'Champion',
    ]);
    assert.deepEqual(surnames('the Prime Minister met Champion'), ['Minister']);
    assert.deepEqual(surnames("The Women's Singles and the Men’s Final"), []);
    assert.deepEqual(surnames('the Champion won'), []);
  });
});
