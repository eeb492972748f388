// Summaries as a stage: which passages get one, and what else the stage passes on as it came.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Candidates } from '../../../../lib/retrieval/candidate.js';
import type { QueryContext } from '../../../../lib/retrieval/queryContext.js';
import { retrieve } from '../../../../lib/retrieval/retrieve.js';
import { summarise } from '../../../../lib/papers/mrag/summary/summarise.js';
import { Corpus, type Passage } from '../../../../lib/index.js';
import { questionAsQuery } from '../../../../lib/systems/queryAnalysis.js';
import { scripted } from '../../../reading/doubles.js';
import { withCorpus } from '../../../corpus.js';

const passages: Passage[] = ['Lee', 'Holm', 'Brenn'].map((name, at) => ({
  id: `p${at}`,
  title: `Ada ${name}`,
  text: `The Varn Medal in Botany ${1927 + at}. It rained. Born: 4 June ${1877 + at}, Port Varn.`,
}));

/** A corpus of one segment a batch. */
async function inCorpus(
  batches: readonly (readonly Passage[])[],
  run: (corpus: Corpus) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'asof-summaries-'));
  const corpus = await Corpus.open(join(folder, 'corpus'));
  try {
    for (const batch of batches) await corpus.add([...batch]);
    await run(corpus);
  } finally {
    await corpus.close();
    rmSync(folder, { recursive: true });
  }
}

describe('summarise', () => {
  let corpus: Corpus;
  withCorpus(passages, (made) => (corpus = made));

  for (const model of [undefined, scripted(() => ({ answers: true, sentence: 'Born in 1877.' }))]) {
    it(`condenses the first passages ${model ? 'by a model' : 'by extraction'} and passes on how many lead`, async () => {
      const snapshot = corpus.snapshot();
      try {
        const context = { note: () => undefined };
        const question = { text: 'Who was born and won the medal in botany?' };
        const query: QueryContext = await questionAsQuery().run(
          { question, k: 3, corpus, snapshot },
          context,
        );
        const ranking = { scope: 'passages', relevance: { semantic: 0.4, lexical: 0.6 } } as const;
        const { hits: hits }: Candidates = await retrieve('passages', ranking).run(query, context);
        const before = hits.map(({ id }) => id);
        const condensed = await summarise(2, model).run(
          { query, hits: hits, shortlistSize: 1 },
          context,
        );
        assert.equal(condensed.shortlistSize, 1);
        assert.equal(condensed.query, query);
        assert.deepEqual(
          condensed.hits.map(({ id }) => id),
          before,
        );
        assert.deepEqual(
          condensed.hits.map(({ summary }) => summary !== undefined),
          [true, true, false],
        );
        assert.equal(
          'shortlistSize' in (await summarise(1, model).run({ query, hits: hits }, context)),
          false,
        );
      } finally {
        snapshot.release();
      }
    });
  }

  it('counts the terms of what it condenses as analyzing its text would', async () => {
    const words = [
      'Varn',
      'botany',
      "Ada's",
      'medal',
      "O'Neil",
      '1927',
      'U.S.',
      'prize',
      'the',
      'Méd\u0301aille',
      'born\n in',
      'won  it,',
    ];
    let condensed = 0;
    const told = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 9 });
    const texts = fc.record({
      title: fc.option(told, { nil: undefined }),
      sentences: fc.array(told, { minLength: 2, maxLength: 6 }),
      end: fc.constantFrom('. It ', '.\n\n The ', '! A '),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(texts, { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        async (given, apart) => {
          const made: Passage[] = given.map(({ title, sentences, end }, at) => ({
            id: `${at}`,
            ...(title ? { title: title.join(' ') } : {}),
            text: `It ${sentences.map((each) => each.join(' ')).join(end)}.`,
          }));
          await inCorpus(apart ? made.map((each) => [each]) : [made], async (over) => {
            using snapshot = over.snapshot();
            const context = { note: () => undefined };
            const question = {
              text:
                "Who won the Varn medal, the botany prize and O'Neil's medal when born in " +
                'the U.S.?',
            };
            const query: QueryContext = await questionAsQuery().run(
              { question, k: 3, corpus: over, snapshot },
              context,
            );
            const { hits } = await retrieve('passages', {
              scope: 'passages',
              relevance: { semantic: 0.4, lexical: 0.6 },
            }).run(query, context);
            const terms = [...new Set(query.terms())];
            for (const { summary } of (await summarise(12).run({ query, hits: hits }, context))
              .hits) {
              if (!summary) continue;
              const analyzed = query.analyzer.analyze(summary.text);
              const { length, counts } = summary.counted!;
              assert.equal(length, analyzed.length, summary.text);
              assert.deepEqual(
                [...(counts as Float64Array)],
                terms.map((term) => analyzed.filter((each) => each === term).length),
                summary.text,
              );
              condensed += 1;
            }
          });
        },
      ),
      { numRuns: 20 },
    );
    assert.ok(condensed > 20);
  });
});
