// How long a time encoder takes to train on 200,000 examples of 256 dimensions, by one thread and
// by all: steps as asof train re3 makes them, over random rows and dates, since the work of a step
// does not depend on what they say. usage: node --import tsx bench/kernels/timeTraining.bench.ts
// [--examples 200000] [--steps 200]
import '../../test/selectAddon.js';
import { cpus } from 'node:os';
import { parseArgs } from '../options.js';
import { binding } from '../../lib/binding.js';
import { addon } from '../../test/addon.js';
import { floats } from '../kernelCase.js';

const { values } = parseArgs({
  options: {
    examples: { type: 'string', default: '200000' },
    steps: { type: 'string', default: '200' },
  },
});
const [examples, steps] = [Number(values.examples), Number(values.steps)];
const [d, batch, epochs] = [256, 128, 5];
const count = Math.min(examples, 50_000);
const rows = (await addon.normalize(floats(count * d, 7), d)).rows;
const column = (seed: number): Uint32Array =>
  Uint32Array.from(
    floats(examples, seed),
    (value) => Math.floor(((value + 1) / 2) * count) % count,
  );
const of = (seed: number, most: number): number[] =>
  [...floats(count, seed)].map((value) => 1 + (Math.floor(((value + 1) / 2) * most) % most));
const dates = {
  year: Int32Array.from(of(3, 120), (value) => 1900 + value),
  month: Uint8Array.from(of(4, 12)),
  day: Uint8Array.from(of(5, 28)),
  dayOfYear: Uint16Array.from(of(6, 365)),
  mask: new Uint8Array(count).fill(15),
};

console.log(
  `${cpus()[0]!.model}, ${cpus().length} cores, Node ${process.version}, level ${binding.isa()}`,
);
for (const threads of [1, cpus().length]) {
  addon.setThreadCount(threads);
  const gathered = binding.trainingRows(d);
  binding.appendTrainingRows(gathered, rows);
  const training = binding.startTimeTraining(gathered, {
    network: {
      kind: 'film',
      dimensions: d,
      waves: 32,
      width: 64,
      meanYear: 1960,
      deviationYear: 35,
    },
    dates,
    question: column(1),
    positive: column(2),
    negative: column(8),
    device: 0,
    temperature: 0.05,
    margin: 0.2,
    hard: 0.1,
    time: 0.1,
    groups: Uint32Array.of(examples),
    seed: 1,
    batch,
    steps,
    warmup: Math.round(steps / 10),
    rate: 0.002,
    decay: 0.01,
  });
  await binding.runTraining(training, Math.ceil(steps / 10)); // warm-up, apart
  const started = performance.now();
  const { step } = await binding.runTraining(training, steps);
  const each = (performance.now() - started) / (step - Math.ceil(steps / 10));
  const whole = (each * Math.ceil((examples * epochs) / batch)) / 1000;
  const line = [
    `${threads} ${threads === 1 ? 'thread ' : 'threads'}  ${each.toFixed(2).padStart(6)} ms a step of ${batch}`,
    `${((batch / each) * 1000).toFixed(0).padStart(7)} examples/s`,
    `${examples} examples, ${epochs} epochs: ${(whole / 60).toFixed(1)} minutes`,
  ];
  console.log(line.join('  '));
}
addon.setThreadCount(0);
