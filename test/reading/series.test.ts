// The extractive reader on passages of one series, whose values differ where their words agree.
import assert from 'node:assert/strict';
import { readPassages } from '../../lib/reading/reader.js';
import type { ReadablePassage } from '../../lib/reading/answer.js';

const read = async (text: string, passages: ReadablePassage[], leastConfidence?: number) =>
  (await readPassages({ text }, passages, { leastConfidence })).answer!;

describe('the extractive reader on a series', () => {
  it('takes the version that the title tells, with its passage', async () => {
    const answer = await read('Which varn 2 came out in December 2016?', [
      { id: 'b', title: 'varn 2.1.0 / 2016-12-11', text: '* deps: lund@1.4.2\n* Closes #31' },
      { id: 'a', title: 'varn 2.0.3 / 2016-10-02', text: '* deps: lund@1.4.0\n* Closes #12' },
    ]);
    assert.equal(answer.text, '2.1.0');
    assert.deepEqual(answer.evidence, ['b']);
  });

  it('answers when by the publication of what tells no date', async () => {
    const text = 'Just released: Varn 10.0.0. Update now.';
    const passage = { id: 'p', text, publishedAt: Date.UTC(2020, 6, 27) };
    const question = 'When was Varn 10.0.0 released?';
    assert.equal((await read(question, [passage], 0)).text, '27 July 2020');
  });

  it('gives the number alone where the question names what is counted', async () => {
    const text = 'Confirmed VARN-19 cases in Lund as of August 27, 2020: 92639 cases.';
    const question = 'How many confirmed VARN-19 cases had Lund on August 27, 2020?';
    assert.equal((await read(question, [{ id: 'p', text }])).text, '92639');
  });
});
