// Questions about the events of a period, closed or open at its end,
// with the days that bound it; written by hand.
import { cases } from './shared.js';

export const inCases = cases('in', [
  ['which mergers were completed in 2014', { from: '2014-01-01', to: '2014-12-31' }],
  ['Back in 2007, what did a kilo of saffron sell for?', { from: '2007-01-01', to: '2007-12-31' }],
  ['How much rain fell in Bergen during November 2005?', { from: '2005-11-01', to: '2005-11-30' }],
  ['q3 2021 revenue nokia', { from: '2021-07-01', to: '2021-09-30' }],
  [
    'I am writing a paper on the strikes. Which unions walked out in the month of May 1968?',
    { from: '1968-05-01', to: '1968-05-31' },
  ],
  [
    'Over the course of 2018, how many patients were enrolled?',
    { from: '2018-01-01', to: '2018-12-31' },
  ],
  [
    'Which species were described in the nineteen-nineties?',
    { from: '1990-01-01', to: '1999-12-31' },
  ],
  ['Who won the tournament held in July 1998?', { from: '1998-07-01', to: '1998-07-31' }],
  ['What happened in Paris on 14 July 1789?', { from: '1789-07-14', to: '1789-07-14' }],
  ['average rent in dublin in the year 2003', { from: '2003-01-01', to: '2003-12-31' }],
  [
    'In the first half of 2019, how many units did the plant turn out?',
    { from: '2019-01-01', to: '2019-06-30' },
  ],
  ['What were the harvest yields throughout 1976?', { from: '1976-01-01', to: '1976-12-31' }],
  [
    'Would you tell me which bugs were fixed in February 2016?',
    { from: '2016-02-01', to: '2016-02-29' },
  ],
  [
    'which laws did parliament pass last year',
    { from: '2019-01-01', to: '2019-12-31', askedAt: '2020-05-20' },
  ],
  [
    'How many visitors came last month?',
    { from: '2022-08-01', to: '2022-08-31', askedAt: '2022-09-14' },
  ],
  ['who called yesterday?', { from: '2021-02-28', to: '2021-02-28', askedAt: '2021-03-01' }],
  ['Remind me where we went on holiday in August 2011.', { from: '2011-08-01', to: '2011-08-31' }],
  ['2016-09 outage report', { from: '2016-09-01', to: '2016-09-30' }],
  ['Dividends paid within the 2010 calendar year?', { from: '2010-01-01', to: '2010-12-31' }],
  ['Which bridges were built in the 1930s?', { from: '1930-01-01', to: '1939-12-31' }],
  ['fourth quarter 2008 job losses', { from: '2008-10-01', to: '2008-12-31' }],
  [
    'In the second half of 2009, which airlines went bankrupt?',
    { from: '2009-07-01', to: '2009-12-31' },
  ],
  ["How many goals did Pelé score in '58?", { from: '1958-01-01', to: '1958-12-31' }],
  [
    'It must have been in October 1962: which ships turned back?',
    { from: '1962-10-01', to: '1962-10-31' },
  ],
  ['What did the senate debate on 06/25/2013?', { from: '2013-06-25', to: '2013-06-25' }],
  ['Which patents were filed at any point in 1999?', { from: '1999-01-01', to: '1999-12-31' }],
]);

