// Mastra's vector store over corpora: a separate entry, since @mastra/core is an optional peer.
// eslint-disable-next-line @typescript-eslint/triple-slash-reference
/// <reference path="../peers.d.ts" />
import {
  MastraVector,
  type CreateIndexParams,
  type DeleteIndexParams,
  type DeleteVectorParams,
  type DeleteVectorsParams,
  type DescribeIndexParams,
  type IndexStats,
  type QueryResult,
  type QueryVectorParams,
  type UpdateVectorParams,
  type UpsertVectorParams,
} from '@mastra/core/vector';
import type { Fields } from 'asof';
import { Indexes, type AsOfQuery, type AsOfVectorOptions } from './indexes.js';

export type { Clocks } from 'asof/kit';
export type { AsOfQuery, AsOfVectorOptions } from './indexes.js';

/**
 * A vector store for Mastra: each index is a corpus of vectors by the user's model, searched
 * exactly, by cosine. Filters are Mastra's, over all of the metadata; a query may have `askedAt`,
 * and `question`, by which words and time count too. Needs the Node.js of @mastra/core (22.13).
 * @throws AsOfError ERR_INVALID_ARGUMENT, ERR_NOT_FOUND for an index that there is none of, and
 * what a corpus rejects with.
 * @example const vectors = new AsOfVector({ id: 'asof', path: './indexes' });
 * await vectors.createIndex({ indexName: 'news', dimension: 1536, fields: { price: 'number' } });
 */
export class AsOfVector extends MastraVector {
  readonly #indexes: Indexes;

  constructor({ id, ...options }: AsOfVectorOptions) {
    super({ id });
    this.#indexes = new Indexes(options);
  }

  /**
   * Creates an index, unless there is one of that dimension. `fields`: entries of metadata with a
   * type, by which ranges are searched rather than read from the metadata of each vector.
   */
  async createIndex(params: CreateIndexParams & { fields?: Fields | undefined }): Promise<void> {
    return this.#indexes.create(params);
  }

  async listIndexes(): Promise<string[]> {
    return this.#indexes.list();
  }

  async describeIndex({ indexName }: DescribeIndexParams): Promise<IndexStats> {
    return this.#indexes.describe(indexName);
  }

  /** Deletes the folder of an index. */
  async deleteIndex({ indexName }: DeleteIndexParams): Promise<void> {
    return this.#indexes.remove(indexName);
  }

  /**
   * Adds vectors, or replaces those of the same ids. `metadata.text` is the text of a vector, whose
   * words count in queries with a question. With `deleteFilter` the vectors that it names are
   * deleted in a commit of its own, after the new ones are there.
   * @returns ids, new ones where none are given
   */
  async upsert(params: UpsertVectorParams): Promise<string[]> {
    return this.#indexes.upsert(params);
  }

  /** The topK (1 to 10,000, default 10) best; without a vector those of a filter, by their ids. */
  async query(params: QueryVectorParams & AsOfQuery): Promise<QueryResult[]> {
    return this.#indexes.query(params);
  }

  /** Merges metadata into that of the vectors, or replaces them; an unknown id is ignored. */
  async updateVector(params: UpdateVectorParams): Promise<void> {
    return this.#indexes.update(params);
  }

  async deleteVector({ indexName, id }: DeleteVectorParams): Promise<void> {
    return this.#indexes.deleteVectors({ indexName, ids: [id] });
  }

  async deleteVectors(params: DeleteVectorsParams): Promise<void> {
    return this.#indexes.deleteVectors(params);
  }

  /** Closes the corpora of the indexes; a later call opens them again. */
  async close(): Promise<void> {
    return this.#indexes.close();
  }
}
