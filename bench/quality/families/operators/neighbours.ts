// Questions about the neighbour of a moment: the last before it, the first after it,
// or a moment some days, months or years earlier; written by hand.
import { cases } from './shared.js';

export const lastBeforeCases = cases('last_before', [
  ['last prime minister before 1 May 1997', { to: '1997-04-30' }],
  ['Which release of Debian came out last before 2010?', { to: '2009-12-31' }],
  ['Who had the post immediately preceding Kofi Annan as UN Secretary-General?'],
  ['the price list immediately preceding 1 March 2019, please', { to: '2019-02-28' }],
  ['What was the most recent rate change prior to June 2006?', { to: '2006-05-31' }],
  ['Which storm was the last to hit Galveston before September 1900?', { to: '1900-08-31' }],
  ['What was the final quote we received no later than 15 March 2021?', { to: '2021-03-15' }],
  ['most recent blood test up to and including march 2022', { to: '2022-03-31' }],
  ['In the run-up to 1 November 2012, what was the last opinion poll?', { to: '2012-10-31' }],
  ['I have to cite the edition that last appeared before 1 January 1995.', { to: '1994-12-31' }],
  ['Who was the last Ottoman sultan prior to 1876?', { to: '1875-12-31' }],
  [
    'Which amendment was the latest to be passed on or before 12 December 2007?',
    { to: '2007-12-12' },
  ],
  [
    'What had been the most recent quarterly dividend ahead of 20 April 2018?',
    { to: '2018-04-19' },
  ],
  ['Who was the predecessor of Angela Merkel as chancellor?'],
  ['Before 2000, which Olympics was the last to be held in Asia?', { to: '1999-12-31' }],
  ['remind me which tenant lived there right before July 2015', { to: '2015-06-30' }],
  ['the last album they made leading up to 1980', { to: '1979-12-31' }],
  ['Which drug label was issued most recently before 9 January 2014?', { to: '2014-01-08' }],
  ['what was the last earthquake in chile earlier than 2010-02-27', { to: '2010-02-26' }],
  ['Could you look up the last inspection that took place by 30 June 2011?', { to: '2011-06-30' }],
  ['Which address did they use just before 1 August 2003?', { to: '2003-07-31' }],
  ['Prior to 2016, what was the last time-zone change in Turkey?', { to: '2015-12-31' }],
  ["Who was boss of Ferrari's racing team just before Jean Todt?"],
  ['newest firmware dated not after 31 October 2017', { to: '2017-10-31' }],
  ['The latest chess world champion crowned before 1972: who was that?', { to: '1971-12-31' }],
  ['What was the share price at the last close before 19 October 1987?', { to: '1987-10-18' }],
]);

export const firstAfterCases = cases('first_after', [
  ['first election after 8 May 1945', { from: '1945-05-09' }],
  ['Which version was the first to come out after 2018?', { from: '2019-01-01' }],
  ['Who was the next pope after Pius XII?'],
  ['What is the one that came next after the Peugeot 205?'],
  ['next solar eclipse visible in spain after 12 august 2026', { from: '2026-08-13' }],
  ['Which dividend was paid next following 31 March 2016?', { from: '2016-04-01' }],
  [
    "I'd like to know which law was the earliest to be enacted after April 1986.",
    { from: '1986-05-01' },
  ],
  ['Who succeeded Alex Ferguson as manager of Manchester United?'],
  ['Once 2007 was over, what was the first bank to fail?', { from: '2008-01-01' }],
  ['What was the first patch published later than 14 May 2017?', { from: '2017-05-15' }],
  ['Starting on 1 July 2011, which was the first case heard?', { from: '2011-07-01' }],
  ['their opening match, the first one on or after 10 August 2013', { from: '2013-08-10' }],
  ['Who was hired next once February 2020 had ended?', { from: '2020-03-01' }],
  ['immediate successor of Boutros Boutros-Ghali'],
  ['earliest measurement subsequent to 2 June 1998', { from: '1998-06-03' }],
  ['We lost the records of that year. What is the first entry after 1944?', { from: '1945-01-01' }],
  ['remind me of the next landing on the moon after 20 July 1969', { from: '1969-07-21' }],
  ['Which comet was discovered next, after 30 September 1996?', { from: '1996-10-01' }],
  ['What was the first increase of the toll following 1 January 2004?', { from: '2004-01-02' }],
  ['From 15 October 2010 onward, what is the earliest letter we have?', { from: '2010-10-15' }],
  ['Which is the first free appointment no earlier than 3 March 2015?', { from: '2015-03-03' }],
  ['Which film did Kubrick make straight after Barry Lyndon?'],
  ['After the end of 1990, which republic declared independence first?', { from: '1991-01-01' }],
  ['What came right after Windows Vista?'],
  ['Please find the first MRI scan taken after 2021-11-05.', { from: '2021-11-06' }],
  ['Who took over from Steve Jobs at Apple?'],
  ['soonest meeting after 24 june 2019', { from: '2019-06-25' }],
  ['Which judge was the first to be appointed past December 2012?', { from: '2013-01-01' }],
]);

