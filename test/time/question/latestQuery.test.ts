// Detection of questions for the latest value.
import assert from 'node:assert/strict';
import { parseQuestion } from '../../../lib/time/index.js';
import { isLatestQuery, isExplicitLatestQuery } from '../../../lib/time/question/latestQuery.js';

const parse = (text: string) => parseQuestion({ text, askedAt: '2022-03-01T12:00:00Z' });

describe('a question for the latest value', () => {
  it('contains a word such as latest or now', () => {
    for (const text of [
      'What is the latest count of infections in Peru?',
      'Newest figure for infections in Peru?',
      'How many infections does Peru have now?',
      'What is the current number of infections in Peru?',
      'How far have infections in Peru got to date?',
      'Present weather for Lima?',
      'How warm is Lima supposed to get, as things stand?',
      'How many infections does Peru have today?',
      'What is the last known rate in Peru?',
    ])
      assert.ok(isExplicitLatestQuery(parse(text)) && isLatestQuery(parse(text)), text);
  });

  it('or is in the present tense without a time', () => {
    for (const text of ['How warm is it supposed to get in Lima?', 'Who is the mayor of Lima?']) {
      assert.ok(!isExplicitLatestQuery(parse(text)), text);
      assert.ok(isLatestQuery(parse(text)), text);
    }
  });

  it('has no other time, does not ask for the first, and is not in the past tense', () => {
    for (const text of [
      'What was the latest count in Peru as of May 3, 2020?',
      'How many infections did Peru have on May 3, 2020?',
      'Who first climbed it?',
      'How warm will it get in Lima today?',
      'Who was the mayor of Lima?',
      'What is the forecast for Lima on April 3, 2022?',
      'Who is the first mayor of Lima?',
      'What was the last count before May 2020?',
    ])
      assert.ok(!isLatestQuery(parse(text)), text);
  });
});
