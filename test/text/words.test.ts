// Words by how they are written: which are common, which are somebody's surname.
import assert from 'node:assert/strict';
import { commonWords, surnames } from '../../lib/text/words.js';

describe('text: words by their capitals', () => {
  it('takes as common what is in lower case, apostrophes inside', () => {
    assert.deepEqual(commonWords("Who's the Wimbledon women's singles champion of 1999, über-fast?"), [
      'the', "women's", 'singles', 'champion', 'of', 'über', 'fast',
    ]);
    assert.deepEqual(commonWords('COVID-19 iPhone x2 McEnroe'), ['iPhone', 'x']);
    assert.deepEqual(commonWords(''), []);
  });

  it('takes as surnames the last of capitalised words', () => {
    assert.deepEqual(surnames('Jonas Svensson of SWE beat Thierry Champion of FRA.'), ['Svensson', 'Champion']);
    assert.deepEqual(surnames('the Prime Minister met Champion'), ['Minister']);
    assert.deepEqual(surnames("The Women's Singles and the Men’s Final"), []);
    assert.deepEqual(surnames('the Champion won'), []);
  });
});