export const beforeOffsetCases = cases('before_offset', [
  ['who led the party two years before 2015', { from: '2013-01-01', to: '2013-12-31' }],
  [
    'What was the oil price one year earlier than 12 May 2010?',
    { from: '2009-05-12', to: '2009-05-12' },
  ],
  [
    'Three months prior to March 2020, how many staff did the hotel employ?',
    { from: '2019-12-01', to: '2019-12-31' },
  ],
  ['A decade before 1994, who chaired the institute?', { from: '1984-01-01', to: '1984-12-31' }],
  [
    'the day before 9 november 1989, who headed the politburo?',
    { from: '1989-11-08', to: '1989-11-08' },
  ],
  [
    'What was her weight six months before 15 September 2021?',
    { from: '2021-03-15', to: '2021-03-15' },
  ],
  [
    "I'd like to compare: what did the paper cost five years ahead of 1980?",
    { from: '1975-01-01', to: '1975-12-31' },
  ],
  ['glacier length 50 years before 2000', { from: '1950-01-01', to: '1950-12-31' }],
  ['What was the headcount a week before 30 June 2017?', { from: '2017-06-23', to: '2017-06-23' }],
  ['Who was world champion the year before 1972?', { from: '1971-01-01', to: '1971-12-31' }],
  [
    'remind me what the rent was the month before January 2016',
    { from: '2015-12-01', to: '2015-12-31' },
  ],
  ['Two days before 1 March 2012, where was the ship?', { from: '2012-02-28', to: '2012-02-28' }],
  [
    'ten years ago, who was mayor of this town?',
    { from: '2013-06-15', to: '2013-06-15', askedAt: '2023-06-15' },
  ],
  [
    'What was the exchange rate exactly a year ago?',
    { from: '2018-04-03', to: '2018-04-03', askedAt: '2019-04-03' },
  ],
  [
    'which server ran the mail a fortnight before 20 August 2014',
    { from: '2014-08-06', to: '2014-08-06' },
  ],
  [
    'Going back 25 years from 2010, which companies were in the index?',
    { from: '1985-01-01', to: '1985-12-31' },
  ],
  [
    'Half a year before 1 July 2008, what was the interest on the loan?',
    { from: '2008-01-01', to: '2008-01-01' },
  ],
  [
    'What did the village look like a century before 1966?',
    { from: '1866-01-01', to: '1866-12-31' },
  ],
  [
    'One quarter before Q2 2019, how much did the unit earn?',
    { from: '2019-01-01', to: '2019-03-31' },
  ],
  [
    'Twelve months earlier than October 2011, what was the unemployment rate?',
    { from: '2010-10-01', to: '2010-10-31' },
  ],
  [
    'The contract ended on 30 April 2019. What did it cost 18 months before 30 April 2019?',
    { from: '2017-10-30', to: '2017-10-30' },
  ],
  [
    'Could you check who played lead guitar four years previous to 1978?',
    { from: '1974-01-01', to: '1974-12-31' },
  ],
  [
    '20 years back from 17 July 2007, who edited the journal?',
    { from: '1987-07-17', to: '1987-07-17' },
  ],
  [
    'Ninety days before 31 december 2020, what was the balance?',
    { from: '2020-10-02', to: '2020-10-02' },
  ],
  [
    'Which treatment was standard thirty years before 2005?',
    { from: '1975-01-01', to: '1975-12-31' },
  ],
  [
    'what was the weather like 3 days ago',
    { from: '2022-01-28', to: '2022-01-28', askedAt: '2022-01-31' },
  ],
]);
