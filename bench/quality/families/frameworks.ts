// What frameworks have for recency, by their own packages, over vectors of asof's encoder, so that
// only the method differs: LangChain's TimeWeightedVectorStoreRetriever over its MemoryVectorStore,
// with its own decay, and LlamaIndex's FixedRecencyPostprocessor (of its Python package; that for
// JavaScript has none), which orders the ten nearest by date. Both see the time of asking as now,
// passages published later as published then, and passages without a date as old; in collections
// without any date the second is not applied, as it needs one. What was found is not kept as
// accessed: questions are independent.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { staticEncoder, type Corpus, type Encoder } from '../../../lib/index.js';
import { passageText } from '../../../lib/store/writing/rows.js';
import { installPeers, peerPackages } from '../../search/install.js';
import type { Asked, Contender } from './contenders.js';

/** Passages in a result. */
const k = 5;
/** Passages that LlamaIndex orders by date. */
const retrieved = 10;

interface Passages {
  ids: string[];
  texts: string[];
  /** Milliseconds of publication. */
  published: (number | undefined)[];
}

async function passagesOf(corpus: Corpus): Promise<Passages> {
  const found: Passages = { ids: [], texts: [], published: [] };
  let after: string | undefined;
  do {
    const page = await corpus.list({ limit: 10_000, after });
    for (const passage of page.passages) {
      found.ids.push(passage.id);
      found.texts.push(passageText(passage));
      found.published.push(
        passage.publishedAt === undefined ? undefined : Number(passage.publishedAt),
      );
    }
    after = page.next;
  } while (after !== undefined);
  return found;
}

const timeOf = ({ askedAt }: Asked): number =>
  askedAt === undefined ? Date.now() : Date.parse(askedAt);

const encoded = (encoder: Encoder, text: string): Promise<Float32Array> =>
  encoder.encode([text], { kind: 'query' });

function needs(work: string, name: string): void {
  for (const [missing, why] of installPeers(work, [name]))
    throw new Error(`Expected to install ${missing} below ${work}, npm or pip says: ${why}.`);
}

interface LangChainDocument {
  pageContent: string;
  metadata: Record<string, unknown>;
}

/** Its declarations are not there before it is installed. */
interface LangChainRetriever {
  addDocuments(documents: LangChainDocument[]): Promise<void>;
  getMemoryStream(): LangChainDocument[];
  computeResults(scored: unknown, now: number): LangChainDocument[];
  invoke(query: string): Promise<LangChainDocument[]>;
}

export async function langChain(corpus: Corpus, work: string): Promise<Contender> {
  needs(work, 'LangChain');
  const load = async <Module>(name: string): Promise<Module> =>
    (await import(pathToFileURL(peerPackages(work).resolve(name)).href)) as Module;
  const { TimeWeightedVectorStoreRetriever: TimeWeighted } = await load<{
    TimeWeightedVectorStoreRetriever: new (options: object) => LangChainRetriever;
  }>('@langchain/classic/retrievers/time_weighted');
  const { MemoryVectorStore } = await load<{ MemoryVectorStore: new (by: object) => object }>(
    '@langchain/classic/vectorstores/memory',
  );
  let now = 0;
  /** At the time of the question. */
  class AtTime extends TimeWeighted {
    override computeResults(scored: unknown): LangChainDocument[] {
      return super.computeResults(scored, now);
    }
  }
  const encoder = await staticEncoder();
  const embeddings = {
    embedQuery: async (text: string) => [...(await encoded(encoder, text))],
    async embedDocuments(texts: string[]) {
      const { dimensions: d } = encoder;
      const vectors = await encoder.encode(texts, { kind: 'passage' });
      return texts.map((_, at) => [...vectors.subarray(at * d, (at + 1) * d)]);
    },
  };
  const retriever = new AtTime({ vectorStore: new MemoryVectorStore(embeddings), k });
  const { ids, texts, published } = await passagesOf(corpus);
  await retriever.addDocuments(
    texts.map((pageContent, at) => ({ pageContent, metadata: { id: ids[at] } })),
  );
  const documents = retriever.getMemoryStream();
  return {
    async ask(question) {
      const asked = timeOf(question);
      now = Math.floor(asked / 1000);
      documents.forEach(({ metadata }, at) => {
        metadata['last_accessed_at'] = Math.min(published[at] ?? 0, asked) / 1000;
      });
      const found = await retriever.invoke(question.text);
      return { ids: found.map(({ metadata }) => metadata['id'] as string) };
    },
  };
}

export async function llamaIndex(corpus: Corpus, work: string): Promise<Contender> {
  needs(work, 'LlamaIndex');
  const script = join(fileURLToPath(import.meta.url), '..', 'llamaindex_peer.py');
  const child = spawn(join(work, 'peers', 'llamaindex', 'bin', 'python'), [script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async <Said>(line: object): Promise<Said> => {
    child.stdin.write(`${JSON.stringify(line)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error('Expected an answer of LlamaIndex, its process ended: see above.');
    return JSON.parse(value) as Said;
  };
  const base64 = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
    Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  const iso = (time: number): string => new Date(time).toISOString();
  const encoder = await staticEncoder();
  const { ids, texts, published } = await passagesOf(corpus);
  await answer({
    ids,
    dates: published.map((each) => (each === undefined ? null : iso(each))),
    vectors: base64(await encoder.encode(texts, { kind: 'passage' })),
    dimensions: encoder.dimensions,
    k,
    retrieved,
  });
  return {
    async ask(question) {
      const vector = base64(await encoded(encoder, question.text));
      const asked = iso(timeOf(question));
      return { ids: await answer({ text: question.text, vector, asked_at: asked }) };
    },
    async close() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}
