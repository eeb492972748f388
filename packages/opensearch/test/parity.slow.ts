// With `exact` a corpus in OpenSearch has the results of a local one of the same passages: every
// system that one script can state, scores within 1e-6. Candidates find the same in so few.
import assert from 'node:assert/strict';
import { hybrid, type Corpus } from '../../../lib/index.js';
import { systemNames } from '../../../lib/papers/index.js';
import { OpenSearchCorpus } from '../lib/index.js';
import { withCorpus } from '../../../test/corpus.js';
import { documents, itHasTheResults, passages } from '../../../test/retrieval/remotePassages.js';
import { OpenSearchNodes, skipWithoutOpenSearch } from './servers.js';

describe('a corpus in OpenSearch', function () {
  this.timeout(300_000);
  let local: Corpus;
  withCorpus([...passages, ...documents], (corpus) => (local = corpus));
  let cluster: OpenSearchNodes;
  before(async function () {
    skipWithoutOpenSearch(this);
    cluster = await OpenSearchNodes.start();
  });
  after(() => cluster?.stop());

  for (const exact of [true, false])
    describe(exact ? 'that scores all passages' : 'that scores candidates', () => {
      let corpus: OpenSearchCorpus;
      before(async () => {
        const index = `exact-${exact}`;
        corpus = await OpenSearchCorpus.connect({ nodes: cluster.urls, index, shards: 3, exact });
        await corpus.add([...passages, ...documents]);
      });
      after(() => corpus?.close());

      const stated = systemNames.filter((name) => !exact || name !== 're3');
      itHasTheResults(() => ({ corpus, local }), stated);

      it('says whether it is exact', async () => {
        const { exact: said, scan } = await hybrid({ corpus }).run({
          text: 'Who was mayor of Lund?',
        });
        assert.deepEqual([said, scan?.exact], [exact, exact]);
      });
    });
});
