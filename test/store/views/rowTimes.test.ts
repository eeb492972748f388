// Clocks of rows as they were given: days, seconds, milliseconds, open ends and none.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Corpus } from '../../../lib/index.js';
import { binding } from '../../../lib/binding.js';
import { haveValidity, passageClocks, publishedOf } from '../../../lib/store/views/rowTimes.js';
import { failsWith } from '../../failsWith.js';
import { temporaryFolder } from '../fixtures.js';

const instant = fc.oneof(
  fc.integer({ min: -40_000, max: 40_000 }).map((day) => day * 86_400_000),
  fc.integer({ min: -1e9, max: 2e9 }).map((second) => second * 1000),
  fc.integer({ min: -1e12, max: 2e12 }),
);
const clocks = fc.record({
  publishedAt: fc.option(instant, { nil: undefined }),
  validFrom: fc.option(instant, { nil: undefined }),
  length: fc.option(fc.integer({ min: 1, max: 1e10 }), { nil: undefined }),
});

describe('clocks of rows', () => {
  const folder = temporaryFolder();

  it('are those of their passages', async () => {
    let corpora = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(clocks, { minLength: 1, maxLength: 12 }), async (given) => {
        const corpus = await Corpus.open(folder.path(`c${(corpora += 1)}`));
        const expected = given.map(({ publishedAt, validFrom, length }) => ({
          publishedAt,
          validFrom,
          validTo: length === undefined ? undefined : (validFrom ?? 0) + length,
        }));
        const iso = (at: number | undefined): string | undefined =>
          at === undefined ? undefined : new Date(at).toISOString();
        await corpus.add(
          expected.map(({ publishedAt, validFrom, validTo }, at) => ({
            ...{ id: `p${at}`, text: 'It rained. It snowed.' },
            ...{ publishedAt: iso(publishedAt), validFrom: iso(validFrom), validTo: iso(validTo) },
          })),
        );
        using snapshot = corpus.snapshot();
        for (const [at, each] of expected.entries()) {
          const place = snapshot.findEach([`p${at}`])[0]!;
          const stored = snapshot.segments[place.segment]!;
          const [row] = binding.rowsOfPassages(stored.segment, Uint32Array.of(place.passage));
          assert.deepEqual(passageClocks(stored, [row!]), [each]);
          assert.equal(publishedOf(stored, row!), each.publishedAt ?? NaN);
          const isBounded = each.validFrom !== undefined || each.validTo !== undefined;
          assert.deepEqual(haveValidity(stored, [row!]), [isBounded]);
          assert.throws(
            () => binding.clocksOfRows(stored.segment, Uint32Array.of(1 << 30)),
            failsWith('ERR_INVALID_ARGUMENT', /Expected rows to be numbers below/),
          );
        }
        await corpus.close();
      }),
      { numRuns: 25 },
    );
  });
});
