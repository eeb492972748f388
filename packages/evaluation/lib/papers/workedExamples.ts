// The worked examples that papers print of their measures, computed by ours: no data is needed. It
// holds no expected value.
import { isCrossPeriod } from '../judges/periods.js';
import { ruleJudge } from '../judges/ruleJudge.js';
import { temporalCoverage, temporalPrecision } from '../measures/temporal.js';

export interface WorkedExample {
  /** Verdicts at each rank: temporal precision at as many. */
  precision?: number[];
  /** The periods that each document covers, of a baseline and a comparison: temporal coverage. */
  coverage?: string[][];
  /** A question: 1 where it is found to ask of several periods. */
  spans_periods?: string;
}

export async function computedOf({
  precision,
  coverage,
  spans_periods: question,
}: WorkedExample): Promise<number> {
  if (precision)
    return (
      temporalPrecision(
        precision.map((verdict) => verdict === 1),
        precision.length,
      ) ?? NaN
    );
  if (coverage)
    return temporalCoverage(coverage, ['baseline', 'comparison'], coverage.length) ?? NaN;
  const asked = { id: 'example', text: question! };
  const { temporal, focus } = await ruleJudge().intent(asked);
  return temporal && isCrossPeriod(asked, focus) ? 1 : 0;
}
