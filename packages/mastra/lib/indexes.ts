// Indexes of Mastra's vector interface: each a corpus in a folder of its own, whose vectors come
// from elsewhere. The class for Mastra is a thin one over this (index.ts).
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  CreateIndexParams,
  IndexStats,
  QueryResult,
  QueryVectorParams,
  UpdateVectorParams,
  UpsertVectorParams,
  VectorFilter,
} from '@mastra/core/vector';
import {
  AsOfError,
  type StoredPassage,
  type TimeInput,
  searchVectors,
  Corpus,
  type Fields,
  hybrid,
} from 'asof';
import {
  checkOptionNames,
  invalidArgument,
  mustBe,
  mustBeWhole,
  checkClocks,
  type Clocks,
  vectorsOfPassages,
  maxPassages,
  unitVector,
} from 'asof/kit';
import { entriesField } from './entries.js';
import { compileFilter, type CompiledFilter } from './filter.js';
import { metadataField, metadataOf, passageOf } from './records.js';

export interface AsOfVectorOptions {
  /** Name of the store in Mastra. */
  id: string;
  /** Folder of the indexes, each of which is a corpus: PATH/INDEX. It is created. */
  path: string;
  /** Entries of metadata that hold the times of vectors. */
  clocks?: Clocks | undefined;
}

/** What a query may have in addition to Mastra's own parameters. */
export interface AsOfQuery {
  /**
   * Excludes later publications. Default: nothing is excluded, with `question`: now.
   */
  askedAt?: TimeInput | undefined;
  /**
   * The question in words: `hybrid` ranks by words (of `metadata.text`), vector and time. Default:
   * by the cosine alone.
   */
  question?: string | undefined;
}

const model = (dimensions: number): { id: string; dimensions: number } => ({
  id: 'mastra',
  dimensions,
});

const indexNames = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,99}$/u;

/** An index that is open. */
interface Index {
  corpus: Corpus;
  fields: Fields;
}

export class Indexes {
  private readonly path: string;
  private readonly clocks: Required<Clocks>;
  private readonly opened = new Map<string, Promise<Index>>();

  constructor(options: Pick<AsOfVectorOptions, 'path' | 'clocks'>) {
    checkOptionNames('AsOfVector', options, ['path', 'clocks']);
    const { path } = options;
    if (typeof path !== 'string' || path === '' || path.includes('\0'))
      throw invalidArgument('path', 'the path of a folder', path);
    this.path = path;
    this.clocks = checkClocks(options.clocks);
  }

  async create(params: CreateIndexParams & { fields?: Fields | undefined }): Promise<void> {
    const { indexName, dimension, metric = 'cosine', fields = {} } = params;
    const folder = this.folderOf(indexName);
    mustBeWhole({ dimension }, 1, 16_384);
    if (metric !== 'cosine')
      throw invalidArgument('metric', "'cosine', by which asof compares", metric);
    for (const name of [entriesField, metadataField])
      if (name in fields) throw invalidArgument('fields', `without the name ${name}`, name);
    const all: Fields = { ...fields, [entriesField]: 'keyword[]' };
    const existing = existsSync(join(folder, 'manifest'));
    if (existing) {
      const { corpus } = await this.index(indexName);
      const { dimensions } = corpus.encoder;
      if (dimensions === dimension) return;
      const remedy = 'Delete the index, or create one of another name.';
      throw invalidArgument('dimension', `${dimensions}, as ${indexName} has`, dimension, remedy);
    }
    await mkdir(this.path, { recursive: true });
    const options = { encoder: model(dimension), sentences: false, fields: all };
    await (await Corpus.open(folder, options)).close();
  }

  async list(): Promise<string[]> {
    const names = await readdir(this.path).catch(() => []);
    return names
      .filter((name) => indexNames.test(name) && existsSync(join(this.path, name, 'manifest')))
      .sort();
  }

  async describe(indexName: string): Promise<IndexStats> {
    const { corpus } = await this.index(indexName);
    const { dimensions } = corpus.encoder;
    return { dimension: dimensions, count: await corpus.count(), metric: 'cosine' };
  }

  async remove(indexName: string): Promise<void> {
    const { corpus } = await this.index(indexName);
    this.opened.delete(indexName);
    await corpus.close();
    // Renamed first, so that nobody opens what is half removed.
    const removed = join(this.path, `.removed-${randomUUID()}`);
    await rename(this.folderOf(indexName), removed);
    await rm(removed, { recursive: true, force: true });
  }

