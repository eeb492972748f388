// Typed answer spans: the kind a question wants and what is of that kind in a sentence.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { answerKind, spansOf } from '../../lib/answer/spans.js';

describe('answerKind', () => {
  const cases: [string, ReturnType<typeof answerKind>][] = [
    ['Who was UK prime minister as of 6 May 2021?', 'name'],
    ['When did Nixon resign?', 'date'],
    ['In which year was the tower finished?', 'date'],
    ['How many people lived in Detroit in 1950?', 'number'],
    ['What was the population of Lyon in 1999?', 'number'],
    ['What was the score in the US Open final?', 'number'],
    ['Which player won the title?', 'name'],
    ['Winner of the Wimbledon Women\'s Singles final', 'name'],
    ['Tell me about Saturn', undefined],
  ];
  for (const [question, kind] of cases) it(question, () => assert.equal(answerKind(question), kind));
});

describe('spansOf', () => {
  it('finds names, with small words inside them and without dates', () => {
    assert.deepEqual(spansOf('name', 'In May 2016 Ursula von der Leyen met Emmanuel Macron in Paris.'), ['Ursula von der Leyen', 'Emmanuel Macron', 'Paris']);
  });
  it('does not take the first word of a sentence for a name', () => {
    assert.deepEqual(spansOf('name', 'The winner was Steffi Graf.'), ['Steffi Graf']);
  });
  it('finds quantities with their units, not years', () => {
    assert.deepEqual(spansOf('number', 'In 1999 it had 445,452 people and cost $3.5 million.'), ['445,452', '$3.5 million']);
  });
  it('finds score lines', () => {
    assert.deepEqual(spansOf('number', 'A match with a score of 7-6(2) 5-7 6-4.'), ['7-6(2) 5-7 6-4']);
  });
  it('finds dates without their prepositions', () => {
    assert.deepEqual(spansOf('date', 'He resigned on 9 August 1974.'), ['9 August 1974']);
  });
  it('gives parts of the text only, whatever the text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 120 }), fc.constantFrom('date', 'number', 'name'), (text, kind) => {
      for (const span of spansOf(kind, text)) assert.ok(span.split(' ').every((word) => text.includes(word)));
    }));
  });
});
