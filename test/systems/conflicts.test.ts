// Conflicts of new passages with stored ones: what is superseded, contradicted and restated, what
// is left out, series, and what is refused.
import assert from 'node:assert/strict';
import { conflicts, joinCorpora, type Corpus, type Passage } from '../../lib/index.js';
import { withCorpus } from '../corpus.js';

const day = (iso: string): number => Date.parse(iso);

const stored: Passage[] = [
  { id: 'fee', text: 'A permit costs 80 euros.', publishedAt: '2020-01-01' },
  { id: 'fee-old', text: 'A permit costs 70 euros.', publishedAt: '2018-01-01' },
  { id: 'ceo', text: 'The CEO of Acme is Ann Lee.' },
  { id: 'home', text: 'Anna lives in Lund.' },
  { id: 'jazz', text: 'Anna likes Jazz.' },
  { id: 'rock', text: 'Anna likes Rock.' },
  { id: 'opens', text: 'The office in Lund opens at 8.' },
  { id: 'may', text: 'Theresa May became prime minister of the UK on 13 July 2016.' },
  { id: 'johnson', text: 'Boris Johnson became prime minister of the UK on 24 July 2019.' },
  ...['2019', '2020', '2021'].flatMap((year): Passage[] => [
    { id: `madrid-${year}`, text: `Summer time began in Madrid, Spain, on 29 March ${year}.` },
    { id: `ceuta-${year}`, text: `Summer time began in Ceuta, Spain, on 29 March ${year}.` },
  ]),
  { id: 'memo', title: 'Lund', text: 'Rules of the library. The fee is 20 euros.' },
  { id: 'state', text: 'Somebody leads.', validFrom: '2016-07-13', series: 'lead' },
];

describe('conflicts', () => {
  let corpus: Corpus;
  withCorpus(stored, (made) => (corpus = made));

  const found = async (passage: Partial<Passage> & { text: string }): Promise<string[]> =>
    (await conflicts(corpus, [{ id: 'new', ...passage }])).flatMap(({ earlier }) =>
      earlier.map(({ id, relation }) => `${relation} ${id}`),
    );

  it('has the statement, and the last state before it with its time', async () => {
    const text = 'Hello all. A permit costs 90 euros.';
    const own = { id: 'new', text: text.slice(11), publishedAt: '2024-01-01' };
    assert.deepEqual(await conflicts(corpus, [own]), [
      {
        id: 'new',
        statement: 'A permit costs 90 euros.',
        earlier: [
          {
            id: 'fee',
            text: 'A permit costs 80 euros.',
            relation: 'supersedes',
            start: day('2020-01-01'),
            end: day('2020-01-02'),
          },
        ],
      },
    ]);
  });

  it('contradicts where the times are the same or unknown', async () => {
    assert.deepEqual(await found({ text: 'The office in Lund opens at 9.' }), [
      'contradicts opens',
    ]);
    assert.deepEqual(await found({ text: 'A permit costs 90 euros.', publishedAt: '2020-01-01' }), [
      'contradicts fee',
      'supersedes fee-old',
    ]);
  });

  it('restates where nothing differs', async () =>
    assert.deepEqual(await found({ text: 'A permit costs 80 euros.', publishedAt: '2020-01-01' }), [
      'restates fee',
      'supersedes fee-old',
    ]));

  it('takes a name for the value in the present tense, and of successive states', async () => {
    assert.deepEqual(await found({ text: 'The CEO of Acme is Bob Ray.' }), ['contradicts ceo']);
    assert.deepEqual(await found({ text: 'Anna lives in Oslo.' }), ['contradicts home']);
    assert.deepEqual(
      await found({ text: 'Rishi Sunak became prime minister of the UK on 25 October 2022.' }),
      ['supersedes johnson'],
    );
  });

  for (const [what, text] of [
    ['another subject', 'The office in Oslo opens at 9.'],
    ['another relation', 'The office in Lund closes at 17.'],
    ['a word in place of a name', 'A licence costs 90 euros.'],
    ['what may be many', 'Anna likes Pop.'],
    ['what recurs', 'Summer time began in Melilla, Spain, on 29 March 2022.'],
    ['a sentence under another subject', 'Rules of the pool. The fee is 30 euros.'],
    ['an earlier state', 'Gordon Brown became prime minister of the UK on 27 June 2007.'],
    ['a name alone', 'Ann Lee: Thanks.'],
  ] as const)
    it(`leaves out ${what}`, async () => assert.deepEqual(await found({ text }), []));

  it('has the state before it of a series, whatever the words', async () => {
    const text = 'The chair is Boris Johnson.';
    for (const of of [{ series: 'lead' }, { supersedes: 'state' }])
      assert.deepEqual(await found({ text, validFrom: '2019-07-24', ...of }), ['supersedes state']);
    assert.deepEqual(await found({ text, validFrom: '2010', series: 'lead' }), []);
  });

  it('does not compare a passage with the one that it replaces', async () =>
    assert.deepEqual(await found({ id: 'opens', text: 'The office in Lund opens at 9.' }), []));

  it('takes any iterable, and reports its progress', async () => {
    async function* passages(): AsyncGenerator<Passage> {
      yield { id: 'a', text: 'The office in Lund opens at 9.' };
      yield { id: 'b', text: 'The office in Lund opens at 10.' };
    }
    const done: number[] = [];
    const options = { onProgress: (progress: { done: number }) => void done.push(progress.done) };
    const list = await conflicts(corpus, passages(), options);
    assert.deepEqual(
      [list.map(({ id }) => id), done],
      [
        ['a', 'b'],
        [1, 2],
      ],
    );
  });

  it('refuses invalid passages by their place, options, and joined corpora', async () => {
    const passages = [{ id: 'a', text: 'Fine.' }, { id: 'b' } as Passage];
    await assert.rejects(conflicts(corpus, passages), /of passage 1|passages\[1\]|"b"/);
    await assert.rejects(conflicts(corpus, [], { passages: 0 }), /1 to 10,000|from 1/);
    const joined = joinCorpora([corpus]) as Corpus;
    await assert.rejects(conflicts(joined, []), /Ask each of the joined corpora/);
    await assert.rejects(conflicts(corpus, passages, { signal: AbortSignal.abort() }), {
      code: 'ERR_ABORTED',
    });
  });
});
