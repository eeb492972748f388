// Times of questions, read by the day of asking: spoken and abbreviated dates, offsets, slips of
// spelling, and what only looks like a time.
import assert from 'node:assert/strict';
import { tagQuestion } from '../../lib/time/tagger.js';

const asked = Date.UTC(1998, 1, 12, 12); // a Thursday
const dayOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);
/** "words: first day..last day" of every mention with an interval. */
const times = (question: string, reference = asked): string[] =>
  tagQuestion(question, reference).flatMap(({ text, interval }) => {
    if (!interval) return [];
    const [first, last] = [dayOf(interval.start), dayOf(interval.end - 1)];
    return `${text}: ${first}${last === first ? '' : `..${last}`}`;
  });

/** Questions with the times that are read in them. */
const tables: Record<string, [question: string, ...times: string[]][]> = {
  'reads years, days and weeks that are spoken': [
    [
      'Who ran the mill in nineteen eighty-four?',
      'in nineteen eighty-four: 1984-01-01..1984-12-31',
    ],
    ['Who ran it in two thousand and eight?', 'in two thousand and eight: 2008-01-01..2008-12-31'],
    ['Which kilns burnt since eighteen twelve?', 'since eighteen twelve: 1812-01-01..1812-12-31'],
    ['What changed in twenty sixteen?', 'in twenty sixteen: 2016-01-01..2016-12-31'],
    ['Who won back in oh-nine?', 'in oh-nine: 1909-01-01..1909-12-31'],
    ['Who drew it around ten sixty-six?', 'around ten sixty-six: 1066-01-01..1066-12-31'],
    [
      'Which laws held on the third of March two thousand and eight?',
      'on the third of March two thousand and eight: 2008-03-03',
    ],
    [
      'What failed on December thirty-first nineteen ninety-nine?',
      'on December thirty-first nineteen ninety-nine: 1999-12-31',
    ],
    [
      'From the fifteenth of November to the thirty-first of January, who slept there?',
      'From the fifteenth of November to the thirty-first of January: 1997-11-15..1998-01-31',
    ],
    [
      'Which barge left in the summer of seventy-one?',
      'in the summer of seventy-one: 1971-06-01..1971-08-31',
    ],
    ['Who was ill in week five of this year?', 'in week five of this year: 1998-01-26..1998-02-01'],
    [
      'Who met between the ninth and the twelfth of June nineteen ten?',
      'between the ninth and the twelfth of June nineteen ten: 1910-06-09..1910-06-12',
    ],
  ],
  'reads abbreviated dates': [
    ["Who won the '48 election?", "the '48: 1948-01-01..1948-12-31"],
    ["Which songs of the '80s were banned?", "the '80s: 1980-01-01..1989-12-31"],
    ['log of 21/Aug/1997', '21/Aug/1997: 1997-08-21'],
    ['faults since Aug/1997', 'since Aug/1997: 1997-08-01..1997-08-31'],
    ['Which notes of 1997-05-09 14:35 UTC are lost?', '1997-05-09 14:35: 1997-05-09'],
    ['sales 1996-Q3', '1996-Q3: 1996-07-01..1996-09-30'],
    ['sales FY1997Q1', 'FY1997Q1: 1997-01-01..1997-03-31'],
    [
      'What was lost in the second fiscal quarter of 1997?',
      'in the second fiscal quarter of 1997: 1997-04-01..1997-06-30',
    ],
    ['flow 1997-W27/W30', '1997-W27/W30: 1997-06-30..1997-07-27'],
    ['flow wk 13–15 1997', 'wk 13–15 1997: 1997-03-24..1997-04-13'],
    ['Was it wet 08.02. – 11.02.1997?', '08.02. – 11.02.1997: 1997-02-08..1997-02-11'],
    ['Who slept there on 29/30 September?', 'on 29/30 September: 1997-09-29..1997-09-30'],
    ['Which boats came 3 to 9 June?', '3 to 9 June: 1997-06-03..1997-06-09'],
    ['report before 01.11.97', 'before 01.11.97: 1997-11-01'],
    ['strikes 10.1988–12.1989', '10.1988–12.1989: 1988-10-01..1989-12-31'],
    ['fee on 17.XI.1995', 'on 17.XI.1995: 1995-11-17'],
    [
      "Who served in 1971, '72 and '75?",
      'in 1971: 1971-01-01..1971-12-31',
      "'72: 1972-01-01..1972-12-31",
      "'75: 1975-01-01..1975-12-31",
    ],
    ['between Q1 and Q3 1996, who paid?', 'between Q1 and Q3 1996: 1996-01-01..1996-09-30'],
    ['hotels 1991..1995', '1991..1995: 1991-01-01..1995-12-31'],
    [
      'lists of the 2nd, 9th and 16th of November',
      'the 2nd: 1997-11-02',
      '9th: 1997-11-09',
      '16th of November: 1997-11-16',
    ],
  ],
  'resolves dates without a year by the day of asking': [
    ['What fell in May?', 'in May: 1997-05-01..1997-05-31'],
    ['What will open in May?', 'in May: 1998-05-01..1998-05-31'],
    ['what fell in may?', 'in may: 1997-05-01..1997-05-31'],
    ['who may open it?'],
    ['Who called on the 28th?', 'on the 28th: 1998-01-28'],
    ['what broke last friday?', 'last friday: 1998-02-06'],
    ['what broke on tuesday?', 'on tuesday: 1998-02-10'],
    ['Who called on Tuesday the 3rd?', 'on Tuesday the 3rd: 1998-02-03'],
    ['What broke the Tuesday before last?', 'the Tuesday before last: 1998-02-03'],
    ['What broke in the week just gone?', 'in the week just gone: 1998-02-02..1998-02-08'],
    ['what did we pay since easter?', 'since easter: 1997-03-30'],
    ['Who sang at christmas?', 'christmas: 1997-12-25'],
    ["Who wrote on New Year's Eve 1996?", "on New Year's Eve 1996: 1996-12-31"],
    [
      'In nineteen eighty-four, who won in August?',
      'In nineteen eighty-four: 1984-01-01..1984-12-31',
      'in August: 1984-08-01..1984-08-31',
    ],
  ],
  'counts from the day of asking': [
    ['Who called the day before yesterday?', 'the day before yesterday: 1998-02-10'],
    ['Who ruled a decade ago?', 'a decade ago: 1988-01-01..1988-12-31'],
    ['Who ruled three years ago?', 'three years ago: 1995-01-01..1995-12-31'],
    ['Who ruled three years ago today?', 'three years ago today: 1995-02-12'],
    ['What broke in the past three months?', 'in the past three months: 1997-11-13..1998-02-12'],
    ['What broke over the last fortnight?', 'over the last fortnight: 1998-01-30..1998-02-12'],
    ['What broke in the last 24 hours?', 'in the last 24 hours: 1998-02-11..1998-02-12'],
    ['What opens in the next two weeks?', 'in the next two weeks: 1998-02-13..1998-02-26'],
    ['What broke in the last calendar year?', 'in the last calendar year: 1997-01-01..1997-12-31'],
    ['What was sold in the past quarter?', 'in the past quarter: 1997-11-13..1998-02-12'],
    ['Who sang this spring?', 'this spring: 1998-03-01..1998-05-31'],
  ],
  'counts from dates': [
    ['Who ruled two years before 2010?', 'two years before 2010: 2008-01-01..2008-12-31'],
    [
      'What was current two years before May 2010?',
      'two years before May 2010: 2008-05-01..2008-05-31',
    ],
    ['Who ruled half a century before 2000?', 'half a century before 2000: 1950-01-01..1950-12-31'],
    [
      'Which lakes froze a quarter of a century after 1960?',
      'a quarter of a century after 1960: 1985-01-01..1985-12-31',
    ],
    ['What was owed half a year after 1 May 1997?', 'half a year after 1 May 1997: 1997-11-01'],
    ['What was owed six months ahead of 1 May 1997?', 'six months ahead of 1 May 1997: 1996-11-01'],
    [
      'Who was mayor four years to the day before 28 June 1918?',
      'four years to the day before 28 June 1918: 1914-06-28',
    ],
    ['What opened a week after 3 May 1997?', 'a week after 3 May 1997: 1997-05-10'],
    ['Who won the year after 1995?', 'the year after 1995: 1996-01-01..1996-12-31'],
    [
      'Who led in the six months to 30 June 1997?',
      'in the six months to 30 June 1997: 1997-01-01..1997-06-30',
    ],
    [
      'Who slept here in the fortnight beginning 9 August 1997?',
      'in the fortnight beginning 9 August 1997: 1997-08-09..1997-08-22',
    ],
    ['Who called on the eve of 22 December 1997?', 'on the eve of 22 December 1997: 1997-12-21'],
    ['Who ruled by the end of 1965?', 'by the end of 1965: 1965-01-01..1965-12-31'],
  ],
  'forgives a slip of spelling': [
    ['Who won in Febuary 1931?', 'in Febuary 1931: 1931-02-01..1931-02-28'],
    ['Who called yestreday?', 'yestreday: 1998-02-11'],
    ['who won lsat yaer?', 'lsat yaer: 1997-01-01..1997-12-31'],
    ['wat fell betwen 1607 and 1681?', 'betwen 1607 and 1681: 1607-01-01..1681-12-31'],
    [
      'sales in the secound quater of 1996',
      'in the secound quater of 1996: 1996-04-01..1996-06-30',
    ],
    ['untill 30 Novmber 1997', 'untill 30 Novmber 1997: 1997-11-30'],
    ['which tram ran on Thrusday?', 'on Thrusday: 1998-02-12'],
    ['who sang in the eightys?', 'in the eightys: 1980-01-01..1989-12-31'],
  ],
  'takes no neighbours of its words for them': [
    ['Who drained the marsh?'],
    ['Why does the string break?'],
    ['Who is Steven Winter-Jones?'],
    ['Who decided on the decode step?'],
    ['Which sprint was that?'],
    ['Who called Augusta?'],
    ['Who wrote Nineteen Eighty-Four?'],
  ],
  'reads no times in identifiers': [
    ['Who found CVE-2022-24839?'],
    ['What says RFC 2119?'],
    ['Who voted for HR-254?'],
    ['Which fault had the 737 MAX 8?'],
    ['What does ISO 8601:2004 say?'],
    ['Which kernel came after 2.6.39?'],
    ['Who chairs the W3C?'],
    ['Does the tour last four hours?'],
  ],
};

describe('timetag in questions', () => {
  for (const [title, read] of Object.entries(tables))
    it(title, () => {
      for (const [question, ...expected] of read) assert.deepEqual(times(question), expected);
    });

  it('reads years before Christ', () => {
    assert.equal(tagQuestion('Which kings ruled in 44 BC?', asked)[0]?.timexValue, 'BC0044');
  });

  it('gives the words of the question, not those that it reads them as', () => {
    const question = 'who won in febuary nineteen eighty-four, or in may two thousand?';
    for (const { start, end, text, timexes } of tagQuestion(question, asked)) {
      assert.equal(question.slice(start, end), text);
      for (const timex of timexes) assert.ok(timex.start >= start && timex.end <= end);
    }
  });

  it('reads long questions in a time that is linear in their length', () => {
    const question = (words: string, count: number) => words.repeat(count);
    for (const words of ['two years before ', 'the 1st, ', 'Q1 and ', 'week 3, ', 'nineteen ']) {
      const started = process.hrtime.bigint();
      tagQuestion(question(words, 20_000), asked);
      assert.ok(process.hrtime.bigint() - started < 5_000_000_000n, words);
    }
  });
});
