// Every system over corpora without rows of sentences: the results of ordinary corpora where
// passages are one sentence or ranked as a whole, and sentences that are read from the text.
import assert from 'node:assert/strict';
import {
  bm25,
  Corpus,
  dense,
  hybrid,
  staticEncoder,
  timeline,
  type Passage,
} from '../../lib/index.js';
import { excerptsOf } from '../../lib/facts/members/excerpts.js';
import { createSystem, systemNames } from '../../lib/papers/index.js';
import { retrieve } from '../../lib/retrieval/retrieve.js';
import { semanticOnly } from '../../lib/retrieval/search.js';
import { questionAsQuery } from '../../lib/systems/queryAnalysis.js';
import { needed } from '../reranker.js';
import { temporaryFolder } from '../store/fixtures.js';

const holder = (name: string, from: string): Passage => ({
  id: name,
  text: `${name} became mayor of Castleford on ${from}.`,
  publishedAt: from.slice(-4),
});
const singles = [
  holder('Ann Lee', '3 May 2004'),
  holder('Bob Hay', '7 June 2011'),
  holder('Cy Moss', '1 March 2018'),
  { id: 'fee', text: 'The museum of Castleford costs five pounds.', validFrom: '2010' },
  { id: 'undated', text: 'The mayor of Castleford lives by the river. ', title: 'Castleford' },
];
const several: Passage[] = [
  {
    id: 'history',
    title: 'History of Castleford',
    text:
      'The bridge opened in 1932. Ann Lee became mayor of Castleford on 3 May 2004. ' +
      'Bob Hay became mayor of Castleford on 7 June 2011. Nobody knows who built the mill.',
    publishedAt: '2012-01-01',
  },
  {
    id: 'mill',
    text: 'The mill burnt down in 1950. It was rebuilt in 1961. Grain is milled there today.',
  },
];
const questions = [
  { text: 'Who was mayor of Castleford as of 6 May 2013?', askedAt: '2020-01-01' },
  { text: 'Who became mayor of Castleford in 2004?', askedAt: '2020-01-01' },
  { text: 'What does the museum of Castleford cost?', askedAt: '2015-01-01' },
  { text: 'When was the mill rebuilt?', askedAt: '2020-01-01' },
];

