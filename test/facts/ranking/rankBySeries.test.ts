// Ranking by series on a small corpus, with weights of the test's own: which member of a series a
// question gets, what a restatement supersedes, and what the scores say.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Corpus, hybrid, type Passage } from '../../../lib/index.js';
import { modelOf, rankerOf, type Ranker } from '../../../lib/facts/ranking/model.js';
import { rankBySeries } from '../../../lib/facts/ranking/rankBySeries.js';
import type { Candidate, Candidates } from '../../../lib/retrieval/candidate.js';
import { contentWithYears } from '../../../lib/systems/queryAnalysis.js';
import { hybridRetrieval } from '../../../lib/systems/hybridRetrieval.js';
import { failsWith } from '../../failsWith.js';
import { weightsOf } from '../tables.js';

/** Near those that training gives. */
const weights = weightsOf({
  features: {
    ...{ bias: -6, nameOverlap: 2, nameInPassage: 0.5, sibling: -1, nameExtra: -1.5 },
    substituted: -0.4,
    ...{ titleAsked: 2, valueShare: 3, valueMissing: -4, asksValue: -1, valueConflict: -3 },
    ...{ rarityMissing: -1.5, nameMissing: -2.5, pairConflict: -1 },
    ...{ exactForm: 1, unknown: -0.4, unknownName: -2.5, cosine: 2.3 },
    ...{ cosineBelowBest: 2.7, scanUnordered: 2.8 },
    ...{ scanOrdered: 4.5, length: -1.2, passageLength: -1.3 },
    ...{ typeMissing: -0.8, compared: -0.5, previous: -0.4, ofTitle: -1 },
    ...{
      undated: -4.3,
      before: -3,
      outside: -5.8,
      overhang: -1.5,
      gap: -3,
      coarse: -1.6,
      span: -0.5,
      equal: 1,
    },
    ...{ publishedAfter: -0.7, publishedGap: -2 },
  },
  // bias, now, dated, published, latest, ordered
  clock: [1, -1.3, 1.2, 0.4, -0.4, -1.8],
  // bias, operator, times, shown, past
  series: [-2, 1, 3, 3, -2],
  relevance: { logOdds: 0.35, similarity: 0.85, coverage: 0 },
  relative: { share: 0.45, shift: 1.5 },
  // bias, logOdds, first, series, undated, before, beforeOfFigure, outside, gap, nameMissing,
  // rarityMissing, unknownName
  none: [-2, -1, 0, 0, 1, 0, 0, 1, 0, 1, 1, 3],
});

const passages: Passage[] = [
  { id: 'wirth', title: 'Mayors of Tannau', text: 'Anna Wirth became mayor of Tannau in 1936.' },
  { id: 'rau', title: 'Mayors of Tannau', text: 'Karl Rau became mayor of Tannau in 1950.' },
  { id: 'holm', title: 'Mayors of Tannau', text: 'Ines Holm became mayor of Tannau in 1964.' },
  { id: 'rowe', title: 'Mayors of Grell', text: 'Ida Rowe became mayor of Grell in 1958.' },
  { id: 'fire', title: 'Tannau Mill', text: 'A fire in 1957 burnt the roof of the mill.' },
  { id: 'flood', title: 'Tannau Mill', text: 'A flood in 1971 broke the wheel of the mill.' },
  { id: 'undated', title: 'Tannau Mill', text: 'The miller of Tannau lives next door.' },
  {
    id: 'adler',
    title: 'Wardens of Ulm',
    text: 'Paul Adler became warden of Ulm in 1912.',
    publishedAt: '1980-01-01',
  },
  {
    id: 'brandt',
    title: 'Wardens of Ulm',
    text: 'Otto Brandt was warden of Ulm until 1934.',
    publishedAt: '1980-01-01',
  },
  {
    id: 'keller',
    title: 'Wardens of Ulm',
    text: 'Franz D. Keller became warden of Ulm in 1950.',
    publishedAt: '1980-01-01',
  },
  {
    id: 'lang',
    title: 'Wardens of Ulm',
    text: 'Maria Lang became warden of Ulm in 1961.',
    publishedAt: '1980-01-01',
  },
  {
    id: 'ships-march',
    title: 'Tannau harbour',
    text: 'Tannau harbour handled 390 ships on 31 March 2011.',
    publishedAt: '2011-05-20',
  },
  {
    id: 'ships',
    title: 'Tannau harbour',
    text: 'Tannau harbour handled 410 ships on 30 June 2011.',
    publishedAt: '2011-08-20',
  },
  {
    id: 'ships-revised',
    title: 'Tannau harbour',
    text: 'Tannau harbour handled 425 ships on 30 June 2011.',
    publishedAt: '2012-06-02',
  },
  {
    id: 'ticket-old',
    title: 'Lohr ferry',
    text: 'A ticket to the Lohr ferry costs 40 cents.',
    publishedAt: '2001-05-01',
  },
  {
    id: 'ticket-new',
    title: 'Lohr ferry',
    text: 'A ticket to the Lohr ferry costs 90 cents.',
    publishedAt: '2011-05-01',
  },
];

