// Pairs of statements that are made to mislead: what the rules find of the conflicts and what they
// drop wrongly. The pairs that rules were mended by must all be right; of the others, which were
// written first and run last, a floor is held. bench/quality/facts/versionPairs.ts prints the
// rest.
import assert from 'node:assert/strict';
import { furtherPairs } from './pairs/further.js';
import { framedPairs } from './pairs/frames.js';
import { heldOutPairs } from './pairs/heldOut.js';
import { outdates, tally } from './pairs/pair.js';
import { tunedPairs } from './pairs/tuned.js';

describe('adversarial pairs', () => {
  for (const pair of [...tunedPairs, ...furtherPairs]) {
    const [kind, , older, newer, expected] = pair;
    it(`${kind}: ${older} | ${newer} (${expected})`, async () =>
      assert.equal(await outdates(pair), expected === 'conflict'));
  }

  it(
    'held out: at least .85 of what is dropped is outdated, and .65 of what is outdated is ' +
      'dropped',
    async () => {
      const { precision, recall } = await tally(heldOutPairs);
      assert.ok(precision >= 0.85, `precision ${precision}`);
      assert.ok(recall >= 0.65, `recall ${recall}`);
    },
  );

  it(
    'in other sentence frames: nothing is dropped wrongly, and .85 of what is outdated is ' +
      'dropped',
    async () => {
      const { precision, recall } = await tally(framedPairs);
      assert.equal(precision, 1);
      assert.ok(recall >= 0.85, `recall ${recall}`);
    },
  );

  it('a statement that is told again is not outdated', async () => {
    for (const [kind, question, older, , , ...title] of [
      ...tunedPairs,
      ...furtherPairs,
      ...heldOutPairs,
      ...framedPairs,
    ]) {
      assert.equal(
        await outdates([kind, question, older, older, 'none', ...title] as const),
        false,
        older,
      );
    }
  });
});