describe('corpora of passages only', () => {
  const folder = temporaryFolder();
  const open = async (name: string, passages: readonly Passage[], sentences: boolean) => {
    const corpus = await Corpus.open(folder.path(name), { sentences });
    await corpus.add(passages);
    return corpus;
  };

  describe('of one sentence each', () => {
    let [ordinary, whole]: Corpus[] = [];
    before(async () => {
      ordinary = await open('singles', singles, true);
      whole = await open('singles-whole', singles, false);
    });
    after(() => Promise.all([ordinary!.close(), whole!.close()]));

    for (const name of systemNames) {
      it(`${name} gives the results of an ordinary corpus`, async () => {
        const systems = [ordinary!, whole!].map((corpus) =>
          createSystem(name, { corpus, ...needed(name) }),
        );
        for (const question of questions.slice(0, 3)) {
          const [expected, found] = await Promise.all(
            systems.map(async (system) => {
              const { trace: _, scan: __, evidence, ...result } = await system.run(question);
              return { ...result, evidence: evidence.map(({ shares: _, ...each }) => each) };
            }),
          );
          assert.ok(expected!.evidence.length > 0);
          assert.deepEqual(found, expected, question.text);
        }
      });
    }
  });

  describe('of several sentences', () => {
    const passages = [...singles, ...several];
    let [ordinary, whole]: Corpus[] = [];
    before(async () => {
      ordinary = await open('several', passages, true);
      whole = await open('several-whole', passages, false);
    });
    after(() => Promise.all([ordinary!.close(), whole!.close()]));

    it('have one row a passage, with the times of all of its sentences', () => {
      const { passages: count, rows, sentences, sentenceRows } = whole!.info();
      assert.deepEqual([count, rows, sentences, sentenceRows], [7, 7, 7, false]);
      assert.equal(ordinary!.info().sentenceRows, true);
      assert.deepEqual(whole!.info().spans, ordinary!.info().spans);
    });

    it('are ranked as in ordinary corpora by systems that rank whole passages', async () => {
      for (const make of [dense, bm25]) {
        const systems = [ordinary!, whole!].map((corpus) => make({ corpus }));
        for (const question of questions) {
          const [expected, found] = await Promise.all(systems.map((each) => each.run(question)));
          assert.deepEqual(found!.evidence, expected!.evidence);
          assert.deepEqual(found!.answer, expected!.answer);
        }
      }
    });

    for (const name of systemNames) {
      it(`${name} finds the passage, whatever its sentences`, async () => {
        const system = createSystem(name, { corpus: whole!, ...needed(name) });
        const { evidence } = await system.run(questions[3]!);
        assert.ok(evidence.some(({ id }) => id === 'mill'));
        const ids = (await system.run(questions[1]!)).evidence.map(({ id }) => id);
        assert.ok(ids.slice(0, 4).includes('Ann Lee'), `${name}: ${ids.join(', ')}`);
      });
    }

    it('give what hybrid finds in ordinary corpora, with the times of whole passages', async () => {
      const systems = [ordinary!, whole!].map((corpus) => hybrid({ corpus }));
      for (const question of questions) {
        const [expected, found] = await Promise.all(
          systems.map(async (system) => (await system.run(question)).evidence),
        );
        // Scores differ, and so may the order of passages that hardly answer: rare is what few
        // rows have.
        for (const [at, { id, sentence, score, dates = [] }] of found!.entries()) {
          if (at > 0 && score < 0.1) break;
          const own = expected![at]!;
          assert.deepEqual([id, sentence], [own.id, own.sentence], question.text);
          for (const date of own.dates ?? [])
            assert.ok(dates.some(({ start }) => start === date.start));
        }
      }
      const { evidence } = await systems[1]!.run(questions[1]!);
      const history = evidence.find(({ id }) => id === 'history')!;
      assert.equal(history.sentence, 'Ann Lee became mayor of Castleford on 3 May 2004.');
      assert.equal(history.dates!.length, 3);
    });

    it('give the same timeline', async () => {
      const [expected, found] = await Promise.all(
        [ordinary!, whole!].map((corpus) => timeline(corpus, { text: 'mayor of Castleford' })),
      );
      assert.ok(found!.length >= 2);
      assert.deepEqual(
        found!.map(({ start, values }) => [start, values]),
        expected!.map(({ start, values }) => [start, values]),
      );
    });
  });

  it('are searched without an encoder by systems that score no texts of their own', async () => {
    const { id, dimensions, encode } = await staticEncoder();
    const vectorOf = (text: string) => encode([text], { kind: 'passage' });
    const encoder = { id, dimensions };
    await using corpus = await Corpus.open(folder.path('named'), { encoder, sentences: false });
    for (const passage of several)
      await corpus.add([{ ...passage, vector: await vectorOf(passage.text) }]);
    const vector = await vectorOf('the mill was rebuilt');
    for (const name of systemNames) {
      const run = createSystem(name, { corpus, ...needed(name) }).run({ ...questions[3]!, vector });
      if (name === 'reimplementation+published')
        await assert.rejects(run, { code: 'ERR_ENCODER_MISMATCH' });
      else
        assert.ok(
          (await run).evidence.some(({ id }) => id === 'mill'),
          name,
        );
    }
  });

  it('are read in part where they are long: the sentences with the most terms', async () => {
    const other = (n: number): string => `Ships carry ${n} tons of grain along the coast.`;
    const about = (n: number): string => `The mayor of town ${n} left in ${1900 + n}.`;
    const many = (count: number, of: (n: number) => string): string[] =>
      Array.from({ length: count }, (_, n) => of(n));
    const text = [...many(40, other), ...many(60, about)].join(' ');
    await using corpus = await open(
      'long',
      [
        { id: 'many', text, title: 'Town' },
        { id: 'long', text: many(3000, other).join(' ') },
        { id: 'short', text: many(48, about).join(' ') },
        { id: 'one', text: 'word '.repeat(20_000) },
      ],
      false,
    );
    using snapshot = corpus.snapshot();
    const context = { note: () => {} };
    const question = { text: 'Which mayor of a town left?' };
    const query = await questionAsQuery().run({ question, k: 10, corpus, snapshot }, context);
    const all = { n: 10, scope: 'sentences', relevance: semanticOnly } as const;
    const { hits } = await retrieve('dense', all).run(query, context);
    assert.equal(hits.length, 4);
    const excerpts = await excerptsOf(query, hits);
    const read = new Map(excerpts.map((each) => [each.record.id, each]));
    const sentencesOf = (id: string): string[] =>
      read.get(id)!.sentences.map(({ start, end }) => read.get(id)!.record.text.slice(start, end));
    assert.deepEqual(sentencesOf('many'), many(48, about));
    assert.deepEqual(sentencesOf('long'), many(48, other));
    assert.deepEqual([read.get('short')!.isWhole, read.get('many')!.isWhole], [true, false]);
    assert.ok(read.get('one')!.record.text.length <= 65_537);
    await assert.rejects(excerptsOf(query, hits, AbortSignal.abort()), { code: 'ERR_ABORTED' });
    const { evidence } = await hybrid({ corpus }).run(question);
    assert.match(evidence[0]!.sentence!, /^The mayor of town \d+ left/);
  });
});
