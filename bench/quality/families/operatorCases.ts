// Hand-written questions of many domains and registers, each with its operator on time and the days
// that bound its answer, to test readers of questions.

/** A question, its operator on time and the days that bound the time of its answer. */
export interface OperatorCase {
  text: string;
  askedAt?: string;
  operator:
    | 'as_of'
    | 'current'
    | 'latest'
    | 'first'
    | 'last_before'
    | 'first_after'
    | 'in'
    | 'between'
    | 'before_offset'
    | 'since'
    | 'until'
    | 'when'
    | 'none';
  /** Inclusive ISO days; absent where the question does not fix them. */
  from?: string;
  to?: string;
}

type Bounds = Pick<OperatorCase, 'from' | 'to' | 'askedAt'>;

/** Cases of one operator from their texts and bounds. */
function cases(
  operator: OperatorCase['operator'],
  questions: readonly (readonly [text: string, bounds?: Bounds])[],
): OperatorCase[] {
  return questions.map(([text, bounds]) => ({ text, operator, ...bounds }));
}

const asOfCases = cases('as_of', [
  ['who was captain of Liverpool FC as of 14 August 2011?', { to: '2011-08-14' }],
  ['population of Lisbon as of 1 January 2018', { to: '2018-01-01' }],
  [
    'As things stood when 2019 ended, how many countries had ratified the Kigali Amendment?',
    { to: '2019-12-31' },
  ],
  ['electric car registrations norway total by end of 2016', { to: '2016-12-31' }],
  [
    "I'm reconciling old ledgers: what did the base lending rate stand at on 30 September 2008?",
    { to: '2008-09-30' },
  ],
  [
    'Could you tell me which speed limit applied on that stretch on 3 May 2014?',
    { to: '2014-05-03' },
  ],
  ['remind me who was running the treasury at the close of 1997', { to: '1997-12-31' }],
  ['By the time of 30 June 2010, how many members did the consortium have?', { to: '2010-06-30' }],
  ['What did a first-class stamp cost at the beginning of April 2012?', { to: '2012-04-01' }],
  ['on the evening of 31 december 1999 who was president of russia?', { to: '1999-12-31' }],
  ['How many moons of Saturn were known by 1 January 2005?', { to: '2005-01-01' }],
  ['I need the list of board members as at 31 March 2020.', { to: '2020-03-31' }],
  [
    'State of play on 12 October 2023: which regions still had hosepipe bans?',
    { to: '2023-10-12' },
  ],
  [
    'who held the marathon world record at the turn of the millennium, i.e. on 1 January 2000',
    { to: '2000-01-01' },
  ],
  ['Which version of the building code was in force on 15 July 2009?', { to: '2009-07-15' }],
  ['Per the position at 5 April 2016, what was the personal allowance?', { to: '2016-04-05' }],
  ['On the day of 8 November 2016, who was the governor of Indiana?', { to: '2016-11-08' }],
  [
    'what was the recommended dose of this vaccine for children back then, on 2 february 2006?',
    { to: '2006-02-02' },
  ],
  ['Who was married to Elizabeth Taylor on 1 March 1966?', { to: '1966-03-01' }],
  ['When the Berlin Wall fell, who was the mayor of West Berlin?'],
  ['who owned the Daily Telegraph when the Titanic sank'],
  ["At the time Lehman Brothers collapsed, what was the Fed's target rate?"],
  [
    'Please state the rent payable under the lease as it stood at 24 June 2013.',
    { to: '2013-06-24' },
  ],
  [
    'Looking at the register as of 2017-11-20, what address is recorded for the company?',
    { to: '2017-11-20' },
  ],
  ['kernel maintainer of ext4 as of 2010-01-15', { to: '2010-01-15' }],
  [
    'How many shares had been issued by the close of business on 29 February 2012?',
    { to: '2012-02-29' },
  ],
  [
    'As of the last day of 2021, which carrier flew the Oslo to Tromsø route?',
    { to: '2021-12-31' },
  ],
  ['Which party was in power in Ontario on 1 July 1988?', { to: '1988-07-01' }],
  [
    'With effect at 1 October 2015, how much was the hourly minimum wage for adults?',
    { to: '2015-10-01' },
  ],
]);

