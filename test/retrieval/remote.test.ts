// A corpus whose rows are fetched, question by question: every system finds in it what it finds in
// the corpus that has them, with the same scores, and fetches but a part of them.
import assert from 'node:assert/strict';
import { hybrid, timeline, type Corpus, type Passage, type Question } from '../../lib/index.js';
import { createSystem, systemNames } from '../../lib/papers/index.js';
import { chunk } from '../../lib/documents/chunk.js';
import type { AskOptions } from '../../lib/systems/system.js';
import { assertClose } from '../assertClose.js';
import { withCorpus } from '../corpus.js';
import { needed } from '../reranker.js';
import { remoteCorpus, type RemoteCounts } from './remoteCorpus.js';
import type { SearchableCorpus } from '../../lib/store/joinedCorpora.js';

const towns = ['Castleford', 'Lund', 'Varn', 'Ostby', 'Brenn', 'Marl', 'Tolk', 'Weil'];
const people = ['Ann Lee', 'Bob Hay', 'Cy Moss', 'Dora Pratt', 'Ed Quill', 'Flo Rand'];

/** Mayors and bridges of towns: states that follow each other, passages of several sentences. */
const passages: Passage[] = towns.flatMap((town, t) => [
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
  { id: `${town}-mill`, text: `The mill of ${town} stands by the river and grinds grain.` },
]);
const documents = chunk(
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

describe('a corpus whose rows are elsewhere', function () {
  this.timeout(120_000);
  let local: Corpus;
  withCorpus([...passages.slice(0, 30), ...documents], (corpus) => (local = corpus));
  let remote: SearchableCorpus & { counts: RemoteCounts };
  before(async () => {
    await local.add(passages.slice(30)); // a second segment
    await local.delete(['Marl-2']);
    remote = remoteCorpus(local);
  });

  /** What a system returns, without its notes of the work that it did. */
  async function resultsOf(name: string, corpus: SearchableCorpus, ask: AskOptions = {}) {
    const system = createSystem(name, { corpus, ...needed(name) });
    return Promise.all(
      questions.map(async (question) => {
        const { trace: _, scan: _scan, ...result } = await system.run(question, ask);
        return result;
      }),
    );
  }

  for (const name of systemNames)
    it(`has the results of ${name}`, async () => {
      assertClose(
        await resultsOf(name, remote),
        await resultsOf(name, local),
        undefined,
        tolerance,
      );
    });

  it('has them for few results, documents, neighbours and candidates', async () => {
    const asks: AskOptions[] = [
      { k: 1 },
      { k: 3, perDocument: true },
      { k: 5, neighbours: 2 },
      { k: 4, candidateIds: passages.filter((_, at) => at % 5 === 0).map(({ id }) => id) },
    ];
    for (const ask of asks)
      for (const name of ['hybrid', 'bm25'])
        assertClose(
          await resultsOf(name, remote, ask),
          await resultsOf(name, local, ask),
          `${name} ${JSON.stringify(ask)}`,
          tolerance,
        );
  });

  it('has them of a timeline', async () => {
    for (const question of questions)
      assertClose(
        await timeline(remote, question),
        await timeline(local, question),
        question.text,
        tolerance,
      );
  });

  it('fetches a part of the passages, each once a question', async () => {
    const { counts } = remote;
    counts.read = 0;
    await hybrid({ corpus: remote }).run(questions[0]!, { k: 1 });
    assert.ok(
      counts.read > 0 && counts.read <= passages.length + documents.length,
      `${counts.read}`,
    );
  });
});
