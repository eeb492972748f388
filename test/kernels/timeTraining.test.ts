// A time encoder's training at every level: gradients against float64 by a tape and against finite
// differences, of every kind; where it starts; the same bits whatever the threads and
// interruptions; and what it refuses.
import assert from 'node:assert/strict';
import { binding } from '../../lib/binding.js';
import { addon } from '../addon.js';
import type { TimeColumns, TimeNetwork } from '../../binding.js';
import * as oracle from '../oracle/timeTraining.js';
import type { Time } from '../oracle/timeEncoder.js';
import { atEveryLevel, normals, random } from './levels.js';

const kinds = ['film', 'concatenated', 'direct', 'absolute'] as const;
const rowCount = 26;
const none = 0xffffffff;

/** Rows of every mask, examples that share questions or passages, some without a negative. */
function some(kind: TimeNetwork['kind'], dimensions: number, examples: number, seed: number) {
  const network: TimeNetwork = {
    kind,
    dimensions,
    waves: 3,
    width: 4,
    meanYear: 2000,
    deviationYear: 9,
  };
  const next = random(seed);
  const below = (count: number): number => Math.floor(next() * count);
  const times: Time[] = Array.from({ length: rowCount }, (_, i) => {
    const [year, month, day] = [1980 + below(40), 1 + below(12), 1 + below(28)];
    return (
      [{ year, month, day, dayOfYear: 1 + below(366) }, { year, month }, { year }, {}][i % 5] ?? {
        year,
        month,
        day,
        dayOfYear: 1 + below(366),
      }
    );
  });
  const values = normals(rowCount * dimensions, seed + 1);
  const column = (): number[] => Array.from({ length: examples }, () => below(rowCount));
  const run: oracle.TimeRun = {
    network,
    times,
    rows: Array.from({ length: rowCount }, (_, i) => [
      ...values.subarray(i * dimensions, (i + 1) * dimensions),
    ]),
    question: column(),
    positive: column(),
    negative: column().map((row, i) => (i % 4 === 3 ? undefined : row)),
    temperature: 0.5,
    margin: 0.3,
    hard: 0.7,
    time: 0.4,
  };
  return { run, values };
}

function columns(times: readonly Time[]): TimeColumns {
  const of = (pick: (time: Time) => number | undefined): number[] =>
    times.map((time) => pick(time) ?? 0);
  return {
    year: Int32Array.from(of((time) => time.year)),
    month: Uint8Array.from(of((time) => time.month)),
    day: Uint8Array.from(of((time) => time.day)),
    dayOfYear: Uint16Array.from(of((time) => time.dayOfYear)),
    mask: Uint8Array.from(times, (time) =>
      time.dayOfYear ? 15 : time.month ? 3 : time.year ? 1 : 0,
    ),
  };
}

function start({ run, values }: ReturnType<typeof some>, change: Record<string, unknown> = {}) {
  const rows = binding.trainingRows(run.network.dimensions);
  binding.appendTrainingRows(rows, values);
  const { network, question, positive, negative, temperature, margin, hard, time } = run;
  return binding.startTimeTraining(rows, {
    network,
    dates: columns(run.times),
    question: Uint32Array.from(question),
    positive: Uint32Array.from(positive),
    negative: Uint32Array.from(negative, (row) => row ?? none),
    temperature,
    margin,
    hard,
    time,
    device: 0,
    groups: Uint32Array.of(question.length),
    seed: 5,
    batch: 8,
    steps: 30,
    warmup: 3,
    rate: 0.01,
    decay: 0.01,
    ...change,
  });
}

/** Parameters far from where training starts, so that no part of the gradient is zero. */
function moved(given: ReturnType<typeof some>) {
  const training = start(given);
  const state = binding.trainingState(training);
  state.parameters.set(normals(state.parameters.length, 31).map((value) => value / 2));
  binding.restoreTraining(training, state);
  return { training, parameters: [...state.parameters] };
}

