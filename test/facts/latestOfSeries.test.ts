// Latest of a series: when it applies, by which clock, and when nothing changes.
import assert from 'node:assert/strict';
import { Corpus, hybrid, type Passage } from '../../lib/index.js';
import { re3 } from '../../lib/papers/index.js';
import { temporaryFolder } from '../store/fixtures.js';

const dayOf = (day: number): string =>
  new Date(Date.UTC(2021, 0, 1) + day * 86_400_000).toISOString().slice(0, 10);
const lands = ['Peru', 'Chile', 'Kenya'];
const days = Array.from({ length: 60 }, (_, day) => day);
const counts = lands.flatMap((land, at) =>
  days.map(
    (day): Passage => ({
      id: `${land} ${day}`,
      publishedAt: `${dayOf(day + 1)}T06:00Z`,
      text:
        day % 2 === at % 2
          ? `By ${dayOf(day)}, ${land} had counted ${1000 + 37 * day} cases of river fever.`
          : `Figures for ${land}. Date: ${dayOf(day)}. Cases of river fever: ${1000 + 37 * day}.`,
    }),
  ),
);
// All of them republished on one day, so that the last publication covers every day.
const revised = days.slice(0, 40).map(
  (day): Passage => ({
    id: `revised ${day}`,
    publishedAt: '2021-02-20T06:00Z',
    text: `A revision has ${990 + 37 * day} cases of river fever in Chile by ${dayOf(day)}.`,
  }),
);
const forecasts = days.flatMap((day): Passage[] =>
  (['high', 'low'] as const).map((part) => ({
    id: `${part} ${day}`,
    publishedAt: `${dayOf(day)}T12:00Z`,
    text: `The bulletin has a ${part} of ${day - 20} F in Dover on ${dayOf(day + 1)}.`,
  })),
);

describe('the latest of a series', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  before(async () => {
    corpus = await Corpus.open(folder.path('corpus'));
    const harbour: Passage = {
      id: 'harbour',
      text: 'Dover has a harbour and white cliffs.',
      publishedAt: '2021-02-01',
    };
    await corpus.add([...counts, ...revised, ...forecasts, harbour]);
  });
  after(() => corpus.close());
  const first = async (
    text: string,
    askedAt: string,
    options: object = {},
  ): Promise<(string | undefined)[]> =>
    Promise.all(
      [re3, hybrid].map(
        async (make) =>
          (await make({ corpus, ...options }).run({ text, askedAt }, { k: 3 })).evidence[0]?.id,
      ),
    );

  it('is first if a question asks for the latest, as of its query time', async () => {
    for (const text of [
      'What is the latest count of river fever cases in Peru?',
      'How many cases of river fever does Peru have now?',
    ]) {
      assert.deepEqual(await first(text, '2021-02-11T12:00Z'), ['Peru 40', 'Peru 40'], text);
      assert.deepEqual(await first(text, '2021-01-21T12:00Z'), ['Peru 19', 'Peru 19'], text);
    }
  });

  it("dates counts by day, forecasts by publication, for the question's measure", async () => {
    assert.deepEqual(
      await first('What is the newest number of river fever cases in Chile?', '2021-02-20T12:00Z'),
      ['Chile 49', 'Chile 49'],
    );
    assert.deepEqual(
      await first('What low does the latest bulletin give Dover?', '2021-02-10T15:00Z'),
      ['low 40', 'low 40'],
    );
    assert.deepEqual(
      await first('How warm is Dover supposed to get, as things stand?', '2021-02-10T15:00Z'),
      ['high 40', 'high 40'],
    );
  });

  it('keeps statements of one moment in retrieval order: rounds of one cup', async () => {
    await using own = await Corpus.open(folder.path('cup'));
    const rounds = [
      'first round',
      'second round',
      'third round',
      'quarterfinal',
      'semifinal',
      'final',
    ];
    await own.add(
      Array.from({ length: 12 }, (_, at) => 2000 + at).flatMap((year) =>
        rounds.map(
          (round, at): Passage => ({
            id: `${year} ${round}`,
            publishedAt: `${year}-07-02`,
            text: `Player ${at} of ${year} defeated another at the Harvest Cup on ${year}-07-02, in the ${round} match.`,
          }),
        ),
      ),
    );
    for (const make of [re3, hybrid]) {
      const system = make({ corpus: own, versions: false });
      const plain = make({ corpus: own, versions: false, latestOfSeries: false });
      const [question, options] = [
        { text: 'Who is the latest winner of the Harvest Cup?', askedAt: '2011-12-31' },
        { k: 72 },
      ] as const;
      const found = (await plain.run(question, options)).evidence
        .map(({ id }) => id)
        .filter((id) => id.startsWith('2011'));
      const ranked = (await system.run(question, options)).evidence
        .map(({ id }) => id)
        .filter((id) => id.startsWith('2011'));
      assert.deepEqual(ranked, found);
    }
  });

  it('changes nothing for dated questions, outside a series, and if disabled', async () => {
    const order = async (text: string, options: object) =>
      (
        await re3({ corpus, ...options }).run({ text, askedAt: '2021-02-11T12:00Z' }, { k: 5 })
      ).evidence.map(({ id, score }) => [id, score]);
    const others = [
      'How many cases of river fever did Peru have on 9 January 2021?',
      'What is Dover known for?',
      'What is the last cliff of Kent?',
    ];
    for (const text of others)
      assert.deepEqual(await order(text, {}), await order(text, { latestOfSeries: false }), text);
    const composed = [
      re3({ corpus, latestOfSeries: false }),
      hybrid({ corpus, latestOfSeries: false }),
      re3({ corpus, relevance: { semantic: 1, lexical: 0 } }),
    ];
    for (const system of composed) assert.doesNotMatch(String(system), /latestOfSeries/);
  });
});
