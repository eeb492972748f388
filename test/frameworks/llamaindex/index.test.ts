// The vector store under LlamaIndex's own index, retriever and ingestion, without another model.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Document, Settings, storageContextFromDefaults, VectorStoreIndex } from 'llamaindex';
import { AsOfVectorStore } from '@asof/llamaindex';
import { Corpus } from 'asof';

const documents = [
  ['may', 'Theresa May became UK prime minister on 13 July 2016.', '2016-07-14'],
  ['johnson', 'Boris Johnson became UK prime minister on 24 July 2019.', '2019-07-25'],
].map(
  ([id, text, publishedAt]) =>
    new Document({ id_: id!, text: text!, metadata: { publishedAt: publishedAt! } }),
);

describe("LlamaIndex's index over a corpus", () => {
  const folder = mkdtempSync(join(tmpdir(), 'asof-llamaindex-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is filled, asked by words and vectors, and emptied by documents', async () => {
    const fields = { ref_doc_id: 'keyword' } as const;
    await using corpus = await Corpus.open(join(folder, 'corpus'), { fields });
    const vectorStore = new AsOfVectorStore({ corpus, askedAt: '2026-01-01' });
    Settings.embedModel = vectorStore.embedModel;
    const storageContext = await storageContextFromDefaults({ vectorStore });
    const index = await VectorStoreIndex.fromDocuments(documents, { storageContext });
    assert.equal(corpus.info().passages, 2);

    const question = 'Who was UK prime minister as of 6 May 2021?';
    const retriever = index.asRetriever({ mode: 'hybrid' as never, similarityTopK: 1 });
    const [first] = await retriever.retrieve(question);
    assert.match((first!.node as Document).text, /Boris Johnson/);
    assert.equal(first!.node.sourceNode!.nodeId, 'johnson');
    const nearest = await index.asRetriever({ similarityTopK: 2 }).retrieve(question);
    assert.equal(nearest.length, 2);

    await index.deleteRefDoc('johnson');
    assert.equal(corpus.info().passages, 1);
  });
});
