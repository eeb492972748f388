// TEMPO's data as the hub converts it: a folder of numbered shards for each domain of a part.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTempo } from '../../lib/index.js';

const published = join(dirname(fileURLToPath(import.meta.url)), 'corpusParquet');

describe('TEMPO in shards', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asof-tempo-shards-'));
  after(() => rmSync(folder, { recursive: true }));

  it('is what was published', async () => {
    for (const part of ['documents', 'examples', 'steps'])
      for (const domain of ['economics', 'history', 'law', 'travel']) {
        mkdirSync(join(folder, part, domain), { recursive: true });
        const shard = join(folder, part, domain, '0000.parquet');
        cpSync(join(published, part, `${domain}.parquet`), shard);
      }
    const [shards, whole] = [await readTempo(folder), await readTempo(published)];
    assert.deepEqual(
      shards.domains.map(({ name, queries, documentCount }) => ({ name, queries, documentCount })),
      whole.domains.map(({ name, queries, documentCount }) => ({ name, queries, documentCount })),
    );
    for (const [at, domain] of shards.domains.entries()) {
      const ids: string[] = [];
      for await (const { id } of domain.documents()) ids.push(id);
      const expected: string[] = [];
      for await (const { id } of whole.domains[at]!.documents()) expected.push(id);
      assert.deepEqual(ids, expected);
    }
  });
});
