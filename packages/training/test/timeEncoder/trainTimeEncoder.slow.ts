// Training a time encoder from triplets to weights: what it learns about towns it has not seen, an
// end where it learns no more, determinism, checkpoints and resumption to the bit, aborts,
// refusals.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { timeEncoder } from '../../../../lib/models/index.js';
import {
  readTimeTriplets,
  trainTimeEncoder,
  type TimeTriplet,
  type TimeTrainingOptions,
} from '../../lib/index.js';
import { staticEncoder, type Encoder, type Passage } from '../../../../lib/index.js';
import { addon } from '../../../../test/addon.js';
import { fails, hashEncoder, temporaryFolder } from '../../../../test/store/fixtures.js';
import { world } from './data.js';

interface Reached {
  examples: number;
  steps: number;
  validation: number;
  bestStep: number;
  found: Record<'before' | 'after', { recall: number; reciprocalRank: number }>;
}

describe('training a time encoder', () => {
  const folder = temporaryFolder();
  const { passages, train, dev } = world(100);
  let encoder: Encoder;
  before(async () => (encoder = await staticEncoder()));
  after(() => addon.setThreadCount(0));
  const options: TimeTrainingOptions = {
    width: 16,
    waves: 8,
    epochs: 3,
    batch: 32,
    rate: 0.005,
    seed: 3,
    validateEvery: 20,
  };
  const data = { triplets: train, passages, validation: dev };

  it('finds more of what it has not seen than the encoder alone, and says so', async () => {
    const weights = await trainTimeEncoder(encoder, data, options);
    const { examples, steps, validation, found, bestStep } = weights.training as unknown as Reached;
    assert.deepEqual(
      [examples, validation, weights.encoder, weights.kind],
      [train.length, dev.length, encoder.id, 'film'],
    );
    assert.ok(
      found.after.recall > 0.98 && found.after.reciprocalRank > found.before.reciprocalRank + 0.1,
      JSON.stringify(found),
    );
    assert.ok(bestStep > 0 && bestStep <= steps && steps <= Math.ceil((examples * 3) / 32));
    assert.ok(weights.statistics.meanYear > 2003 && weights.statistics.meanYear < 2010);
    const fused = await timeEncoder(encoder, weights);
    assert.equal(fused.dimensions, encoder.dimensions);
  });

  it('learns with every kind of encoding', async () => {
    for (const kind of ['concatenated', 'direct', 'absolute'] as const) {
      const { training } = await trainTimeEncoder(encoder, data, { ...options, kind });
      const { found } = training as unknown as Reached;
      assert.ok(found.after.recall >= found.before.recall, kind);
    }
  });

  it('ends where validation is no better any more, and keeps the best', async () => {
    const weights = await trainTimeEncoder(encoder, data, {
      ...options,
      epochs: 400,
      validateEvery: 5,
      patience: 3,
    });
    const { steps, bestStep } = weights.training as unknown as Reached;
    assert.equal(steps, bestStep + 15);
  });

  it('gives the same bits whatever the threads, and others for another seed', async () => {
    addon.setThreadCount(1);
    const one = await trainTimeEncoder(encoder, data, options);
    addon.setThreadCount(4);
    assert.deepEqual(await trainTimeEncoder(encoder, data, options), one);
    assert.notDeepEqual(
      (await trainTimeEncoder(encoder, data, { ...options, seed: 4 })).parameters,
      one.parameters,
    );
    addon.setThreadCount(0);
  });

  it(
    'an abort leaves a checkpoint, and going on from it gives the bits of an undisturbed ' +
      'run, its best among them',
    async () => {
      const file = folder.path('run.checkpoint');
      const whole = await trainTimeEncoder(encoder, data, options);
      const controller = new AbortController();
      const checkpoint = { file, everySteps: 9 };
      const aborted = trainTimeEncoder(encoder, data, {
        ...options,
        checkpoint,
        signal: controller.signal,
        onProgress: ({ done }) => done >= 33 && controller.abort(),
      });
      await assert.rejects(aborted, fails('ERR_ABORTED'));
      const resume = { ...options, checkpoint: { ...checkpoint, resume: true } };
      const resumed = await trainTimeEncoder(encoder, data, resume);
      // The last loss is a mean over the steps since the last report, which lie otherwise.
      assert.deepEqual(
        [resumed.parameters, { ...resumed.training, loss: 0 }],
        [whole.parameters, { ...whole.training, loss: 0 }],
      );
      const again = await trainTimeEncoder(encoder, data, resume);
      assert.deepEqual(again.parameters, whole.parameters, 'a finished run has nothing left to do');
      for (const other of [
        { seed: 9 },
        { width: 8 },
        { kind: 'direct' as const },
        { lambdaTime: 0 },
      ]) {
        await assert.rejects(
          trainTimeEncoder(encoder, data, { ...resume, ...other }),
          fails('ERR_INVALID_ARGUMENT', /one of another/),
        );
      }
      await assert.rejects(
        trainTimeEncoder(encoder, { ...data, triplets: train.slice(1) }, resume),
        fails('ERR_INVALID_ARGUMENT', /one of another/),
      );
      await assert.rejects(
        trainTimeEncoder(hashEncoder(encoder.dimensions), data, resume),
        fails('ERR_INVALID_ARGUMENT', /one of another/),
      );
    },
  );

  it('an end that validation made is an end for who goes on, too', async () => {
    const checkpoint = { file: folder.path('ended.checkpoint') };
    const ending = { ...options, epochs: 400, validateEvery: 5, patience: 2, checkpoint };
    const ended = await trainTimeEncoder(encoder, data, ending);
    const seen: number[] = [];
    const again = await trainTimeEncoder(encoder, data, {
      ...ending,
      checkpoint: { ...checkpoint, resume: true },
      onProgress: ({ done }) => seen.push(done),
    });
    assert.deepEqual([again.parameters, seen], [ended.parameters, []]);
  });

  it(
    'takes streams, passes over passages that nobody names, and gives each question of ' +
      'several negatives an example each',
    async () => {
      async function* streamed<T>(items: readonly T[]): AsyncGenerator<T> {
        yield* items;
      }
      const more = [...passages, { id: 'other', text: 'Nobody asks for this.' }];
      const weights = await trainTimeEncoder(
        encoder,
        { triplets: streamed(train), passages: streamed(more) },
        { ...options, epochs: 1 },
      );
      assert.deepEqual(
        (await trainTimeEncoder(encoder, { triplets: train, passages }, { ...options, epochs: 1 }))
          .parameters,
        weights.parameters,
      );
      assert.equal(
        weights.training['passages'],
        new Set(
          train.flatMap(({ positive, negatives }) => [positive, ...negatives.map(({ id }) => id)]),
        ).size,
      );
      const twice = train.map(
        (triplet, i): TimeTriplet => ({
          ...triplet,
          negatives: [
            ...triplet.negatives,
            { id: train[(i + 2) % train.length]!.positive, kind: 'time' },
          ],
        }),
      );
      assert.equal(
        (await trainTimeEncoder(encoder, { triplets: twice, passages }, { ...options, epochs: 1 }))
          .training['examples'],
        2 * train.length,
      );
      const without = train.map((triplet): TimeTriplet => ({ ...triplet, negatives: [] }));
      assert.equal(
        (
          await trainTimeEncoder(
            encoder,
            { triplets: without, passages },
            { ...options, epochs: 1 },
          )
        ).training['examples'],
        train.length,
      );
    },
  );

  it('refuses passages that are missing, data and settings that are none', async () => {
    await assert.rejects(
      trainTimeEncoder(encoder, { triplets: train, passages: passages.slice(1) }),
      fails('ERR_INVALID_INPUT', /Ashwick-0/),
    );
    await assert.rejects(
      trainTimeEncoder(encoder, { triplets: [], passages }),
      fails('ERR_INVALID_ARGUMENT', /triplets to train on/),
    );
    await assert.rejects(
      trainTimeEncoder(encoder, { triplets: [{ query: 'Who?' } as TimeTriplet], passages }),
      fails('ERR_INVALID_ARGUMENT', /triplet 0/),
    );
    await assert.rejects(
      trainTimeEncoder(encoder, undefined as never),
      fails('ERR_INVALID_ARGUMENT', /data\.triplets/),
    );
    const timeless: Passage[] = [{ id: 'a', text: 'It rains.' }];
    await assert.rejects(
      trainTimeEncoder(encoder, {
        triplets: [{ query: 'Does it?', positive: 'a', negatives: [] }],
        passages: timeless,
      }),
      fails('ERR_INVALID_ARGUMENT', /name a time/),
    );
    for (const wrong of [
      { kind: 'other' as never },
      { width: 0 },
      { waves: 1.5 },
      { epochs: 0 },
      { batch: 1 },
      { batch: 5000 },
      { rate: 0 },
      { seed: -1 },
      { temperature: 0 },
      { margin: 3 },
      { lambdaHard: -1 },
      { lambdaTime: NaN },
      { patience: 0 },
      { negatives: ['place' as never] },
      { validateEvery: 0 },
    ])
      await assert.rejects(trainTimeEncoder(encoder, data, wrong), fails('ERR_INVALID_ARGUMENT'));
    await assert.rejects(
      trainTimeEncoder(encoder, data, { ...options, signal: AbortSignal.abort() }),
      fails('ERR_ABORTED'),
    );
  });

  it('reads triplets of lines, and says which line is none', async () => {
    const file = folder.path('triplets.jsonl');
    writeFileSync(
      file,
      '{"id":"q","query":"When?","asked_at":"2020-01-01","query_time":null,' +
        '"positive":"a","negatives":[{"id":"b","kind":"time"}]}\n' +
        '{"query":"Who?","positive":"a"}\n',
    );
    const read: TimeTriplet[] = [];
    for await (const triplet of readTimeTriplets(file)) read.push(triplet);
    assert.deepEqual(read, [
      {
        query: 'When?',
        askedAt: '2020-01-01',
        positive: 'a',
        negatives: [{ id: 'b', kind: 'time' }],
      },
      { query: 'Who?', positive: 'a', negatives: [] },
    ]);
    const passage = { id: 'a', title: 'T', text: 'It was 1950.', published_at: '1951-01-01' };
    const mined = { kind: 'general', split: 'test', question: 'Which?', margin: 1 };
    const lines = [
      { query: 'Who?', positive: passage, negatives: [{ ...passage, id: 'b', kind: 'entity' }] },
      { ...mined, positive: passage, negative: { id: 'c', text: 'No.' } },
    ];
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const whole = { id: 'a', text: 'It was 1950.', title: 'T', publishedAt: Date.UTC(1951, 0) };
    const again: TimeTriplet[] = [];
    for await (const triplet of readTimeTriplets(file)) again.push(triplet);
    assert.deepEqual(again, [
      {
        query: 'Who?',
        positive: 'a',
        negatives: [{ id: 'b', kind: 'entity' }],
        passages: [whole, { ...whole, id: 'b' }],
      },
      {
        query: 'Which?',
        split: 'test',
        positive: 'a',
        negatives: [{ id: 'c', kind: 'entity' }],
        passages: [whole, { id: 'c', text: 'No.' }],
      },
    ]);
    for (const wrong of [
      '{"query":"Who?"}',
      '{"query":"Who?","positive":"a","negatives":{}}',
      '{"query":"Who?","positive":"a","negatives":[{"id":"b","kind":"place"}]}',
      '{"query":"Who?","positive":{"id":"a"}}',
      '{"query":"Who?","positive":"a","negatives":[{"id":"b","kind":"time","text":5}]}',
      '{"question":"Who?","positive":"a","negatives":[]}',
    ]) {
      writeFileSync(file, `\n${wrong}\n`);
      await assert.rejects(
        (async () => {
          for await (const _ of readTimeTriplets(file));
        })(),
        fails('ERR_INVALID_INPUT', /triplets\.jsonl:2/),
      );
    }
  });
});
