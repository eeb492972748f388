// LangChain vector store over a corpus: questions in words are answered by a system, in which time
// counts, vectors by the exact scan.
import { randomUUID } from 'node:crypto';
import type { Document, DocumentInterface } from '@langchain/core/documents';
import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import { maximalMarginalRelevance } from '@langchain/core/utils/math';
import { VectorStore, type MaxMarginalRelevanceSearchOptions } from '@langchain/core/vectorstores';
import {
  canEncode,
  checkOptionNames,
  invalidArgument,
  mustBe,
  checkClocks,
  type Clocks,
  vectorsOfPassages,
  encodeTexts,
} from 'asof/kit';
import {
  type Passage,
  type TimeInput,
  type Evidence,
  searchVectors,
  type Where,
  type StoredCorpus,
  hybrid,
  type System,
  type Encoder,
} from 'asof';
import { parseQuestion } from 'asof/time';
import { documentOf, passageOf } from './documents.js';

export interface AsOfVectorStoreOptions {
  /** It stays the caller's, who closes it. Metadata that filters name are its `fields`. */
  corpus: StoredCorpus;
  /** Ranks questions in words. Default `hybrid({ corpus })`. */
  system?: System | undefined;
  /** Time of the questions; default now. A filter's `askedAt` overrides it. */
  askedAt?: TimeInput | undefined;
  /** Entries of metadata that hold the documents' times. */
  clocks?: Clocks | undefined;
}

/**
 * A filter of the corpus with two reserved names: `askedAt`, the time of the question (a search by
 * vector excludes later publications), and `asRecorded`, the corpus as it was recorded at a time.
 * @example { tenant: 'a', price: { lt: 20 }, askedAt: '2021-05-06' }
 */
export type AsOfFilter = Where & {
  askedAt?: TimeInput | undefined;
  asRecorded?: TimeInput | undefined;
};

/**
 * A corpus as a vector store. `similaritySearch` of a question runs a system over the whole corpus,
 * so that words, vectors and time count; the score is the system's. A search by vector is the exact
 * cosine. A document added under an id that exists replaces it.
 *
 * Without embeddings the encoder of the corpus encodes. With embeddings the corpus is one that
 * does not: `Corpus.open(path, { encoder: { id: 'their model', dimensions }, sentences: false })`.
 * @throws AsOfError ERR_INVALID_ARGUMENT; of its methods, what the corpus and the system reject
 * with.
 * @example const store = new AsOfVectorStore(undefined, { corpus });
 * await store.similaritySearch('Who was UK prime minister as of 6 May 2021?', 4);
 */
export class AsOfVectorStore extends VectorStore {
  declare FilterType: AsOfFilter;
  readonly corpus: StoredCorpus;
  readonly #system: System;
  readonly #askedAt: TimeInput | undefined;
  readonly #clocks: Required<Clocks>;
  /**
   * Whether vectors come from the embeddings rather than the corpus's encoder.
   * @internal
   */
  readonly embeds: boolean;

  static override lc_name(): string {
    return 'AsOfVectorStore';
  }

  override _vectorstoreType(): string {
    return 'asof';
  }

  constructor(embeddings: EmbeddingsInterface | undefined, options: AsOfVectorStoreOptions) {
    checkOptionNames('AsOfVectorStore', options, ['corpus', 'system', 'askedAt', 'clocks']);
    const { corpus, askedAt } = options;
    if (typeof corpus?.add !== 'function')
      throw invalidArgument('corpus', 'a Corpus', corpus, "Open one: await Corpus.open('a.asof').");
    using snapshot = corpus.snapshot();
    const reserved = ['askedAt', 'asRecorded'].find((name) => name in snapshot.manifest.fields);
    if (reserved !== undefined)
      throw invalidArgument(
        'corpus',
        'one without fields of the names askedAt, asRecorded',
        reserved,
      );
    if (embeddings && canEncode(corpus.encoder)) {
      const remedy =
        "Pass undefined to use the corpus's encoder, or open the corpus with { encoder: { id, " +
        'dimensions }, sentences: false } for vectors of these embeddings.';
      throw invalidArgument('embeddings', 'absent for a corpus that encodes', embeddings, remedy);
    }
    super(embeddings ?? embeddingsOf(corpus.encoder), {});
    this.corpus = corpus;
    this.#system = options.system ?? hybrid({ corpus });
    this.#askedAt = askedAt;
    this.#clocks = checkClocks(options.clocks);
    this.embeds = embeddings !== undefined;
  }

