// The public time encoder: weight files, compatibility, and fusion of vectors with times.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { noTime, timeTupleOf } from '../../lib/time/tuple.js';
import { timeTuples, type TimeTuple } from '../../lib/time/index.js';
import {
  readTimeEncoder,
  timeEncoder,
  writeTimeEncoder,
  type TimeEncoderWeights,
} from '../../lib/models/index.js';
import { timeColumns } from '../../lib/vectors/timeEncoder.js';
import { binding } from '../../lib/binding.js';
import * as oracle from '../oracle/timeEncoder.js';
import { normals } from '../kernels/levels.js';
import { fails, hashEncoder, temporaryFolder } from '../store/fixtures.js';

const shape = { kind: 'film' as const, dimensions: 12, waves: 4, width: 6 };
const base = hashEncoder(shape.dimensions);

function someWeights(kind: TimeEncoderWeights['kind'] = 'film'): TimeEncoderWeights {
  const statistics = { meanYear: 2000, deviationYear: 8 };
  const parameters = normals(binding.timeParameterCount({ ...shape, kind, ...statistics }), 4);
  return {
    encoder: base.id,
    ...shape,
    kind,
    statistics,
    parameters,
    settings: { seed: 1 },
    training: { steps: 3 },
  };
}

const texts = [
  'On 29 February 2024 it rained.',
  'In May 1999 it snowed.',
  'In 44 BC it was windy.',
  'It is dry.',
];

