// `node --import tsx test/store/simulation/run.ts [OPERATIONS] [--seed N] [--trace] [--json]`:
// simulates threads and processes on one corpus, by default a million operations under a random
// seed, which is printed.
// `node --import tsx test/store/simulation/run.ts --failures`: lets every call of every operation
// fail, and prints what comes of it.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { failEveryCall, failureTable } from './failures.js';
import { Simulation } from './simulation.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    trace: { type: 'boolean' },
    json: { type: 'boolean' },
    failures: { type: 'boolean' },
  },
});
if (values.failures) {
  const failed = await failEveryCall({ all: true });
  console.log(failureTable(failed).join('\n'));
  console.log(`${failed.length} failures, and nothing lost, half done or left open`);
  process.exit(0);
}
const operations = Number(positionals[0] ?? 1_000_000);
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
const say = (line: string): void => {
  if (!values.json) console.log(line);
};
say(`seed ${seed}, ${operations} operations`);
const start = performance.now();
try {
  const { counts, fingerprint } = await Simulation.run(
    seed,
    operations,
    values.trace ? say : undefined,
  );
  const result = { seed, counts, fingerprint: fingerprint.toString(16) };
  if (values.json) console.log(JSON.stringify(result));
  const { byKind, ...sums } = counts;
  say(JSON.stringify(sums));
  say(JSON.stringify(byKind));
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  say(`no difference from the model in ${seconds} s; fingerprint ${result.fingerprint}`);
} catch (error) {
  console.error(error);
  console.error(
    `Repeat it: node --import tsx test/store/simulation/run.ts ${operations} --seed ${seed} --trace`,
  );
  process.exit(1);
}
