// Rows of the ablation tables: valid options that omit or change something.
import assert from 'node:assert/strict';
import { ablations } from '../../bench/quality/ablationRows.js';
import type { Corpus } from '../../lib/index.js';
import { createSystem } from '../../lib/papers/index.js';
import { withCorpus } from '../corpus.js';

describe('ablation rows', () => {
  let corpus: Corpus;
  withCorpus(
    [
      {
        id: 'a',
        title: 'Bridge of Arda',
        text: 'The Bridge of Arda was opened in 1904. Its keeper was Ilse Marn until 1911.',
        publishedAt: '1912-05-01',
      },
      {
        id: 'b',
        title: 'Bridge of Arda',
        text: 'Since 1911 the keeper of the bridge has been Tomas Orel.',
        publishedAt: '1930-01-01',
      },
    ],
    (made) => (corpus = made),
  );

  for (const [name, rows] of Object.entries(ablations)) {
    it(`${name} accepts each of its ${rows.length} rows and still answers`, async () => {
      const whole = createSystem(name, { corpus });
      const shown = (system: typeof whole): string =>
        JSON.stringify([String(system), system.options]);
      for (const { stage, settings } of rows) {
        const system = createSystem(name, { corpus, settings });
        assert.notEqual(shown(system), shown(whole), stage);
        const { evidence } = await system.run({
          text: 'Who was the keeper of the Bridge of Arda in 1908?',
          askedAt: '1940-01-01',
        });
        assert.equal(evidence.length, 2, stage);
      }
      assert.equal(new Set(rows.map(({ stage }) => stage)).size, rows.length);
    });
  }

  it('shows later publications without the mask', async () => {
    const question = { text: 'Who was the keeper of the Bridge of Arda?', askedAt: '1920-01-01' };
    for (const name of ['hybrid', 'mrag', 'tempralm']) {
      const found = async (mask: boolean): Promise<number> =>
        (await createSystem(name, { corpus, settings: { mask } }).run(question)).evidence.length;
      assert.deepEqual([await found(true), await found(false)], [1, 2], name);
    }
  });
});
