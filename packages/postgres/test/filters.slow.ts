// Filters of passages in PostgreSQL, on two servers.
import { Corpus } from '../../../lib/index.js';
import { PostgresCorpus } from '../lib/index.js';
import { fields, itFilters, passages } from '../../../test/retrieval/remoteFilters.js';
import { temporaryFolder } from '../../../test/store/fixtures.js';
import { skipWithoutPostgres } from './binaries.js';
import { PostgresServers } from './servers.js';

describe('filters in PostgreSQL', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let local: Corpus;
  let remote: PostgresCorpus;
  let servers: PostgresServers;
  before(async function () {
    skipWithoutPostgres(this);
    servers = await PostgresServers.start({ servers: 2 });
    local = await Corpus.open(folder.path('local'), { fields });
    await local.add(passages);
    remote = await PostgresCorpus.connect({ shards: servers.urls, fields });
    await remote.add(passages);
  });
  after(async () => {
    await local?.close();
    await remote?.close();
    await servers?.stop();
  });

  itFilters(() => ({ remote, local }));
});
