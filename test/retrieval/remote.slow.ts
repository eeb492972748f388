// A corpus whose rows are fetched, question by question: every system finds in it what it finds in
// the corpus that has them, with the same scores, and fetches none of them twice.
import assert from 'node:assert/strict';
import { hybrid, type Corpus } from '../../lib/index.js';
import { withCorpus } from '../corpus.js';
import { remoteCorpus, type RemoteCounts } from './remoteCorpus.js';
import { documents, itHasTheResults, passages } from './remotePassages.js';
import type { SearchableCorpus } from '../../lib/store/searchableCorpus.js';

describe('a corpus whose rows are elsewhere', function () {
  this.timeout(120_000);
  let local: Corpus;
  withCorpus([...passages.slice(0, 30), ...documents], (corpus) => (local = corpus));
  let remote: SearchableCorpus & { counts: RemoteCounts };
  before(async () => {
    await local.add(passages.slice(30)); // a second segment
    await local.delete(['Marl-2']);
    remote = remoteCorpus(local);
  });

  itHasTheResults(() => ({ corpus: remote, local }));

  it('fetches no passage twice for a question', async () => {
    const { counts } = remote;
    counts.read = 0;
    await hybrid({ corpus: remote }).run({ text: 'Who was mayor of Lund in 1995?' });
    assert.ok(
      counts.read > 0 && counts.read <= passages.length + documents.length,
      `${counts.read}`,
    );
  });
});
