// Reading of operators on time: of 327 questions, the shares with the right operator, the right
// bounds and both, by operator, in two halves: development (even index) and held out (odd index).
//
// node --import tsx bench/quality/families/operators.ts [--misses]
// --misses prints the misses of the development half; nothing prints those of the other.
import { formatDay } from '../../../lib/time/instant.js';
import { readOperator, type OperatorKind } from '../../../lib/time/question/operator.js';
import { parseArgs } from '../../options.js';
import { operatorCases, type OperatorCase } from './operatorCases.js';

/** An operator with inclusive ISO days, absent where open. */
interface OperatorReading {
  operator: OperatorCase['operator'];
  from?: string;
  to?: string;
  /** Days of the named time; a time at a distance from a date is compared by them. */
  named?: { from: string; to: string };
}

interface Accuracy {
  cases: number;
  operator: number;
  bounds: number;
  both: number;
}

interface AccuracyReport {
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

function main(): void {
  const { values } = parseArgs({ options: { misses: { type: 'boolean', default: false } } });

  const halves = [0, 1].map((half) =>
    operatorAccuracy(operatorCases.filter((_, index) => index % 2 === half)),
  );

  if (values.misses) console.log(`${halves[0]!.misses.join('\n')}\n`);
  const share = (count: number, { cases }: Accuracy): string => (count / cases).toFixed(2);
  const columns = (row: Accuracy): string =>
    [
      String(row.cases).padStart(4),
      ...[row.operator, row.bounds, row.both].map((count) => share(count, row).padStart(6)),
    ].join(' ');
  console.log(`${''.padEnd(14)} development                  held out`);
  console.log(`${''.padEnd(14)}${'    n   oper bounds   both   '.repeat(2)}`);
  for (const operator of halves[0]!.byOperator.keys())
    console.log(
      operator.padEnd(14) +
        halves.map(({ byOperator }) => columns(byOperator.get(operator)!)).join('    '),
    );
  console.log('total'.padEnd(14) + halves.map(({ total }) => columns(total)).join('    '));
}

if (process.argv[1]?.endsWith('operators.ts')) main();
