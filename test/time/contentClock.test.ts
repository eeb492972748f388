// Content clock: literal intervals, exclusion of publication dates, years inherited across
// sentences.
import assert from 'node:assert/strict';
import { splitSentences } from '../../lib/text/sentences.js';
import { contentIntervals, contentOfSentences } from '../../lib/time/contentClock.js';
import { formatDay } from '../../lib/time/instant.js';
import type { Interval } from '../../lib/time/interval.js';
import { tagText, tagTimes } from '../../lib/time/tagger.js';

const shown = (intervals: readonly Interval[]) =>
  intervals.map(({ start, end }) => `${formatDay(start)}..${formatDay(end - 1)}`);
const content = (text: string, reference?: string) =>
  shown(
    contentIntervals(tagText(text, reference === undefined ? {} : { reference }).mentions, text),
  );

describe('content clocks', () => {
  it('hold the distinct literal intervals', () => {
    assert.deepEqual(content('Since 2010 she led it, until 2012; in 2010 it grew.'), [
      '2010-01-01..2010-12-31',
      '2012-01-01..2012-12-31',
    ]);
    assert.deepEqual(content('He ruled from 1914 to 1927.'), ['1914-01-01..1927-12-31']);
    assert.deepEqual(content('It opened in May.'), []);
    assert.deepEqual(content('It opened in May.', '2021-06-01'), ['2021-05-01..2021-05-31']);
    assert.deepEqual(content('No time here, in room 1234.'), []);
  });

  it("exclude a report's issue date, unless it is the only one", () => {
    assert.deepEqual(content('Forecast issued January 15, 2022: rain on January 16, 2022.'), [
      '2022-01-16..2022-01-16',
    ]);
    assert.deepEqual(
      content('In an outlook released on March 27, 2022, rain is expected for March 28, 2022.'),
      ['2022-03-28..2022-03-28'],
    );
    assert.deepEqual(content('The report was published in 1998.'), ['1998-01-01..1998-12-31']);
    assert.deepEqual(content('The album was released in 1998 and again in 2008.'), [
      '1998-01-01..1998-12-31',
      '2008-01-01..2008-12-31',
    ]);
  });

  it("exclude the passage's publication date where it only states it next to another", () => {
    const published = Date.UTC(2011, 4, 3, 7);
    const clockOf = (text: string) =>
      shown(contentIntervals(tagText(text).mentions, text, published));
    for (const text of [
      'The harbour office said on 3 May 2011 that the ferry would sail on 9 May 2011.',
      'Update of 3 May 2011: on 9 May 2011 the ferry should sail.',
      'As published on 3 May 2011, the ferry sails on 9 May 2011.',
      'Bulletin of May 3, 2011: no ferry on May 9, 2011.',
      'Harbour office, 3 May 2011: Lohr, 9 May 2011: no ferry.',
      'On 9 May 2011 the ferry stays in port (3 May 2011 update).',
    ])
      assert.deepEqual(clockOf(text), ['2011-05-09..2011-05-09'], text);
    const kept: [string, number][] = [
      ['The harbour office said so on 3 May 2011.', 1],
      ['The harbour office said on 2 May 2011 that the ferry would sail on 9 May 2011.', 2],
      ['The office said on 3 May 2011 that the mill of 1911 was shut.', 2],
      ['By 3 May 2011 there were 40 cases, up from 31 on 2 May 2011.', 2],
      ['3 May 2011: 40 cases, up from 31 on 2 May 2011.', 2],
      ['The ferry sank on 3 May 2011, and will be raised on 9 May 2011.', 2],
    ];
    for (const [text, dates] of kept) assert.equal(clockOf(text).length, dates, text);
  });

  it('exclude the publication date as heading of a passage about another day', async () => {
    const published = Date.UTC(2011, 4, 3, 7);
    const clockOf = async (text: string) => {
      const [tagged] = await tagTimes([text]);
      return contentOfSentences(text, splitSentences(text), tagged!.mentions, published).map(
        (clock) => clock.length,
      );
    };
    assert.deepEqual(
      await clockOf('Outlook of 3 May 2011 for Lohr. On 9 May 2011 expect no ferry.'),
      [0, 1],
    );
    assert.deepEqual(
      await clockOf('Forecast issued 3 May 2011. On 9 May 2011 expect no ferry.'),
      [0, 1],
    );
    assert.deepEqual(await clockOf('Outlook of 3 May 2011 for Lohr. Expect no ferry.'), [1, 0]);
    assert.deepEqual(
      await clockOf('Outlook of 2 May 2011 for Lohr. On 9 May 2011 expect no ferry.'),
      [1, 1],
    );
    const restated = 'On 9 May 2011 no ferry sails. This replaces what was said on 1 May 2011.';
    assert.deepEqual(await clockOf(restated), [1, 0], 'a report before it');
    assert.deepEqual(
      await clockOf('The dam broke on 3 May 2011. It had leaked since 9 April 2011.'),
      [1, 1],
    );
  });

  it('inherit the year within a passage', async () => {
    const text = 'The siege began on 9 May 1914. On 7 August the town fell. Nobody knows why.';
    const [tagged] = await tagTimes([text]);
    const clocks = contentOfSentences(text, splitSentences(text), tagged!.mentions);
    assert.deepEqual(clocks.map(shown), [
      ['1914-05-09..1914-05-09'],
      ['1914-08-07..1914-08-07'],
      [],
    ]);
  });
});
