// An adapter's training at every level: gradients against finite differences and against the chain
// rule in float64, whole runs against the oracle, and the same bits whatever the threads, the
// interruptions and the company.
import assert from 'node:assert/strict';
import { binding } from '../../lib/binding.js';
import { addon } from '../addon.js';
import * as oracle from '../oracle/training.js';
import { atEveryLevel, normals, random } from './levels.js';

interface Small {
  run: oracle.AdapterRun;
  rows: Float32Array;
}

function small(
  dimensions: number,
  rank: number,
  shared: boolean,
  examples: number,
  seed: number,
): Small {
  const count = 24;
  const rows = normals(count * dimensions, seed);
  rows.fill(0, 0, dimensions); // a text that says nothing
  const next = random(seed + 1);
  const column = (): number[] => Array.from({ length: examples }, () => Math.floor(next() * count));
  const run = {
    dimensions,
    rank,
    shared,
    question: column(),
    positive: column(),
    negative: column(),
    margin: Array.from({ length: examples }, () => Math.fround(next())),
    rows: Array.from({ length: count }, (_, i) => [
      ...rows.subarray(i * dimensions, (i + 1) * dimensions),
    ]),
  };
  return { run, rows };
}

function start({ run, rows }: Small, schedule: oracle.Schedule) {
  const gathered = binding.trainingRows(run.dimensions);
  const half = run.dimensions * 5;
  binding.appendTrainingRows(gathered, rows.subarray(0, half));
  assert.equal(binding.appendTrainingRows(gathered, rows.subarray(half)), run.rows.length);
  const { rank, shared, question, positive, negative, margin } = run;
  return binding.startAdapterTraining(gathered, {
    rank,
    shared,
    question: Uint32Array.from(question),
    positive: Uint32Array.from(positive),
    negative: Uint32Array.from(negative),
    margin: Float32Array.from(margin),
    ...schedule,
    groups: Uint32Array.from(schedule.groups),
  });
}

const schedule = (examples: number, steps: number): oracle.Schedule => ({
  seed: 11,
  groups: [examples - 7, 7],
  batch: 9,
  steps,
  warmup: 3,
  rate: 0.02,
  decay: 0.01,
});

/**
 * A training whose parameters are no longer where they started, so that no part of the gradient is
 * zero.
 */
function moved(given: Small, examples: number) {
  const training = start(given, schedule(examples, 10));
  const state = binding.trainingState(training);
  state.parameters.set(normals(state.parameters.length, 77).map((value) => value / 4));
  binding.restoreTraining(training, state);
  return { training, parameters: [...state.parameters] };
}

const largest = (values: readonly number[]): number => Math.max(...values.map(Math.abs));

