// A corpus in PostgreSQL has the results of a local one of the same passages: every system, with 1,
// 2 and 4 shards on servers of their own, with scores within 1e-6.
import { systemNames } from '../../lib/papers/index.js';
import { timeline, type Corpus } from '../../lib/index.js';
import { PostgresCorpus } from '../../lib/postgres/index.js';
import type { AskOptions } from '../../lib/systems/system.js';
import { assertClose } from '../assertClose.js';
import { withCorpus } from '../corpus.js';
import {
  documents,
  passages,
  questions,
  resultsOf,
  tolerance,
} from '../retrieval/remotePassages.js';
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

      for (const name of systemNames)
        it(`has the results of ${name}`, async () => {
          assertClose(
            await resultsOf(name, corpus),
            await resultsOf(name, local),
            undefined,
            tolerance,
          );
        });

      it('has them for few results, documents, neighbours and candidates', async () => {
        const asks: AskOptions[] = [
          { k: 1 },
          { k: 3, perDocument: true },
          { k: 5, neighbours: 2 },
          { k: 4, candidateIds: passages.filter((_, at) => at % 5 === 0).map(({ id }) => id) },
        ];
        for (const ask of asks)
          for (const name of ['hybrid', 'bm25'])
            assertClose(
              await resultsOf(name, corpus, ask),
              await resultsOf(name, local, ask),
              `${name} ${JSON.stringify(ask)}`,
              tolerance,
            );
      });

      it('has the timelines', async () => {
        for (const question of questions)
          assertClose(
            await timeline(corpus, question),
            await timeline(local, question),
            question.text,
            tolerance,
          );
      });
    });
});
