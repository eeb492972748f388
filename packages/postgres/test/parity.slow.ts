// A corpus in PostgreSQL has the results of a local one of the same passages: every system, with 1,
// 2 and 4 shards on servers of their own, with scores within 1e-6.
import type { Corpus } from '../../../lib/index.js';
import { PostgresCorpus } from '../lib/index.js';
import { withCorpus } from '../../../test/corpus.js';
import { documents, itHasTheResults, passages } from '../../../test/retrieval/remotePassages.js';
import { skipWithoutPostgres } from './binaries.js';
import { PostgresServers } from './servers.js';

describe('a corpus in PostgreSQL', function () {
  this.timeout(300_000);
  let local: Corpus;
  withCorpus([...passages, ...documents], (corpus) => (local = corpus));
  let servers: PostgresServers;
  before(async function () {
    skipWithoutPostgres(this);
    servers = await PostgresServers.start({ servers: 4 });
  });
  after(() => servers?.stop());

  for (const count of [1, 2, 4])
    describe(`on ${count} of them`, () => {
      let corpus: PostgresCorpus;
      before(async () => {
        const shards = servers.urls.slice(0, count);
        corpus = await PostgresCorpus.connect({ shards, schema: `shards${count}` });
        await corpus.add([...passages, ...documents]);
      });
      after(() => corpus?.close());

      itHasTheResults(() => ({ corpus, local }));
    });
});
