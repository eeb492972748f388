// `npm run allocations -- [SEED [NAME]]`: the table of what comes of the addon's operations, all or
// those whose name holds NAME, while allocations fail: one, and all from one on.
import '../../selectAddon.js';
import { addon } from '../../addon.js';
import { randomOf } from '../../fuzz/inputs.js';
import { operations } from './operations.js';
import { sweep, type Swept } from './sweep.js';

const [seed = String(Date.now() % 1_000_000), name = ''] = process.argv.slice(2);
const random = randomOf(Number(seed));
const outcomes = ({ outcomes: all }: Swept): string =>
  [...all].map(([outcome, times]) => `${times} ${outcome}`).join(', ') || 'none';
addon.setThreadCount(1); // so that the n-th is the same each time
console.log(`seed ${seed}`);
console.log('| operation | allocations | one fails | all from one on fail |');
console.log('| --- | ---: | --- | --- |');
let [calls, wrong] = [0, 0];
for (const operation of await operations()) {
  if (!operation.name.includes(name)) continue;
  const one = await sweep(operation, { lasting: false, random });
  const all = await sweep(operation, { lasting: true, random });
  console.log(`| ${operation.name} | ${one.allocations} | ${outcomes(one)} | ${outcomes(all)} |`);
  for (const each of [...one.wrong, ...all.wrong]) console.log(`  wrong: ${each}`);
  calls += one.calls + all.calls;
  wrong += one.wrong.length + all.wrong.length;
}
console.log(`${calls} calls with failing allocations: ${wrong} wrong`);
process.exit(wrong === 0 ? 0 : 1);
