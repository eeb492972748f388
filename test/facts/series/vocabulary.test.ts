// The terms of a question among the words of its candidates: what a text has of them, versions
// within a value, the very forms, and what no candidate has.
import assert from 'node:assert/strict';
import { seriesQuestion } from '../../../lib/facts/series/question.js';
import {
  asked,
  AskedTerms,
  ofAnchor,
  ofName,
  version,
  Vocabulary,
} from '../../../lib/facts/series/vocabulary.js';
import { englishAnalyzer } from '../../../lib/text/analyzer.js';
import { lexicon, statementsOf, type TestPassage } from './passages.js';

function termsOf(text: string, ...given: TestPassage[]) {
  const passages = given.map(statementsOf);
  const vocabulary = new Vocabulary(lexicon, passages);
  const question = seriesQuestion({ text, askedAt: 0 }, englishAnalyzer(), {
    idf: () => 5,
    rarity: () => 12,
    hasCompound: (compound) => vocabulary.has(compound),
    opensTitle: () => false,
  });
  const terms = new AskedTerms(question, vocabulary);
  /** By word of the question, as it is in the question. */
  const byWord = (values: ArrayLike<unknown>): Record<string, unknown> =>
    Object.fromEntries(question.terms.map(({ low }, t) => [low, values[t]]));
  return { passages, vocabulary, question, terms, byWord };
}

const marksOf = ({ marks }: AskedTerms, term: string): number => marks[lexicon.numberOf(term)]!;

describe('Vocabulary', () => {
  it('has the words of titles and texts, each once, and no others', () => {
    const { vocabulary } = termsOf(
      'what',
      { title: 'Grell mills', text: 'mills closed' },
      { text: 'a mime-db' },
    );
    assert.equal(new Set(vocabulary.words).size, vocabulary.words.length);
    for (const term of ['grell', 'mill', 'close', 'mime-db']) assert.ok(vocabulary.has(term), term);
    // Read before for another question.
    statementsOf({ text: 'Tannau' });
    for (const term of ['tannau', 'never read', 'mime']) assert.ok(!vocabulary.has(term), term);
  });
});

describe('AskedTerms', () => {
  it('finds how far a text has each term: itself, or a version within a value', () => {
    const { passages, terms, byWord } = termsOf(
      'Which tabs did Varn 12 close?',
      { text: 'Varn 12.3 closed tabs' },
      { text: 'then Varn 12 ran' },
      { text: 'then 120 ran' },
    );
    const presence = passages.map(({ text }) => byWord(terms.presence(text)));
    assert.deepEqual(presence, [
      { tabs: 1, varn: 1, 12: 0.8, close: 1 },
      { tabs: 0, varn: 1, 12: 1, close: 0 },
      { tabs: 0, varn: 0, 12: 0, close: 0 },
    ]);
  });

  it('marks terms of the question, of its names and neighbour, and versions', () => {
    const { terms } = termsOf('Who was the mayor of Varn after Ida Rowe?', {
      text: 'then Ida Rowe was mayor of Varn, not of Grell',
    });
    assert.equal(marksOf(terms, 'mayor') & asked, asked);
    assert.equal(marksOf(terms, 'varn') & (asked | ofName), asked | ofName);
    assert.equal(marksOf(terms, 'row'), ofAnchor);
    assert.equal(marksOf(terms, 'grell'), 0);
    const ofValue = termsOf('When was Varn 12 out?', { text: 'it was Varn 12.3 and 13' }).terms;
    assert.deepEqual([marksOf(ofValue, '12.3'), marksOf(ofValue, '13')], [version, 0]);
  });

  it('knows what no candidate has', () => {
    const { terms, byWord } = termsOf('Which mills of Grell closed in version 15?', {
      text: 'mills closed in 15.2',
    });
    assert.deepEqual(byWord(terms.inPool), { mills: true, grell: false, closed: true, 15: true });
  });

  it('tells the value from others and from versions of another value', () => {
    const { terms, question } = termsOf('Was it 12 or 15.1 or 15?', {
      text: 'it was 12 and 15.1 and 15.1.3 and 7',
    });
    const place = (low: string): number => question.terms.findIndex((each) => each.low === low);
    const isValue = (term: string, low: string): boolean =>
      terms.isValue(lexicon.numberOf(term), place(low));
    assert.ok(isValue('12', '12') && isValue('15.1', '15.1') && isValue('15.1.3', '15.1'));
    assert.ok(isValue('15.1', '15') && isValue('15.1.3', '15'));
    assert.ok(!isValue('12', '15') && !isValue('7', '12') && !isValue('15.1.3', '12'));
  });

  it('finds the very forms', () => {
    const { passages, terms, byWord } = termsOf('Which mills closed?', {
      text: 'mill owners closed the mill',
    });
    const found = new Uint8Array(terms.question.terms.length);
    terms.putForms(passages[0]!.text, found);
    assert.deepEqual(byWord(found), { mills: 0, closed: 1 });
  });
});
