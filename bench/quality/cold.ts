// What the first question of a process waits for, over the TimeQA corpus: importing asof, opening
// the corpus, the first question by a system and the second, medians of fresh processes, each with
// questions of its own, and the processor time of all threads. After `npm run build`:
// `node --import tsx bench/quality/cold.ts --keep DIR [--processes 10] [--system hybrid]
// [--builds DIR,DIR]`; builds are folders with dist/ and what it needs (by default this
// one), in turns. Files of the corpus are in the cache of the system; it measures no disk.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describeMachine, machine } from '../machine.js';
import { parseArgs } from '../options.js';
import { median, row, say, short } from '../report.js';
import { openSet, queriesOf, requireData, workFolder } from './sets/sets.js';

const here = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    keep: { type: 'string' },
    processes: { type: 'string', default: '10' },
    system: { type: 'string', default: 'hybrid' },
    builds: { type: 'string', default: here },
  },
});
requireData();

/** Runs as it ships, without a loader of TypeScript. */
const program = `
const [, build, folder, system, ...questions] = process.argv;
const times = [];
let [since, used] = [performance.now(), process.cpuUsage()];
const lap = () => {
  const { user, system } = process.cpuUsage(used);
  times.push([performance.now() - since, (user + system) / 1000]);
  [since, used] = [performance.now(), process.cpuUsage()];
};
const asof = await import(build + '/dist/index.js');
lap();
const corpus = await asof.Corpus.open(folder);
lap();
const asked = asof[system]({ corpus });
for (const text of questions) {
  await asked.run({ text });
  lap();
}
await corpus.close();
console.log(JSON.stringify(times));
`;

const processes = Number(values.processes);
const builds = values.builds.split(',');
const work = workFolder('latency', values.keep);
const { corpus, folder } = await openSet(work, 'timeqa');
const { passages, segments } = corpus.info();
await corpus.close();
const asked = queriesOf(folder, 'queries-hard', 2 * processes);

const steps = ['import', 'open', 'first question', 'second'];
const taken = builds.map(() =>
  steps.map(() => ({ wall: [] as number[], processor: [] as number[] })),
);
for (let nth = -1; nth < processes; nth += 1)
  for (const [at, build] of builds.entries()) {
    const out = execFileSync(
      process.execPath,
      [
        ...['--input-type=module', '--eval', program, pathToFileURL(build).href],
        ...[join(work, 'timeqa.asof'), values.system],
        ...asked.slice(2 * Math.max(0, nth), 2 * Math.max(0, nth) + 2).map(({ text }) => text),
      ],
      { encoding: 'utf8' },
    );
    if (nth < 0) continue; // reads the files into the cache of the system
    for (const [step, [wall, processor]] of (JSON.parse(out) as [number, number][]).entries()) {
      taken[at]![step]!.wall.push(wall);
      taken[at]![step]!.processor.push(processor);
    }
  }

say(describeMachine(machine()));
say(
  `${processes} processes, ${passages.toLocaleString('en')} passages in ${segments} segments, ` +
    `${values.system}; milliseconds by the clock, and of all processors\n`,
);
row(['build', ...steps.map((step) => `${step} ms, processors`)]);
row(['---', ...steps.map(() => '---:')]);
for (const [at, build] of builds.entries())
  row([
    build === here ? 'this' : build,
    ...taken[at]!.map(
      ({ wall, processor }) => `${short(median(wall))}, ${short(median(processor))}`,
    ),
  ]);
