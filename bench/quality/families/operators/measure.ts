// Reading of operators on time: of 327 questions, the shares with the right operator, the right
// bounds and both, by operator, in two halves: development (even index) and held out (odd index).
//
// node --import tsx bench/quality/families/operators/measure.ts [--misses]
// --misses prints the misses of the development half; nothing prints those of the other.
import { parseArgs } from '../../../options.js';
import { operatorAccuracy, type Accuracy } from './accuracy.js';
import { operatorCases } from './index.js';

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
