// Which shard a passage is on: by the hash of a keyword of it (`shardBy`), such as its tenant, of
// its series, whose members are together, or of its id; and which shards have the passages that a
// filter lets pass.
import { createHash } from 'node:crypto';
import { fieldValues } from 'asof/kit';
import type { StoredPassage } from 'asof';
import type { PassageFilter } from './remoteTypes.js';
import type { CorpusSettings } from './schema.js';

export class Routing {
  constructor(
    private readonly settings: CorpusSettings,
    private readonly shards: number,
  ) {}

  /** Number of the shard of an id, of passages without the field and of no series. */
  ofId(id: string): number {
    return this.of(id);
  }

  /** Of what the passage itself says; undefined if that is its id alone. */
  ofPassage(passage: StoredPassage): number | undefined {
    const { shardBy } = this.settings;
    const value = shardBy === undefined ? undefined : fieldValues(passage, this.settings)[shardBy];
    const text = Array.isArray(value) ? (value[0] as string) : passage.series;
    return text === undefined ? undefined : this.of(text);
  }

  /** Numbers of the shards with all that can pass a filter; undefined for all of them. */
  ofFilter(filter: PassageFilter | undefined): Set<number> | undefined {
    const { shardBy, fields } = this.settings;
    if (shardBy === undefined || filter === undefined) return undefined;
    const values = keywordsOf(filter, Object.keys(fields).indexOf(shardBy));
    return values && new Set(values.map((value) => this.of(value)));
  }

  /** By 32 bits of the text's SHA-256: the same in every process and version. */
  private of(text: string): number {
    return createHash('sha256').update(text).digest().readUInt32BE(0) % this.shards;
  }
}

/** Keywords of a field of which a passage that passes has one; undefined if it may have another. */
function keywordsOf(filter: PassageFilter, field: number): readonly string[] | undefined {
  if (filter.kind === 'keywords') return filter.field === field ? filter.values : undefined;
  if (filter.kind !== 'all' && filter.kind !== 'any') return undefined;
  const each = filter.of.map((one) => keywordsOf(one, field));
  if (filter.kind === 'all') return each.find((values) => values !== undefined);
  return each.every((values) => values !== undefined) ? each.flat() : undefined;
}
