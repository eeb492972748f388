// Which questions ask for what is known last.
import assert from 'node:assert/strict';
import { parseQuestion } from '../../../lib/time/index.js';
import { isLatestQuery, isExplicitLatestQuery } from '../../../lib/time/question/latestQuery.js';

const parse = (text: string) => parseQuestion({ text, askedAt: '2022-03-01T12:00:00Z' });

describe('a question for what is known last', () => {
  it('says so by a word', () => {
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

  it('or only stands in the present tense and names no time', () => {
    for (const text of ['How warm is it supposed to get in Lima?', 'Who is the mayor of Lima?']) {
      assert.ok(!isExplicitLatestQuery(parse(text)), text);
      assert.ok(isLatestQuery(parse(text)), text);
    }
  });

  it('names no time, asks for no first, and does not look back', () => {
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
