// Steps of an adapter's training a second: asof by one thread and by all, and PyTorch (or NumPy) on
// the CPU doing the same steps over the same numbers in the same run; and how far each one's
// weights are from float64's. usage: node --import tsx bench/kernels/training.bench.ts
// [--python PYTHON] [--steps 300]   Times are of the clock: each one measures its own steps.
// PYTHON: an interpreter with numpy, and torch for PyTorch; without it, that row is not run, and
// said to be
import '../../test/selectAddon.js';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from '../options.js';
import { binding } from '../../lib/binding.js';
import { addon } from '../../test/addon.js';
import * as oracle from '../../test/oracle/training.js';
import { contest, floats } from '../contest.js';
import { describeMachine, machine } from '../machine.js';
import { say } from '../report.js';

const { values } = parseArgs({
  options: { python: { type: 'string' }, steps: { type: 'string', default: '300' } },
});
const [d, r, batch, count, examples] = [256, 16, 64, 3000, 4000];
const steps = Number(values.steps);
const schedule = (upTo: number): oracle.Schedule => ({
  seed: 1,
  groups: [examples / 2, examples / 2],
  batch,
  steps: upTo,
  warmup: Math.ceil(upTo / 10),
  rate: 0.001,
  decay: 0.01,
});

const rows = (await addon.normalize(floats(count * d, 7), d)).rows;
const column = (seed: number): number[] =>
  [...floats(examples, seed)].map((value) => Math.floor(((value + 1) / 2) * count) % count);
const run: oracle.AdapterRun = {
  dimensions: d,
  rank: r,
  shared: true,
  question: column(1),
  positive: column(2),
  negative: column(3),
  margin: new Array<number>(examples).fill(1),
  rows: Array.from({ length: count }, (_, i) => [...rows.subarray(i * d, (i + 1) * d)]),
};

interface Outcome {
  seconds: number;
  parameters: Float32Array;
}

async function native(upTo: number, threads: number): Promise<Outcome> {
  addon.setThreadCount(threads);
  const gathered = binding.trainingRows(d);
  binding.appendTrainingRows(gathered, rows);
  const { question, positive, negative, margin } = run;
  const plan = schedule(upTo);
  const training = binding.startAdapterTraining(gathered, {
    rank: r,
    shared: true,
    question: Uint32Array.from(question),
    positive: Uint32Array.from(positive),
    negative: Uint32Array.from(negative),
    margin: Float32Array.from(margin),
    ...plan,
    groups: Uint32Array.from(plan.groups),
  });
  const started = performance.now();
  await binding.runTraining(training, upTo);
  const seconds = (performance.now() - started) / 1000;
  addon.setThreadCount(0);
  return { seconds, parameters: binding.trainingState(training).parameters };
}

function peer(
  python: string,
  upTo: number,
  orders: readonly number[][],
  threads: number,
): Outcome & { used: string } {
  const folder = mkdtempSync(join(tmpdir(), 'asof-training-'));
  const write = (name: string, data: ArrayBufferView): void =>
    writeFileSync(
      join(folder, name),
      new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
    );
  try {
    writeFileSync(
      join(folder, 'plan.json'),
      JSON.stringify({ ...schedule(upTo), dimensions: d, rank: r }),
    );
    write('rows.f32', rows);
    write('triplets.u32', Uint32Array.from([...run.question, ...run.positive, ...run.negative]));
    write('margin.f32', Float32Array.from(run.margin));
    write('order.u32', Uint32Array.from(orders.slice(0, upTo).flat()));
    write('initial.f32', Float32Array.from(oracle.initial(run, 1)));
    const script = fileURLToPath(new URL('./training_peer.py', import.meta.url));
    const env = {
      ...process.env,
      OMP_NUM_THREADS: String(threads),
      OPENBLAS_NUM_THREADS: String(threads),
    };
    const printed = execFileSync(python, [script, folder, String(threads)], {
      encoding: 'utf8',
      env,
    });
    const { seconds, used } = JSON.parse(printed) as { seconds: number; used: string };
    return {
      seconds,
      used,
      parameters: new Float32Array(
        new Uint8Array(readFileSync(join(folder, 'parameters.f32'))).buffer,
      ),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const cores = cpus().length;
const orders = Array.from({ length: steps }, (_, step) => oracle.batchOf(schedule(steps), step));
const exact = oracle.train(run, schedule(20)).parameters;
const away = (found: Float32Array): number =>
  exact.reduce((most, value, i) => Math.max(most, Math.abs(value - found[i]!)), 0);

interface Contender {
  name: string;
  of: (upTo: number) => Outcome | Promise<Outcome>;
}
const contenders: Contender[] = [
  { name: 'asof, 1 thread', of: (upTo) => native(upTo, 1) },
  { name: `asof, ${cores} threads`, of: (upTo) => native(upTo, cores) },
];
say(`${describeMachine(machine())}\n`);
if (values.python === undefined) say('PyTorch or NumPy: not run, give --python');
else {
  const { used } = peer(values.python, 2, orders, 1);
  for (const threads of [1, cores]) {
    contenders.push({
      name: `${used}, ${threads} threads`,
      of: (upTo) => peer(values.python!, upTo, orders, threads),
    });
  }
}

await contest(
  `rank ${r} over ${d} dimensions, ${batch} triplets a step, ${steps} steps`,
  'triplets',
  contenders.map(({ name, of }) => ({
    name,
    amount: steps * batch,
    run: async () => ({ overriddenDuration: 1000 * (await of(steps)).seconds }),
  })),
);
say('\nLargest difference of a weight from float64 after 20 steps:');
for (const { name, of } of contenders)
  say(`${name}: ${away((await of(20)).parameters).toExponential(1)}`);