  /** A store with documents of these texts; a single object of metadata is that of all. */
  static override async fromTexts(
    texts: string[],
    metadatas: object | object[],
    embeddings: EmbeddingsInterface | undefined,
    options: AsOfVectorStoreOptions,
  ): Promise<AsOfVectorStore> {
    mustBe('an array', { texts });
    const documents = texts.map((pageContent, at): DocumentInterface => {
      const metadata = (Array.isArray(metadatas) ? metadatas[at] : metadatas) as object | undefined;
      return { pageContent, metadata: metadata ?? {} };
    });
    return AsOfVectorStore.fromDocuments(documents, embeddings, options);
  }

  static override async fromDocuments(
    documents: DocumentInterface[],
    embeddings: EmbeddingsInterface | undefined,
    options: AsOfVectorStoreOptions,
  ): Promise<AsOfVectorStore> {
    mustBe('an array', { documents });
    const store = new AsOfVectorStore(embeddings, options);
    await store.addDocuments(documents);
    return store;
  }

  /**
   * Adds documents, each by its id in `ids`, else its own, else a new one.
   * @returns their ids
   */
  override async addDocuments(
    documents: DocumentInterface[],
    options: { ids?: string[] | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<string[]> {
    mustBe('an array', { documents });
    return this.addAll(documents, await this.vectorsOf(documents), options);
  }

  /**
   * Vectors of documents by the embeddings; undefined where the corpus encodes.
   * @internal
   */
  async vectorsOf(documents: readonly DocumentInterface[]): Promise<number[][] | undefined> {
    if (!this.embeds) return undefined;
    return this.embeddings.embedDocuments(documents.map(({ pageContent }) => pageContent));
  }

  /** As addDocuments, with vectors of the corpus's model, one for each document. */
  override async addVectors(
    vectors: number[][],
    documents: DocumentInterface[],
    options: { ids?: string[] | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<string[]> {
    mustBe('an array', { vectors, documents });
    return this.addAll(documents, vectors, options);
  }

  private async addAll(
    documents: DocumentInterface[],
    vectors: number[][] | undefined,
    options: { ids?: string[] | undefined; signal?: AbortSignal | undefined },
  ): Promise<string[]> {
    checkOptionNames('addDocuments', options, ['ids', 'signal']);
    const { ids: given, signal } = options;
    for (const [name, list] of Object.entries({ ids: given, vectors }))
      if (list !== undefined && list?.length !== documents.length)
        throw invalidArgument(name, `an array of ${documents.length}, one per document`, list);
    const ids = documents.map((each, at) => given?.[at] ?? each?.id ?? randomUUID());
    const passages = documents.map(
      (each, at): Passage => ({
        ...passageOf(each, ids[at]!, this.#clocks),
        vector: vectors?.[at],
      }),
    );
    await this.corpus.add(passages, { signal });
    return ids;
  }

  /** Deletes documents by ids, of which unknown ones are ignored, or all that pass a filter. */
  override async delete(which: {
    ids?: string[] | undefined;
    filter?: Where | undefined;
    signal?: AbortSignal | undefined;
  }): Promise<void> {
    checkOptionNames('delete', which, ['ids', 'filter', 'signal']);
    const { ids, filter, signal } = which;
    if ((ids === undefined) === (filter === undefined))
      throw invalidArgument('delete', '{ ids } or { filter }, one of the two', which);
    await this.corpus.delete(filter === undefined ? ids! : { where: filter }, { signal });
  }

  override async similaritySearch(query: string, k = 4, filter?: AsOfFilter): Promise<Document[]> {
    const evidence = await this.evidence(query, k, filter);
    return evidence.map((each) => documentOf(each, this.#clocks));
  }

  /** Documents and the system's scores, of `hybrid` the probability that the document answers. */
  override async similaritySearchWithScore(
    query: string,
    k = 4,
    filter?: AsOfFilter,
  ): Promise<[Document, number][]> {
    const evidence = await this.evidence(query, k, filter);
    return evidence.map((each) => [documentOf(each, this.#clocks), each.score]);
  }

  /**
   * The documents nearest to a vector of the corpus's model, by cosine. Later publications are
   * excluded if a time of asking is given, here or to the store.
   */
  override async similaritySearchVectorWithScore(
    query: number[],
    k: number,
    filter?: AsOfFilter,
  ): Promise<[Document, number][]> {
    const { askedAt, asRecorded, where } = this.split(filter);
    const { corpus } = this;
    const options = { where, asRecorded, asOf: askedAt };
    const [hits] = await searchVectors(corpus, [query], k, options);
    const passages = await corpus.getMany(
      hits!.map(({ id }) => id),
      { asRecorded },
    );
    return hits!.flatMap(({ score }, at) => {
      const passage = passages[at]; // deleted meanwhile
      return passage ? [[documentOf(passage, this.#clocks), score] as [Document, number]] : [];
    });
  }

  /**
   * The k of the system's first `fetchK` documents (20) that are similar to the question and unlike
   * one another; `lambda` from 0, for the greatest diversity, to 1. Default 0.5.
   */
  override async maxMarginalRelevanceSearch(
    query: string,
    options: MaxMarginalRelevanceSearchOptions<AsOfFilter>,
  ): Promise<Document[]> {
    const { k, fetchK = 20, lambda = 0.5, filter } = options;
    const evidence = await this.evidence(query, Math.max(k, fetchK), filter);
    if (evidence.length === 0) return [];
    const ids = evidence.map(({ id }) => id);
    const stored = await vectorsOfPassages(this.corpus, ids);
    const vectors = await Promise.all(
      evidence.map(async ({ text }, at) =>
        stored[at] ? [...stored[at]] : (await this.embeddings.embedDocuments([text]))[0]!,
      ),
    );
    const content = parseQuestion({ text: query }).mainContent;
    const asked = await this.embeddings.embedQuery(content);
    const chosen = maximalMarginalRelevance(asked, vectors, lambda, k);
    return chosen.map((at) => documentOf(evidence[at]!, this.#clocks));
  }

  private async evidence(
    text: string,
    k: number,
    filter: AsOfFilter | undefined,
  ): Promise<Evidence[]> {
    const { askedAt, asRecorded, where } = this.split(filter);
    const vector = this.embeds
      ? await this.embeddings.embedQuery(parseQuestion({ text, askedAt }).mainContent)
      : undefined;
    const question = { text, askedAt, vector };
    return (await this.#system.run(question, { k, where, asRecorded })).evidence;
  }

  private split(filter: AsOfFilter | undefined): {
    askedAt: TimeInput | undefined;
    asRecorded: TimeInput | undefined;
    where: Where | undefined;
  } {
    if (filter === undefined)
      return { askedAt: this.#askedAt, asRecorded: undefined, where: undefined };
    mustBe('an object', { filter });
    const { askedAt = this.#askedAt, asRecorded, ...where } = filter;
    return { askedAt, asRecorded, where };
  }
}

/** The encoder of a corpus as embeddings, for code of LangChain that asks a store for them. */
function embeddingsOf(encoder: Encoder): EmbeddingsInterface {
  const { dimensions } = encoder;
  return {
    async embedDocuments(texts) {
      const vectors = await encodeTexts(encoder, texts, { kind: 'passage' });
      return texts.map((_, at) => [...vectors.subarray(at * dimensions, (at + 1) * dimensions)]);
    },
    async embedQuery(text) {
      return [...(await encodeTexts(encoder, [text], { kind: 'query' }))];
    },
  };
}
