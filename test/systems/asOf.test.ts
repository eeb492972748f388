// The time that a question asks about, given as an option: the same as in its words.
import assert from 'node:assert/strict';
import { bm25, hybrid, type AskOptions, type Corpus, type Passage } from '../../lib/index.js';
import { createSystem, systemNames } from '../../lib/papers/registry.js';
import { withCorpus } from '../corpus.js';
import { failsWith } from '../failsWith.js';
import { needed } from '../reranker.js';

const passages: Passage[] = [
  ['may', 'Theresa May', '13 July 2016', '2016-07-14'],
  ['johnson', 'Boris Johnson', '24 July 2019', '2019-07-25'],
  ['sunak', 'Rishi Sunak', '25 October 2022', '2022-10-26'],
].map(([id, name, day, publishedAt]) => ({
  id: id!,
  text: `${name} became prime minister of the UK on ${day}.`,
  publishedAt,
  series: 'prime minister',
}));
const text = 'Who was prime minister of the UK?';
const askedAt = '2024-03-01';

describe('the time that a question asks about', () => {
  let corpus: Corpus;
  withCorpus(passages, (opened) => (corpus = opened));
  const ask = (asOf: AskOptions['asOf'], options: AskOptions = {}) =>
    hybrid({ corpus }).run({ text, askedAt }, { asOf, ...options });

  for (const name of systemNames)
    it(`is that in its words, to ${name}`, async () => {
      const system = createSystem(name, { corpus, ...needed(name) });
      const given = await system.run({ text, askedAt }, { asOf: '2021-05-06' });
      const worded = await system.run({ text: `${text.slice(0, -1)} as of 2021-05-06?`, askedAt });
      const { trace: _, ...result } = given;
      const { trace: __, ...expected } = worded;
      assert.deepEqual(result, expected);
    });

  it('is ISO 8601, words relative to the time of asking, a Date or milliseconds', async () => {
    for (const [asOf, named, id] of [
      ['2021', '2021', 'johnson'],
      [' 2018-05 ', '2018-05', 'may'],
      ['last year', '2023-12-31', 'sunak'],
      ['end of 2020', '2020-12-31', 'johnson'],
      ['now', '2024-03-01', 'sunak'],
      [new Date('2017-01-02T03:04Z'), '2017-01-02', 'may'],
      [Date.UTC(2020, 0, 1), '2020-01-01', 'johnson'],
    ] as const) {
      const { question, evidence } = await ask(asOf);
      assert.equal(question.text, `${text.slice(0, -1)} as of ${named}?`);
      assert.equal(evidence[0]!.id, id, String(asOf));
    }
    const zoned = { text, askedAt, timeZone: 'Asia/Tokyo' };
    const asOf = new Date('2020-12-31T20:00Z');
    const { question } = await hybrid({ corpus }).run(zoned, { asOf });
    assert.match(question.text, / as of 2021-01-01\?$/);
  });

  it('is the time at which what holds is wanted', async () => {
    const { evidence } = await ask('2018', { only: 'current' });
    assert.equal(evidence[0]!.id, 'may');
    const { evidence: later } = await ask('2021', { only: 'current' });
    assert.ok(later.every(({ id }) => id !== 'may'));
  });

  it('is refused where it is none, or where no question can name it', async () => {
    for (const [asOf, message] of [
      ['soon', /^Expected asOf to be an ISO 8601/],
      ['2021-13', /^Expected asOf to be an ISO 8601/],
      [NaN, /^Expected asOf to be an ISO 8601/],
      [{}, /^Expected asOf to be an ISO 8601/],
      ['-0043', /^Expected asOf [^]*name the time in the words/],
    ] as const)
      await assert.rejects(
        bm25({ corpus }).run({ text, askedAt }, { asOf: asOf as never }),
        failsWith('ERR_INVALID_ARGUMENT', message),
      );
  });
});