describe('a time encoder', () => {
  const folder = temporaryFolder();

  it('fuses times into vectors, and leaves undated ones bit for bit', async () => {
    const times = await timeTuples(texts, { kind: 'passage' });
    assert.deepEqual(times[3], noTime);
    const vectors = await base.encode(texts, { kind: 'passage' });
    for (const kind of ['film', 'concatenated', 'direct', 'absolute'] as const) {
      const weights = someWeights(kind);
      const encoder = await timeEncoder(base, weights);
      assert.equal(encoder.dimensions, kind === 'film' ? 12 : 18);
      const rows = await encoder.fuse(vectors, times);
      const network = { ...shape, kind, ...weights.statistics };
      const given: oracle.Time[] = [
        { year: 2024, month: 2, day: 29, dayOfYear: 60 },
        { year: 1999, month: 5 },
        { year: -43 },
        {},
      ];
      given.forEach((time, i) => {
        const row = [...vectors.subarray(i * 12, (i + 1) * 12)];
        const exact = oracle.fused(oracle.numbers, network, [...weights.parameters], time, row);
        const found = [...rows.subarray(i * encoder.dimensions, (i + 1) * encoder.dimensions)];
        if (i === 3) assert.deepEqual(found, exact);
        else
          exact.forEach((value, c) =>
            assert.ok(Math.abs(value - found[c]!) < 1e-5, `${kind}, text ${i}, component ${c}`),
          );
      });
    }
  });

  it('treats columns like tuples, and many rows like few', async () => {
    const encoder = await timeEncoder(base, someWeights());
    const times: TimeTuple[] = Array.from({ length: 2500 }, (_, i) =>
      i % 7 === 0
        ? noTime
        : timeTupleOf({ start: i * 864e5, end: (i + (i % 3 === 0 ? 1 : 30)) * 864e5 }),
    );
    const vectors = normals(times.length * 12, 9);
    const all = await encoder.fuse(vectors, times);
    assert.deepEqual(await encoder.fuse(vectors, timeColumns(times)), all);
    for (const i of [0, 1023, 1024, 2499]) {
      assert.deepEqual(
        await encoder.fuse(vectors.subarray(i * 12, (i + 1) * 12), [times[i]!]),
        all.slice(i * 12, (i + 1) * 12),
      );
    }
  });

  it('is the same from a file and from memory, with an id of its weights alone', async () => {
    const file = folder.path('times.bin');
    const weights = someWeights();
    await writeTimeEncoder(file, weights);
    assert.deepEqual(await readTimeEncoder(file), weights);
    const [read, held] = [
      await timeEncoder(base, file),
      await timeEncoder(base, { ...weights, settings: {} }),
    ];
    assert.equal(read.id, held.id);
    assert.match(read.id, new RegExp(`^${base.id}\\+time-[0-9a-f]{12}$`));
    const other = await timeEncoder(base, {
      ...weights,
      parameters: weights.parameters.map((value) => value + 1),
    });
    assert.notEqual(other.id, read.id);
    assert.notEqual(
      (await timeEncoder(base, { ...weights, statistics: { meanYear: 2001, deviationYear: 8 } }))
        .id,
      read.id,
    );
  });

  it('is rejected if its file is damaged', async () => {
    const file = folder.path('bytes.bin');
    await writeTimeEncoder(file, someWeights());
    const bytes = readFileSync(file);
    const altered = Uint8Array.from(bytes);
    altered[altered.length - 70]! ^= 1;
    for (const wrong of [altered, bytes.subarray(0, -100)]) {
      writeFileSync(file, wrong);
      await assert.rejects(readTimeEncoder(file), fails('ERR_CORPUS_CORRUPT', /bytes\.bin/));
    }
    writeFileSync(file, 'no weights');
    await assert.rejects(readTimeEncoder(file), fails('ERR_CORPUS_FOREIGN', /bytes\.bin/));
  });

  it(
    'refuses an encoder that it does not fit, files that are none, weights and times that ' +
      'are none',
    async () => {
      const file = folder.path('refused.bin');
      await writeTimeEncoder(file, someWeights());
      await assert.rejects(
        timeEncoder(hashEncoder(13), file),
        fails('ERR_ENCODER_MISMATCH', /refused\.bin, received.*asof train re3/s),
      );
      await assert.rejects(
        timeEncoder({ id: 'other', dimensions: 12 }, someWeights()),
        fails('ERR_ENCODER_MISMATCH', /received other/),
      );
      await assert.rejects(
        readTimeEncoder(folder.path('none.bin')),
        fails('ERR_NOT_FOUND', /weights of a time encoder/),
      );
      writeFileSync(folder.path('text.bin'), 'no weights');
      await assert.rejects(readTimeEncoder(folder.path('text.bin')), fails('ERR_CORPUS_FOREIGN'));
      const bytes = readFileSync(file);
      bytes[bytes.length - 70]! ^= 1;
      writeFileSync(folder.path('damaged.bin'), bytes);
      await assert.rejects(
        readTimeEncoder(folder.path('damaged.bin')),
        fails('ERR_CORPUS_CORRUPT'),
      );
      for (const wrong of [
        { kind: 'other' },
        { encoder: '' },
        { width: 7 },
        { waves: -1 },
        { statistics: {} },
        { parameters: new Float32Array(3) },
      ]) {
        await assert.rejects(
          timeEncoder(base, { ...someWeights(), ...wrong } as TimeEncoderWeights),
          fails('ERR_INVALID_ARGUMENT'),
        );
      }
      const encoder = await timeEncoder(base, someWeights());
      await assert.rejects(
        encoder.fuse(new Float32Array(11), [noTime]),
        fails('ERR_INVALID_ARGUMENT', /1 rows of 12/),
      );
      await assert.rejects(
        encoder.fuse(new Float32Array(12), [{ ...noTime, mask: [0, 1, 0] }]),
        fails('ERR_INVALID_ARGUMENT', /times\[0\]/),
      );
      await assert.rejects(
        encoder.fuse(new Float32Array(12), 'today' as never),
        fails('ERR_INVALID_ARGUMENT'),
      );
      await assert.rejects(
        encoder.fuse(new Float32Array(12), [noTime], { signal: AbortSignal.abort() }),
        fails('ERR_ABORTED'),
      );
    },
  );
});
