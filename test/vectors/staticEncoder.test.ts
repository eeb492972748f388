// The embedded encoder against a float64 oracle, in edge cases, and on damaged model files.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { AsOfError, type ErrorCode } from '../../lib/errors.js';
import { addonPath, binding } from '../../lib/binding.js';
import { addon } from '../addon.js';
import type { Encoder } from '../../lib/vectors/encoder.js';
import { staticEncoder, tokenEncoder } from '../../lib/vectors/staticEncoder.js';
import { pool, readStaticModel } from '../oracle/staticModel.js';
import { failsWith } from '../failsWith.js';
import { turnsDuring } from '../turnsDuring.js';
import { temporaryFolder } from '../store/fixtures.js';

const embedded = fileURLToPath(new URL('../../models/default-encoder.bin', import.meta.url));
const passage = { kind: 'passage' } as const;
const row = (vectors: Float32Array, i: number, d: number): Float32Array =>
  vectors.subarray(i * d, (i + 1) * d);
const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, value, j) => sum + value * b[j]!, 0);

describe('vectors: static encoder', () => {
  let encoder: Encoder;
  let handle: Awaited<ReturnType<typeof binding.openStaticEncoder>>;
  const model = readStaticModel(embedded);
  before(async () => {
    encoder = await staticEncoder();
    handle = await binding.openStaticEncoder(embedded);
  });

  it('reports its id, and its header its provenance', () => {
    assert.equal(encoder.id, model.header['id']);
    assert.equal(encoder.dimensions, model.dimensions);
    assert.equal(model.header['licence'], 'Apache-2.0');
    assert.ok(readFileSync(embedded).length <= 8_000_000);
  });

  it('returns the float64 vector of its definition for any text', async () => {
    const words = fc
      .array(
        fc.constantFrom(
          'king',
          'of',
          'France',
          '1789',
          'Zürich',
          'the',
          'naïve',
          'unbelievably',
          '東京',
          '😀',
          '.',
          'ΑΣ',
        ),
        {
          maxLength: 60,
        },
      )
      .map((parts) => parts.join(' '));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(words, fc.string({ unit: 'binary', maxLength: 50 })), {
          minLength: 1,
          maxLength: 5,
        }),
        async (texts) => {
          const vectors = await encoder.encode(texts, passage);
          texts.forEach((text, i) => {
            const expected = pool(model, addon.tokenizeText(handle, text));
            // Each of n f32 additions and one product per token may err by half a unit of 2^-24 of
            // the running sum.
            expected.forEach((value, j) =>
              assert.ok(
                Math.abs(value - row(vectors, i, encoder.dimensions)[j]!) <= 64 * 2 ** -22,
                `${JSON.stringify(text)} [${j}]`,
              ),
            );
          });
        },
      ),
      { numRuns: 100 },
    );
  });

  it('has the rarity of a word by the length of its token', async () => {
    const { rarity } = await tokenEncoder();
    for (const [token, word] of model.tokens.entries()) {
      const own = model.rows.subarray(token * model.dimensions, (token + 1) * model.dimensions);
      const squares = own.reduce((sum, each) => sum + each ** 2, 0);
      assert.equal(rarity(word), model.scales[token]! * Math.sqrt(squares), word);
    }
    for (const word of ['', '##', 'zxqvbnm', 'the the', '\ud800']) assert.equal(rarity(word), 18);
    for (const [common, rare] of [
      ['the', 'prime'],
      ['of', 'minister'],
      ['year', 'inflation'],
      ['city', 'archbishop'],
    ] as const)
      assert.ok(rarity(common) < rarity(rare), `${common} ${rarity(common)} ${rarity(rare)}`);
    assert.ok(rarity('the') > 0 && rarity('the') < 3);
  });

  it('gives cosines of texts by the tokens of their words, those of their vectors', async () => {
    const { tokenize, cosines } = await tokenEncoder();
    const word = fc.oneof(
      fc.constantFrom('king', 'of', 'France', '1789', 'naïve', '東京', 'ΑΣ', ''),
      fc.string({ unit: 'binary', maxLength: 12 }),
    );
    const lists = fc.array(fc.array(word, { maxLength: 90 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(lists, fc.nat(5), async (texts, most) => {
        const words = [...new Set(texts.flat())];
        const tokens = tokenize(words);
        const of = (one: string): number[] => {
          const at = words.indexOf(one);
          return [...tokens.ids.subarray(tokens.ends[at - 1] ?? 0, tokens.ends[at])];
        };
        const ids = texts.map((each) => each.flatMap(of));
        let end = 0;
        const asked = Math.min(most, texts.length);
        const found = await cosines(
          {
            ids: Uint32Array.from(ids.flat()),
            ends: Uint32Array.from(ids, ({ length }) => (end += length)),
          },
          asked,
        );
        const vectors = await encoder.encode(
          texts.map((each) => each.join(' ')),
          passage,
        );
        const rows = texts.map((_, i) => row(vectors, i, encoder.dimensions));
        const others = rows.slice(asked);
        const expected = rows
          .slice(0, asked)
          .flatMap((own) => others.map((each) => dot(own, each)));
        assert.equal(found.length, expected.length);
        expected.forEach((each, at) => assert.ok(Math.abs(found[at]! - each) < 1e-6));
      }),
      { numRuns: 200 },
    );
  });

  it('refuses tokens that it does not have, and lists that do not fit', () => {
    const call = (ids: number[], ends: number[]) => () =>
      binding.cosinesOfTokens(handle, Uint32Array.from(ids), Uint32Array.from(ends), 1);
    assert.throws(call([1 << 30], [1]), failsWith('ERR_INVALID_ARGUMENT', /Expected ids to be/));
    const refused = failsWith('ERR_INVALID_ARGUMENT', /Expected ends to be/);
    assert.throws(call([0], [2]), refused);
    assert.throws(call([0, 0], [2, 1, 2]), refused);
    assert.throws(call([0], []), refused);
    assert.throws(
      () => binding.cosinesOfTokens(handle, Uint32Array.of(0), Uint32Array.of(1), 2),
      failsWith('ERR_INVALID_ARGUMENT', /Expected asked to be/),
    );
  });

  it('rates similar texts as nearer than dissimilar ones', async () => {
    const vectors = await encoder.encode(
      [
        'Who was the prime minister of the United Kingdom?',
        'Theresa May led the British government.',
        'Bees make honey from nectar.',
      ],
      passage,
    );
    const [question, answer, other] = [0, 1, 2].map((i) => row(vectors, i, encoder.dimensions));
    assert.ok(
      dot(question!, answer!) > dot(question!, other!) + 0.2,
      `${dot(question!, answer!)} against ${dot(question!, other!)}`,
    );
  });

  it('returns the zero vector for texts without tokens, and no NaN', async () => {
    const vectors = await encoder.encode(
      ['', ' \t\n', '\u0000\ud800', '\u{20000}', 'x'.repeat(101)],
      passage,
    );
    assert.ok(vectors.every((value) => value === 0));
    assert.equal((await encoder.encode([], passage)).length, 0);
  });

  it('returns the same bits in any batch, on any number of threads, for both kinds', async () => {
    const texts = Array.from(
      { length: 5000 },
      (_, i) => `Passage ${i} about the year ${1000 + i} and ${'more '.repeat(i % 37)}words`,
    );
    const together = await encoder.encode(texts, passage);
    try {
      addon.setThreadCount(1);
      assert.deepEqual(await encoder.encode(texts, { kind: 'query' }), together);
    } finally {
      addon.setThreadCount(0);
    }
    assert.deepEqual(
      await encoder.encode([texts[4321]!], passage),
      together.slice(4321 * encoder.dimensions, 4322 * encoder.dimensions),
    );
  });

  it('accepts a text of ten million characters', async () => {
    const vectors = await encoder.encode(['word '.repeat(2_000_000)], passage);
    assert.ok(Math.abs(dot(vectors, vectors) - 1) < 1e-5);
  });

  it('rejects values that are no text', async () => {
    await assert.rejects(
      encoder.encode('one' as never, passage),
      failsWith('ERR_INVALID_ARGUMENT', /texts/),
    );
    await assert.rejects(
      encoder.encode(['one', 2 as never], passage),
      failsWith('ERR_INVALID_ARGUMENT', /texts\[1\].*number 2/),
    );
    assert.throws(
      () => binding.encodeTexts({} as never, []),
      failsWith('ERR_INVALID_ARGUMENT', /openStaticEncoder/),
    );
    assert.throws(
      () => addon.tokenizeText(handle, 1 as never),
      failsWith('ERR_INVALID_ARGUMENT', /text/),
    );
  });

  it('stops at the signal, before and during the work', async () => {
    await assert.rejects(
      encoder.encode(['one'], { ...passage, signal: AbortSignal.abort() }),
      failsWith('ERR_ABORTED'),
    );
    const controller = new AbortController();
    const texts = new Array<string>(200_000).fill(
      'a passage of a few words that has to be cut and summed; '.repeat(8),
    );
    const running = encoder.encode(texts, { ...passage, signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 5);
    await assert.rejects(running, failsWith('ERR_ABORTED'));
  });

  it('leaves the event loop free while it encodes', async () => {
    const texts = Array.from({ length: 60_000 }, (_, i) => `a passage of a few words, number ${i}`);
    const turns = await turnsDuring(() => encoder.encode(texts, passage));
    assert.ok(turns >= 3, `${turns} turns`);
  });

  it('works in a worker thread, and outlives it', async () => {
    const source = `const { parentPort, workerData } = require('node:worker_threads'); const addon = require(workerData.addon);
      addon.openStaticEncoder(workerData.model).then(async (handle) => parentPort.postMessage(await addon.encodeTexts(handle, ['a king'])));`;
    const worker = new Worker(source, {
      eval: true,
      workerData: { addon: addonPath, model: embedded },
    });
    const vectors = await new Promise((resolve, reject) =>
      worker.once('message', resolve).once('error', reject),
    );
    await worker.terminate();
    assert.deepEqual(vectors, await encoder.encode(['a king'], passage));
  });
});

describe('vectors: static model files', () => {
  const folder = temporaryFolder();
  const original = readFileSync(embedded);
  let count = 0;
  const written = (bytes: Uint8Array): string => {
    const path = folder.path(`${(count += 1)}.bin`);
    writeFileSync(path, bytes);
    return path;
  };
  const changed = (change: (bytes: Buffer) => void): string => {
    const bytes = Buffer.from(original);
    change(bytes);
    return written(bytes);
  };
  const resealed = (change: (bytes: Buffer) => void): string =>
    changed((bytes) => {
      change(bytes);
      bytes.writeUInt32LE(binding.crc32c(bytes.subarray(16)), 12);
    });
  const refuses = (path: string, code: ErrorCode, pattern?: RegExp): Promise<void> =>
    assert.rejects(staticEncoder({ model: path }), failsWith(code, pattern));

  it('opens a copy', async () => {
    const path = folder.path('copy.bin');
    copyFileSync(embedded, path);
    assert.equal((await staticEncoder({ model: path })).id, (await staticEncoder()).id);
  });

  it('rejects missing, foreign, empty, newer, truncated and damaged files', async () => {
    await refuses(folder.path('none.bin'), 'ERR_NOT_FOUND', /none\.bin/);
    await refuses(folder.path(), 'ERR_CORPUS_FOREIGN');
    await refuses(written(new Uint8Array(0)), 'ERR_CORPUS_FOREIGN');
    await refuses(
      written(Buffer.from('PK\u0003\u0004 something else altogether')),
      'ERR_CORPUS_FOREIGN',
      /begin/,
    );
    await refuses(
      changed((bytes) => bytes.writeUInt32LE(2, 8)),
      'ERR_CORPUS_NEWER',
      /version 2/,
    );
    await refuses(
      changed((bytes) => bytes.writeUInt32LE(0, 8)),
      'ERR_CORPUS_CORRUPT',
      /version 0/,
    );
    for (const length of [8, 63, 64, 1000, original.length - 1])
      await refuses(written(original.subarray(0, length)), 'ERR_CORPUS_CORRUPT');
    await refuses(
      written(Buffer.concat([original, Buffer.alloc(1)])),
      'ERR_CORPUS_CORRUPT',
      /bytes long/,
    );
    for (const at of [64, 70_000, 400_000, original.length - 1]) {
      await refuses(
        changed((bytes) => (bytes[at]! ^= 1)),
        'ERR_CORPUS_CORRUPT',
        /checksum/,
      );
    }
    await refuses('', 'ERR_INVALID_ARGUMENT');
  });

  it('rejects invalid sections, even with a valid checksum', async () => {
    for (const [at, value] of [
      [24, 0],
      [24, 0xffffffff],
      [28, 0],
      [28, 255],
      [28, 0xffffffff],
      [32, 0xffffffff],
      [36, 0xffffffff],
      [36, 10],
    ] as const) {
      await refuses(
        resealed((bytes) => bytes.writeUInt32LE(value, at)),
        'ERR_CORPUS_CORRUPT',
      );
    }
    const headerLength = original.readUInt32LE(32);
    const vocabulary = Math.ceil((64 + headerLength) / 64) * 64;
    const scales = Math.ceil((vocabulary + original.readUInt32LE(36)) / 64) * 64;
    await refuses(
      resealed((bytes) => bytes.writeFloatLE(NaN, scales + 400)),
      'ERR_CORPUS_CORRUPT',
      /finite/,
    );
    for (const saturation of [0, -1, 1.5, NaN, Infinity]) {
      await refuses(
        resealed((bytes) => bytes.writeFloatLE(saturation, 40)),
        'ERR_CORPUS_CORRUPT',
        /saturation/,
      );
    }
    await refuses(
      resealed((bytes) => (bytes[vocabulary] = 10)),
      'ERR_CORPUS_CORRUPT',
      /empty/,
    );
    await refuses(
      resealed((bytes) => (bytes[vocabulary] = 0xff)),
      'ERR_CORPUS_CORRUPT',
      /UTF-8/,
    );
    await refuses(
      resealed((bytes) => bytes.fill(32, 64, 64 + headerLength)),
      'ERR_CORPUS_CORRUPT',
      /JSON/,
    );
  });

  it('survives any single damaged byte of its preamble', async () => {
    for (let at = 0; at < 64; at += 1) {
      const damaged = changed((bytes) => (bytes[at]! ^= 0x55));
      await assert.rejects(
        staticEncoder({ model: damaged }),
        (error: unknown) => AsOfError.is(error) && error.code.startsWith('ERR_CORPUS_'),
        `byte ${at}`,
      );
    }
  });
});