describe('rankBySeries', () => {
  let folder: string;
  let path: string;
  let corpus: Corpus;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'asof-series-'));
    path = join(folder, 'weights.json');
    writeFileSync(path, JSON.stringify(modelOf('test', weights)));
    corpus = await Corpus.open(join(folder, 'c'));
    await corpus.add(passages);
  });
  after(async () => {
    await corpus.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = (text: string, askedAt = '2020-01-01') =>
    hybrid({ corpus, ranker: path }).run({ text, askedAt }, { k: 20 });
  const idsOf = async (text: string, askedAt?: string): Promise<string[]> =>
    (await ask(text, askedAt)).evidence.map(({ id }) => id);
  const first = async (text: string, askedAt?: string): Promise<string | undefined> =>
    (await idsOf(text, askedAt))[0];

  it('picks who held an office as of a time', async () => {
    for (const [year, id] of [
      [1940, 'wirth'],
      [1949, 'wirth'],
      [1955, 'rau'],
      [1970, 'holm'],
    ] as const)
      assert.equal(await first(`Who was the mayor of Tannau as of ${year}?`), id, String(year));
  });

  it('picks the latest, the first, and those next to a time', async () => {
    for (const [text, id] of [
      ['Who was the latest mayor of Tannau?', 'holm'],
      ['Who was the first mayor of Tannau?', 'wirth'],
      ['Who was the first mayor of Tannau after 1940?', 'rau'],
      ['Who was the first mayor of Tannau after 1955?', 'holm'],
      ['Who was the last mayor of Tannau before 1960?', 'rau'],
      ['Who was the last mayor of Tannau before 1945?', 'wirth'],
    ] as const)
      assert.equal(await first(text), id, text);
  });

  it('counts members from the first and from the last', async () => {
    for (const [text, id] of [
      ['Who was the second mayor of Tannau?', 'rau'],
      ['Who was the third mayor of Tannau?', 'holm'],
      ['Who was the second to last mayor of Tannau?', 'rau'],
      ['Who was the previous mayor of Tannau?', 'rau'],
    ] as const)
      assert.equal(await first(text), id, text);
  });

  it('picks the members next to another', async () => {
    for (const [text, id] of [
      ['Who was the mayor of Tannau after Anna Wirth?', 'rau'],
      ['Who was the mayor of Tannau before Ines Holm?', 'rau'],
      ['Who succeeded Karl Rau as mayor of Tannau?', 'holm'],
      ['Who preceded Karl Rau as mayor of Tannau?', 'wirth'],
    ] as const)
      assert.equal(await first(text), id, text);
  });

  it('picks a state of which only the end is known where it holds', async () => {
    for (const [text, id] of [
      ['Who was the warden of Ulm as of 1930?', 'brandt'],
      ['Who was the warden of Ulm as of 1915?', 'adler'],
      ['Who was the warden of Ulm as of 1955?', 'keller'],
      ['Who was the warden of Ulm before Franz D. Keller?', 'brandt'],
      ['Who was the warden of Ulm after Franz D. Keller?', 'lang'],
    ] as const)
      assert.equal(await first(text), id, text);
  });

  it('picks what began in the unit that "since" names', async () => {
    assert.equal(await first('Who has been warden of Ulm since 1950?'), 'keller');
    assert.equal(await first('Who has been warden of Ulm since 1961?'), 'lang');
    assert.equal(await first('Who has been mayor of Tannau since 1936?'), 'wirth');
  });

  it('prefers the entity that is asked for to a sibling with a nearer date', async () => {
    const { evidence } = await ask('Who was the mayor of Tannau as of 1959?');
    const [holder, sibling] = ['rau', 'rowe'].map((id) => evidence.find((each) => each.id === id)!);
    assert.equal(evidence[0], holder);
    const share = sibling!.shares!['sibling']!;
    assert.ok(share < 0 && share > -1, `${share}`);
    assert.equal(holder!.shares!['sibling'], undefined);
    assert.equal(await first('Who was the mayor of Grell as of 1959?'), 'rowe');
    assert.equal(await first('Who was the last mayor of Grell before 1970?'), 'rowe');
  });

  it('answers an undated question about an event whatever its place in time', async () => {
    assert.equal(await first('What burnt the roof of the mill?'), 'fire');
    assert.equal(await first('What broke the wheel of the mill?'), 'flood');
  });

  it('orders members of an undated question only as far as it may ask for the state', async () => {
    const spread = async (series: number): Promise<number> => {
      const own = rankerOf(
        modelOf('own', { ...weights, series: weightsOf({ series: [series] }).series }),
      );
      const { hits } = await ranked('Who was mayor of Tannau?', own);
      const scores = ['wirth', 'rau', 'holm'].map((id) =>
        Math.log(hits.find((hit) => hit.id === id)!.score),
      );
      return Math.max(...scores) - Math.min(...scores);
    };
    assert.ok((await spread(-30)) < 0.5);
    assert.ok((await spread(30)) > 3);
  });

  it('puts older members behind other series where the latest is asked for', async () => {
    for (const text of ['Who is the mayor of Tannau now?', 'Who was the latest mayor of Tannau?']) {
      const ids = await idsOf(text);
      assert.equal(ids[0], 'holm');
      assert.ok(ids.indexOf('rowe') < Math.min(ids.indexOf('rau'), ids.indexOf('wirth')), text);
    }
    // Of a past time, later members would come first.
    const past = await idsOf('Who was the mayor of Tannau as of 1959?');
    assert.equal(past[0], 'rau');
    assert.ok(past.indexOf('wirth') < past.indexOf('holm'));
    const all = await idsOf('Who was mayor of Tannau between 1930 and 1970?');
    assert.ok(all.indexOf('rowe') > Math.max(all.indexOf('rau'), all.indexOf('wirth')));
  });

  it('orders by publication what states no time, and hides what is published later', async () => {
    const text = 'What does a ticket to the Lohr ferry cost?';
    const ids = await idsOf(text);
    assert.equal(ids[0], 'ticket-new');
    assert.ok(!ids.includes('ticket-old'), 'dropped');
    const before = await idsOf(text, '2005-01-01');
    assert.equal(before[0], 'ticket-old');
    assert.ok(!before.includes('ticket-new'));
  });

  it('drops an older figure that a later publication restates, and says why', async () => {
    const text = 'How many ships does Tannau harbour handle?';
    const { evidence, dropped } = await ask(text);
    assert.equal(evidence[0]!.id, 'ships-revised');
    assert.ok(evidence.every(({ id }) => id !== 'ships'));
    assert.deepEqual(dropped, [
      {
        id: 'ships',
        because: 'superseded by ships-revised, published 2012-06-02',
        newer: 'ships-revised',
        publishedAt: Date.UTC(2011, 7, 20),
        title: 'Tannau harbour',
      },
    ]);
    const exact = 'How many ships did Tannau harbour handle on 30 June 2011?';
    assert.equal(await first(exact), 'ships-revised');
    // Before it is restated, it stands.
    const before = await ask(text, '2012-01-01');
    assert.equal(before.evidence[0]!.id, 'ships');
    assert.equal(before.dropped, undefined);
  });

  it('scores by probabilities, descending, with shares that sum to their logarithms', async () => {
    for (const text of [
      'Who was the mayor of Tannau as of 1959?',
      'Who is the mayor of Tannau now?',
      'Which dragon ate the queen of Sheba in 1800?',
      'How many ships does Tannau harbour handle?',
    ]) {
      const { evidence, trace } = await ask(text);
      assert.ok(evidence.length > 5);
      evidence.forEach(({ score, scores, shares }, at) => {
        assert.ok(score > 0 && score <= 1 && (at === 0 || score <= evidence[at - 1]!.score), text);
        const sum = Object.values(shares!).reduce((total, share) => total + share, 0);
        assert.ok(Math.abs(sum - Math.log(score)) < 1e-9, `${sum} ${score}`);
        assert.ok(scores['membership']! >= 0 && scores['membership']! <= 1);
        assert.ok(Number.isFinite(scores['scan']) && 'order' in shares!);
      });
      const { notes } = trace.find(({ stage }) => stage === 'rankBySeries(test)')!;
      const { none } = notes as { none: number };
      assert.ok(none >= 0 && none <= 1);
      const all = evidence.reduce((total, { score }) => total + score, 0);
      assert.ok(all <= 1 + 1e-9, `${text} ${all}`);
    }
  });

  it('leaves a question unanswered that nothing answers, with the reason', async () => {
    const dragon = await ask('Which dragon ate the queen of Sheba in 1800?');
    const noted = ({ trace }: Awaited<ReturnType<typeof ask>>): number =>
      trace.find(({ stage }) => stage === 'rankBySeries(test)')!.notes!['none'] as number;
    assert.ok(noted(dragon) > 0.9);
    assert.equal(dragon.answer, undefined);
    assert.equal(dragon.unanswered, 'No passage names the entity of the question.');
    assert.ok(dragon.evidence.length > 0);
    const mayor = await ask('Who was the mayor of Tannau as of 1959?');
    assert.ok(noted(mayor) < 0.1);
    assert.equal(mayor.unanswered, undefined);
    assert.equal(mayor.answer!.confidence, mayor.evidence[0]!.score);
  });

  const context = { note: () => {} };
  /** Candidates as `hybrid` retrieves them, changed and ranked. */
  async function ranked(
    text: string,
    ranker: Ranker = rankerOf(modelOf('test', weights)),
    change: (candidates: Candidates) => Candidates = (each) => each,
    signal?: AbortSignal,
  ): Promise<Candidates> {
    using snapshot = corpus.snapshot();
    const question = { text, askedAt: '2020-01-01' };
    const query = await contentWithYears().run({ question, k: 20, corpus, snapshot }, context);
    const candidates = await hybridRetrieval().retrieve.run(query, context);
    return await rankBySeries(ranker).run(change(candidates), {
      ...context,
      ...(signal ? { signal } : {}),
    });
  }
  const shown = ({ hits, dropped }: Candidates): unknown => [
    hits.map(({ id, row, score, scores, shares }) => [id, row, score, scores, shares!()]),
    dropped,
  ];

  it('gives the same result whatever the order of candidates, and leaves them alone', async () => {
    for (const text of [
      'Who was the mayor of Tannau as of 1959?',
      'How many ships does Tannau harbour handle?',
    ]) {
      const expected = shown(await ranked(text));
      for (const order of [
        (hits: Candidate[]) => [...hits].reverse(),
        (hits: Candidate[]) => [...hits.slice(4), ...hits.slice(0, 4)],
      ]) {
        let given: Candidate[] = [];
        const result = await ranked(text, undefined, (candidates) => {
          given = order(candidates.hits);
          return { ...candidates, hits: given.slice() };
        });
        assert.deepEqual(shown(result), expected);
        assert.ok(given.every(({ shares }) => shares === undefined));
      }
    }
  });

  it('ranks the shortlist alone, and keeps the rest behind it in its order', async () => {
    let given: Candidate[] = [];
    const earlier = [{ id: 'x', because: 'a test' }];
    const { hits, dropped } = await ranked(
      'Who was the latest mayor of Tannau?',
      undefined,
      (each) => {
        // Ids are read while the snapshot is in use.
        given = each.hits.map((hit) => ({ ...hit, id: hit.id }));
        return { ...each, shortlistSize: 3, dropped: earlier };
      },
    );
    assert.deepEqual(
      new Set(hits.slice(0, 3).map(({ id }) => id)),
      new Set(given.slice(0, 3).map(({ id }) => id)),
    );
    assert.deepEqual(
      hits.slice(3).map(({ id }) => id),
      given.slice(3).map(({ id }) => id),
    );
    hits.forEach(({ score, scores }, at) => {
      assert.ok(at === 0 || score <= hits[at - 1]!.score);
      if (at >= 3) assert.equal(scores['scan'], given[at]!.score);
    });
    assert.deepEqual(dropped, earlier);
  });

  it('gives no hits for an empty corpus, and rejects at a signal', async () => {
    await using empty = await Corpus.open(join(folder, 'empty'));
    const { evidence, dropped } = await hybrid({ corpus: empty, ranker: path }).run({
      text: 'Who was the mayor of Tannau as of 1959?',
    });
    assert.deepEqual([evidence, dropped], [[], undefined]);
    const text = 'Who was the latest mayor of Tannau?';
    const signal = AbortSignal.abort();
    await assert.rejects(
      hybrid({ corpus, ranker: path }).run({ text }, { signal }),
      failsWith('ERR_ABORTED'),
    );
    await assert.rejects(
      ranked(text, undefined, (each) => each, signal),
      failsWith('ERR_ABORTED'),
    );
  });

  it('names its weights, and refuses a file of others', () => {
    assert.match(hybrid({ corpus, ranker: path }).toString(), /rankBySeries\(test\)/);
    assert.throws(
      () => hybrid({ corpus, ranker: join(folder, 'none.json') }),
      failsWith('ERR_NOT_FOUND'),
    );
    const broken = join(folder, 'broken.json');
    writeFileSync(broken, '{}');
    assert.throws(() => hybrid({ corpus, ranker: broken }), failsWith('ERR_INVALID_INPUT'));
  });
});
