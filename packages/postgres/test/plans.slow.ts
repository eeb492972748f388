// Score plans over PostgreSQL, on one shard and on two.
import fc from 'fast-check';
import type { Corpus } from '../../../lib/index.js';
import { PostgresCorpus } from '../lib/index.js';
import { withCorpus } from '../../../test/corpus.js';
import { drawOf } from '../../../test/index/flat.corpus.js';
import { assertSamePlans, passagesOf } from '../../../test/retrieval/remotePlans.js';
import { skipWithoutPostgres } from './binaries.js';
import { PostgresServers } from './servers.js';

describe('score plans over PostgreSQL', function () {
  this.timeout(300_000);
  const draw = drawOf(fc.readConfigureGlobal().seed ?? 0, 0);
  const all = passagesOf(draw, 2500);
  let local: Corpus;
  withCorpus(all, (corpus) => (local = corpus));
  let servers: PostgresServers;
  const corpora: PostgresCorpus[] = [];
  before(async function () {
    skipWithoutPostgres(this);
    servers = await PostgresServers.start({ servers: 2 });
    for (const shards of [servers.urls.slice(0, 1), servers.urls]) {
      const corpus = await PostgresCorpus.connect({ shards, schema: `plans${shards.length}` });
      await corpus.add(all);
      corpora.push(corpus);
    }
  });
  after(async () => {
    for (const corpus of corpora) await corpus.close();
    await servers?.stop();
  });

  it('find the same rows with the same scores, on one shard and on two', () =>
    assertSamePlans(draw, local, corpora));
});
