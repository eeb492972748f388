// Entity boosting: repeated names and their counts.
import assert from 'node:assert/strict';
import { Corpus } from '../../lib/index.js';
import { englishAnalyzer } from '../../lib/text/analyzer.js';
import { entityBoostedTerms } from '../../lib/retrieval/entityTerms.js';
import { temporaryFolder } from '../store/fixtures.js';

const analyzer = englishAnalyzer();

describe('entity-boosted terms', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  before(async () => {
    corpus = await Corpus.open(folder.path('corpus'));
    const lands = ['Chile', 'Peru', 'Norway', 'Kenya', 'Fiji', 'Malta', 'Nepal', 'Ghana'];
    const counts = lands.flatMap((land) =>
      ['cases', 'tests'].map((kind) => `FLU-7 ${kind} in ${land} rose.`),
    );
    await corpus.add(counts.map((text, at) => ({ id: String(at), text })));
  });
  after(() => corpus.close());
  const counted = (content: string): Record<string, number> => {
    using snapshot = corpus.snapshot();
    const counts: Record<string, number> = {};
    for (const term of entityBoostedTerms({ analyzer, snapshot }, content))
      counts[term] = (counts[term] ?? 0) + 1;
    return counts;
  };

  it('repeat the rarest name four times, and others by the square of their IDF', () => {
    assert.deepEqual(counted('How many FLU-7 cases did Chile have?'), {
      ...counted('how many flu-7 cases did chile have?'),
      chile: 5,
    });
    const { peru, chile } = counted('cases in Peru and Chile');
    assert.deepEqual([peru, chile], [5, 5]);
  });

  it('do not repeat question openers, common words and absent names', () => {
    assert.deepEqual(counted('Cases in lima'), counted('cases in lima'));
    assert.equal(counted('cases in Lima')['lima'], 1);
    assert.equal(counted('Chile: cases?')['chile'], 5);
    assert.equal(counted("Chile's cases?")['chile'], 5);
    assert.deepEqual(counted(''), {});
  });
});
