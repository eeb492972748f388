// A corpus whose rows are fetched, question by question: every system finds in it what it finds in
// the corpus that has them, with the same scores, and fetches but a part of them.
import assert from 'node:assert/strict';
import { hybrid, timeline, type Corpus } from '../../lib/index.js';
import { systemNames } from '../../lib/papers/index.js';
import type { AskOptions } from '../../lib/systems/system.js';
import { assertClose } from '../assertClose.js';
import { withCorpus } from '../corpus.js';
import { remoteCorpus, type RemoteCounts } from './remoteCorpus.js';
import { documents, passages, questions, resultsOf, tolerance } from './remotePassages.js';
import type { SearchableCorpus } from '../../lib/store/joinedCorpora.js';

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

  for (const name of systemNames)
    it(`has the results of ${name}`, async () => {
      assertClose(
        await resultsOf(name, remote),
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
          await resultsOf(name, remote, ask),
          await resultsOf(name, local, ask),
          `${name} ${JSON.stringify(ask)}`,
          tolerance,
        );
  });

  it('has them of a timeline', async () => {
    for (const question of questions)
      assertClose(
        await timeline(remote, question),
        await timeline(local, question),
        question.text,
        tolerance,
      );
  });

  it('fetches a part of the passages, each once a question', async () => {
    const { counts } = remote;
    counts.read = 0;
    await hybrid({ corpus: remote }).run(questions[0]!, { k: 1 });
    assert.ok(
      counts.read > 0 && counts.read <= passages.length + documents.length,
      `${counts.read}`,
    );
  });
});
