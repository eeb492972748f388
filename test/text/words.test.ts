// Words by how they are written: which are common, which are somebody's surname.
import assert from 'node:assert/strict';
import { capitalised, commonWords, surnames } from '../../lib/text/words.js';

describe('text: words by their capitals', () => {
  it('takes as common what is in lower case, apostrophes inside', () => {
    assert.deepEqual(
      commonWords("Who's the Wimbledon women's singles champion of 1999, über-fast?"),
      ['the', "women's", 'singles', 'champion', 'of', 'über', 'fast'],
    );
    assert.deepEqual(commonWords('COVID-19 iPhone x2 McEnroe'), ['iPhone', 'x']);
    assert.deepEqual(commonWords(''), []);
  });

  it('takes as capitalised what opens a text only where a name stands so', () => {
    assert.deepEqual(capitalised('How many COVID-19 cases had the Isle of Man?'), [
      'COVID-19',
      'Isle',
      'Man',
    ]);
    assert.deepEqual(capitalised('Dover: how warm?'), ['Dover']);
    assert.deepEqual(capitalised("Dover's mayor"), ["Dover's"]);
    assert.deepEqual(capitalised('How, in Óbidos, is it?'), ['How', 'Óbidos']);
    assert.deepEqual(capitalised('how warm is dover'), []);
    assert.deepEqual(capitalised(''), []);
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
