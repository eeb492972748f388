// Which passages contradict a question's time, by the dates they name, their publication or their
// validity; and the share of them.
import assert from 'node:assert/strict';
import { evaluate, type EvaluableSystem } from '../../lib/evaluate.js';
import { parseMetrics } from '../../lib/measures/metricNames.js';
import {
  constraintViolations,
  violationRate,
  type DatedPassage,
} from '../../lib/measures/violations.js';
import { parseQuestion } from '../../../../lib/time/question/question.js';

const check = (text: string, passages: DatedPassage[]): Promise<boolean[] | undefined> =>
  constraintViolations(parseQuestion({ text, askedAt: '2024-01-01' }), passages);

describe('violation@k', () => {
  it('holds for passages whose every date is outside the window', async () => {
    const passages = [
      { text: 'Ann Kerr led the party in 1995.' },
      { text: 'She was born in 1950 and led it from 2004 to 2008.' },
      { text: 'She led the party.' },
      { text: 'In 1990 she was asked; in 2005 she led it.' },
    ];
    assert.deepEqual(await check('Who led the party after 2000?', passages), [
      true,
      false,
      false,
      false,
    ]);
    assert.deepEqual(await check('Who led the party between 1980 and 1998?', passages), [
      false,
      true,
      false,
      false,
    ]);
    assert.deepEqual(await check('Who led the party around 1996?', passages), [
      false,
      true,
      false,
      true,
    ]);
  });

  it(
    'reads a validity where the text names no date, and publication where the question ' +
      'asks for it',
    async () => {
      const held = {
        text: 'She leads the party.',
        validFrom: Date.UTC(1990, 0),
        validTo: Date.UTC(1999, 0),
      };
      assert.deepEqual(
        await check('Who led the party in 2005?', [held, { ...held, validTo: Date.UTC(2010, 0) }]),
        [true, false],
      );
      const told = { text: 'In 1990 it rained.', publishedAt: Date.UTC(2005, 5) };
      assert.deepEqual(
        await check('What was reported about rain in articles published in 2005?', [told]),
        [false],
      );
    },
  );

  it('has no value for a question without a constraint or where nothing is shown', async () => {
    assert.equal(
      await check('Who leads the party that Ann Kerr founded?', [{ text: 'In 1990.' }]),
      undefined,
    );
    assert.equal(violationRate([], 5), undefined);
    assert.deepEqual(
      [violationRate([true, false, false], 2), violationRate([true, false, false], 5)],
      [0.5, 1 / 3],
    );
  });

  it('is measured by evaluate, as are supporting sentences and passages from later', async () => {
    const system: EvaluableSystem = {
      name: 'fixed',
      run: () =>
        Promise.resolve({
          evidence: [
            {
              id: 'a',
              score: 2,
              text: 'Ann Kerr led the party in 1995.',
              publishedAt: Date.UTC(1996, 0),
            },
            {
              id: 'b',
              score: 1,
              text: 'In 2005 Bo Lind led the party.',
              publishedAt: Date.UTC(2006, 0),
            },
          ],
        }),
    };
    const queries = [
      {
        id: 'q',
        text: 'Who led the party after 2000?',
        askedAt: '2005-12-31',
        goldEvidence: ['Bo Lind led the party'],
      },
      { id: 'r', text: 'Who led the party?' },
    ];
    const metrics = parseMetrics(
      'violation@1,violation@2,future@1,future@2,evidence_recall@1,evidence_recall@2',
    );
    const { averages } = await evaluate(system, queries, { metrics });
    assert.deepEqual(averages, {
      'violation@1': { mean: 1, queries: 1 },
      'violation@2': { mean: 0.5, queries: 1 },
      'future@1': { mean: 0, queries: 1 },
      'future@2': { mean: 1, queries: 1 },
      'evidence_recall@1': { mean: 0, queries: 1 },
      'evidence_recall@2': { mean: 1, queries: 1 },
    });
  });
});
