// The first cases of the fuzzer of scans (fuzz/cases.ts), at every level in turn, and the inputs
// that it found (fuzz/found); `node --import tsx test/index/fuzz/run.ts` runs others for a given
// time.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { addon } from '../addon.js';
import { readInput } from '../fuzz/inputs.js';
import { runInput } from './fuzz/input.js';

const cases = 8;
const folder = fileURLToPath(new URL('./fuzz/found', import.meta.url));

describe('batches of drawn scans', () => {
  after(() => addon.setIsa(''));
  const levels = addon.isaLevels();

  for (let from = 0; from < cases; from += 8)
    it(`find what each query finds alone, and what the oracle does, from case ${from} on`, async () => {
      for (let number = from; number < from + 8; number += 1)
        await runInput({ seed: 20261122, number, changed: [] }, levels[number % levels.length]!);
    });

  for (const file of readdirSync(folder))
    it(`do so for ${file}, which was found`, async () => {
      for (const level of levels) await runInput(readInput(join(folder, file)), level);
    });
});
