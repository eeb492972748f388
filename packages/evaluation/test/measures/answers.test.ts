// Answers in texts and answers against answers: normalisation, containment, exact match and F1.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { answerRecall, exactMatch, statesValue, tokenF1 } from '../../lib/measures/answers.js';
import { answerTokens, containsAnswer } from '../../../../lib/text/answerTokens.js';

describe('answer measures', () => {
  it('tokens are runs of letters, digits and marks, or single other characters', () => {
    assert.deepEqual(answerTokens('Café-bar, 7-5 6–3!'), [
      'cafe\u0301',
      '-',
      'bar',
      ',',
      '7',
      '-',
      '5',
      '6',
      '–',
      '3',
      '!',
    ]);
    assert.deepEqual(answerTokens(' \u00a0\u200b\n'), []);
  });

  it('an answer is found as contiguous whole tokens, whatever its case and composition', () => {
    const passages = [{ title: 'Roger Federer', text: 'won 7-5 6-3 in São Paulo' }];
    assert.equal(answerRecall(passages, ['roger federer'], 1), 1);
    assert.equal(answerRecall(passages, ['Sa\u0303o paulo'], 1), 1);
    assert.equal(answerRecall(passages, ['Federer won'], 1), 1);
    assert.equal(answerRecall(passages, ['Fed'], 1), 0);
    assert.equal(answerRecall(passages, ['6-3 7-5'], 1), 0);
  });

  it('an empty answer is found nowhere, and only the first k passages are read', () => {
    assert.equal(answerRecall([{ text: 'x' }], ['', ' '], 1), 0);
    assert.equal(answerRecall([{ text: 'x' }, { text: 'y' }], ['y'], 1), 0);
    assert.equal(answerRecall([{ text: 'x' }, { text: 'y' }], ['y'], 2), 1);
    assert.equal(answerRecall([], ['y'], 2), 0);
  });

  it('containment is that of the joined token sequences', () => {
    const token = fc.constantFrom('a', 'b', 'ab');
    fc.assert(
      fc.property(fc.array(token), fc.array(token, { minLength: 1 }), (text, answer) => {
        assert.equal(
          containsAnswer(text, answer),
          ` ${text.join(' ')} `.includes(` ${answer.join(' ')} `),
        );
      }),
    );
  });

  it('exact match forgives case, punctuation, articles and blanks, nothing else', () => {
    assert.equal(exactMatch('The  U.K.!', ['uk']), 1);
    assert.equal(exactMatch('Theresa May', ['May']), 0);
    assert.equal(exactMatch('ßa', ['ß']), 0);
    assert.equal(exactMatch('', ['x']), 0);
    for (const [answer, expected, same] of [
      ['60°F', '60', 1],
      ['60 degrees Fahrenheit', '60°F', 1],
      ['60 degrees', '60 F', 1],
      ['60°C', '60°F', 0],
      ['61°F', '60', 0],
      ['1,060 %', '1060 percent', 1],
      ['60%', '60 degrees', 0],
      ['60 cases', '60', 0],
    ] as const)
      assert.equal(exactMatch(answer, [expected]), same, `${answer}, ${expected}`);
  });

  it('f1 is of shared tokens, the best expected answer counting', () => {
    assert.equal(tokenF1('Theresa May', ['May', 'boris johnson']), 2 / 3);
    assert.equal(tokenF1('may may', ['may']), 2 / 3);
    assert.equal(tokenF1('', ['x']), 0);
    assert.equal(tokenF1('48 degrees Fahrenheit', ['48°F']), 1);
    assert.equal(tokenF1('48 degrees Celsius', ['48°F']), 0);
    assert.equal(tokenF1('x', []), 0);
  });

  it('f1 is symmetric, within bounds, and one for equal token bags', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1 });
    fc.assert(
      fc.property(words, words, (left, right) => {
        const value = tokenF1(left.join(' '), [right.join(' ')]);
        assert.ok(value >= 0 && value <= 1);
        assert.equal(value, tokenF1(right.join(' '), [left.join(' ')]));
        assert.equal(tokenF1(left.join(' '), [[...left].reverse().join(' ')]), 1);
      }),
    );
  });

  it('knows a value by its number and unit in a text', () => {
    for (const [text, value, states] of [
      ['Highs of 48 degrees Fahrenheit.', '48°F', true],
      ['Highs near 48 F, lows near 31.', '48°F', true],
      ['Highs of 48 degrees Celsius.', '48°F', false],
      ['48 people saw 49°F.', '48°F', false],
      ['A chance of 30 percent.', '30 %', true],
      ['In all 1204 cases.', '1,204', true],
      ['In all 11,204 cases.', '1,204', false],
      ['It was 1204.5 then.', '1,204', false],
      ['Mostly Cloudy.', 'mostly cloudy', true],
      ['Cloudy.', 'mostly cloudy', false],
    ] as const)
      assert.equal(statesValue(text, value), states, `${text} ${value}`);
  });
});
