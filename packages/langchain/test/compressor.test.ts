// The document compressor over documents of other retrievers: order, times, evidence, and what is
// omitted.
import assert from 'node:assert/strict';
import { Document } from '@langchain/core/documents';
import { BaseDocumentCompressor } from '@langchain/core/retrievers/document_compressors';
import { AsOfCompressor, type EvidenceMetadata } from '../lib/index.js';
import { ministers } from './documents.js';

const question = 'Who was UK prime minister as of 6 May 2021?';
const sources = (documents: readonly { metadata: Record<string, any> }[]): string[] =>
  documents.map(({ metadata }) => metadata['publishedAt'] as string);
const [may, johnson, sunak] = ministers as unknown as [Document, Document, Document];

describe('AsOfCompressor', () => {
  it('ranks given documents by question and time', async () => {
    const compressor = new AsOfCompressor();
    assert.ok(BaseDocumentCompressor.isBaseDocumentCompressor(compressor));
    const ranked = await compressor.compressDocuments([sunak, may, johnson], question);
    assert.equal(ranked.length, 3);
    const { asof, ...own } = ranked[0]!.metadata as { asof: EvidenceMetadata };
    assert.deepEqual({ ...ranked[0]!, metadata: own }, { ...johnson });
    assert.equal(asof.rank, 1);
    assert.ok(asof.score > (ranked[1]!.metadata['asof'] as EvidenceMetadata).score);
    assert.deepEqual(asof.dates?.[0]?.start, '2019-07-24');
    assert.equal(johnson.metadata['asof'], undefined);
    const [now] = await compressor.compressDocuments(ministers, 'Who is UK prime minister?');
    assert.equal(now!.id, 'sunak');
  });

  it('returns the best k, as of a time', async () => {
    const past = new AsOfCompressor({ k: 1, askedAt: '2017-01-01' });
    const ranked = await past.compressDocuments(ministers, 'Who is UK prime minister?');
    assert.deepEqual(sources(ranked), ['2016-07-14']);
  });

  it('reads the times of entries that are named, and of evidence', async () => {
    const dated = (at: object): Document =>
      new Document({ pageContent: 'The quay has six lamps.', metadata: at });
    const documents = [
      dated({ at: '2024-05-04', asof: { publishedAt: '2010-01-01T00:00Z' } }),
      dated({ asof: { publishedAt: '2020-05-04T00:00Z' } }),
      dated({}),
    ];
    const compressor = new AsOfCompressor({ askedAt: '2022', clocks: { publishedAt: 'at' } });
    const ranked = await compressor.compressDocuments(documents, 'How many lamps has the quay?');
    assert.deepEqual(
      ranked.map(({ metadata }) => metadata['asof'].publishedAt as string | undefined).sort(),
      ['2020-05-04T00:00Z', undefined],
    );
  });

  it('omits documents without text, and accepts none', async () => {
    const blank = new Document({ pageContent: ' \n' });
    const compressor = new AsOfCompressor();
    assert.deepEqual(await compressor.compressDocuments([], question), []);
    assert.deepEqual(await compressor.compressDocuments([blank], question), []);
    assert.equal((await compressor.compressDocuments([blank, may], question)).length, 1);
  });

  it('refuses options out of range', async () => {
    for (const wrong of [null, { k: 0 }, { top: 3 }, { encoder: {} }, { clocks: { date: 'a' } }])
      assert.throws(() => new AsOfCompressor(wrong as never), { code: 'ERR_INVALID_ARGUMENT' });
    await assert.rejects(new AsOfCompressor().compressDocuments({} as never, question), {
      code: 'ERR_INVALID_ARGUMENT',
    });
  });
});
