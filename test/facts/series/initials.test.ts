// Initials of names in questions, over candidates that have the names or not.
import assert from 'node:assert/strict';
import { withNamesOfInitials } from '../../../lib/facts/series/initials.js';
import { statementsOf } from './passages.js';

const passages = [
  { text: 'She was prime minister of the United Kingdom until 2019.' },
  { text: 'The United Kingdom left in 2020. Ursula Kern reported it.' },
  { title: 'Bureau of Labor Statistics', text: 'Prices rose in May 2021.' },
].map(statementsOf);

const written = (question: string): string => withNamesOfInitials(question, passages);

describe('withNamesOfInitials', () => {
  it('writes out initials by the most frequent name of the candidates', () => {
    assert.equal(written('Who was UK prime minister?'), 'Who was United Kingdom prime minister?');
    assert.equal(written('Who led the U.K. in 2019?'), 'Who led the United Kingdom in 2019?');
  });

  it('joins names over small words, also those of titles', () =>
    assert.equal(
      written('What did the BLS report?'),
      'What did the Bureau of Labor Statistics report?',
    ));

  it('leaves what no name spells, words and single letters', () => {
    for (const question of ['Who led NATO in 2019?', 'Is it ok for us?', 'Plan B in May?'])
      assert.equal(written(question), question);
  });

  it('leaves initials that a candidate has itself', () => {
    const own = [...passages, statementsOf({ text: 'The UK voted in 2016.' })];
    const question = 'Who was UK prime minister?';
    assert.equal(withNamesOfInitials(question, own), question);
  });
});