describe('training', () => {
  after(() => addon.setThreadCount(0));

  it("the oracle's gradient is what finite differences of its loss give", () => {
    for (const shared of [true, false]) {
      const { run } = small(9, 3, shared, 12, 5);
      const parameters = [...normals((shared ? 1 : 2) * 2 * 9 * 3, 6)].map((value) => value / 4);
      const examples = run.margin.map((_, i) => i);
      const exact = oracle.gradient(run, parameters, examples);
      const step = 2 ** -20;
      parameters.forEach((value, i) => {
        const at = (shifted: number): number =>
          oracle.loss(run, parameters.with(i, shifted), examples);
        const slope = (at(value + step) - at(value - step)) / (2 * step);
        assert.ok(
          Math.abs(slope - exact[i]!) < 1e-7,
          `parameter ${i}: ${slope} by differences, ${exact[i]} by the chain rule`,
        );
      });
    }
  });

  atEveryLevel(() => {
    for (const [d, r] of [
      [1, 1],
      [3, 2],
      [7, 1],
      [8, 4],
      [9, 5],
      [16, 4],
      [17, 3],
      [33, 8],
      [64, 5],
      [65, 16],
    ] as const) {
      it(`loss and gradient agree with float64 at ${d} dimensions and rank ${r}`, async () => {
        for (const shared of [true, false]) {
          const given = small(d, r, shared, 40, d * 100 + r);
          const { training, parameters } = moved(given, 40);
          for (const examples of [[3], [...Array(40).keys()], [1, 1, 5]]) {
            const found = await binding.trainingGradient(training, Uint32Array.from(examples));
            const exact = oracle.gradient(given.run, parameters, examples);
            assert.ok(Math.abs(found.loss - oracle.loss(given.run, parameters, examples)) < 1e-6);
            const room = 1e-5 * (largest(exact) + 1e-3);
            exact.forEach((value, i) =>
              assert.ok(
                Math.abs(value - found.gradient[i]!) <= room,
                `parameter ${i}: ${found.gradient[i]} instead of ${value}`,
              ),
            );
          }
        }
      });
    }

    it('a whole run agrees with the oracle, and its vectors with the adapter applied', async () => {
      for (const shared of [true, false]) {
        const given = small(12, 3, shared, 40, 8);
        const training = start(given, schedule(40, 25));
        const exact = oracle.train(given.run, schedule(40, 25));
        const { loss } = await binding.runTraining(training, 1);
        assert.ok(Math.abs(loss - exact.losses[0]!) < 1e-6);
        assert.equal((await binding.runTraining(training, 1000)).step, 25);
        const { parameters } = binding.trainingState(training);
        exact.parameters.forEach((value, i) =>
          assert.ok(
            Math.abs(value - parameters[i]!) < 2e-4,
            `parameter ${i}: ${parameters[i]} instead of ${value}`,
          ),
        );
        const sets = shared ? [0] : [0, 1];
        for (const set of sets) {
          const adapter = parameters.subarray(set * 2 * 36, (set + 1) * 2 * 36);
          const out = await binding.adaptVectors(given.rows, adapter, 12);
          given.run.rows.forEach((row, i) =>
            oracle
              .adapted(given.run, [...parameters], set, row)
              .forEach((value, c) => assert.ok(Math.abs(value - out[i * 12 + c]!) < 1e-6)),
          );
          assert.deepEqual(
            await binding.adaptVectors(given.rows.subarray(5 * 12, 6 * 12), adapter, 12),
            out.slice(5 * 12, 6 * 12),
            'alone as in company',
          );
        }
      }
    });

    it('has the same bits whatever the threads and the interruptions', async () => {
      const given = small(33, 4, true, 200, 9);
      const plan = { ...schedule(200, 30), batch: 70 };
      const whole = start(given, plan);
      addon.setThreadCount(1);
      await binding.runTraining(whole, 30);
      for (const threads of [2, 5]) {
        addon.setThreadCount(threads);
        const first = start(given, plan);
        await binding.runTraining(first, 13);
        const second = start(given, plan);
        binding.restoreTraining(second, binding.trainingState(first));
        await binding.runTraining(second, 30);
        assert.deepEqual(binding.trainingState(second), binding.trainingState(whole));
      }
      addon.setThreadCount(0);
    });
  });

  it('starts as the encoder it is laid over', async () => {
    const given = small(16, 4, true, 20, 3);
    const { parameters } = binding.trainingState(start(given, schedule(20, 5)));
    const exact = oracle.initial(given.run, 11);
    parameters.forEach((value, i) => assert.ok(Math.abs(value - exact[i]!) < 1e-6));
    const unit = (await addon.normalize(given.rows, 16)).rows;
    assert.deepEqual(await binding.adaptVectors(given.rows, parameters, 16), unit);
  });

  it(
    'runs one thing at a time, stops between steps, and refuses states and triplets that ' +
      'do not fit',
    async () => {
      const given = small(64, 8, true, 200, 4);
      const training = start(given, { ...schedule(200, 1_000_000), batch: 64 });
      const cancellation = new binding.Cancellation();
      const running = binding.runTraining(training, 1_000_000, cancellation);
      for (const call of [
        () => binding.trainingState(training),
        () => binding.runTraining(training, 1),
        () => binding.trainingGradient(training, Uint32Array.of(0)),
      ]) {
        assert.throws(call, { code: 'ERR_INVALID_ARGUMENT', message: /one that is running/ });
      }
      setTimeout(() => cancellation.cancel(), 30);
      await assert.rejects(running, { code: 'ERR_ABORTED' });
      let state = binding.trainingState(training);
      for (let waited = 60; state.step === 0; waited *= 2) {
        const longer = new binding.Cancellation(); // a busy machine gave it no turn
        setTimeout(() => longer.cancel(), waited);
        await assert.rejects(binding.runTraining(training, 1_000_000, longer), {
          code: 'ERR_ABORTED',
        });
        state = binding.trainingState(training);
      }
      assert.ok(state.step > 0 && state.step < 1_000_000);
      assert.throws(
        () => binding.restoreTraining(training, { ...state, first: new Float32Array(3) }),
        { message: /state of 1024 parameters/ },
      );
      assert.throws(() => binding.restoreTraining(training, { ...state, step: 1_000_001 }), {
        message: /1000000 steps/,
      });
      assert.throws(
        () =>
          start(
            { ...given, run: { ...given.run, positive: given.run.positive.map(() => 24) } },
            schedule(200, 5),
          ),
        {
          message: /24 rows given, received row 24/,
        },
      );
      assert.throws(() => start(given, { ...schedule(200, 5), groups: [150, 60] }), {
        message: /at most the 200 triplets/,
      });
    },
  );

  it('says so where training runs away', async () => {
    const training = start(small(8, 2, true, 30, 2), {
      ...schedule(30, 400),
      rate: 1e6,
      decay: 1e6,
      warmup: 0,
    });
    await assert.rejects(binding.runTraining(training, 400), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /lower rate/,
    });
  });
});