const currentCases = cases('current', [
  ['who is the prime minister of japan now', { askedAt: '2022-05-03' }],
  ["What's the current retail price of a litre of diesel in Austria?", { askedAt: '2023-02-11' }],
  ['Who currently chairs the parish council?', { askedAt: '2019-10-08' }],
  ['What is the present status of the asteroid deflection mission?', { askedAt: '2022-09-30' }],
  ["I'd like to know who is in charge of customer support these days.", { askedAt: '2021-06-17' }],
  ['What does the statute of limitations for fraud stand at today?', { askedAt: '2018-01-22' }],
  ['Which node version is supported at the moment?', { askedAt: '2020-12-01' }],
  ['how many people live in hamburg nowadays', { askedAt: '2024-03-14' }],
  ['As we speak, which team tops the Bundesliga table?', { askedAt: '2017-11-05' }],
  [
    "Sorry to bother you: what's the going rate for a plumber in Leeds right now?",
    { askedAt: '2021-09-09' },
  ],
  ['Who is our family doctor at present?', { askedAt: '2016-04-04' }],
  ['remind me what the wifi password is currently', { askedAt: '2023-08-01' }],
  [
    'My sister wants to write to her. Where is Aunt Marta living at this point?',
    { askedAt: '2015-07-19' },
  ],
  ['who presently owns the rights to Tetris', { askedAt: '2014-02-25' }],
  ["What's the speed record for a wheeled vehicle as of now?", { askedAt: '2019-05-30' }],
  ['is it still legal to burn garden waste here?', { askedAt: '2022-10-10' }],
  ['What is the existing arrangement with our shipping partner?', { askedAt: '2020-07-07' }],
  ['What interest does the savings account pay as of today?', { askedAt: '2018-12-12' }],
  ['Which medicines is my father taking at the moment, please?', { askedAt: '2021-03-28' }],
  [
    'Up to the present day, what value is accepted for the Hubble constant?',
    { askedAt: '2016-06-06' },
  ],
  ['exchange rate today euro dollar', { askedAt: '2015-03-16' }],
  ['Which of the two schedules is in force today?', { askedAt: '2013-09-02' }],
  ["what's the state of the art accuracy on ImageNet right now?", { askedAt: '2017-04-18' }],
  ['To date, how many women have walked in space?', { askedAt: '2019-10-20' }],
  ['Who holds the office of ombudsman today?', { askedAt: '2012-08-08' }],
  ['What tariff applies nowadays to imported bicycles?', { askedAt: '2020-02-02' }],
  ['I wonder which drummer is playing with the band these days.', { askedAt: '1998-05-15' }],
]);

const latestCases = cases('latest', [
  ['latest stable release of postgresql'],
  ['What is the most recent census figure for Reykjavík?'],
  ['newest model of the Fender jazz bass'],
  ['Could you point me to the latest ruling of the court on cookie banners?'],
  ["What's the last thing Agatha Christie published?"],
  ['I missed a few meetings, so please tell me what the committee decided most recently.'],
  ['last known position of flight MH370'],
  ['The freshest inflation print for Turkey, please.'],
  ['Who is the latest addition to the Avengers cast?'],
  ['what was the final score in their last game'],
  ["What's the latest we have heard from the Voyager 2 probe?"],
  ['show me the newest invoice from Hansen Ltd'],
  ["I'd be grateful for the last recorded water level at the Cologne gauge."],
  ['Of all the CEOs the company has had, who was appointed most recently?'],
  ['latest news on the Thames Barrier repairs'],
  ['What did grandma say in her last letter?'],
  ['What is the most recently discovered element of the periodic table?'],
  ['Who was the last to hold the title of Vicereine of India?'],
  ['In the very latest draft of the treaty, what is the emissions target?'],
  ['most recent eruption of Mount Etna'],
  ['the last time we spoke, what did the supplier quote?'],
  ['Which patch came out latest for this router model?'],
  ['When you last measured my blood pressure, what was it?'],
  ['Give me the newest entry in the safety log.'],
  ['What ended up being the final version of the logo?'],
  ['The last-minute change aside, which was the last price list we sent out to dealers?'],
]);

const firstCases = cases('first', [
  ['who was the first president of estonia'],
  ['What was the earliest recorded flood in Prague?'],
  ['What did the company originally sell?'],
  ['initial asking price of the Dakota apartment'],
  ["I'd love to know what the very first message on the mailing list said."],
  ["What was Istanbul's metro ticket price to begin with?"],
  ['remind me who our very first customer was'],
  ['Who originally played Doctor Who?'],
  ["inaugural winner of the women's Tour of Flanders"],
  ['The opening version of the bill: what penalty did it foresee?'],
  ['earliest known use of the word serendipity'],
  ['At the outset, how many judges sat on the court?'],
  ['what was the debut single of the cranberries'],
  ['Which country was the first to give women the vote?'],
  ['In the beginning, which license was Qt distributed under?'],
  ['Our auditor asks: what was the initial capital contribution of the partners?'],
  ['What price did the share start trading at when it was first listed?'],
  ['first ever temperature recorded at Vostok station'],
  ['What was the name of the village originally?'],
  ['Who initially diagnosed the patient?'],
  ['Which of the siblings was born first?'],
  ['In its first edition, how many entries did the dictionary have?'],
  ["What was the earliest draft's title?"],
  ['the original lineup of Fleetwood Mac please'],
  ['From the start, who was responsible for the lighthouse?'],
  ['Which vehicle went into service earliest on line 5?'],
]);

