// The first cases of the fuzzer of scans (fuzz/cases.ts), at every level in turn; `npm run
// fuzz:scan` runs others for a given time.
import { addon } from '../addon.js';
import { drawCase } from './fuzz/cases.js';
import { checkCase } from './fuzz/checks.js';
import { checkCorpus, suitsCorpus } from './fuzz/corpora.js';
import { checkWords, suitsWords } from './fuzz/words.js';

describe('batches of drawn scans', () => {
  after(() => addon.setIsa(''));

  it('find what each query finds alone, and what the oracle does', async () => {
    const levels = addon.isaLevels();
    for (let number = 0; number < 16; number += 1) {
      addon.setIsa(levels[number % levels.length]!);
      const drawn = drawCase(20261122, number);
      try {
        await checkCase(drawn);
        if (suitsCorpus(drawn)) await checkCorpus(drawn, number);
        if (suitsWords(drawn)) await checkWords(drawn, 20261122, number);
      } catch (error) {
        throw new Error(
          `npm run fuzz:scan -- 0 20261122 ${number} (${drawn.summary}): ${String(error)}`,
        );
      }
    }
  });
});
