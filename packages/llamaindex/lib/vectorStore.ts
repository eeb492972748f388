// LlamaIndex vector store over a corpus: questions in words are answered by a system, in which time
// counts, vectors by the exact scan.
import type { BaseNode } from '@llamaindex/core/schema';
import {
  BaseVectorStore,
  type VectorStoreBaseParams,
  type VectorStoreQuery,
  type VectorStoreQueryResult,
} from '@llamaindex/core/vector-store';
import {
  hybrid,
  searchVectors,
  type StoredCorpus,
  type System,
  type TimeInput,
  type Where,
} from 'asof';
import { canEncode, checkClocks, checkOptionNames, type Clocks, invalidArgument } from 'asof/kit';
import { AsOfEmbedding } from './embedding.js';
import { whereOf } from './filters.js';
import { nodeOf, passageOf } from './nodes.js';

export interface AsOfVectorStoreOptions extends VectorStoreBaseParams {
  /**
   * It stays the caller's, who closes it. Metadata that filters name are its `fields`; `ref_doc_id:
   * 'keyword'` among them is needed for `delete` and `docIds`.
   */
  corpus: StoredCorpus;
  /** Ranks questions in words. Default `hybrid({ corpus })`. */
  system?: System | undefined;
  /** Time of the questions; default now. `customParams: { askedAt }` of a query overrides it. */
  askedAt?: TimeInput | undefined;
  /** Entries of metadata that hold the nodes' times. */
  clocks?: Clocks | undefined;
}

/** What a query may have of its own. */
type AsOfQuery = Pick<AsOfVectorStoreOptions, 'askedAt'> & { where?: Where | undefined };

/** The entry of metadata that names the document of a node. */
const documentField = 'ref_doc_id';

/**
 * A corpus as a vector store. A query with words (`queryStr`, as of mode `hybrid`) runs a system
 * over the whole corpus, so that words, vector and time count; one without is the exact cosine,
 * which excludes later publications where a time of asking is given. Nodes bring their embeddings:
 * those of the corpus's encoder, or of `embedModel` over a corpus that does not encode
 * (`Corpus.open(path, { encoder: { id: 'their model', dimensions }, sentences: false })`).
 * @throws AsOfError ERR_INVALID_ARGUMENT; of its methods, what the corpus and the system reject
 * with
 * @example const index = await VectorStoreIndex.fromVectorStore(new AsOfVectorStore({ corpus }));
 */
export class AsOfVectorStore extends BaseVectorStore<StoredCorpus, AsOfQuery> {
  readonly storesText = true;
  readonly #corpus: StoredCorpus;
  readonly #system: System;
  readonly #askedAt: TimeInput | undefined;
  readonly #clocks: Required<Clocks>;

  constructor(options: AsOfVectorStoreOptions) {
    const names = ['corpus', 'system', 'askedAt', 'clocks', 'embedModel', 'embeddingModel'];
    checkOptionNames('AsOfVectorStore', options, names);
    const { corpus, askedAt, embeddingModel, embedModel = embeddingModel } = options;
    if (typeof corpus?.add !== 'function')
      throw invalidArgument('corpus', 'a Corpus', corpus, "Open one: await Corpus.open('a.asof').");
    const encodes = canEncode(corpus.encoder);
    if (encodes && embedModel !== undefined)
      throw invalidArgument(
        'embedModel',
        'absent for a corpus that encodes',
        embedModel,
        'Leave it out, or open the corpus with { encoder: { id, dimensions }, sentences: false }.',
      );
    const own = encodes ? new AsOfEmbedding(corpus.encoder) : embedModel;
    super(own === undefined ? {} : { embedModel: own });
    this.#corpus = corpus;
    this.#system = options.system ?? hybrid({ corpus });
    this.#askedAt = askedAt;
    this.#clocks = checkClocks(options.clocks);
  }

  override client(): StoredCorpus {
    return this.#corpus;
  }

  /** Adds nodes; one whose id exists replaces it. A corpus that encodes reads their texts anew. */
  override async add(nodes: BaseNode[]): Promise<string[]> {
    const encodes = canEncode(this.#corpus.encoder);
    const passages = nodes.map((node) => ({
      ...passageOf(node, this.#clocks),
      ...(encodes ? {} : { vector: node.getEmbedding() }),
    }));
    await this.#corpus.add(passages);
    return passages.map(({ id }) => id);
  }

  /** Deletes the nodes of a document. */
  override async delete(refDocId: string): Promise<void> {
    await this.#corpus.delete({ where: this.#ofDocuments([refDocId]) });
  }

  override async query({
    queryEmbedding,
    queryStr,
    similarityTopK: k,
    mode,
    filters,
    docIds,
    customParams = {},
  }: VectorStoreQuery<AsOfQuery>): Promise<VectorStoreQueryResult> {
    if (!['default', 'hybrid'].includes(mode))
      throw invalidArgument('mode', 'default or hybrid', mode);
    const { askedAt = this.#askedAt, where: own } = customParams;
    const where: Where = {
      and: [
        ...(filters ? [whereOf(filters)] : []),
        ...(docIds ? [this.#ofDocuments(docIds)] : []),
        ...(own ? [own] : []),
      ],
    };
    if (queryStr !== undefined) {
      const question = { text: queryStr, askedAt, vector: queryEmbedding };
      const { evidence } = await this.#system.run(question, { k, where });
      return resultOf(evidence.map((each) => ({ ...each, node: nodeOf(each) })));
    }
    if (!queryEmbedding)
      throw invalidArgument('query', 'a queryEmbedding or a queryStr', queryEmbedding);
    const [hits] = await searchVectors(this.#corpus, [queryEmbedding], k, { where, asOf: askedAt });
    const passages = await this.#corpus.getMany(hits!.map(({ id }) => id));
    return resultOf(
      hits!.flatMap((hit, at) => {
        const passage = passages[at]; // deleted meanwhile
        return passage ? [{ ...hit, node: nodeOf(passage) }] : [];
      }),
    );
  }

  #ofDocuments(ids: string[]): Where {
    using snapshot = this.#corpus.snapshot();
    if (!(documentField in snapshot.manifest.fields))
      throw invalidArgument(
        'corpus',
        `one with the field ${documentField}`,
        Object.keys(snapshot.manifest.fields),
        `Open a new one with { fields: { ${documentField}: 'keyword' } }, or add the field ` +
          '(alterFields).',
      );
    return { [documentField]: { in: ids } };
  }
}

const resultOf = (
  found: readonly { id: string; score: number; node: BaseNode }[],
): VectorStoreQueryResult => ({
  nodes: found.map(({ node }) => node),
  similarities: found.map(({ score }) => score),
  ids: found.map(({ id }) => id),
});
