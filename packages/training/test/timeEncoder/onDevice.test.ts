// A time encoder trained on a CUDA device: the CPU's weights to rounding, checkpoints that go on at
// either, and nothing left there. Skipped with the reason where there is no device; `npm run
// test:native` runs it over the emulated one.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { devices, type Device } from '../../../../lib/models/index.js';
import { trainTimeEncoder, type TimeTrainingOptions } from '../../lib/index.js';
import { timeKinds } from '../../../../lib/vectors/timeEncoder.js';
import { fails, hashEncoder, temporaryFolder } from '../../../../test/store/fixtures.js';
import { world } from './data.js';

describe('training a time encoder on a device', function () {
  const folder = temporaryFolder();
  const encoder = hashEncoder(12);
  const { passages, train, dev } = world(12);
  const data = { triplets: train, passages, validation: dev };
  const options: TimeTrainingOptions = {
    width: 6,
    waves: 4,
    epochs: 1,
    batch: 16,
    seed: 3,
    validateEvery: 5,
  };
  const trained = (device: Device, more: TimeTrainingOptions = {}) =>
    trainTimeEncoder(encoder, data, { ...options, device, ...more });
  const free = async (): Promise<number> => (await devices())[1]!.freeMemory ?? -1;

  function alike(found: Float32Array, wanted: Float32Array, within: number): void {
    assert.equal(found.length, wanted.length);
    found.forEach((value, i) =>
      assert.ok(
        Math.abs(value - wanted[i]!) <= within,
        `parameter ${i}: ${value} beside ${wanted[i]}`,
      ),
    );
  }

  before(async function () {
    const [, cuda] = await devices();
    if (cuda!.available) return;
    // A library that is named has to be there.
    assert.equal(process.env['ASOF_CUDA_LIBRARY'], undefined, cuda!.reason);
    console.log(`    skipped: ${cuda!.reason}`);
    this.skip();
  });

  it('gives the weights of the CPU, to rounding, of every kind', async () => {
    for (const kind of timeKinds) {
      const [wanted, found] = [await trained('cpu', { kind }), await trained('cuda', { kind })];
      alike(found.parameters, wanted.parameters, 1e-3);
      assert.deepEqual(found.settings, wanted.settings);
      assert.equal(found.training['steps'], wanted.training['steps']);
    }
  });

  it('leaves nothing there', async () => {
    await trained('cuda'); // the kernels themselves stay, once they have been asked for
    await wait(100);
    const before = await free();
    await trained('cuda');
    for (let tries = 0; (await free()) < before; tries += 1) {
      assert.ok(tries < 200, 'a training that has ended holds memory of the device');
      await wait(10);
    }
  });

  it('stops where it is told, and goes on from its checkpoint at either', async () => {
    const file = folder.path('run.checkpoint');
    const controller = new AbortController();
    const onProgress = ({ done }: { done: number }): void => {
      if (done >= 4) controller.abort();
    };
    const long = { epochs: 4, patience: 1000 };
    const running = trained('cuda', {
      ...long,
      checkpoint: { file, everySteps: 4 },
      signal: controller.signal,
      onProgress,
    });
    await assert.rejects(running, fails('ERR_ABORTED'));
    const resume = { ...long, checkpoint: { file, everySteps: 1_000_000, resume: true } };
    const [here, whole] = [await trained('cpu', resume), await trained('cuda', long)];
    assert.deepEqual(here.training['steps'], whole.training['steps']);
  });
});
