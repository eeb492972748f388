// Training an adapter from triplets to weights: what it learns, determinism, checkpoints and
// resumption to the bit, aborts.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Corpus, staticEncoder, type Encoder } from '../../../../lib/index.js';
import { mineGeneralTriplets, mineTriplets, trainAdapter, type Triplet } from '../../lib/index.js';
import { addon } from '../../../../test/addon.js';
import { fails, hashEncoder, temporaryFolder } from '../../../../test/store/fixtures.js';
import { datedPages } from '../pages.js';

describe('training an adapter', () => {
  const folder = temporaryFolder();
  const triplets: Triplet[] = [];
  let encoder: Encoder;
  before(async () => {
    encoder = await staticEncoder();
    const corpus = await Corpus.open(folder.path('pages.asof'));
    await corpus.add(datedPages());
    for await (const triplet of mineTriplets(corpus)) triplets.push(triplet);
    for await (const triplet of mineGeneralTriplets(corpus, { limit: 100 })) triplets.push(triplet);
    await corpus.close();
  });
  after(() => addon.setThreadCount(0));
  const options = { rank: 4, epochs: 4, batch: 16, rate: 0.001, seed: 3 };

  it('lowers the loss, also of pages it has not seen, and says what it saw', async () => {
    const { base, rank, shared, parameters, settings, statistics } = await trainAdapter(
      encoder,
      triplets,
      options,
    );
    const { temporal, general, heldOut, steps, heldOutLoss } = statistics as {
      temporal: number;
      general: number;
      heldOut: number;
      steps: number;
      heldOutLoss: { before: number; after: number };
    };
    assert.deepEqual(
      [base, rank, shared],
      [{ id: encoder.id, dimensions: encoder.dimensions }, 4, true],
    );
    assert.equal(parameters.length, 2 * 4 * encoder.dimensions);
    assert.equal(settings['rate'], 0.001);
    assert.equal(temporal + general + heldOut, triplets.length);
    assert.equal(steps, Math.ceil((temporal * 4) / 8));
    assert.ok(
      heldOutLoss.after < heldOutLoss.before,
      `${heldOutLoss.after} is not below ${heldOutLoss.before}`,
    );
  });

  it('gives the same bits whatever the threads, and others for another seed', async () => {
    addon.setThreadCount(1);
    const one = await trainAdapter(encoder, triplets, options);
    addon.setThreadCount(4);
    assert.deepEqual((await trainAdapter(encoder, triplets, options)).parameters, one.parameters);
    assert.notDeepEqual(
      (await trainAdapter(encoder, triplets, { ...options, seed: 4 })).parameters,
      one.parameters,
    );
    addon.setThreadCount(0);
  });

  it('trains separate matrices for the two sides, with either kind of triplet absent', async () => {
    const separate = await trainAdapter(encoder, triplets, { ...options, sides: 'separate' });
    const half = separate.parameters.length / 2;
    assert.notDeepEqual(separate.parameters.slice(0, half), separate.parameters.slice(half));
    for (const kind of ['temporal', 'general']) {
      const { statistics } = await trainAdapter(
        encoder,
        triplets.filter((triplet) => triplet.kind === kind),
        options,
      );
      assert.ok((statistics['steps'] as number) > 0);
    }
  });

  it('an abort leaves a checkpoint, and resuming gives the same bits as a whole run', async () => {
    const file = folder.path('run.checkpoint');
    const whole = await trainAdapter(encoder, triplets, options);
    const controller = new AbortController();
    const checkpoint = { file, everySteps: 20 };
    const aborted = trainAdapter(encoder, triplets, {
      ...options,
      checkpoint,
      signal: controller.signal,
      onProgress: ({ done, total, loss }) => {
        assert.ok(done <= total && Number.isFinite(loss));
        if (done >= 60) controller.abort();
      },
    });
    await assert.rejects(aborted, fails('ERR_ABORTED'));
    assert.ok(existsSync(file));
    const resumed = await trainAdapter(encoder, triplets, {
      ...options,
      checkpoint: { ...checkpoint, resume: true },
    });
    assert.deepEqual(resumed.parameters, whole.parameters);
    const first: number[] = [];
    const again = await trainAdapter(encoder, triplets, {
      ...options,
      checkpoint: { ...checkpoint, resume: true },
      onProgress: ({ done }) => first.push(done),
    });
    assert.deepEqual(
      [again.parameters, first],
      [whole.parameters, []],
      'a finished run has nothing left to do',
    );
  });

  it('a checkpoint of another training, a damaged one and a missing one are refused', async () => {
    const file = folder.path('other.checkpoint');
    const resume = { ...options, checkpoint: { file, resume: true } };
    await assert.rejects(
      trainAdapter(encoder, triplets, resume),
      fails('ERR_NOT_FOUND', /checkpoint of a training/),
    );
    await trainAdapter(encoder, triplets, { ...options, checkpoint: { file } });
    for (const other of [{ seed: 9 }, { rank: 5 }, { epochs: 5 }]) {
      await assert.rejects(
        trainAdapter(encoder, triplets, { ...resume, ...other }),
        fails('ERR_INVALID_ARGUMENT', /one of another/),
      );
    }
    await assert.rejects(
      trainAdapter(encoder, triplets.slice(1), resume),
      fails('ERR_INVALID_ARGUMENT', /one of another/),
    );
    await assert.rejects(
      trainAdapter(hashEncoder(encoder.dimensions), triplets, resume),
      fails('ERR_INVALID_ARGUMENT', /one of another/),
    );
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, bytes.length - 100));
    await assert.rejects(
      trainAdapter(encoder, triplets, resume),
      fails('ERR_CORPUS_CORRUPT', /truncated or altered.*Restart/),
    );
  });

  it('refuses settings out of range and triplets that leave nothing to train on', async () => {
    for (const wrong of [
      { rank: 0 },
      { epochs: 1.5 },
      { batch: 1 },
      { rate: 0 },
      { seed: -1 },
      { sides: 'left' as never },
    ]) {
      await assert.rejects(trainAdapter(encoder, triplets, wrong), fails('ERR_INVALID_ARGUMENT'));
    }
    await assert.rejects(
      trainAdapter(
        encoder,
        triplets.filter(({ split }) => split === 'test'),
      ),
      fails('ERR_INVALID_ARGUMENT', /split train/),
    );
  });

  it('does not hold up the event loop', async () => {
    let [turns, reports, going] = [0, 0, true];
    const turn = (): void => void (going && ((turns += 1), setImmediate(turn)));
    turn();
    await trainAdapter(encoder, triplets, {
      ...options,
      rank: 32,
      epochs: 30,
      onProgress: () => (reports += 1),
    });
    going = false;
    // Steps that ran on this thread would leave a turn or two between their reports.
    assert.ok(reports > 1 && turns > 5 * reports, `${turns} turns in ${reports} reports`);
  });
});
