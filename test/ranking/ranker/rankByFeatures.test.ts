// The ranking stage on a small corpus: what it orders and explains does not depend on the order of
// its candidates, and what time asks for decides between passages that are equally about the
// question.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Candidates } from '../../../lib/retrieval/candidate.js';
import { featuresOfCandidates } from '../../../lib/ranking/ranker/candidates.js';
import { featureNames } from '../../../lib/ranking/ranker/featureNames.js';
import { embeddedRanker } from '../../../lib/ranking/ranker/model.js';
import { rankByFeatures } from '../../../lib/ranking/ranker/rankByFeatures.js';
import { Corpus } from '../../../lib/store/corpus.js';
import { hybridRetrieval } from '../../../lib/systems/hybridRetrieval.js';
import { hybrid } from '../../../lib/systems/hybrid.js';
import { contentWithYears } from '../../../lib/systems/queryAnalysis.js';

const passages = [
  {
    id: 'wirth',
    title: 'Tannau Mill',
    text:
      'Tannau Mill stands on the Lohr. Anna Wirth bought the mill in 1936. She ground rye ' +
      'there.',
  },
  {
    id: 'rau',
    title: 'Tannau Mill',
    text: 'Karl Rau bought the mill in 1950. He put in a turbine two years later.',
  },
  {
    id: 'town',
    title: 'Tannau Mill',
    text: 'From 1901 to 1935 the mill belonged to the town of Tannau.',
  },
  { id: 'fire', title: 'Tannau Mill', text: 'A fire in 1943 burnt the roof of the mill.' },
  {
    id: 'other',
    title: 'Grell Mill',
    text: 'Ines Holm bought the mill in 1944. It had stood empty.',
  },
  { id: 'undated', title: 'Tannau Mill', text: 'The owner of the mill lives next door.' },
  {
    id: 'price-old',
    text: 'A ticket to the Lohr ferry costs 40 cents.',
    publishedAt: '2001-05-01',
  },
  {
    id: 'race-old',
    text: 'The leader of the regatta club of Grell is Ida Rowe.',
    publishedAt: '2001-07-01',
  },
  {
    id: 'race-new',
    text: 'Regatta club, Grell. Its members have Ines Holm for a leader, who lives by the water.',
    publishedAt: '2011-07-01',
  },
  {
    id: 'said',
    text:
      'The harbour office said on 3 May 2011 that the Lohr ferry would sail empty on 9 May ' +
      '2011.',
    publishedAt: '2011-05-03',
  },
  {
    id: 'price-new',
    text: 'A ticket to the Lohr ferry costs 90 cents.',
    publishedAt: '2011-05-01',
  },
];

describe('rankByFeatures', () => {
  let folder: string;
  let corpus: Corpus;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'asof-rank-'));
    corpus = await Corpus.open(join(folder, 'c'));
    await corpus.add(passages);
  });
  after(async () => {
    await corpus.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const context = { note: () => {} };
  async function hits(text: string, askedAt?: string): Promise<Candidates> {
    const asked = await contentWithYears().run(
      {
        question: { text, ...(askedAt ? { askedAt } : {}) },
        k: 10,
        corpus,
        snapshot: corpus.snapshot(),
      },
      context,
    );
    return hybridRetrieval().retrieve.run(asked, context);
  }

  it('gives the same scores and shares whatever the order of the candidates', async () => {
    const candidates = await hits('Who owned Tannau Mill in 1944?');
    const stage = rankByFeatures(embeddedRanker(), hybridRetrieval().ranking);
    const [one, other] = await Promise.all(
      [candidates, { ...candidates, hits: [...candidates.hits].reverse() }].map(async (each) =>
        stage.run(each, context),
      ),
    );
    const shown = ({ hits: all }: Candidates): unknown[] =>
      all.map(({ id, row, score, shares }) => [id, row, score, shares!()]);
    assert.deepEqual(shown(other!), shown(one!));
    candidates.query.snapshot.release();
  });

  it('fills every feature of every row, in the order of their names', async () => {
    const candidates = await hits('Who owned Tannau Mill in 1944?');
    const { rows, values } = await featuresOfCandidates(candidates, hybridRetrieval().ranking);
    assert.equal(values.length, rows.length * featureNames.length);
    const of = (id: string, name: (typeof featureNames)[number]): number[] =>
      rows.flatMap(({ passage }, row) =>
        passage.record.id === id
          ? [values[row * featureNames.length + featureNames.indexOf(name)]!]
          : [],
      );
    assert.deepEqual(of('wirth', 'position'), [0, 1, 2]);
    assert.deepEqual(of('fire', 'asksOfTime'), [1]);
    assert.ok(of('undated', 'fit').every(Number.isNaN) && of('undated', 'age').every(Number.isNaN));
    assert.ok(of('fire', 'titleCovers')[0]! > of('other', 'titleCovers')[0]!);
    assert.deepEqual(of('town', 'holds'), [0]);
    assert.ok(Number.isNaN(of('price-old', 'titleNamed')[0]!));
    candidates.query.snapshot.release();
  });

  it('explains: the shares of what is shown sum to its score', async () => {
    const { evidence } = await hybrid({ corpus }).run({ text: 'Who owned Tannau Mill in 1944?' });
    assert.ok(evidence.length > 3);
    for (const { score, shares } of evidence)
      assert.ok(
        Math.abs(Object.values(shares!).reduce((sum, each) => sum + each, 0) - score) < 1e-6,
      );
  });

  it('ranks the newer version of a statement, never one published after the question', async () => {
    const first = async (askedAt: string): Promise<string | undefined> =>
      (
        await hybrid({ corpus }).run({
          text: 'What does a ticket to the Lohr ferry cost?',
          askedAt,
        })
      ).evidence[0]?.id;
    assert.deepEqual(
      [await first('2020-01-01'), await first('2005-01-01')],
      ['price-new', 'price-old'],
    );
  });

  it('takes the publication date for no content time if there is another', async () => {
    const candidates = await hits('How will the Lohr ferry sail on 3 May 2011?');
    const { rows, values } = await featuresOfCandidates(candidates, hybridRetrieval().ranking);
    const row = rows.findIndex(({ passage }) => passage.record.id === 'said');
    assert.equal(rows[row]!.sentence.reading.times.length, 1);
    assert.ok(values[row * featureNames.length + featureNames.indexOf('gapAfter')]! > 0);
    candidates.query.snapshot.release();
  });

  it('lets time decide between passages that put the same in other words', async () => {
    const first = async (askedAt: string): Promise<string | undefined> =>
      (
        await hybrid({ corpus }).run({
          text: 'Who is the leader of the regatta club of Grell?',
          askedAt,
        })
      ).evidence[0]?.id;
    assert.deepEqual(
      [await first('2020-01-01'), await first('2005-01-01')],
      ['race-new', 'race-old'],
    );
  });

  it('counts competing candidates of a nearer time in other words', async () => {
    const candidates = await hits('Who bought Tannau Mill in 1950?');
    const { rows, values } = await featuresOfCandidates(candidates, hybridRetrieval().ranking);
    const fitter = (id: string): number[] =>
      rows.flatMap(({ passage }, row) =>
        passage.record.id === id
          ? [values[row * featureNames.length + featureNames.indexOf('fitter')]!]
          : [],
      );
    assert.ok(fitter('rau')[0]! < 0.1);
    assert.ok(fitter('wirth')[1]! > 0.5);
    candidates.query.snapshot.release();
  });
});
