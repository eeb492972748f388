// Words of questions that are misspelt: corrected by the passages that the rest retrieves, or left.
import assert from 'node:assert/strict';
import { bm25, hybrid, type Corpus, type Passage, type SystemResult } from '../../lib/index.js';
import { withCorpus } from '../corpus.js';

const passages: Passage[] = [
  { id: 'moe', text: 'Kari Moe was the governor of Lindesnes from 1978 to 1986.' },
  { id: 'dahl', text: 'Per Dahl was the governor of Lindesnes from 1986 to 1994.' },
  { id: 'storm', text: 'Thunderstorms closed the harbour of Lindesnes on 3 May 1990.' },
  { id: 'cve', text: 'CVE-2021-30000 of libpngx was mended in version 1.6.40.' },
  { id: 'secret', text: 'The harbour of Varn has a lighthouse keeper.', metadata: { tenant: 'b' } },
  { id: 'sweden', text: 'A governor of Sweden spoke on 4 May 1990.' },
  { id: 'open', text: 'The harbour of Varn is deep.', metadata: { tenant: 'a' } },
];

describe('a misspelt word of a question', () => {
  let corpus: Corpus;
  withCorpus(passages, (made) => (corpus = made), { fields: { tenant: 'keyword' } });

  const correctedOf = ({ trace }: SystemResult): unknown =>
    trace.find(({ stage }) => stage === 'correctSpelling')?.notes?.['corrected'];
  const corrected = async (text: string): Promise<unknown> =>
    correctedOf(await hybrid({ corpus, spelling: true }).run({ text }));

  it('is read as the word that is meant, and the question returned as asked', async () => {
    const text = 'Who was the govenror of Lindesnes in 1990?';
    const result = await hybrid({ corpus, spelling: true }).run({ text });
    assert.deepEqual(correctedOf(result), ['govenror: governor']);
    assert.equal(result.question.text, text);
    assert.equal(result.answer?.text, 'Per Dahl');
  });

  for (const [what, text, expected] of [
    [
      'with two slips if it is long',
      'When were the thundrestroms?',
      ['thundrestroms: thunderstorms'],
    ],
    ['not as a name that is rare', 'Who led in Lindesnse in 1990?', undefined],
    ['as a name that is known', 'Who was the governor of Sewden?', ['Sewden: Sweden']],
    ['with its capital', 'Governro of Lindesnes?', ['Governro: Governor']],
    ['not with another first letter', 'The kovernor of Lindesnes?', undefined],
    ['not if it is an English word', 'Who was the governess of Lindesnes?', undefined],
    ['not if it is short', 'Who was goven of Lindesnes?', undefined],
    [
      'not in an identifier',
      'Is libpngy mended in governro-x, govenror2 or CVE-2021-30001?',
      undefined,
    ],
    ['not of many', 'Thee govenror offf Lindesnnes closeed harbuor verion.', undefined],
  ] as const)
    it(`is read ${what}`, async () => assert.deepEqual(await corrected(text), expected));

  it('tells nothing of passages that a filter hides', async () => {
    const text = 'Has the harbour of Varn a lighthuose?';
    const run = async (tenant: string): Promise<unknown> =>
      correctedOf(await hybrid({ corpus, spelling: true }).run({ text }, { where: { tenant } }));
    assert.deepEqual(await run('b'), ['lighthuose: lighthouse']);
    assert.equal(await run('a'), undefined);
  });

  it('stays as it is without the option, also in the baselines', async () => {
    const text = 'govenror';
    const ids = async (system: { run: (question: { text: string }) => Promise<SystemResult> }) =>
      (await system.run({ text })).evidence.map(({ id }) => id);
    assert.match(String(hybrid({ corpus })), /^resolveEvents/);
    assert.match(String(hybrid({ corpus, spelling: true })), /^correctSpelling -> resolveEvents/);
    assert.deepEqual(await ids(bm25({ corpus })), []);
    const tolerant = bm25({ corpus, spelling: true });
    assert.match(String(tolerant), /^correctSpelling -> rawQuery/);
    assert.deepEqual((await ids(bm25({ corpus, spelling: true }))).length, 0);
    const { evidence } = await tolerant.run({ text: 'govenror of Lindesnes' });
    assert.deepEqual(
      evidence
        .map(({ id }) => id)
        .slice(0, 2)
        .sort(),
      ['dahl', 'moe'],
    );
    assert.equal(tolerant.options['spelling'], true);
  });
});
