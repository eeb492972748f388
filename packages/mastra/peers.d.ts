// What the library uses of a peer that is not installed for development, since it needs a newer
// Node.js: @mastra/core. Not published: users compile against the package's own declarations, and
// so does test/frameworks/mastra.
declare module '@mastra/core/vector' {
  export type VectorFilter = { [field: string]: unknown } | null | undefined;
  export interface QueryResult {
    id: string;
    score: number;
    metadata?: Record<string, any> | undefined;
    vector?: number[] | undefined;
    document?: string | undefined;
  }
  export interface IndexStats {
    dimension: number;
    count: number;
    metric?: 'cosine' | 'euclidean' | 'dotproduct' | undefined;
  }
  export interface CreateIndexParams {
    indexName: string;
    dimension: number;
    metric?: 'cosine' | 'euclidean' | 'dotproduct' | undefined;
  }
  export interface UpsertVectorParams {
    indexName: string;
    vectors: number[][];
    metadata?: Record<string, any>[] | undefined;
    ids?: string[] | undefined;
    sparseVectors?: unknown[] | undefined;
    deleteFilter?: VectorFilter | undefined;
  }
  export interface QueryVectorParams {
    indexName: string;
    queryVector?: number[] | undefined;
    topK?: number | undefined;
    filter?: VectorFilter | undefined;
    includeVector?: boolean | undefined;
    sparseVector?: unknown;
  }
  export interface DescribeIndexParams {
    indexName: string;
  }
  export interface DeleteIndexParams {
    indexName: string;
  }
  export interface UpdateVectorParams {
    indexName: string;
    id?: string | undefined;
    filter?: VectorFilter | undefined;
    update: { vector?: number[] | undefined; metadata?: Record<string, any> | undefined };
  }
  export interface DeleteVectorParams {
    indexName: string;
    id: string;
  }
  export interface DeleteVectorsParams {
    indexName: string;
    ids?: string[] | undefined;
    filter?: VectorFilter | undefined;
  }
  export abstract class MastraVector {
    id: string;
    constructor(options: { id: string });
  }
}
