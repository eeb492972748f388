// LangChain's time-weighted retriever over a corpus: similarity and the decay since a document was
// last accessed are summed in the scan, so that every document competes.
import { randomUUID } from 'node:crypto';
import { Document, type DocumentInterface } from '@langchain/core/documents';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';
import {
  checkClocks,
  invalidArgument,
  maxPassages,
  mustBe,
  mustBeWhole,
  vectorsOfPassages,
} from 'asof/kit';
import { type Passage, type StoredPassage, searchVectors } from 'asof';
import type { Decay } from 'asof/time';
import { passageOf } from './documents.js';
import { AsOfVectorStore } from './vectorStore.js';

/** Fields as those of TimeWeightedVectorStoreRetriever of @langchain/classic. */
export interface AsOfTimeWeightedRetrieverFields extends BaseRetrieverInput {
  /** Its corpus is the memory, and this retriever's own: it sets the passages' `publishedAt`. */
  vectorStore: AsOfVectorStore;
  /** Share of the recency that is lost in an hour, 0 to less than 1. Default 0.01. */
  decayRate?: number | undefined;
  /** Documents to return, 1 to 10,000. Default 4. */
  k?: number | undefined;
  /**
   * Entries of metadata whose numbers are added to the score; a document that lacks one gets 0 for
   * it. They are declared as `fields` of the corpus, of type 'number'.
   */
  otherScoreKeys?: string[] | undefined;
  /**
   * Whether a question records that the documents it returns were accessed, which is a write to
   * the corpus. Default true, as in the original; false for a corpus that is read-only.
   */
  recordAccess?: boolean | undefined;
  /** Absent or empty: the corpus keeps the documents that addDocuments added. */
  memoryStream?: DocumentInterface[] | undefined;
  /** No effect: the whole corpus is scored, rather than the nearest documents. */
  searchKwargs?: number | undefined;
  /** No effect: every document has its own similarity. */
  defaultSalience?: number | undefined;
}

/** In metadata, in epoch seconds, as the original keeps it. */
const lastAccessedAt = 'last_accessed_at';
const hourMs = 3_600_000;
const noClocks = checkClocks();

/**
 * Documents by cosine + (1 - decayRate)^(hours since the last access) + the sum of
 * `otherScoreKeys`: the exact best k of the whole corpus. Documents are added by `addDocuments`,
 * which sets `last_accessed_at` and `created_at` (epoch seconds); one that was added otherwise has
 * no recency. docs/guide/langchain.md lists what differs from the original.
 * @throws AsOfError ERR_INVALID_ARGUMENT; of invoke(): what the corpus rejects with.
 */
export class AsOfTimeWeightedRetriever extends BaseRetriever {
  lc_namespace = ['asof', 'retrievers', 'time_weighted'];
  readonly vectorStore: AsOfVectorStore;
  readonly #k: number;
  readonly #decayRate: number;
  readonly #otherScoreKeys: readonly string[];
  readonly #recordsAccess: boolean;

  static override lc_name(): string {
    return 'AsOfTimeWeightedRetriever';
  }

  constructor(fields: AsOfTimeWeightedRetrieverFields) {
    mustBe('an object', { fields });
    super(fields);
    const {
      vectorStore,
      decayRate = 0.01,
      k = 4,
      otherScoreKeys = [],
      recordAccess = true,
      memoryStream = [],
    } = fields;
    if (!(vectorStore instanceof AsOfVectorStore))
      throw invalidArgument('vectorStore', 'an AsOfVectorStore', vectorStore);
    if (!(decayRate >= 0 && decayRate < 1))
      throw invalidArgument('decayRate', 'a number from 0 to less than 1', decayRate);
    mustBeWhole({ k }, 1, maxPassages);
    mustBe('an array', { otherScoreKeys, memoryStream });
    if (memoryStream.length > 0) {
      const remedy = 'The corpus keeps the documents: add them once, by addDocuments.';
      throw invalidArgument('memoryStream', 'absent or empty', memoryStream, remedy);
    }
    this.vectorStore = vectorStore;
    this.#k = k;
    this.#decayRate = decayRate;
    this.#otherScoreKeys = otherScoreKeys;
    this.#recordsAccess = recordAccess;
  }