export const betweenCases = cases('between', [
  ['which popes reigned between 1800 and 1850', { from: '1800-01-01', to: '1850-12-31' }],
  [
    'From May through August 2018, what was the mean temperature in Stockholm?',
    { from: '2018-05-01', to: '2018-08-31' },
  ],
  ['List the CEOs from 1995 to 2005.', { from: '1995-01-01', to: '2005-12-31' }],
  [
    'How often was the constitution amended between 3 March 1990 and 12 June 1994?',
    { from: '1990-03-03', to: '1994-06-12' },
  ],
  ['bitcoin price 2017-2019', { from: '2017-01-01', to: '2019-12-31' }],
  [
    "I'd like to learn who taught physics there from 1921 until 1933, both included.",
    { from: '1921-01-01', to: '1933-12-31' },
  ],
  [
    'Which papers did the group publish in the period 2001 to 2004?',
    { from: '2001-01-01', to: '2004-12-31' },
  ],
  [
    'During the years 1914 to 1918, which newspapers were censored?',
    { from: '1914-01-01', to: '1918-12-31' },
  ],
  ['steel output anywhere between january and june 1950', { from: '1950-01-01', to: '1950-06-30' }],
  [
    'In the window from 10 to 20 April 2016, which servers went down?',
    { from: '2016-04-10', to: '2016-04-20' },
  ],
  [
    'Which clubs did he play for from 2003 up to and including 2009?',
    { from: '2003-01-01', to: '2009-12-31' },
  ],
  [
    'What treatments did the patient get over the span 2012-03-01 to 2012-09-30?',
    { from: '2012-03-01', to: '2012-09-30' },
  ],
  [
    'Kindly name the ambassadors who served in the years between 1970 and 1979, inclusive.',
    { from: '1970-01-01', to: '1979-12-31' },
  ],
  ['tax brackets 1986–1993', { from: '1986-01-01', to: '1993-12-31' }],
  [
    'Starting 1 July 2015 and ending 31 December 2015, what did we spend on travel?',
    { from: '2015-07-01', to: '2015-12-31' },
  ],
  [
    'Which ferries ran somewhere from March 2020 to June 2020?',
    { from: '2020-03-01', to: '2020-06-30' },
  ],
  [
    'remind me which projects I worked on between september 2008 and may 2010',
    { from: '2008-09-01', to: '2010-05-31' },
  ],
  [
    'The diary covers 4 to 19 February 1945; which towns does she mention?',
    { from: '1945-02-04', to: '1945-02-19' },
  ],
  [
    'How many hurricanes made landfall in the interval 1980-1989?',
    { from: '1980-01-01', to: '1989-12-31' },
  ],
  [
    'Which emperors ruled from AD 1500 to AD 1550 in Ethiopia?',
    { from: '1500-01-01', to: '1550-12-31' },
  ],
  [
    'What was announced no earlier than 5 June 2017 and no later than 9 June 2017?',
    { from: '2017-06-05', to: '2017-06-09' },
  ],
  ['Who was on the ward from 2 till 6 January 2021?', { from: '2021-01-02', to: '2021-01-06' }],
  [
    'between the beginning of 2011 and the end of 2013, which startups got funded',
    { from: '2011-01-01', to: '2013-12-31' },
  ],
  [
    'Prices for copper, first quarter 2005 to third quarter 2005?',
    { from: '2005-01-01', to: '2005-09-30' },
  ],
  ['What films came out across 1939 to 1941?', { from: '1939-01-01', to: '1941-12-31' }],
  [
    'In the stretch of time from Q2 2020 to Q1 2021, who led the sales table?',
    { from: '2020-04-01', to: '2021-03-31' },
  ],
  [
    'after 31 march 2014 but before 1 october 2014, which trains were delayed',
    { from: '2014-04-01', to: '2014-09-30' },
  ],
]);

export const sinceCases = cases('since', [
  ['which countries have joined the eu since 2004', { from: '2004-01-01' }],
  ['What has changed in the contract since 15 May 2018?', { from: '2018-05-15' }],
  ['From 2012 onwards, which coaches has the team had?', { from: '2012-01-01' }],
  ['List every recall issued after 2015.', { from: '2016-01-01' }],
  ['All price increases from 1 April 2021 on, please.', { from: '2021-04-01' }],
  ['How many people have climbed it ever since 1953?', { from: '1953-01-01' }],
  ['security advisories published since march 2022', { from: '2022-03-01' }],
  ['I was abroad for a while: what laws have come in since October 2019?', { from: '2019-10-01' }],
  ['Since the start of 2008, which banks have been nationalised?', { from: '2008-01-01' }],
  ['Starting from June 2010, who has been editing the newsletter?', { from: '2010-06-01' }],
  ['What papers has she written from 1998 to the present?', { from: '1998-01-01' }],
  ['which volcanoes erupted after 31 december 1999', { from: '2000-01-01' }],
  ['Could I see all the invoices dated 1 September 2020 or later?', { from: '2020-09-01' }],
  ['As from 6 April 2009, which allowances were abolished?', { from: '2009-04-06' }],
  ['Name the champions from 1970 until now.', { from: '1970-01-01' }],
  ['Show commits no older than 2021-07-01.', { from: '2021-07-01' }],
  ['everything reported broken on the lift since 12 february 2014', { from: '2014-02-12' }],
  ['remind me what operations I have had from 2005 on', { from: '2005-01-01' }],
  ['Which of the treaties were signed on or after 24 October 1945?', { from: '1945-10-24' }],
  ['Elections held beginning in 1994: which turnout figures do we have?', { from: '1994-01-01' }],
  ['How many albums did they release later than 1985?', { from: '1986-01-01' }],
  ['going forward from August 2016, which routes were dropped?', { from: '2016-08-01' }],
  ['What have we heard from him since 3 January?', { from: '2019-01-03', askedAt: '2019-03-10' }],
  ['Exoplanets found since the beginning of 2010, please', { from: '2010-01-01' }],
]);
