// Reading against a publication time: weekdays, months and quarters on the side that the sentence
// points to, the periods of reports, and which mode a text is read by.
import assert from 'node:assert/strict';
import { tagText } from '../../lib/time/tagger.js';
import { examples } from './seen.js';

const reference = '1998-02-12'; // a Thursday
const values = (text: string, at = reference) =>
  tagText(text, { mode: 'news', reference: at }).mentions.map(
    (each) => `${each.text}: ${each.timexValue}`,
  );
const first = (text: string, at = reference) =>
  tagText(text, { mode: 'news', reference: at }).mentions[0]?.timexValue;

describe('timetag in news', () => {
  const pointed: [string, string][] = [
    ['The board met Tuesday.', '1998-02-10'],
    ['The board will meet Tuesday.', '1998-02-17'],
    ['The board met Thursday.', '1998-02-12'],
    ['Talks are to resume on Monday.', '1998-02-16'],
    ['A strike has been called for Friday.', '1998-02-13'],
    ['The report, released Friday, was blunt.', '1998-02-06'],
    ['The figures will be released Friday.', '1998-02-13'],
    ["They won't return until Monday.", '1998-02-16'],
    ['On Monday, ministers will decide.', '1998-02-16'],
    ['On Monday, ministers decided.', '1998-02-09'],
    ['They agreed to meet again on Sunday.', '1998-02-15'],
    ['It has stood empty since Saturday.', '1998-02-07'],
    ['He resigned in March.', '1997-03'],
    ['He will resign in March.', '1998-03'],
    ['Prices rose in December.', '1997-12'],
    ['The tour starts in December.', '1998-12'],
    ['It was set up on Aug. 6.', '1997-08-06'],
    ['Snow was possible Saturday.', '1998-02-14'],
    ['The quartet plays in Ghent on Sunday.', '1998-02-15'],
    ['She asked the two rivals to meet on Monday.', '1998-02-16'],
    ['He asked, and rivals came to meet on Monday.', '1998-02-09'],
    ['Fears of a walkout in April grew.', '1998-04'],
    ['The fee is payable April 2.', '1998-04-02'],
    ['It said so in an editorial on Saturday, Feb. 14.', '1998-02-14'],
    ['Rents fell in January.', '1998-01'],
    ['From the start until June 30th, Ulm had counted 40 barges.', '1997-06-30'],
    ['The sum of barges until June 30th was 40.', '1997-06-30'],
    ['The ban, in force until June 30th, was lifted.', '1997-06-30'],
    ['Not until June 30th did he leave.', '1997-06-30'],
    ['She oversaw the works until June 30th.', '1997-06-30'],
    ['They withheld the rent until June 30th.', '1997-06-30'],
    ['The lock will stay closed until June 30th.', '1998-06-30'],
    ['The lock remains closed until June 30th.', '1998-06-30'],
    ['He needs it by Friday, she said.', '1998-02-13'],
    ['They want the lease until June 30th, he said.', '1998-06-30'],
    ['Which night is colder, the one on February 3 or on 5 February?', '1998-02-03'],
    ['Could you find the price on January 26?', '1998-01-26'],
    ['Please find, for February 3, the price.', '1998-02-03'],
    ['The fair is on October 2.', '1998-10-02'],
    ['The fair will be held on February 3.', '1999-02-03'],
    ['Cases of COVID-19 Jun 29, 1997', '1997-06-29'],
    ['It opens this coming Friday.', '1998-02-13'],
    ['It opens next Friday.', '1998-02-20'],
    ['It opens this coming Thursday.', '1998-02-19'],
    ['The polls open when voters go out on March 9.', '1998-03-09'],
    ['He had to go on March 9.', '1997-03-09'],
    ['How low did it go on January 5?', '1998-01-05'],
    ['How high did the river at Ulm go on January 5?', '1998-01-05'],
    ['On January 5, which conditions were there?', '1998-01-05'],
    ['When did the delegates meet in March?', '1997-03'],
    ['It named a new chief, effective April 1.', '1998-04-01'],
    ['The vote was deferred until the fall.', '1998-FA'],
    ['The vote was moved up to March 20.', '1998-03-20'],
    ['The judge gave them until 5 p.m. Friday to reply.', '1998-02-13T17:00'],
    ['She declined to comment Tuesday night, saying a note would come.', '1998-02-10TNI'],
    ['Crude for May delivery rose.', '1998-05'],
    ['The clerk, who announces her choice on Friday, has two sons.', '1998-02-13'],
    ["None admitted blame for Sunday's raid.", '1998-02-08'],
    ["I'll be there this Tuesday.", '1998-02-17'],
    ['I was there this Tuesday.', '1998-02-10'],
    ['Schools reopen on Monday.', '1998-02-16'],
    ['Highs Friday will reach 20.', '1998-02-13'],
    ['November was the wettest month.', '1997-11'],
    ['Rain is due through the weekend.', '1998-W07-WE'],
    ['It rained all weekend.', '1998-W06-WE'],
    ['Can we meet the week of 24 February?', '1998-W09'],
    ['It must fall to zero by mid-century.', '19'],
    ['Stock fell to 20 at year-end 1996.', '1996'],
    ['Sales fell 18% year to date.', '1998'],
    ['The peak is usually in May.', 'XXXX-05'],
    ['The coming Monday is a holiday.', '1998-02-16'],
    ['It opens this coming Wednesday.', '1998-02-18'],
  ];
  for (const [text, value] of pointed)
    it(`${value} in: ${text}`, () => assert.equal(first(text), value));

  const counted: [string, string][] = [
    ['5,000 cases until June 30th', '1998-06-30'],
    ['It is over. 12 confirmed cases in Ulm until June 30th.', '1998-06-30'],
    ['Three tickets until June 30th are left', '1999-06-30'],
    ['The ban holds until June 30th', '1999-06-30'],
  ];
  for (const [text, value] of counted)
    it(`${value} from July 1998 in: ${text}`, () => assert.equal(first(text, '1998-07-05'), value));

  const reports = examples(`
It lost $2 million in the third quarter.
  in the third quarter: 1997-Q3
It posted a third-quarter loss, against a profit a year earlier.
  third-quarter: 1997-Q3; a year earlier: 1996-Q3
For the fourth quarter it earned more. In the quarter, sales rose; in the year-ago quarter they \
fell.
  For the fourth quarter: 1997-Q4; In the quarter: 1997-Q4; in the year-ago quarter: 1996-Q4
It expects to break even in the second quarter.
  in the second quarter: 1998-Q2
In the quarter ended Sept. 30, sales rose.
  In the quarter: 1997-Q3; Sept. 30: 1997-09-30
A charge in the 1996 second quarter hurt.
  in the 1996 second quarter: 1996-Q2
Wages were higher than a year ago.
  a year ago: 1997
Orders rose in the October-December quarter.
  in the October-December quarter: 1997-Q4
First-half profit fell.
  First-half: 1998-H1
It expected 41 cents for the March quarter.
  for the March quarter: 1998-Q1
Q4 revenue rose; the rise in Q3 was small.
  Q4: 1997-Q4; in Q3: 1997-Q3
Q3: What is it? In Q1, a letter.
  In Q1: 1998-Q1
Dues are up from 212 a year ago.
  a year ago: 1997
He scored in the first half of the game and in the first quarter of the town.
Debt should fall by year-end.
  by year-end: 1998
Sales in the current quarter are strong.
  in the current quarter: 1998-Q1
`);
  for (const [text, expected] of reports)
    it(`reads the periods of: ${text}`, () => assert.deepEqual(values(text), expected));

  const words = examples(`
He spoke early Monday and late yesterday.
  early Monday: 1998-02-09; late yesterday: 1998-02-11
It closed earlier this month and opens later this year.
  earlier this month: 1998-02; later this year: 1998
They will vote early next year, or by the end of the year.
  early next year: 1999; by the end of the year: 1998
It has rained since the weekend.
  since the weekend: 1998-W06-WE
Troops moved over the weekend.
  over the weekend: 1998-W06-WE
Snow could fall by the weekend.
  by the weekend: 1998-W07-WE
They meet again two weeks from now.
  two weeks from now: 1998-W09
It lost money in fiscal 1996 and in June last year.
  in fiscal 1996: 1996; in June last year: 1997-06
In January this year he left.
  In January this year: 1998-01
He met with Hale Sunday. The Sunday Times saw him.
  Sunday: 1998-02-08
Rates fell for much of July. The January figures and those for December will follow.
  for much of July: 1997-07; January: 1998-01; for December: 1997-12
It fell due to its third-quarter loss.
  third-quarter: 1997-Q3
A service will be held at 11 a.m. Saturday.
  at 11 a.m. Saturday: 1998-02-14T11:00
Shares rose from a low set on Aug. 6.
  on Aug. 6: 1997-08-06
He needs it by the end of November, in the coming weeks.
  by the end of November: 1998-11; the coming weeks: FUTURE_REF
Her first book came in 1938. She died Wednesday; two years later, she said then, she was free.
  in 1938: 1938; Wednesday: 1998-02-11; two years later: 1940
They met Monday and voted the next day.
  Monday: 1998-02-09; the next day: 1998-02-10
The previous day it had rained.
  The previous day: 1998-02-11
He left almost two years ago.
  almost two years ago: 1996
"This Week With Hale" is on.
It struck at 3:04 p.m. (0704 GMT) on Saturday.
  at 3:04 p.m.: 1998-02-07T15:04; 0704 GMT: 1998-02-07T07:04; on Saturday: 1998-02-07
For the year, sales rose. For the full year, it expects more. It was the third in as many weeks.
  For the year: 1997; For the full year: 1998
It sold 30-year bonds. He spoke on "60 Minutes".
In the second half of the year, growth should slow. The first half of the year was weak.
  In the second half of the year: 1998-H2; The first half of the year: 1998-H1
The panel meets again Tuesday.
  Tuesday: 1998-02-17
One day he will sing again. One day he sang.
  One day: FUTURE_REF
There is no plan at the moment. He fell at the moment of victory.
  the moment: PRESENT_REF
He came later in the day; over the years he had changed.
  in the day: 1998-02-12; the years: PXY
A quarter-century ago it closed; two summers ago it opened.
  A quarter-century ago: 1973; two summers ago: 1996-SU
It will open in the first week of March.
  in the first week of March: 1998-W10
The term opens on the first Monday in October.
  on the first Monday in October: 1998-10-05
The tank burst on Feb. 3, the mayor said Wednesday. Two days later it was mended.
  on Feb. 3: 1998-02-03; Wednesday: 1998-02-11; Two days later: 1998-02-05
The boat left at 10 p.m. Tuesday and sank three hours later.
  at 10 p.m. Tuesday: 1998-02-10T22:00; three hours later: 1998-02-11T01:00
It left at 5 p.m. Tuesday. It called at 10 p.m., and help came three hours later.
  at 5 p.m. Tuesday: 1998-02-10T17:00; at 10 p.m.: 1998-02-10T22:00; three hours later: \
1998-02-11T01:00
They walked out and may be back by Easter. Pickets formed at 6 a.m.
  by Easter: 1998-04-12; at 6 a.m.: 1998-02-12T06:00
The probe arrives next August and lands two months later.
  next August: 1998-08; two months later: 1998-10
They broke in on Dec. 2. A guard heard them at 3:10 a.m.
  on Dec. 2: 1997-12-02; at 3:10 a.m.: 1997-12-02T03:10
They broke in on Dec. 2. "I get up at 5 a.m.," he said.
  on Dec. 2: 1997-12-02; at 5 a.m.: 1998-02-12T05:00
It grew in the third quarter. In January, rents stood above those of a year ago.
  in the third quarter: 1997-Q3; In January: 1998-01; a year ago: 1997
It was shut just months before the vote. She was soon at work.
  months: PXM
May Hale and April Dunn sang in the spring.
  in the spring: 1997-SP
`);
  for (const [text, expected] of words)
    it(`reads the words of: ${text}`, () => assert.deepEqual(values(text), expected));

  it(
    'chooses news for weekdays and words counted from today, narrative for years far from ' +
      'the reference',
    () => {
      const mode = (text: string, at?: string) =>
        tagText(text, at === undefined ? {} : { reference: at }).mode;
      assert.equal(
        mode(
          'She died Wednesday. Born in 1912, she taught until 1946 and married in 1948.',
          '1996-02-15',
        ),
        'news',
      );
      assert.equal(
        mode(
          'The cellist died on Monday. She was born in 1912, in 1930 she left home, in 1934 ' +
            'she married, in 1941 she fled, and in 1950 she returned.',
          '1996-02-15',
        ),
        'news',
      );
      assert.equal(
        mode(
          'The war began in 1914. In 1916 a second front was opened, and in 1918 it ended.',
          '2009-12-19',
        ),
        'narrative',
      );
      assert.equal(mode('It opened in May.', '1996-02-15'), 'news');
      assert.equal(mode('It opened in May.'), 'narrative');
      assert.equal(mode('Hannibal crossed in 218 BC.', '2009-12-19'), 'narrative');
      assert.equal(
        mode(
          'Edmar was crowned in 612. That same day the rebels struck; he reigned until 641.',
          '2009-12-19',
        ),
        'narrative',
      );
      assert.equal(mode('The toll was 612 in 700 cases.', '2009-12-19'), 'news');
    },
  );
});
