// Adapters as files and as encoders: round trip, damage, base encoder, ids.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  adaptedEncoder,
  readAdapter,
  writeAdapter,
  type AdapterWeights,
} from '../../lib/models/index.js';
import { Corpus } from '../../lib/index.js';
import { normals } from '../kernels/levels.js';
import { adapted as exact } from '../oracle/training.js';
import { fails, hashEncoder, temporaryFolder } from '../store/fixtures.js';
import { writeSegmentFile } from '../segmentFiles.js';

const d = 8;
const rank = 3;
const weights = (shared: boolean, seed = 1): AdapterWeights => ({
  base: { id: 'hash-8', dimensions: d },
  rank,
  shared,
  parameters: normals(2 * rank * d * (shared ? 1 : 2), seed),
  settings: { seed },
  statistics: { steps: 3 },
});

describe('adapters', () => {
  const folder = temporaryFolder();
  const base = hashEncoder(d);

  it('weights are restored bit for bit, and a second write replaces the first', async () => {
    const file = folder.path('a.adapter');
    await writeAdapter(file, weights(true));
    assert.deepEqual(await readAdapter(file), weights(true));
    await writeAdapter(file, weights(false, 2));
    assert.deepEqual(await readAdapter(file), weights(false, 2));
    assert.deepEqual(
      readdirSync(dirname(file)).filter((name) => name.endsWith('.part')),
      [],
    );
    await assert.rejects(
      writeAdapter(file, {} as never),
      fails('ERR_INVALID_ARGUMENT', /Expected weights to be AdapterWeights/),
    );
    await assert.rejects(
      writeAdapter(folder.path('no/such/folder/a'), weights(true)),
      fails('ERR_NOT_FOUND', /folder[\\/]a,/),
    );
  });

  it("the encoder applies each side's matrices, and keeps zero vectors", async () => {
    for (const shared of [true, false]) {
      const file = folder.path(`sides-${shared}.adapter`);
      await writeAdapter(file, weights(shared));
      const encoder = await adaptedEncoder(base, file);
      assert.match(encoder.id, /^hash-8\+adapter-[0-9a-f]{12}$/);
      const texts = ['the old mill', '', 'the bridge of 1932'];
      const plain = await base.encode(texts, { kind: 'query' });
      for (const [side, kind] of [
        [0, 'query'],
        [1, 'passage'],
      ] as const) {
        const vectors = await encoder.encode(texts, { kind });
        const run = {
          dimensions: d,
          rank,
          shared,
          rows: [],
          question: [],
          positive: [],
          negative: [],
          margin: [],
        };
        texts.forEach((_, i) =>
          exact(run, [...weights(shared).parameters], side, [
            ...plain.subarray(i * d, (i + 1) * d),
          ]).forEach((value, c) => assert.ok(Math.abs(value - vectors[i * d + c]!) < 1e-6)),
        );
      }
      assert.equal((await encoder.encode([], { kind: 'query' })).length, 0);
    }
  });

  it('rejects another encoder, other files, and truncated or modified files', async () => {
    const file = folder.path('damaged.adapter');
    await writeAdapter(file, weights(true));
    await assert.rejects(
      adaptedEncoder(hashEncoder(d, 'other-8'), file),
      fails('ERR_ENCODER_MISMATCH', /hash-8 \(8 dimensions\).*other-8/),
    );
    await assert.rejects(
      adaptedEncoder(hashEncoder(16, 'hash-8'), file),
      fails('ERR_ENCODER_MISMATCH', /16 dimensions/),
    );
    await assert.rejects(
      adaptedEncoder(base, folder.path('none.adapter')),
      fails('ERR_NOT_FOUND', /weights of an adapter/),
    );
    await assert.rejects(adaptedEncoder(base, ''), fails('ERR_INVALID_ARGUMENT', /file/));
    const bytes = readFileSync(file);
    for (const length of [0, 1, 63, 64, 200, bytes.length - 1]) {
      writeFileSync(file, bytes.subarray(0, length));
      await assert.rejects(
        adaptedEncoder(base, file),
        fails('ERR_CORPUS_CORRUPT', /weights of an adapter.*truncated or altered.*Train it again/),
        `cut to ${length}`,
      );
    }
    const parameter = bytes.indexOf(Buffer.from(weights(true).parameters.buffer).subarray(0, 16));
    for (const at of [20, parameter, bytes.indexOf('hash-8'), bytes.length - 8]) {
      const altered = Buffer.from(bytes);
      altered[at]! ^= 4;
      writeFileSync(file, altered);
      await assert.rejects(
        adaptedEncoder(base, file),
        fails('ERR_CORPUS_CORRUPT', /truncated or altered/),
        `byte ${at}`,
      );
    }
    writeFileSync(
      file,
      'not an adapter, but a text that is longer than the header of one would be, by far',
    );
    await assert.rejects(adaptedEncoder(base, file), fails('ERR_CORPUS_FOREIGN'));
    const segment = folder.path('segment.bin');
    await writeSegmentFile(segment, [{ name: 'numbers', data: Float32Array.of(1) }]);
    await assert.rejects(
      adaptedEncoder(base, segment),
      fails('ERR_CORPUS_FOREIGN', /another kind/),
    );
    await writeAdapter(file, { ...weights(true), rank: 4 });
    await assert.rejects(
      readAdapter(file),
      fails('ERR_CORPUS_CORRUPT', /corresponding number of parameters/),
    );
  });

  it('a corpus of one adapter rejects the base and another adapter', async () => {
    const [one, two] = [folder.path('one.adapter'), folder.path('two.adapter')];
    await writeAdapter(one, weights(true, 1));
    await writeAdapter(two, weights(true, 2));
    const path = folder.path('adapted.asof');
    const corpus = await Corpus.open(path, { encoder: await adaptedEncoder(base, one) });
    await corpus.add([{ id: 'a', text: 'The old mill burned down in 1911.' }]);
    await corpus.close();
    await assert.rejects(
      Corpus.open(path, { encoder: base }),
      fails('ERR_ENCODER_MISMATCH', /adapter-/),
    );
    await assert.rejects(
      Corpus.open(path, { encoder: await adaptedEncoder(base, two) }),
      fails('ERR_ENCODER_MISMATCH'),
    );
    await (await Corpus.open(path, { encoder: await adaptedEncoder(base, one) })).close();
  });
});