describe('training a time encoder', () => {
  const examples = [3, 0, 7, 12, 1, 9];

  it('its oracle is its own finite differences', () => {
    for (const kind of kinds) {
      const { run } = some(kind, 6, 14, 3);
      const parameters = [...normals(oracle.parameterCount(run.network), 8)].map(
        (value) => value / 2,
      );
      const { gradient } = oracle.gradient(run, parameters, examples);
      const step = 1e-6;
      for (let i = 0; i < parameters.length; i += 7) {
        const at = (by: number): number =>
          oracle.loss(run, parameters.with(i, parameters[i]! + by), examples);
        const difference = (at(step) - at(-step)) / (2 * step);
        assert.ok(
          Math.abs(difference - gradient[i]!) < 1e-6,
          `${kind}, parameter ${i}: ${gradient[i]} against ${difference}`,
        );
      }
    }
  });

  atEveryLevel(() => {
    it('gradients agree with float64, of every kind and in awkward sizes', async () => {
      for (const kind of kinds) {
        for (const d of [1, 3, 7, 9, 17]) {
          const given = some(kind, d, 14, d);
          const { training, parameters } = moved(given);
          const found = await binding.trainingGradient(training, Uint32Array.from(examples));
          const exact = oracle.gradient(given.run, parameters, examples);
          assert.ok(
            Math.abs(found.loss - exact.loss) < 2e-6 * (1 + Math.abs(exact.loss)),
            `${kind} ${d}: loss ${found.loss} instead of ${exact.loss}`,
          );
          const scale = Math.max(1e-3, ...exact.gradient.map(Math.abs));
          exact.gradient.forEach((value, i) => {
            assert.ok(
              Math.abs(found.gradient[i]! - value) < 2e-5 * scale,
              `${kind} ${d}, parameter ${i}: ${found.gradient[i]} instead of ${value}`,
            );
          });
        }
      }
    });

    it('gradients agree with float64 in 64 dimensions and a batch of several tiles', async () => {
      const given = some('film', 64, 40, 6);
      const { training, parameters } = moved(given);
      const all = Array.from({ length: 40 }, (_, i) => i);
      const found = await binding.trainingGradient(training, Uint32Array.from(all));
      const at = (i: number, by: number): number =>
        oracle.loss(given.run, parameters.with(i, parameters[i]! + by), all);
      for (let i = 5; i < parameters.length; i += 397) {
        const difference = (at(i, 1e-5) - at(i, -1e-5)) / 2e-5;
        assert.ok(
          Math.abs(found.gradient[i]! - difference) < 1e-5,
          `parameter ${i}: ${found.gradient[i]} against ${difference}`,
        );
      }
    }).timeout(60_000);
  });

  it('starts where nothing changes, the same for a seed, and lowers its loss', async () => {
    const given = some('film', 16, 40, 2);
    const training = start(given);
    const { parameters } = binding.trainingState(training);
    assert.deepEqual(binding.trainingState(start(given)).parameters, parameters);
    assert.notDeepEqual(binding.trainingState(start(given, { seed: 6 })).parameters, parameters);
    const encoder = await binding.openTimeEncoder(given.run.network, parameters);
    const dated = given.run.times.map((time) => (time.year === undefined ? 0 : 1));
    const fused = await binding.fuseTimes(encoder, given.values, columns(given.run.times));
    const unit = (await addon.normalize(given.values, 16)).rows;
    for (let row = 0; row < rowCount; row += 1) {
      assert.deepEqual(
        fused.subarray(row * 16, row * 16 + 16),
        (dated[row] ? unit : given.values).subarray(row * 16, row * 16 + 16),
      );
    }
    const all = Uint32Array.from({ length: 40 }, (_, i) => i);
    const before = (await binding.trainingGradient(training, all)).loss;
    await binding.runTraining(training, 30);
    assert.ok((await binding.trainingGradient(training, all)).loss < before);
  });

  it(
    'trains to the same bits whatever the threads, and goes on from its state as if it had ' +
      'never stopped',
    async () => {
      for (const kind of kinds) {
        const given = some(kind, 12, 40, 9);
        const states = [];
        for (const threads of [1, 2, 5]) {
          addon.setThreadCount(threads);
          const training = start(given);
          await binding.runTraining(training, 30);
          states.push(binding.trainingState(training));
        }
        addon.setThreadCount(0);
        const first = start(given);
        await binding.runTraining(first, 11);
        const second = start(given);
        binding.restoreTraining(second, binding.trainingState(first));
        await binding.runTraining(second, 30);
        for (const state of [...states, binding.trainingState(second)])
          assert.deepEqual(state, states[0]);
      }
    },
  );

  it('refuses rows, dates and settings that do not fit', () => {
    const given = some('film', 8, 20, 4);
    const { run } = given;
    for (const wrong of [
      { question: Uint32Array.from(run.question, () => rowCount) },
      { positive: Uint32Array.of(1) },
      { negative: new Uint32Array(3) },
      { dates: columns(run.times.slice(1)) },
      { network: { ...run.network, dimensions: 9 } },
      { temperature: 0 },
      { margin: -1 },
      { hard: NaN },
      { time: -0.1 },
      { batch: 5000 },
      { groups: Uint32Array.of(21) },
    ])
      assert.throws(() => start(given, wrong), { code: 'ERR_INVALID_ARGUMENT' });
  });
});
