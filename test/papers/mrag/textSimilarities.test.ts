// Cosines of texts outside the corpus: equal to those of a row with that text.
import assert from 'node:assert/strict';
import { retrieve } from '../../../lib/retrieval/retrieve.js';
import { passageTexts } from '../../../lib/retrieval/passageTexts.js';
import { semanticOnly } from '../../../lib/retrieval/search.js';
import { textSimilarities } from '../../../lib/papers/mrag/units.js';
import { Corpus } from '../../../lib/index.js';
import { questionAsQuery } from '../../../lib/systems/queryAnalysis.js';
import { temporaryFolder } from '../../store/fixtures.js';

describe('textSimilarities', () => {
  const folder = temporaryFolder();

  it("equals the scan's scores of the sentences, over several segments", async () => {
    await using corpus = await Corpus.open(folder.path('corpus'));
    await corpus.add([
      {
        id: 'a',
        title: 'Port Varn',
        text: 'The port was sold in 1998. A port needs a harbour, and a harbour a port.',
      },
      { id: 'b', text: 'Norhav owns a harbour.' },
    ]);
    await corpus.add([
      { id: 'c', text: 'Ferries cross the sound. The harbour is old; the port is new.' },
    ]);
    using snapshot = corpus.snapshot();
    const context = { note: () => undefined };
    const question = { text: 'Who sold the port and the harbour, the old port?' };
    const query = await questionAsQuery().run({ question, k: 10, corpus, snapshot }, context);
    const { hits: found } = await retrieve('sentences', {
      scope: 'sentences',
      relevance: semanticOnly,
    }).run(query, context);
    const texts = found.map((each) => passageTexts(query).row(each));
    assert.equal(texts.length, 5);
    const similarities = await textSimilarities(query, texts);
    found.forEach(({ scores }, at) => {
      assert.ok(Math.abs(similarities[at]! - scores['similarity']!) < 1e-5, texts[at]);
    });
    assert.deepEqual(await textSimilarities(query, []), []);
  });
});
