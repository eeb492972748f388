// TEMPO's meta-evaluation (appendix C.4, tables 11 to 13): control questions through the judge,
// control documents through judge and measure, control verdicts through the measure. Table 11's
// questions are the paper's; documents are our own.
import assert from 'node:assert/strict';
import { judgeRun, ruleJudge } from '../../lib/index.js';
import { isCrossPeriod } from '../../lib/judges/periods.js';
import type { TempoDefinition } from '../../lib/measures/temporal.js';
import type { TemporalFocus } from '../../lib/judges/judgement.js';
import {
  temporalCoverage,
  temporalPrecision,
  temporalRelevance,
} from '../../lib/measures/temporal.js';
import { fares, faresQuestion, ranking } from './examples.js';

const both: readonly TempoDefinition[] = ['paper', 'code'];

describe("TEMPO's meta-evaluation", () => {
  const intents: [text: string, focus: TemporalFocus, crossPeriod: boolean][] = [
    ['How have Bitcoin fees changed since 2017?', 'change_over_time', true],
    ['What is a Merkle tree?', 'none', false],
    ['Who was the president in 1920?', 'specific_time', false],
    ['Recent evolution of the Lightning Network.', 'change_over_time', true],
  ];
  for (const [text, focus, crossPeriod] of intents) {
    it(`table 11: ${focus}${crossPeriod ? ', several periods' : ''}: ${text}`, async () => {
      const intent = await ruleJudge().intent({ id: 'q', text });
      assert.deepEqual([intent.focus, intent.temporal], [focus, focus !== 'none']);
      for (const tempo of both)
        assert.equal(isCrossPeriod({ id: 'q', text }, intent.focus, tempo), crossPeriod, tempo);
    });
  }

  const coverages: [ids: string[], coverage: number][] = [
    [['baseline'], 0.5],
    [['comparison'], 0.5],
    [['both'], 1],
    [['baseline', 'comparison'], 1],
    [['undated', 'elsewhere'], 0],
  ];
  for (const [ids, expected] of coverages) {
    it(`table 12: ${ids.join(' and ')} cover ${expected}`, async () => {
      for (const tempo of both) {
        const { queries } = await judgeRun(
          ruleJudge(),
          [faresQuestion],
          ranking('fares', ...ids),
          (id) => fares[id],
          { tempo },
        );
        const { documents, periods } = queries[0]!;
        assert.equal(
          temporalCoverage(
            documents.map((each) => each.periods ?? []),
            periods,
            10,
            tempo,
          ),
          expected,
        );
      }
    });
  }

  const precisions: [verdicts: number[], precision: number][] = [
    [[1, 0, 0, 0, 0], 1],
    [[0, 0, 0, 0, 1], 0.2],
    [[1, 1, 0, 0, 0], 1],
  ];
  for (const [verdicts, expected] of precisions) {
    it(`table 13: [${verdicts.join(', ')}] has precision ${expected}`, () => {
      const given = verdicts.map((each) => each === 1);
      for (const tempo of both) {
        assert.equal(temporalPrecision(given, 5, tempo), expected);
        assert.equal(
          temporalRelevance(given, 5, tempo),
          verdicts.reduce((sum, each) => sum + each, 0) / 5,
        );
      }
    });
  }
});