const lastBeforeCases = cases('last_before', [
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

const firstAfterCases = cases('first_after', [
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

const beforeOffsetCases = cases('before_offset', [
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

const inCases = cases('in', [
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

const betweenCases = cases('between', [
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

const sinceCases = cases('since', [
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

const whenCases = cases('when', [
  ['when did the suez canal open'],
  ['In what year was insulin first given to a patient?'],
  ['On which date did the merger take effect?'],
  ['What day was the Magna Carta sealed?'],
  ['Could you tell me when the clocks went digital at the station?'],
  ['launch date of Sputnik 1'],
  ['since when has Finland been a member of NATO'],
  ['How long ago was the roof repaired?'],
  ["I'd like to know the year in which Nokia sold its phone business."],
  ['Do you know when the last passenger pigeon died?'],
  ['release date python 3.9'],
  ['What time of year did they marry, and in which year?'],
  ['Which year saw the introduction of the euro as cash?'],
  ['At what point did the ministry drop the requirement?'],
  ["remind me when mum's birthday is"],
  ['By when must the tax return be filed?'],
  ['Date of the first heart transplant?'],
  ['Until when was capital punishment legal in France?'],
  ['in which century was the cathedral begun'],
  ['Please give the exact date on which the patent expired.'],
  ['What month did the lockdown start in?'],
  ['When exactly was version 2.0 withdrawn?'],
  ['birth date of Ada Lovelace'],
  ['The year the Vikings reached Newfoundland, if it is known?'],
  ['Our guide did not say: when was this bridge rebuilt?'],
  ['as of when is the new speed limit effective?'],
  ['The day the Hindenburg burned: what was the date?'],
  ['When was the War of 1812 declared over?'],
]);

const noneCases = cases('none', [
  ['How long did the Battle of Stalingrad last?'],
  ['What is the last name of the inventor of the zip?'],
  ['current through a 10 ohm resistor at 5 volts'],
  ['Who directed Blade Runner 2049?'],
  ['author of nineteen eighty-four'],
  ['What does section 172 of the Companies Act 2006 require of directors?'],
  ['Is there a first aid kit on the second floor?'],
  ['how to fix first input delay'],
  ['Since it is raining, which museum would you recommend?'],
  ['Who wrote First They Killed My Father?'],
  ["What colour is the Last Supper's tablecloth?"],
  ['Does the paint last longer on wood or metal?'],
  ['plot of The Day After Tomorrow'],
  ['What is the boiling point of ethanol?'],
  ["In which key is Beethoven's First Symphony?"],
  ['How do ocean currents affect the climate of Norway?'],
  ['What does "terminus ante quem" mean?'],
  ['remind me how to spell Reykjavík'],
  ['Where is First Avenue in Seattle?'],
  ['minimum memory for windows 95'],
  ["Who sang Summer of '69?"],
  ['First Class or Economy: which has more leg room?'],
  ["What does a shoemaker's last look like?"],
  ['Which treaty is known as the Maastricht Treaty?'],
  ['How is the seismic code EN 1998 structured?'],
  ['what does 7 of 9 mean in star trek'],
  ['what does the office of the First Lady do'],
  ['How is the mint filling of After Eight chocolates made?'],
  ['Who composed the 1812 Overture?'],
  ['How do I change my last name on a bank account?'],
  ['How does last-in, first-out stock valuation work?'],
  ['what is first-past-the-post voting'],
  ['seating capacity of the stadium built for the 1998 World Cup in Saint-Denis'],
  ['Which studio made the 1954 film Godzilla?'],
]);

export const operatorCases: OperatorCase[] = [
  ...asOfCases,
  ...currentCases,
  ...latestCases,
  ...firstCases,
  ...lastBeforeCases,
  ...firstAfterCases,
  ...inCases,
  ...betweenCases,
  ...beforeOffsetCases,
  ...sinceCases,
  ...whenCases,
  ...noneCases,
];
