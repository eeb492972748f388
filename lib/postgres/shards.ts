// Shards of a corpus: which passage is on which, by the hash of its id, and work on those that it
// concerns.
import { createHash } from 'node:crypto';
import { Shard, type Session } from './connection.js';
import { checkSame, defaultSchema, type PostgresOptions } from './options.js';
import type { OnShards } from './querySql.js';
import { openSchema, type CorpusSettings } from './schema.js';

export class Shards {
  private constructor(
    readonly all: readonly Shard[],
    readonly settings: CorpusSettings,
  ) {}

  /**
   * Connects to the shards of a corpus, or creates an empty one on them as `wanted`.
   * @throws AsOfError as PostgresCorpus.connect
   */
  static async open(options: PostgresOptions, wanted: CorpusSettings): Promise<Shards> {
    const { shards: urls, schema = defaultSchema, readOnly = false, signal } = options;
    const { create = !readOnly, poolSize, statementTimeoutMs } = options;
    const all = urls.map(
      (url, index) => new Shard({ url, schema, poolSize, statementTimeoutMs }, index),
    );
    try {
      const settings = { created: create && !readOnly ? wanted : undefined, shards: all.length };
      const opened: CorpusSettings[] = [];
      for (const shard of all) opened.push(await openSchema(shard, settings, signal));
      checkSame(opened, wanted, options);
      return new Shards(all, opened[0]!);
    } catch (error) {
      await Promise.all(all.map((shard) => shard.close()));
      throw error;
    }
  }

  /** Runs work on every shard. */
  onAll<Result>(work: (shard: Shard) => Promise<Result>): Promise<Result[]> {
    return Promise.all(this.all.map(work));
  }

  /** Runs work on each shard that has some of the items, with those; all of it has ended then. */
  async onHomes<Item, Result>(
    items: readonly Item[],
    idOf: (item: Item) => string,
    work: (shard: Shard, own: Item[]) => Promise<Result>,
  ): Promise<Result[]> {
    const parts: Item[][] = this.all.map(() => []);
    for (const item of items) parts[shardOf(idOf(item), this.all.length)]!.push(item);
    const calls = this.all.flatMap((shard, at) =>
      parts[at]!.length > 0 ? [work(shard, parts[at]!)] : [],
    );
    await Promise.allSettled(calls); // what another shard still wrote would undo the next call
    return Promise.all(calls);
  }

  /** Reads of every shard. */
  reader(signal: AbortSignal | undefined): OnShards {
    return <Result>(work: (session: Session, shard: number) => Promise<Result>) =>
      Promise.all(this.all.map((shard, at) => shard.read(signal, (session) => work(session, at))));
  }

  async close(): Promise<void> {
    await this.onAll((shard) => shard.close());
  }
}

/** By 32 bits of the text's SHA-256: the same in every process and version. */
const shardOf = (text: string, shards: number): number =>
  createHash('sha256').update(text).digest().readUInt32BE(0) % shards;
