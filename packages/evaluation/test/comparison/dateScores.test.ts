// MRAG's controlled experiment: what must come out for systems whose use of dates is known, and its
// shape.
import assert from 'node:assert/strict';
import { dateScores } from '../../lib/comparison/dateScores.js';

describe('date scores', function () {
  this.timeout(60_000);
  it('show which systems reason over dates and which pass over them', async () => {
    const { scores, reasoning } = await dateScores({ systems: ['bm25', 'mrag', 'hybrid'] });
    // systems, relations, no date and three forms of thirteen years
    assert.equal(scores.length, 3 * 6 * (1 + 3 * 13));
    assert.ok(scores.every(({ score }) => score >= 0 && score <= 1));
    assert.ok(
      scores.every(
        ({ form, year, holds }) =>
          (form === 'none') === (year === null) && (year !== null || holds === null),
      ),
    );
    for (const { system, relation, ordered } of reasoning) {
      // Words of a year tell BM25 nothing of what comes before or after it.
      if (system === 'bm25') assert.ok(Math.abs(ordered - 0.5) < 0.02, `${relation} ${ordered}`);
      else assert.ok(ordered > 0.9, `${relation} ${ordered}`);
    }
    const matched = reasoning.filter(({ system }) => system === 'bm25');
    assert.ok(matched.every(({ exact, holding, failing }) => exact > holding && exact > failing));
  });

  it('stop at the signal', async () => {
    await assert.rejects(dateScores({ systems: ['bm25'], signal: AbortSignal.abort() }), {
      code: 'ERR_ABORTED',
    });
  });
});
