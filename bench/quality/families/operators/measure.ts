// Reading of operators on time: of 327 questions, the shares with the right operator, the right
// bounds and both, by operator, in two halves: development (even index) and held out (odd index).
//
// node --import tsx bench/quality/families/operators/measure.ts [--misses]
// --misses prints the misses of the development half; nothing prints those of the other.
import { parseArgs } from '../../../options.js';
import { parseQuestion } from '../../../../lib/time/question/question.js';
import { readTemporalQuery } from '../../../../lib/time/question/intent.js';
import { formatDay } from '../../../../lib/time/instant.js';
import { isExplicitLatestQuery } from '../../../../lib/time/question/latestQuery.js';
import { operatorAccuracy, type Accuracy, type OperatorReading } from './accuracy.js';
import { operatorCases } from './index.js';

const { values } = parseArgs({ options: { misses: { type: 'boolean', default: false } } });

const halves = [0, 1].map((half) =>
  operatorAccuracy(
    operatorCases.filter((_, index) => index % 2 === half),
    read,
  ),
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

/** The parser's condition and relation as an operator. */
function read(question: { text: string; askedAt?: string }): OperatorReading {
  const { parsed, intent } = readTemporalQuery(question);
  const { condition, relation, window, interval } = parseQuestion(question).constraint;
  const first = condition === 'first' || condition === 'earliest';
  const last = condition === 'last' || condition === 'latest';
  const operator = ((): OperatorReading['operator'] => {
    if (intent === 'when' || /^\W*when\b/i.test(question.text)) return 'when';
    switch (relation) {
      case 'as of':
        return isExplicitLatestQuery(parsed) ? 'current' : 'as_of';
      case 'by':
      case 'until':
      case 'before':
        return 'last_before';
      case 'after':
      case 'since':
        return first ? 'first_after' : 'since';
      case 'between':
      case 'from-to':
        return 'between';
      case 'none':
      case 'around':
        return first ? 'first' : last ? 'latest' : 'none';
      default:
        return 'in';
    }
  })();
  const open = operator === 'current' || operator === 'when';
  return {
    operator,
    ...(!open && window && Number.isFinite(window.start) ? { from: formatDay(window.start) } : {}),
    ...(!open && window && Number.isFinite(window.end) ? { to: formatDay(window.end - 1) } : {}),
    ...(interval
      ? { named: { from: formatDay(interval.start), to: formatDay(interval.end - 1) } }
      : {}),
  };
}
