// Expected answer type of questions.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { answerType, expectsList } from '../../lib/text/answerType.js';

describe('answerType', () => {
  const cases: [string, ReturnType<typeof answerType>][] = [
    ['Who was UK prime minister as of 6 May 2021?', 'person'],
    ['The office was held by what person from 1990 to 1992?', 'person'],
    ['Which painter moved to Delft?', 'person'],
    ["Winner of the Wimbledon Women's Singles final", 'person'],
    ['When did Nixon resign?', 'date'],
    ['In which year was the tower finished?', 'date'],
    ['How many people lived in Detroit in 1950?', 'number'],
    ['What was the population of Lyon in 1999?', 'number'],
    ['What did the plan cost as of June 2022?', 'number'],
    ['What was the death toll of the accident?', 'number'],
    ['What is the export limit now?', 'number'],
    ['On 3 May, how warm is it expected to get in Lund?', 'number'],
    ['What was the score in the US Open final?', 'score'],
    ['Who scored the most goals in 1999?', 'person'],
    ['Where did she live in 1920?', 'place'],
    ['What city hosted the fair in 1904?', 'place'],
    ['What was the capital of the district until 1950?', 'place'],
    ['Which football team did he play for in 2004?', 'organisation'],
    ['What is the name of the school where she taught?', 'organisation'],
    ['Name the company that built it.', 'organisation'],
    ['What position did he hold after 1911?', 'role'],
    ['What was her job in 1950?', 'role'],
    ['What was the ship called in 1990?', 'name'],
    ['What is the weather forecast for Lund on 3 May?', undefined],
    ['Tell me about Saturn', undefined],
    ['', undefined],
  ];
  for (const [question, kind] of cases)
    it(question || 'nothing', () => assert.equal(answerType(question), kind));

  it('accepts any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        (text) => void [answerType(text), expectsList(text)],
      ),
    );
  });
});

describe('expectsList', () => {
  for (const question of [
    'Which two players met in the final?',
    'Who were the finalists?',
    'Who played in the 2004 final?',
  ]) {
    it(question, () => assert.ok(expectsList(question)));
  }
  for (const question of [
    'Who won the final?',
    'Which team did she play for?',
    'Who was the mayor?',
  ]) {
    it(question, () => assert.ok(!expectsList(question)));
  }
});
