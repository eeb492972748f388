// LangChain retriever: documents with the evidence of asof in their metadata.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunnableLambda } from '@langchain/core/runnables';
import type { Document } from '@langchain/core/documents';
import { Corpus, hybrid } from 'asof';
import { langchainRetriever, type EvidenceMetadata } from '@asof/langchain';
import { passages } from './ministers.js';

const folder = await mkdtemp(join(tmpdir(), 'asof-example-'));
const corpus = await Corpus.open(join(folder, 'ministers.asof'));
try {
  await corpus.add(passages);
  const retriever = langchainRetriever(hybrid({ corpus }), { k: 1 });
  const cite = RunnableLambda.from((documents: Document[]) =>
    documents.map(({ id, metadata }) => {
      const { dates, rank } = metadata['asof'] as EvidenceMetadata;
      return `${rank}. ${id}, ${dates?.[0]?.start ?? 'undated'}`;
    }),
  );
  const chain = retriever.pipe(cite);
  console.log(await chain.invoke('Who was UK prime minister as of 6 May 2021?'));

  // The time of a question by LangChain's configuration.
  const configurable = { askedAt: '2017-01-01' };
  console.log(await chain.invoke('Who is the UK prime minister?', { configurable }));
} finally {
  await corpus.close();
  await rm(folder, { recursive: true });
}
