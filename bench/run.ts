// The kernel families at every level of this machine, on one thread, against a plain TypeScript
// loop in the same run. Benches that compare whole searches with other libraries are programs of
// their own (node --import tsx bench/search/peers.ts), those that compare an entry with others are
// in bench/kernels.
//
// npm run bench -- [family...] [--time 300]
// --time: milliseconds of each contender.
import { addon } from '../test/addon.js';
import { contest } from './contest.js';
import { kernelCases } from './kernels/cases.js';
import { describeMachine, machine } from './machine.js';
import { parseArgs } from './options.js';
import { say } from './report.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { time: { type: 'string', default: '300' } },
});
const wanted = Object.entries(kernelCases).filter(
  ([name]) => positionals.length === 0 || positionals.some((family) => name.startsWith(family)),
);
if (wanted.length === 0)
  throw new Error(
    `Expected families among ${Object.keys(kernelCases).join('; ')}, received ${positionals.join(', ')}.`,
  );
say(describeMachine(machine()));
addon.setThreadCount(1);
for (const [name, make] of wanted) {
  const { amount, unit, run, plain } = make();
  // No family here has code of its own for an extension.
  const levels = addon.isaLevels().filter((level) => !level.includes('+'));
  say('');
  await contest(
    name,
    unit,
    [
      ...levels.map((level) => ({ name: level, amount, run, prepare: () => addon.setIsa(level) })),
      { name: 'TypeScript loop', amount, run: () => void plain() },
    ],
    Number(values.time),
  );
}
