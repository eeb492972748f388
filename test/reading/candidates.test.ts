// Candidates of an answer: where they stand and what of them the scorer counts.
import assert from 'node:assert/strict';
import { candidatesOf, type CandidateSpan } from '../../lib/reading/candidates.js';
import type { ReadablePassage } from '../../lib/reading/answer.js';
import { parseQuestion } from '../../lib/time/question/question.js';

const releases: ReadablePassage[] = [
  { id: 'c', title: 'varn 2.1.0 / 2016-12-11', text: '* deps: lund@1.4.2' },
  { id: 'b', title: 'varn 2.0.3 / 2016-10-02', text: '* deps: lund@1.4.0' },
  { id: 'a', title: 'varn 1.9.0 / 2015-03-01', text: '* deps: lund@1.2.0' },
];

const candidates = (text: string, passages = releases): Promise<CandidateSpan[]> =>
  candidatesOf(parseQuestion({ text }), passages, undefined);

/** The features of the first candidate with this text. */
const features = (of: readonly CandidateSpan[], text: string) => {
  const found = of.find((each) => each.text === text);
  assert.ok(found, `${text} is no candidate`);
  return found.features;
};

describe('candidatesOf', () => {
  it('has spans of the title and of the text, in order of the passages', async () => {
    const found = await candidates('Which varn came out in 2016?');
    assert.equal(features(found, '2.1.0')['title'], 1);
    assert.equal(features(found, '1.4.2')['title'] ?? 0, 0);
    const order = found.map(({ passage }) => releases.indexOf(passage));
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
    );
  });
  it('tells what varies in a series from what stays', async () => {
    const found = await candidates('Which varn came out in 2016?');
    assert.equal(features(found, 'deps')['constancy'], 1);
    assert.equal(features(found, '2.1.0')['constancy'], 0);
    assert.ok(features(found, '1.4.2')['slot']! > features(found, 'deps')['slot']!);
  });
  it('tells a value of the question that a span extends, and the word asked for', async () => {
    const found = await candidates('Which varn 2 came out in 2016?');
    assert.equal(features(found, '2.1.0')['extends'], 1);
    assert.equal(features(found, '1.9.0')['extends'], 0);
    const asked = await candidates('Which lund does varn 2.1.0 need?');
    assert.equal(features(asked, '1.4.2')['focusBefore'], 1);
    assert.equal(features(asked, '2.1.0')['focusBefore'], 0);
  });
  it('gives the day that an expression means, and the day of publication', async () => {
    const passage = {
      id: 'p',
      text: 'Yesterday the team tagged varn 2.1.0.',
      publishedAt: Date.UTC(2016, 11, 12),
    };
    const question = parseQuestion({ text: 'When was varn 2.1.0 tagged?' });
    const found = (await candidatesOf(question, [passage], 'date')).map(({ text }) => text);
    assert.ok(found.includes('11 December 2016'));
    assert.ok(found.includes('12 December 2016'));
    assert.ok(!found.includes('Yesterday'));
  });
  it('ranks by the scores of the passages where they have some', async () => {
    const scored = releases.map((each, at) => ({ ...each, score: [0.8, 0.2, 0.1][at]! }));
    const found = await candidates('Which varn came out in 2016?', scored);
    assert.equal(features(found, '2.1.0')['evidence'], 1);
    assert.equal(features(found, '2.0.3')['evidence'], 0.25);
  });
});
