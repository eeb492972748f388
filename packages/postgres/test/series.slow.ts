// Series in PostgreSQL, on one server and on two.
import { AsOfError } from '../../../lib/errors.js';
import { PostgresCorpus } from '../lib/index.js';
import { encoder, itKeepsSeries } from '../../../test/store/remoteSeries.js';
import { skipWithoutPostgres } from './binaries.js';
import { PostgresServers } from './servers.js';

describe('series in PostgreSQL', function () {
  this.timeout(120_000);
  let servers: PostgresServers;
  before(async function () {
    skipWithoutPostgres(this);
    servers = await PostgresServers.start({ servers: 2 });
  });
  after(() => servers?.stop());

  for (const count of [1, 2])
    itKeepsSeries(`, with ${count}`, {
      connect: (name) => {
        const shards = servers.urls.slice(0, count);
        return PostgresCorpus.connect({ shards, schema: `${name}${count}`, encoder });
      },
      isParted: count > 1,
      isExcused: (result) => AsOfError.is(result) && /to stay on shard/.test(result.message),
    });
});