  /**
   * Adds documents as accessed now, or at their `last_accessed_at` (epoch seconds).
   * @returns their ids
   */
  async addDocuments(documents: DocumentInterface[]): Promise<string[]> {
    mustBe('an array', { documents });
    const now = epochSeconds();
    const vectors = await this.vectorStore.vectorsOf(documents);
    const passages = documents.map((each, at): Passage => {
      const { publishedAt: _, ...passage } = passageOf(each, each?.id ?? randomUUID(), noClocks);
      const metadata = { [lastAccessedAt]: now, created_at: now, ...passage.metadata };
      return { ...accessed(passage, metadata), vector: vectors?.[at] };
    });
    await this.vectorStore.corpus.add(passages);
    return passages.map(({ id }) => id);
  }

  override async _getRelevantDocuments(query: string): Promise<Document[]> {
    const now = epochSeconds();
    const { corpus, embeddings } = this.vectorStore;
    const vector = await embeddings.embedQuery(query);
    const best = await this.best(vector, now);
    const passages = best.map((each) =>
      accessed(each, { ...each.metadata, [lastAccessedAt]: now }),
    );
    if (this.#recordsAccess) await corpus.add(await this.withVectors(passages));
    return passages.map(
      ({ id, text, metadata }) => new Document({ id, pageContent: text, metadata: metadata! }),
    );
  }

  /** Passages with the vectors that they have, where the corpus would not encode them. */
  private async withVectors(passages: readonly Passage[]): Promise<Passage[]> {
    const { corpus, embeds } = this.vectorStore;
    if (!embeds) return [...passages];
    const vectors = await vectorsOfPassages(
      corpus,
      passages.map(({ id }) => id),
    );
    // Without one it was deleted meanwhile.
    return passages.flatMap((each, at) => (vectors[at] ? [{ ...each, vector: vectors[at] }] : []));
  }

  /**
   * The best k by the sum. Other scores are not part of the scan, so that it is asked for more
   * until no document behind can reach the k-th, had it the greatest other scores of all.
   */
  private async best(vector: number[], now: number): Promise<StoredPassage[]> {
    const { corpus } = this.vectorStore;
    const keys = this.#otherScoreKeys;
    const greatest = await Promise.all(keys.map((key) => this.greatest(key)));
    const most = greatest.reduce((sum, each) => sum + each, 0);
    const decay = this.decay(now);
    for (let n = this.#k; ; n *= 4) {
      const [hits] = await searchVectors(corpus, [vector], n, { decay });
      const passages = await corpus.getMany(hits!.map(({ id }) => id));
      const scored = hits!.flatMap(({ score }, at) => {
        const passage = passages[at]; // deleted meanwhile
        if (!passage) return [];
        const others = keys.reduce((sum, key) => sum + numberOf(passage, key), 0);
        return [{ passage, score: score + others }];
      });
      scored.sort((a, b) => b.score - a.score);
      const bound = (hits!.at(-1)?.score ?? 0) + most;
      const last = scored[this.#k - 1]?.score ?? -Infinity;
      if (keys.length === 0 || hits!.length < n || last >= bound)
        return scored.slice(0, this.#k).map(({ passage }) => passage);
    }
  }

  private async greatest(key: string): Promise<number> {
    const orderBy = { field: key, direction: 'desc' } as const;
    const { passages } = await this.vectorStore.corpus.list({ orderBy, limit: 1 });
    return passages[0] ? Math.max(0, numberOf(passages[0], key)) : 0;
  }

  private decay(now: number): Decay {
    const hours = Math.log(0.5) / Math.log1p(-this.#decayRate); // infinite for a rate of 0
    const halfLife: Decay['halfLife'] = `${Number(
      Math.min(hours * hourMs, Number.MAX_SAFE_INTEGER).toFixed(6),
    )}ms`;
    const origin = now * 1000;
    return { shape: 'exponential', halfLife, combine: 'sum', undated: 0, origin };
  }
}

const epochSeconds = (): number => Math.floor(Date.now() / 1000);

/** A passage whose clock of publication is its last access. */
function accessed(passage: Passage, metadata: Record<string, unknown>): Passage {
  const seconds = metadata[lastAccessedAt];
  if (typeof seconds !== 'number')
    throw invalidArgument(`metadata.${lastAccessedAt}`, 'epoch seconds', seconds);
  return { ...passage, metadata, publishedAt: seconds * 1000 };
}

function numberOf({ metadata }: StoredPassage, key: string): number {
  const value = metadata?.[key];
  return typeof value === 'number' ? value : 0;
}
