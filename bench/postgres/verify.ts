// That a corpus in PostgreSQL is whole: what it stores, its statistics against a recount from the
// records, and its rankings against those of a new local corpus of the same passages.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Corpus, type Passage } from '../../lib/index.js';
import { createSystem } from '../../lib/papers/index.js';
import type { PostgresCorpus } from '../../packages/postgres/lib/index.js';
import { Shard } from '../../packages/postgres/lib/connection.js';
import { openSchema } from '../../packages/postgres/lib/schema.js';
import { PassageWriter } from '../../lib/store/remote/passageWriter.js';
import { staticEncoder } from '../../lib/vectors/staticEncoder.js';
import { assertExact } from '../../packages/postgres/test/statistics.js';
import { agreement, measure, type Ask } from './measure.js';

export const schema = 'asof';
const systems = ['bm25', 'dense', 'hybrid', 'tempralm'];
/** Of scores: the moments of a recency are summed in another order. */
const tolerance = 1e-6;

/** Compares the statistics of each shard with those of its records; throws where they differ. */
export async function checkStatistics(urls: readonly string[]): Promise<void> {
  const encoder = await staticEncoder();
  for (const [index, url] of urls.entries()) {
    const shard = new Shard({ url, schema }, index);
    try {
      const settings = await openSchema(shard, { shards: urls.length }, undefined);
      await assertExact(shard, new PassageWriter(settings, encoder));
    } finally {
      await shard.close();
    }
  }
}

/** Compares everything with what is to be there; throws where it differs. */
export async function checkWhole(
  corpus: PostgresCorpus,
  urls: readonly string[],
  passages: readonly Passage[],
  questions: readonly Ask[],
): Promise<void> {
  assert.equal(await corpus.count(), passages.length, 'passages in all');
  await checkStatistics(urls);
  const folder = mkdtempSync(join(tmpdir(), 'asof-verify-'));
  const local = await Corpus.open(join(folder, 'corpus'));
  try {
    await local.add(passages);
    const ids = passages.map(({ id }) => id);
    assert.deepEqual(
      await corpus.getMany(ids),
      ids.map((id) => local.get(id)),
    );
    for (const name of systems) {
      const found = await measure(createSystem(name, { corpus }), questions, []);
      const expected = await measure(createSystem(name, { corpus: local }), questions, []);
      const { same, difference } = agreement(found, expected);
      assert.equal(same, questions.length, `${name}: questions with the ranking of a local corpus`);
      assert.ok(difference <= tolerance, `${name}: scores differ by ${difference}`);
    }
  } finally {
    await local.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
