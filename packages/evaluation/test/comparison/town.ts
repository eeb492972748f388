// A town of our own as a test collection, with periods of its answers so long that forms of its
// questions lie some years from the dates in passages.
import { Corpus } from '../../../../lib/index.js';
import type { TestCollection } from '../../lib/index.js';

const years = [2010, 2012, 2014, 2016, 2018, 2020];
const passages = years.flatMap((year) => [
  {
    id: `mayor-${year}`,
    text: `The mayor of Ardenholt in ${year} was Ines Halloran the ${year % 100}th.`,
    publishedAt: `${year}-02-01`,
  },
  {
    id: `bridge-${year}`,
    text: `The ferry of Ardenholt carried ${year * 3} people in ${year}.`,
    publishedAt: `${year}-03-01`,
  },
]);
const queries = years.flatMap((year) =>
  [
    {
      id: `m${year}`,
      text: `Who was the mayor of Ardenholt in ${year}?`,
      groups: { class: ['people'] },
    },
    {
      id: `f${year}`,
      text: `How many people did the ferry of Ardenholt carry in ${year}?`,
      groups: { class: ['counts'] },
    },
    {
      id: `b${year}`,
      text: `Who was the last mayor of Ardenholt before ${year + 1}?`,
      groups: { class: ['people', 'order'] },
    },
  ].map((query) => ({
    ...query,
    askedAt: '2021-01-01',
    validFrom: `${year}-01-01`,
    validTo: `${year + 7}-12-31`,
  })),
);
const qrels = new Map(
  queries.map(({ id }) => [
    id,
    new Map([[`${id.startsWith('f') ? 'bridge' : 'mayor'}-${id.slice(1)}`, 1]]),
  ]),
);

/** The collection, whose corpus it writes at the path. */
export async function writeTown(path: string): Promise<TestCollection> {
  const corpus = await Corpus.open(path);
  await corpus.add(passages);
  await corpus.close();
  return { name: 'town', queries, qrels, sha256: 'one', open: () => Corpus.open(path) };
}
