// Mayors and mills of towns, questions about them, and the comparison of what every system returns
// over a corpus that holds its rows elsewhere.
import { chunk } from '../../packages/documents/lib/chunk.js';
import { timeline, type Passage, type Question } from '../../lib/index.js';
import { createSystem, systemNames } from '../../lib/papers/index.js';
import type { SearchableCorpus } from '../../lib/store/searchableCorpus.js';
import type { AskOptions } from '../../lib/systems/askOptions.js';
import { assertClose } from '../assertClose.js';
import { needed } from '../reranker.js';

const towns = ['Castleford', 'Lund', 'Varn', 'Ostby', 'Brenn', 'Marl', 'Tolk', 'Weil'];
const people = ['Ann Lee', 'Bob Hay', 'Cy Moss', 'Dora Pratt', 'Ed Quill', 'Flo Rand'];

/** Mayors and bridges of towns: states that follow each other, passages of several sentences. */
export const passages: Passage[] = towns.flatMap((town, t) => [
  ...people.map((person, p): Passage => {
    const year = 1980 + 7 * p + t;
    return {
      id: `${town}-${p}`,
      text:
        `${person} became mayor of ${town} on ${1 + ((3 * p + t) % 28)} May ${year}. ` +
        (p % 2 === 0 ? `The election cost ${10 + p + t} million. ` : '') +
        (p % 3 === 0 ? `The old bridge of ${town} was closed in ${year - 20}.` : ''),
      publishedAt: `${year}-06-01`,
      metadata: { town, rank: p },
      ...(p % 4 === 1 ? { title: `Mayors of ${town}` } : {}),
      ...(p % 2 === 1 ? { validFrom: `${year}-05-01`, validTo: `${year + 6}-04-30` } : {}),
    };
  }),
  {
    id: `${town}-mill`,
    text: `The mill of ${town} stands by the river, a slow river, (this river!) and grinds grain.`,
  },
]);
export const documents = chunk(
  {
    id: 'history',
    text: towns
      .map(
        (town, t) =>
          `The mill of ${town} burnt down in ${1950 + t}. It was rebuilt in ${1961 + t}.`,
      )
      .join('\n\n'),
  },
  { maxTokens: 60 },
);

const questions: Question[] = [
  { text: 'Who was mayor of Castleford as of 6 May 2003?', askedAt: '2020-01-01' },
  { text: 'Who became mayor of Lund in 1995?', askedAt: '2010-01-01' },
  { text: 'Who was the first mayor of Varn?', askedAt: '2021-03-04' },
  { text: 'What did the election in Ostby cost before 2001?', askedAt: '2019-01-01' },
  { text: 'When was the bridge of Brenn shut?', askedAt: '2020-01-01' },
  { text: 'What grinds grain?', askedAt: '1970-01-01' },
];

/** Of scores: sums over candidates have the order of their segments, some of them in floats. */
const tolerance = 1e-6;

/** What a system returns, without its notes of the work that it did. */
async function resultsOf(name: string, corpus: SearchableCorpus, ask: AskOptions = {}) {
  const system = createSystem(name, { corpus, ...needed(name) });
  return Promise.all(
    questions.map(async (question) => {
      const { trace: _, scan: _scan, exact: _exact, ...result } = await system.run(question, ask);
      return result;
    }),
  );
}

/** Defines the tests that a corpus has the results of a local one of the same passages. */
export function itHasTheResults(
  corpora: () => Record<'corpus' | 'local', SearchableCorpus>,
  names = systemNames,
): void {
  async function compare(name: string, ask: AskOptions = {}): Promise<void> {
    const { corpus, local } = corpora();
    const [actual, expected] = [
      await resultsOf(name, corpus, ask),
      await resultsOf(name, local, ask),
    ];
    assertClose(actual, expected, `${name} ${JSON.stringify(ask)}`, tolerance);
  }

  for (const name of names) it(`has the results of ${name}`, () => compare(name));

  it('has them for few results, documents, neighbours and candidates', async () => {
    const asks: AskOptions[] = [
      { k: 1 },
      { k: 3, perDocument: true },
      { k: 5, neighbours: 2 },
      { k: 4, candidateIds: passages.filter((_, at) => at % 5 === 0).map(({ id }) => id) },
    ];
    for (const ask of asks) for (const name of ['hybrid', 'bm25']) await compare(name, ask);
  });

  it('has them of a timeline', async () => {
    const { corpus, local } = corpora();
    for (const question of questions) {
      const [actual, expected] = [
        await timeline(corpus, question),
        await timeline(local, question),
      ];
      assertClose(actual, expected, question.text, tolerance);
    }
  });
}
