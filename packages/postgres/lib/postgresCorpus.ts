// Corpus in PostgreSQL: passages on one server or several, by the hash of their ids. Every system
// runs on it: the first stage in SQL, the others over the passages that it fetched.
import type { RunOptions } from 'asof';
import { checkOptionNames, RemoteCorpus } from 'asof/kit';
import { shardInfo, type PostgresInfo } from './info.js';
import { checkOptions, optionNames, type PostgresOptions } from './options.js';
import { Shards } from './shards.js';
import { PostgresStorage, total } from './storage.js';
import { buildVectorIndexes, type VectorIndexOptions } from './vectorIndex.js';
import { verifyShards } from './verification.js';
import { compactShard } from './write.js';

/**
 * Passages in PostgreSQL with pgvector, searchable by every system like those of a `Corpus`: same
 * results, scores within 1e-6. Each batch of `add`, and each deletion, is one transaction a server;
 * `list` has ids in the order of their code points rather than UTF-16 units. Close it when done.
 */
export class PostgresCorpus extends RemoteCorpus<PostgresStorage> {
  /**
   * Connects to the servers of a corpus, or creates an empty one on them.
   * @throws AsOfError ERR_NATIVE_UNAVAILABLE without the package pg; ERR_STORAGE where a server
   * cannot be reached or lacks pgvector; ERR_NOT_FOUND, ERR_CORPUS_FOREIGN, ERR_CORPUS_NEWER,
   * ERR_ENCODER_MISMATCH, ERR_INVALID_ARGUMENT
   */
  static async connect(options: PostgresOptions): Promise<PostgresCorpus> {
    checkOptionNames('PostgresCorpus.connect', options, optionNames);
    const { storage, encoder } = await this.opened(options, async (created) => {
      checkOptions(options);
      const { shardBy } = options;
      const wanted = { ...created, ...(shardBy === undefined ? {} : { shardBy }) };
      return new PostgresStorage(await Shards.open(options, wanted), options);
    });
    return new PostgresCorpus(storage, encoder, options);
  }

  /** Counts, sizes and time spans. The spans of content times take a scan of all rows. */
  override async info(options: RunOptions = {}): Promise<PostgresInfo> {
    const { all } = this.storage.shards;
    return this.whileOpen(options, async ({ signal }) => {
      const each = await Promise.all(all.map((shard) => shard.read(signal, shardInfo)));
      const bytes = (of: keyof PostgresInfo['bytes']): number =>
        total(each.map((shard) => shard.bytes[of]));
      return {
        ...this.infoOf(each),
        schema: this.storage.name,
        shards: all.map(({ name }, at) => {
          const { passages, bytes } = each[at]!;
          return { name, passages, bytes: bytes.total };
        }),
        bytes: {
          total: bytes('total'),
          catalog: bytes('catalog'),
          rows: bytes('rows'),
          lexical: bytes('lexical'),
          derived: bytes('derived'),
        },
      };
    });
  }

  /**
   * Reads all tables but vectors, and compares counts, sums, postings, records, hashes and times.
   * @throws AsOfError ERR_CORPUS_CORRUPT, naming the first fault; ERR_STORAGE, ERR_ABORTED,
   * ERR_CLOSED
   */
  override verify(options: RunOptions = {}): Promise<void> {
    return this.whileOpen(options, (linked) => verifyShards(this.storage.shards.all, linked));
  }

  /** Merges what writes left apart in the index of words; questions are faster afterwards. */
  override async compact(options: RunOptions = {}): Promise<void> {
    this.checkWritable();
    await this.whileOpen(options, ({ signal }) =>
      this.storage.shards.onAll((shard) => compactShard(shard, signal)),
    );
  }

  /**
   * Builds the indexes of vectors for approximate search that are missing (HNSW, half precision):
   * of the passages, and of the vectors that systems derived from them (`re3`), whose first
   * question comes before. Writes go on and keep them up to date; maintenance_work_mem of the
   * server decides how fast they are built.
   * @returns indexes built, over all shards
   * @throws AsOfError ERR_INVALID_ARGUMENT, ERR_STORAGE, ERR_ABORTED, ERR_CLOSED
   */
  async buildVectorIndex(options: VectorIndexOptions = {}): Promise<number> {
    this.checkWritable();
    checkOptionNames('buildVectorIndex', options, ['m', 'efConstruction', 'signal']);
    const { dimensions } = this.storage.settings.encoder;
    return this.whileOpen(options, async ({ signal }) =>
      total(
        await this.storage.shards.onAll((shard) =>
          buildVectorIndexes(shard, dimensions, { ...options, signal }),
        ),
      ),
    );
  }
}
