// Accuracy of `readOperator` over cases: per operator, the share with the right operator,
// the right bounds and both.
import { formatDay } from '../../../../lib/time/instant.js';
import { readOperator, type OperatorKind } from '../../../../lib/time/question/operator.js';
import type { OperatorCase } from './shared.js';

/** An operator with inclusive ISO days, absent where open. */
interface OperatorReading {
  operator: OperatorCase['operator'];
  from?: string;
  to?: string;
  /** Days of the named time; a time at a distance from a date is compared by them. */
  named?: { from: string; to: string };
}

export interface Accuracy {
  cases: number;
  operator: number;
  bounds: number;
  both: number;
}

export interface AccuracyReport {
  total: Accuracy;
  byOperator: Map<string, Accuracy>;
  misses: string[];
}

export function operatorAccuracy(cases: readonly OperatorCase[]): AccuracyReport {
  const none = (): Accuracy => ({ cases: 0, operator: 0, bounds: 0, both: 0 });
  const report: AccuracyReport = { total: none(), byOperator: new Map(), misses: [] };
  for (const each of cases) {
    const { text, askedAt, operator } = each;
    const reading = read({ text, ...(askedAt === undefined ? {} : { askedAt }) });
    const rightOperator = sameOperator(operator, reading.operator);
    const rightBounds = sameBounds(each, reading);
    const row = report.byOperator.get(operator) ?? none();
    report.byOperator.set(operator, row);
    for (const counts of [report.total, row]) {
      counts.cases++;
      counts.operator += Number(rightOperator);
      counts.bounds += Number(rightBounds);
      counts.both += Number(rightOperator && rightBounds);
    }
    if (!rightOperator || !rightBounds)
      report.misses.push(`${text}\n    expected ${describe(each)}, received ${describe(reading)}`);
  }
  return report;
}

/** A time at a distance from a date is a time like any other: its state or what fell within it. */
const sameOperator = (
  expected: OperatorCase['operator'],
  actual: OperatorCase['operator'],
): boolean =>
  expected === actual || (expected === 'before_offset' && (actual === 'in' || actual === 'as_of'));

const sameBounds = (
  { operator, from, to }: OperatorCase,
  { named, ...reading }: OperatorReading,
): boolean => {
  const actual = operator === 'before_offset' ? (named ?? reading) : reading;
  return from === actual.from && to === actual.to;
};

const describe = ({ operator, from, to }: Omit<OperatorReading, 'named'>): string =>
  `${operator} ${from ?? ''}..${to ?? ''}`;

const operatorOf: Record<OperatorKind, OperatorCase['operator']> = {
  'as-of': 'as_of',
  current: 'current',
  latest: 'latest',
  first: 'first',
  'last-before': 'last_before',
  'first-after': 'first_after',
  in: 'in',
  between: 'between',
  since: 'since',
  until: 'until',
  when: 'when',
  none: 'none',
};

function read(question: { text: string; askedAt?: string }): OperatorReading {
  const { kind, window, time, now } = readOperator(question);
  const isOpen = now || kind === 'when';
  return {
    operator: operatorOf[kind],
    ...(!isOpen && Number.isFinite(window.start) ? { from: formatDay(window.start) } : {}),
    ...(!isOpen && Number.isFinite(window.end) ? { to: formatDay(window.end - 1) } : {}),
    ...(time ? { named: { from: formatDay(time.start), to: formatDay(time.end - 1) } } : {}),
  };
}
