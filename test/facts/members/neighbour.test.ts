// Members next to another that the question names: by identifier or value, over a corpus whose
// passages state the neighbour in several sentences.
import assert from 'node:assert/strict';
import { Corpus, hybrid, type Passage } from '../../../lib/index.js';
import { temporaryFolder } from '../../store/fixtures.js';

const advisory = (name: string, number: string, date: string, flaw: string): Passage => ({
  id: `${name}-${number}`,
  text:
    `library: ${name}\ncve: ${number}\ntitle: ${flaw} in ${name}\ndate: ${date}\n` +
    `A crafted request leads to ${flaw}. Users of ${name} should upgrade.`,
});
const passages: Passage[] = [
  advisory('tannau-http', '2019-1204', '2019-02-11', 'a loop'),
  advisory('tannau-http', '2021-30817', '2021-05-03', 'an overflow'),
  advisory('tannau-http', '2020-44102', '2021-11-20', 'a leak'),
  advisory('lohr-xml', '2021-30822', '2021-06-14', 'an overflow'),
  ...(
    [
      [2012, 22],
      [2015, 24],
      [2018, 27],
    ] as const
  ).flatMap(([year, days]): Passage[] => [
    {
      id: `leave-${year}`,
      text: `From 1 March ${year} the annual leave in Velm is ${days} days.`,
      publishedAt: `${year}-02-01`,
    },
    {
      id: `reminder-${year}`,
      text: `A reminder from the office: in Velm the annual leave is ${days} days.`,
      publishedAt: `${year + 1}-04-09`,
    },
  ]),
];

describe('members next to another', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  before(async () => {
    corpus = await Corpus.open(folder.path('neighbours.asof'));
    await corpus.add(passages);
  });
  after(() => corpus.close());
  const first = async (text: string): Promise<string> =>
    (await hybrid({ corpus }).run({ text, askedAt: '2024-01-01' })).evidence[0]!.id;

  it('are found by an identifier, of which passages have the end', async () => {
    for (const [text, id] of [
      ['Which advisory for tannau-http followed CVE-2019-1204?', 'tannau-http-2021-30817'],
      ['Which advisory for tannau-http followed CVE-2021-30817?', 'tannau-http-2020-44102'],
      ['Which advisory for tannau-http preceded CVE-2020-44102?', 'tannau-http-2021-30817'],
    ] as const)
      assert.equal(await first(text), id, text);
  });

  it('are found by a value, which later passages repeat', async () => {
    for (const [text, ids] of [
      ['What replaced the annual leave of 22 days in Velm?', ['leave-2015', 'reminder-2015']],
      ['annual leave Velm: successor of 24 days', ['leave-2018', 'reminder-2018']],
      ['annual leave Velm: predecessor of 24 days', ['leave-2012', 'reminder-2012']],
    ] as const)
      assert.ok((ids as readonly string[]).includes(await first(text)), text);
  });
});
