// `npm run fuzz:scan -- [SECONDS [SEED [NUMBER]]]`: scans of cases that a seed gives, at every
// level in turn, against the oracle and against each other (checks.ts). A case that fails is
// printed with the arguments that make it again, and the next one follows; one minute by default.
import { addon } from '../../addon.js';
import { drawCase } from './cases.js';
import { checkCase } from './checks.js';
import { checkCorpus, suitsCorpus } from './corpora.js';
import { checkWords, suitsWords } from './words.js';

const given = process.argv.slice(2).map(Number);
if (given.length > 3 || given.some((value) => !(value >= 0))) {
  console.error("Expected seconds, a seed and a case's number.");
  process.exit(2);
}
const [seconds = 60, seed = Date.now() % 1_000_000, only] = given;
const levels = addon.isaLevels();
const began = performance.now();
const failed: number[] = [];
let number = only ?? 0;
for (
  ;
  only === undefined ? performance.now() - began < seconds * 1_000 : number === only;
  number += 1
) {
  const drawn = drawCase(seed, number);
  const level = levels[number % levels.length]!;
  addon.setIsa(level);
  try {
    await checkCase(drawn);
    if (suitsCorpus(drawn)) await checkCorpus(drawn, number);
    if (suitsWords(drawn)) await checkWords(drawn, seed, number);
  } catch (error) {
    failed.push(number);
    console.error(
      `\n${drawn.summary}, at ${level}\n${String(error).slice(0, 1_500)}\nnpm run fuzz:scan -- 0 ${seed} ${number}`,
    );
  }
}
const took = ((performance.now() - began) / 1_000).toFixed(0);
console.log(
  `${number - (only ?? 0)} cases of seed ${seed} in ${took} s: ${failed.length === 0 ? 'nothing found' : `${failed.length} failed`}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