  /** Vectors that `deleteFilter` names are deleted once the new ones are there. */
  async upsert(params: UpsertVectorParams): Promise<string[]> {
    const { indexName, vectors, metadata, sparseVectors, deleteFilter } = params;
    const index = await this.index(indexName);
    mustBe('an array', { vectors });
    const count = vectors.length;
    if (count === 0) throw invalidArgument('vectors', 'an array of some vectors', vectors);
    if (sparseVectors !== undefined) {
      const remedy =
        'Put the text into metadata.text: its words count where a query has a question.';
      throw invalidArgument('sparseVectors', 'absent', sparseVectors, remedy);
    }
    for (const [name, list] of Object.entries({ metadata, ids: params.ids }))
      if (list !== undefined && list.length !== count)
        throw invalidArgument(name, `an array of ${count}, one per vector`, list);
    const ids = params.ids ?? vectors.map(() => randomUUID() as string);
    const replaced = deleteFilter
      ? await this.idsOf(index, compileFilter(deleteFilter, this.schemaOf(index)))
      : [];
    const passages = vectors.map((vector, at) =>
      passageOf(
        { id: ids[at]!, vector, metadata: metadata?.[at] ?? {} },
        index.fields,
        this.clocks,
      ),
    );
    await index.corpus.add(passages);
    const kept = new Set(ids);
    await index.corpus.delete(replaced.filter((id) => !kept.has(id)));
    return ids;
  }

  async query(params: QueryVectorParams & AsOfQuery): Promise<QueryResult[]> {
    const { indexName, queryVector, topK = 10, includeVector = false, sparseVector } = params;
    const index = await this.index(indexName);
    mustBeWhole({ topK }, 1, maxPassages);
    if (sparseVector !== undefined)
      throw invalidArgument('sparseVector', 'absent', sparseVector, 'Give the question in words.');
    const filter = compileFilter(params.filter, this.schemaOf(index));
    if (queryVector === undefined) {
      if (isEmpty(params.filter))
        throw invalidArgument('queryVector', 'given where there is no filter', queryVector);
      const passages = await this.passages(index, filter, topK);
      return results(
        index,
        passages.map((passage) => ({ passage, score: 0 })),
        includeVector,
      );
    }
    const { dimensions } = index.corpus.encoder;
    const vector = unitVector('queryVector', queryVector, dimensions, invalidArgument);
    const ranked =
      params.question === undefined
        ? await nearest(index, { vector, topK, filter, asOf: params.askedAt })
        : await this.answering(index, { ...params, topK, vector, filter });
    return results(index, ranked, includeVector);
  }

  /** Merges the metadata into what is there, or replaces the vector. */
  async update({ indexName, id, filter, update }: UpdateVectorParams): Promise<void> {
    const index = await this.index(indexName);
    checkChoice('id', id, filter);
    const { vector, metadata } = update ?? {};
    if (vector === undefined && metadata === undefined)
      throw invalidArgument('update', '{ vector } or { metadata }', update);
    const passages =
      filter === undefined || filter === null
        ? index.corpus.getMany([id!]).filter((each) => each !== undefined)
        : await this.passages(index, compileFilter(filter, this.schemaOf(index)));
    const vectors = await storedVectors(index, passages);
    await index.corpus.add(
      passages.map((each, at) =>
        passageOf(
          {
            id: each.id,
            vector: vector ?? vectors[at]!,
            metadata: { ...metadataOf(each), ...metadata },
          },
          index.fields,
          this.clocks,
        ),
      ),
    );
  }

  async deleteVectors(params: {
    indexName: string;
    ids?: string[] | undefined;
    filter?: VectorFilter | undefined;
  }): Promise<void> {
    const { indexName, ids, filter } = params;
    const index = await this.index(indexName);
    checkChoice('ids', ids, filter);
    if (ids?.length === 0)
      throw invalidArgument('ids', 'some ids', ids, 'An empty ids array is refused.');
    const chosen = ids ?? (await this.idsOf(index, compileFilter(filter, this.schemaOf(index))));
    await index.corpus.delete(chosen);
  }

  async close(): Promise<void> {
    const all = [...this.opened.values()];
    this.opened.clear();
    await Promise.all(all.map(async (each) => (await each).corpus.close()));
  }

  private folderOf(indexName: string): string {
    if (typeof indexName !== 'string' || !indexNames.test(indexName))
      throw invalidArgument('indexName', 'letters, digits, _, . and -, at most 100', indexName);
    return join(this.path, indexName);
  }

  private index(indexName: string): Promise<Index> {
    const folder = this.folderOf(indexName);
    if (!existsSync(join(folder, 'manifest')))
      return Promise.reject(
        new AsOfError(
          'ERR_NOT_FOUND',
          `Expected an index ${indexName} in ${this.path}, found none. Create it: createIndex().`,
        ),
      );
    let index = this.opened.get(indexName);
    if (index === undefined) {
      index = openIndex(folder);
      index.catch(() => this.opened.delete(indexName));
      this.opened.set(indexName, index);
    }
    return index;
  }

