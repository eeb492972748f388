// Rejected passages, vectors and folders of a corpus, and that nothing of them is stored.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Corpus } from '../../lib/store/corpus.js';
import { fails, hashEncoder, passageNumber, passagesFrom, temporaryFolder } from './fixtures.js';

const encoder = hashEncoder();
const open = (path: string, options = {}) => Corpus.open(path, { encoder, ...options });

describe('corpus: rejected input', () => {
  const folder = temporaryFolder();

  it('rejects passages by index and id, and stores nothing of their batch', async () => {
    const corpus = await open(folder.path('refused'));
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    const wrong: [unknown, RegExp][] = [
      [null, /Passage 1: Expected passage to be an object.*null/],
      [
        { text: 'x' },
        /Passage 1: Expected id to be a string that is not empty, received undefined/,
      ],
      [{ id: '', text: 'x' }, /Expected id/],
      [{ id: 7, text: 'x' }, /Expected id.*number 7/],
      [{ id: 'a\uD800', text: 'x' }, /well-formed/],
      [{ id: 'é'.repeat(501), text: 'x' }, /1000 bytes.*1002/],
      [
        { id: 'a', text: 5 },
        /Passage 1 \(id "a"\): Expected text to be a string, received number 5/,
      ],
      [{ id: 'a', text: 'x', title: 5 }, /Expected title/],
      [{ id: 'a', text: 'x', publishedAt: '2021-02-30' }, /publishedAt.*2021-02-30/],
      [{ id: 'a', text: 'x', publishedAt: NaN }, /publishedAt/],
      [{ id: 'a', text: 'x', validTo: new Date(NaN) }, /validTo/],
      [
        { id: 'a', text: 'x', validFrom: '2022', validTo: '2020' },
        /validFrom.*no later than validTo/,
      ],
      [
        { id: 'a', text: 'x', published_at: '2021' },
        /no fields but id, text, .*"published_at"\. Did you mean publishedAt\? .*metadata/,
      ],
      [{ id: 'a', text: 'x', tilte: 'T' }, /"tilte"\. Did you mean title\?/],
      [{ id: 'a', text: 'x', tenant: 'T' }, /"tenant"\. What else there is/],
      [{ id: 'a', text: '' }, /Expected text to be more than white space, received .*""/],
      [{ id: 'a', text: ' \n ', title: ' ' }, /text to be more than white space/],
      [
        { id: 'a', text: 'x', publishedAt: 1.7e9 },
        /publishedAt to be epoch milliseconds, not seconds, received number 1700000000\. Multiply/,
      ],
      [{ id: 'a', text: 'x', validFrom: 631_152_000 }, /validFrom.*not seconds/],
      [{ id: 'a', text: 'x', validTo: 4_102_444_799 }, /validTo.*not seconds/],
      [{ id: 'a', text: 'x', metadata: [1] }, /metadata/],
      [{ id: 'a', text: 'x', metadata: cycle }, /cycles/],
      [{ id: 'a', text: 'x', metadata: { big: 5n } }, /metadata\.big to be a JSON value.*bigint 5/],
      [
        { id: 'a', text: 'x'.repeat((1 << 20) + 1) },
        /\(id "a"\): Expected text to have at most 1,048,576 UTF-16 units, received 1,048,577\. Split/,
      ],
      [{ id: 'a', text: 'x', title: 'é'.repeat(1001) }, /title.*at most 1,000.*received 1,001/],
      [
        { id: 'a', text: 'x', metadata: { body: 'y'.repeat(1 << 18) } },
        /metadata.*at most 262,144 UTF-16 units of JSON, received 262,155/,
      ],
    ];
    for (const [passage, words] of wrong) {
      await assert.rejects(
        corpus.add([passageNumber(0), passage as never]),
        fails('ERR_INVALID_ARGUMENT', words),
      );
      assert.equal(corpus.info().passages, 0);
    }
    for (const given of [undefined, null, 5, 'text', {}])
      await assert.rejects(corpus.add(given as never), fails('ERR_INVALID_ARGUMENT', /iterable/));
    for (const batchSize of [0, 1.5, NaN, '5']) {
      await assert.rejects(
        corpus.add([], { batchSize } as never),
        fails('ERR_INVALID_ARGUMENT', /batchSize/),
      );
    }
    for (const options of [
      null,
      5,
      { signal: {} },
      { signal: new AbortController() },
      { onProgress: 'bar' },
    ]) {
      for (const use of [
        corpus.add([], options as never),
        corpus.delete([], options as never),
        corpus.compact(options as never),
        corpus.verify(options as never),
      ]) {
        await assert.rejects(use, fails('ERR_INVALID_ARGUMENT', /options|signal|onProgress/));
      }
      await assert.rejects(
        Corpus.open(folder.path('refused'), options as never),
        fails('ERR_INVALID_ARGUMENT', /options|signal|onProgress/),
      );
    }
    await assert.rejects(
      corpus.add([], { batch: 5 } as never),
      fails('ERR_INVALID_ARGUMENT', /options of add to be some of batchSize.*"batch"/),
    );
    const misspelt = { readonly: true } as never;
    await assert.rejects(
      Corpus.open(folder.path('refused'), misspelt),
      fails('ERR_INVALID_ARGUMENT', /some of .*readOnly.*"readonly"/),
    );
    await assert.rejects(corpus.delete('p1' as never), fails('ERR_INVALID_ARGUMENT', /array/));
    await assert.rejects(corpus.delete([5] as never), fails('ERR_INVALID_ARGUMENT', /id/));
    assert.throws(() => corpus.get(5 as never), fails('ERR_INVALID_ARGUMENT'));
    await corpus.close();
  });

  it('takes instants of 1970 that no count of seconds since 1990 is', async () => {
    await using corpus = await open(folder.path('early'));
    const times = [0, -1, 631_151_999, 4_102_444_800, 1.7e12, new Date(1.7e9), '1970-01-20'];
    const counts = await corpus.add(
      times.map((publishedAt, at) => ({ id: `p${at}`, text: 'x', publishedAt })),
    );
    assert.equal(counts.added, times.length);
    const undefinedFields = { id: 'u', text: 'x', tenant: undefined };
    assert.equal((await corpus.add([undefinedFields])).added, 1);
  });

  it('rejects invalid vectors of an encoder, and leaves no file', async () => {
    const path = folder.path('encoder');
    const answers: [string, (texts: readonly string[]) => unknown][] = [
      [
        'throws',
        () => {
          throw new Error('no model');
        },
      ],
      ['short', () => new Float32Array(3)],
      ['an array', (texts) => texts.map(() => 1)],
      ['not finite', (texts) => new Float32Array(texts.length * 8).fill(NaN)],
    ];
    for (const [, encode] of answers) {
      const corpus = await Corpus.open(path, {
        encoder: {
          id: 'hash-8',
          dimensions: 8,
          encode: async (texts) => encode(texts) as Float32Array,
        },
      });
      await assert.rejects(corpus.add(passagesFrom(0, 3)), fails('ERR_ENCODER_FAILED', /hash-8/));
      assert.deepEqual(readdirSync(join(path, 'segments')), []);
      await corpus.close();
    }
    await assert.rejects(
      open(path, { encoder: hashEncoder(16) }),
      fails('ERR_ENCODER_MISMATCH', /hash-8 .*hash-16/),
    );
    const without = await Corpus.open(path); // the embedded encoder is not this corpus's
    const kind = { kind: 'query' } as const;
    const mismatch = fails('ERR_ENCODER_MISMATCH', /hash-8 \(8 dimensions\).*Corpus\.open/);
    assert.equal(without.encoder.id, 'hash-8');
    await assert.rejects(without.encoder.encode(['x'], kind), mismatch);
    await assert.rejects(without.add(passagesFrom(0, 3)), mismatch);
    assert.equal(without.info().encoder.id, 'hash-8');
    await without.close();
    await assert.rejects(open(path, { encoder: {} }), fails('ERR_INVALID_ARGUMENT', /encoder/));
  });

  it('opens corpora only', async () => {
    await assert.rejects(
      open(folder.path('nothing'), { create: false }),
      fails('ERR_NOT_FOUND', /nothing/),
    );
    await assert.rejects(open(folder.path('nothing'), { readOnly: true }), fails('ERR_NOT_FOUND'));
    assert.ok(!existsSync(folder.path('nothing')), 'a refused opening made a folder');
    mkdirSync(folder.path('other'));
    writeFileSync(join(folder.path('other'), 'thesis.txt'), 'x');
    await assert.rejects(open(folder.path('other')), fails('ERR_CORPUS_EXISTS', /thesis\.txt/));
    await assert.rejects(
      open(folder.path('other'), { create: false }),
      fails('ERR_CORPUS_FOREIGN', /thesis\.txt/),
    );
    await assert.rejects(
      open(join(folder.path('other'), 'thesis.txt')),
      fails('ERR_CORPUS_FOREIGN'),
    );
    await assert.rejects(
      open(join(folder.path('other'), 'thesis.txt', 'below')),
      fails('ERR_CORPUS_FOREIGN'),
    );
    mkdirSync(folder.path('empty'));
    await (await open(folder.path('empty'))).close();
    for (const path of [undefined, 5, '', 'a\0b'])
      await assert.rejects(open(path as never), fails('ERR_INVALID_ARGUMENT', /path/));
    await assert.rejects(
      open(folder.path('nothing'), { create: 'no' }),
      fails('ERR_INVALID_ARGUMENT', /create/),
    );
    const aborted = AbortSignal.abort();
    await assert.rejects(open(folder.path('nothing'), { signal: aborted }), fails('ERR_ABORTED'));
  });
});
