// Reranker over a server with a rerank endpoint: Cohere's protocol, which Jina, vLLM and llama.cpp
// have too, or that of Hugging Face's text-embeddings-inference (TEI).
import { describe, invalidArgument, mustBeWhole, throwIfAborted } from '../errors.js';
import { checkTexts } from '../vectors/encoder.js';
import type { Reranker } from '../vectors/reranker.js';
import { truncated, type Attempt } from './retry.js';
import { record } from './connection.js';
import { openServer, type Server, type ServerOptions } from './server.js';

/** Where the protocols differ. */
interface RerankProtocol {
  body(model: string, query: string, texts: readonly string[]): unknown;
  /** The property of an answer that lists the scores, and that of an entry with its score. */
  list: string;
  score: string;
  /** Default of `batchSize`. */
  batchSize: number;
}

const protocols: Readonly<Record<'cohere' | 'tei', RerankProtocol>> = {
  cohere: {
    body: (model, query, documents) => ({ model, query, documents, top_n: documents.length }),
    list: 'results',
    score: 'relevance_score',
    batchSize: 1000,
  },
  tei: {
    body: (_, query, texts) => ({ query, texts, raw_scores: false, truncate: true }),
    list: 'list',
    score: 'score',
    batchSize: 32,
  },
};

/** JSON bytes of question and texts in one request; a longer text is sent alone. */
const maxBatchBytes = 1_000_000;

export interface HttpRerankerOptions extends ServerOptions {
  /**
   * 'cohere': POST { model, query, documents, top_n }, as Cohere, Jina, vLLM and llama.cpp take it.
   * 'tei': POST { query, texts }, as text-embeddings-inference takes it, which has one model:
   * `model` only names it. Default 'cohere'.
   */
  protocol?: 'cohere' | 'tei' | undefined;
  /**
   * Texts in one request, 1 to 1000; default 1000, for TEI 32, its own default limit. A request has
   * at most 1 MB too. Requests of one call are sequential. The scores of a model that compares the
   * texts of a request with each other are comparable within a request only.
   */
  batchSize?: number | undefined;
}

/**
 * A reranker behind a server. Its id is the protocol and the model's name there. A text that is
 * longer than the model can read is cut or refused, as the server does; TEI is asked to cut it.
 * Retries, time-outs and secrets as in `openAiCompatible`.
 * @throws AsOfError ERR_INVALID_ARGUMENT for options out of range. Its score() rejects with
 * ERR_ABORTED at once when the signal fires, else with ERR_RERANKER_FAILED if the server fails or
 * does not give every text one finite score, with details { model, status?, tries }.
 * @example const reranker = httpReranker({ baseURL: 'http://127.0.0.1:8080', model: 'bge-base',
 * protocol: 'tei' });
 */
export function httpReranker(options: HttpRerankerOptions): Reranker {
  const { protocol = 'cohere' } = options ?? {};
  if (!Object.hasOwn(protocols, protocol))
    throw invalidArgument('protocol', Object.keys(protocols).join(' or '), protocol);
  const { body, list, score, ...defaults } = protocols[protocol];
  const server = openServer(options, {
    path: 'rerank',
    code: 'ERR_RERANKER_FAILED',
    protocol: `${protocol}-compatible`,
  });
  const { batchSize = defaults.batchSize } = options;
  mustBeWhole({ batchSize }, 1, 1000);
  return {
    id: server.id,
    async score(query, texts, { signal } = {}) {
      throwIfAborted(signal);
      if (typeof query !== 'string') throw invalidArgument('query', 'a string', query);
      checkTexts(texts);
      const scores = new Float32Array(texts.length);
      let done = 0;
      for (const batch of batchesOf(query, texts, batchSize)) {
        const own = await server.post(
          () => body(server.model, query, batch),
          ({ [list]: entries }) => readScores(entries, score, batch.length, server),
          signal,
        );
        scores.set(own, done);
        done += own.length;
      }
      return scores;
    },
  };
}

/** The texts in their order, at most `most` and `maxBatchBytes` in a batch, or one. */
function batchesOf(query: string, texts: readonly string[], most: number): string[][] {
  const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text));
  const queryBytes = jsonBytes(query);
  const batches: string[][] = [];
  let bytes = Infinity;
  for (const text of texts) {
    const own = jsonBytes(text);
    if (bytes + own > maxBatchBytes || batches.at(-1)!.length === most) {
      batches.push([]);
      bytes = queryBytes;
    }
    batches.at(-1)!.push(text);
    bytes += own;
  }
  return batches;
}

/** The scores in the order of the texts; anything but one finite score per text is a failure. */
function readScores(
  entries: unknown,
  name: string,
  count: number,
  { hide }: Server,
): Attempt<Float32Array> {
  const wrong = (reason: string): Attempt<Float32Array> => ({
    reason: truncated(hide(reason)),
    transient: false,
  });
  // Hidden before it is cut, since a part of a key would not be recognized.
  const shown = (value: unknown): string =>
    describe(typeof value === 'string' ? hide(value) : value);
  if (!Array.isArray(entries))
    return wrong(`an answer without a list of { index, ${name} }; it may speak another protocol`);
  if (entries.length !== count) return wrong(`${entries.length} scores for ${count} texts`);
  const scores = new Float32Array(count).fill(NaN);
  for (const entry of entries) {
    const { index, [name]: score } = record(entry) ?? {};
    if (typeof index !== 'number' || !(index in scores))
      return wrong(`the index ${shown(index)} for ${count} texts`);
    if (!Number.isNaN(scores[index])) return wrong(`the index ${index} twice`);
    if (typeof score !== 'number' || !Number.isFinite(Math.fround(score)))
      return wrong(`${name} ${shown(score)} for text ${index}`);
    scores[index] = score;
  }
  return { value: scores };
}