  private schemaOf({ fields }: Index): { fields: Fields; clocks: Required<Clocks> } {
    return { fields, clocks: this.clocks };
  }

  /** Passages that satisfy a filter, by their ids, at most a number of them. */
  private async passages(
    { corpus }: Index,
    { where, isExact, accepts }: CompiledFilter,
    most = Infinity,
  ): Promise<StoredPassage[]> {
    const found: StoredPassage[] = [];
    for (let after: string | undefined; found.length < most; ) {
      const page = await corpus.list({ where, after, limit: 1000 });
      found.push(...page.passages.filter((each) => isExact || accepts(metadataOf(each))));
      after = page.next;
      if (after === undefined) break;
    }
    return found.slice(0, most);
  }

  private async idsOf(index: Index, filter: CompiledFilter): Promise<string[]> {
    return (await this.passages(index, filter)).map(({ id }) => id);
  }

  private async answering(
    index: Index,
    {
      question,
      askedAt,
      vector,
      topK,
      filter,
    }: AsOfQuery & { vector: Float32Array; topK: number; filter: CompiledFilter },
  ): Promise<Ranked[]> {
    const { corpus } = index;
    const candidateIds = filter.isExact ? undefined : await this.idsOf(index, filter);
    const options = { k: topK, where: filter.where, candidateIds };
    const { evidence } = await hybrid({ corpus }).run(
      { text: question!, askedAt, vector },
      options,
    );
    return evidence.map((each) => ({ passage: each, score: each.score }));
  }
}

interface Ranked {
  passage: StoredPassage;
  score: number;
}

/** The nearest passages that satisfy a filter: if it is inexact, more are scanned until k do. */
async function nearest(
  { corpus }: Index,
  {
    vector,
    topK,
    filter: { where, isExact, accepts },
    asOf,
  }: {
    vector: Float32Array;
    topK: number;
    filter: CompiledFilter;
    asOf: TimeInput | undefined;
  },
): Promise<Ranked[]> {
  for (let n = topK; ; n *= 4) {
    const [hits] = await searchVectors(corpus, vector, n, { where, asOf });
    const passages = corpus.getMany(hits!.map(({ id }) => id));
    const ranked = hits!.flatMap(({ score }, at) => {
      const passage = passages[at]; // deleted meanwhile
      const isWanted = passage && (isExact || accepts(metadataOf(passage)));
      return isWanted ? [{ passage, score }] : [];
    });
    if (isExact || ranked.length >= topK || hits!.length < n) return ranked.slice(0, topK);
  }
}

async function openIndex(folder: string): Promise<Index> {
  const corpus = await Corpus.open(folder, { create: false });
  const { [entriesField]: entries, ...fields } = corpus.info().fields;
  if (entries === 'keyword[]') return { corpus, fields };
  await corpus.close();
  throw new AsOfError(
    'ERR_CORPUS_FOREIGN',
    `Expected an index of AsOfVector at ${folder}, found another corpus. Create it: createIndex().`,
  );
}

/** Exactly one of ids and filter, which is not empty. */
function checkChoice(name: 'id' | 'ids', ids: unknown, filter: unknown): void {
  const hasFilter = filter !== undefined && filter !== null;
  if (ids !== undefined && hasFilter)
    throw invalidArgument(
      `${name} and filter`,
      'one of the two',
      filter,
      'They are mutually exclusive.',
    );
  if (ids === undefined && !hasFilter) {
    const remedy = `Either ${name === 'ids' ? 'filter or ids' : 'id or filter'} must be provided.`;
    throw invalidArgument(`${name} or filter`, 'given', undefined, remedy);
  }
  if (hasFilter && isEmpty(filter))
    throw invalidArgument('filter', 'some conditions', filter, 'An empty filter would name all.');
}

const isEmpty = (filter: unknown): boolean => Object.keys(filter ?? {}).length === 0;

function storedVectors(
  { corpus }: Index,
  passages: readonly StoredPassage[],
): Promise<(Float32Array | undefined)[]> {
  return vectorsOfPassages(
    corpus,
    passages.map(({ id }) => id),
  );
}

async function results(
  index: Index,
  ranked: readonly Ranked[],
  includeVector: boolean,
): Promise<QueryResult[]> {
  const vectors = includeVector
    ? await storedVectors(
        index,
        ranked.map(({ passage }) => passage),
      )
    : [];
  return ranked.map(({ passage, score }, at): QueryResult => {
    const result: QueryResult = { id: passage.id, score, metadata: metadataOf(passage) };
    const vector = vectors[at];
    return vector ? { ...result, vector: [...vector] } : result;
  });
}
