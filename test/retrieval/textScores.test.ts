// Scores of texts outside the corpus: equal to the cosine and BM25 of a row with that text.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Candidates } from '../../lib/retrieval/candidate.js';
import type { QueryContext } from '../../lib/retrieval/queryContext.js';
import { retrieve } from '../../lib/retrieval/retrieve.js';
import { passageTexts } from '../../lib/retrieval/passageTexts.js';
import { scoreTexts } from '../../lib/retrieval/textScores.js';
import { Corpus } from '../../lib/index.js';
import { questionAsQuery } from '../../lib/systems/queryAnalysis.js';

const relevance = { semantic: 0.4, lexical: 0.6 };

describe('scoreTexts', () => {
  it("equals the scan's scores of the sentences, over several segments", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'asof-texts-'));
    const corpus = await Corpus.open(join(folder, 'corpus'));
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
    const snapshot = corpus.snapshot();
    try {
      const context = { note: () => undefined };
      const query: QueryContext = await questionAsQuery().run(
        {
          question: { text: 'Who sold the port and the harbour, the old port?' },
          k: 10,
          corpus,
          snapshot,
        },
        context,
      );
      const { hits: found }: Candidates = await retrieve('sentences', {
        scope: 'sentences',
        relevance,
      }).run(query, context);
      const texts = found.map((each) => passageTexts(query).row(each));
      assert.equal(texts.length, 5);
      const scores = await scoreTexts(query, texts, relevance);
      found.forEach((row, at) => {
        assert.ok(Math.abs(scores[at]!.similarity - row.scores['similarity']!) < 1e-5, texts[at]);
        assert.ok(
          Math.abs(scores[at]!.lexical - (row.scores['lexical'] ?? 0)) < 1e-5,
          `${texts[at]}: ${scores[at]!.lexical} for ${row.scores['lexical']}`,
        );
      });
      assert.deepEqual(await scoreTexts(query, [], relevance), []);
      assert.deepEqual((await scoreTexts(query, ['zebra'], { semantic: 0, lexical: 1 }))[0], {
        similarity: 0,
        lexical: 0,
      });
    } finally {
      snapshot.release();
      await corpus.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
