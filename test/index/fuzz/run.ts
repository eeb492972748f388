// `node --import tsx test/index/fuzz/run.ts [SECONDS [SEED]]`: scans of cases that are drawn, at
// every level in turn, against the oracle and against each other (checks.ts), for a minute by
// default, also of cases like those that were kept (test/fuzz/inputs.ts). One that fails is written
// to a file, and the next one follows. `-- FILE` runs it again.
import { addon } from '../../addon.js';
import { fuzzArguments, KeptInputs, keptFolder, writeFound } from '../../fuzz/inputs.js';
import { runInput } from './input.js';

const { seconds, seed, only } = fuzzArguments(process.argv.slice(2));
const levels = addon.isaLevels();
const kept = new KeptInputs(keptFolder('index'));
const began = performance.now();
const took = (): number => (performance.now() - began) / 1_000;
console.log(`fuzz:scan, seed ${seed}, ${kept.atFirst} inputs kept before`);
let [failed, number] = [0, 0];
for (; only ? number < levels.length : took() < seconds; number += 1) {
  const input = only ?? kept.next(seed, number);
  try {
    const { draws, reached } = await runInput(input, levels[number % levels.length]!);
    if (!only) kept.offer(input, draws, reached);
  } catch (error) {
    failed += 1;
    console.error(`\nSeed ${seed}, case ${number}: ${String(error).slice(0, 1_500)}`);
    if (!only) writeFound('index', 'node --import tsx test/index/fuzz/run.ts', input);
  }
}
console.log(
  `${number} cases of seed ${seed} in ${took().toFixed(0)} s, ${kept.length} inputs kept: ` +
    (failed === 0 ? 'nothing found' : `${failed} failed`),
);
process.exitCode = failed === 0 ? 0 : 1;
