// What looks like a time and is none: numbers that count, measure, name or score, and words that are names or verbs. Each kind
// has sentences that must yield no date, whatever the reference, and sentences of the same kind with one date that must be found.
import assert from 'node:assert/strict';
import { toTimeTagRecord } from '../../../lib/time/records.js';
import { tagText } from '../../../lib/time/tagger.js';

interface Kind {
  none: string[];
  /** A sentence, and the date in it as "start..end" (one day or year: once). */
  one: [string, string][];
}

const kinds: Record<string, Kind> = {
  'abstracts of engineering': {
    none: [
      'The tests covered Reynolds numbers from about 15 to 1000.',
      'Pressure ratios from 0 to 1460 were reached with the jet on.',
      'Densities were derived from 190 to 280 km above the ground.',
      'The momentum thickness increased from about 225 to 325 in the sonic region.',
      'Frequencies from 350 to 700 cps were recorded on tape.',
      'The gas was heated to between 1400 and 6000 K.',
      'Pressures of 100 to 1000 psia were held for the whole run.',
      'The ratio of specific heats fell from 1.4 to 1.1 across the shock.',
      'Roughness heights ranged from 4 to 1250 microinches.',
      'The scale height in the 180 and 220 km regions differs little.',
      'A nozzle designed for a pressure ratio of approximately 280 was used.',
      'The model has a length of 1200 mm and a span of 1550 mm.',
      'See equation 1914 and the discussion after it.',
      'Loads of 1500 and 2000 newtons were applied in turn.',
      'The second derivative vanishes at the wall.',
      'The method converges in about 400 steps.',
      'The wing may stall before the second mode is excited.',
      'The current in the coil is 2010 milliamperes.',
    ],
    one: [
      ['The tests of 1956 covered Reynolds numbers from 15 to 1000.', '1956-01-01..1956-12-31'],
      ['Kussner (1936) gave a function for pressures from 100 to 1000 psia.', '1936-01-01..1936-12-31'],
      ['Densities between 190 and 280 km were measured on 22 August 1958.', '1958-08-22'],
    ],
  },
  'code and versions': {
    none: [
      'Upgrade to version 2019.3.1 before you compile.', 'Version 1.12.2004 fixes the parser.', 'const year = 2000 * 4;',
      'The server listens on port 1998.', 'Set maxItems=1999 and retry.', 'Error code 2013 was returned by the driver.',
      'Node v18.12.1 and npm 9.2.0 are supported.', 'The buffer holds 2048 bytes.', 'See issue #1987 for the stack trace.',
      'It was fixed in r2011 and again in build 1903.', 'RFC 1945 describes the protocol.', 'The hash begins with 1e5f2019ab.',
      'Windows 2000 is not supported.', 'The loop runs 1900 times.', 'Python 3.10.12 is required.', 'The colour is #201912 on black.',
      'Use `sleep(1800)` sparingly.', 'A timeout of 1500 ms is the default.', 'The class may throw on the second call.',
      'array[2012] is out of bounds',
      'The build was tagged v2021.04.', 'Address 0x1999 is reserved.', 'ISO 8601 says nothing of it.',
    ],
    one: [
      ['Version 2.4.1 was released on 3 May 2019.', '2019-05-03'],
      ['Since 2021-04-07 the server listens on port 1998.', '2021-04-07'],
      ['The project moved to Python 3.10 in 2022.', '2022-01-01..2022-12-31'],
    ],
  },
  'products and prices': {
    none: [
      'The Sony X1999 costs $2001.', 'A 1200-watt drill with 2000 rpm.', 'Item 1984 is out of stock.', 'Sold for 1,999.00 euros.',
      'Pack of 1000 sheets, 80 g.', 'The Peugeot 2008 has five doors.', 'It holds 1500 ml of water.', 'The lamp gives 1600 lumens.',
      'Battery capacity: 2000 mAh.', 'Order number 2015 was lost.', 'Model 1911 grips, black.', 'Only 1999 pieces were made.',
      'A 1080p screen with 2160 lines.', 'It weighs 1850 grams.', 'The 2000-piece puzzle has 4 corners.', 'Part no. 1776 fits the second shelf.',
      'Price: USD 1995 each.', 'The second-hand model goes for about 1950 dollars.', 'SKU 2017-44 is sold by the dozen.',
      'The Boeing 1900 seats few.', 'For \u00a32000 you get a sink.', 'The range costs from 1200 to 1800 pounds.',
    ],
    one: [
      ['The Peugeot 2008 was shown in March 2013.', '2013-03-01..2013-03-31'],
      ['In 1998 it cost $2001.', '1998-01-01..1998-12-31'],
      ['A 2000-piece puzzle of 1987 sold for 40 dollars.', '1987-01-01..1987-12-31'],
    ],
  },
  'sports scores': {
    none: [
      'She won 6-4 3-6 7-5.', 'The match ended 21-19 21-18.', 'They lost by 19 to 20.', 'He finished with a 24\u201335\u20131 record.',
      'A break of 147 won the frame.', 'It was 3-1 at half-time.', 'He threw for 1998 yards.', 'She scored 2004 points in 90 games.',
      'The 1500 metres final was slow.',
      'He won the 800 m in the second heat.', 'Their record fell to 10-12.', 'The rating rose from 850 to 1100.',
      'The team is 5-7-2 on the road.', 'He made 1900 runs at an average of 44.', 'They won the toss and made 311 for 4.', 'The score was 12-10.',
      'A 4x100 relay followed.', 'Rated 1987, she beat a master.',
      'He took 5 for 48 in the second innings.', 'The first half ended level.', 'Spring scored the second goal.', 'They have 2012 members.',
      'The crowd of 1950 went home.',
    ],
    one: [
      ['She won 6-4 3-6 7-5 in the 2014 final.', '2014-01-01..2014-12-31'],
      ['On 9 July 1995 he made 311 for 4.', '1995-07-09'],
      ['Their record fell to 10-12 in May 2003.', '2003-05-01..2003-05-31'],
    ],
  },
  'telephones and addresses': {
    none: [
      'Call 555-1998 before you come.', 'Dial (212) 555-2004 or +44 20 7946 1999.', 'Tel. 2015 4433, fax 2015 4434.', 'Ring extension 1918.',
      'They live at 1600 Elm Street.', 'The shop at 1905 North Park Avenue closed.', 'PO Box 1999, Dunmore.',
      'Apartment 2012 is on the top floor.',
      'Turn left on Highway 1926.', 'The zip code is 20190.', 'Postcode 2010 covers Surry Hills.', 'Number 1776, Harbour Road.',
      'Room 2001 is locked.', 'Bus 1914 stops here.', 'Her locker is no. 1850.', 'Gate 2013 is for staff.', 'The hotline is 0800 2000.',
      'Send it to 2020 K Street NW.', 'Interstate 1990 does not exist.', 'The office moved to Suite 1810.',
    ],
    one: [
      ['Room 2001 was sealed on 4 May 1999.', '1999-05-04'],
      ['They have lived at 1600 Elm Street since 1987.', '1987-01-01..1987-12-31'],
      ['Until June 2005 the number was 555-1998.', '2005-06-01..2005-06-30'],
    ],
  },
  'flights and trains': {
    none: [
      'Flight 1912 boards at gate 4.', 'Train 1905 is late.', 'The A330-200 seats many.', 'An F-1945 never flew.', 'Route 1999 is closed.',
      'UA1984 left from the second runway.', 'Line 2010 goes north.', 'Locomotive 1831 pulls the mail.', 'Seats 1998 passengers in all.',
      'The DC-1930 was a sketch.', 'Platform 1900 is for freight.', 'It cruises at 2000 feet.', 'The runway is 1950 m long.',
      'Service 1888 calls at every halt.', 'It flew 1990 km without a stop.', 'Squadron 1918 had nine aircraft.',
    ],
    one: [['Flight 1912 was lost on 12 May 1978.', '1978-05-12'], ['Locomotive 1831 was built in 1902.', '1902-01-01..1902-12-31']],
  },
  'bibliographies and law': {
    none: [
      'See pp. 1234\u20131250 for the proof.', 'J. Appl. Mech., vol. 1950, no. 3.', 'ISBN 978-0-1999-2001-4.', 'Cf. page 1905, note 2.',
      '42 U.S.C. 1983 gives the remedy.', 'Section 1981 was amended.', 'Resolution 1973 was adopted.', 'Article 2010 of the code applies.',
      'Chapter 1812 has no heading.',
      'doi 10.1998/2001.1945', 'Fig. 1914 shows the valve.', 'Table 2000 lists them.', 'Docket no. 1999-2001 is sealed.',
      'Patent 1900 was never used.', 'Paragraph 2004 was struck out.', 'See rev. 1869 and note 12.', 'Case 2011 remains open.',
      'Verse 1917 does not exist.', 'Under rule 2004 the trustee may ask.',
      'Form 1040 is due.', 'Directive 1999/44/EC covers sales.', 'Regulation 2016/679 applies.',
    ],
    one: [
      ['Resolution 1973 was adopted on 17 March 2011.', '2011-03-17'],
      ['See Smith (1984), pp. 1234\u20131250.', '1984-01-01..1984-12-31'],
      ['Section 1981 was amended in 1991.', '1991-01-01..1991-12-31'],
    ],
  },
  'recipes and measurements': {
    none: [
      'Add 2 cups of flour, 1 1/2 cups of water and 3/4 cup of sugar.', 'Bake at 180 to 220 degrees.', 'Heat 1500 g of apples.',
      'Between 1800 and 2000 calories are enough.', 'It is 2000 m above the sea.', 'The pool holds 1900 cubic metres.',
      'The lake lies at 1,950 feet.', 'A drop of 1800 metres follows.',
      'About 1990 kg of grain was stored.', 'Voltage: 2010 V.', 'It draws 1600 watts.', 'The tree is 1500 mm around.',
      'From 1000 to 1500 litres flow by.', 'The pressure was 1013 hPa.', 'Roll it 5/8 inch thick.', 'The road is 1850 yards long.',
      'Cut 1/4 of the dough.', 'The cave is 1998 paces deep.', 'It spans 2019 acres.',
      'The depth is 1912 fathoms.', 'March the dough through the press.', 'Let it rest a second time.', 'Beans may be used as well.',
      'The oven needs 2000 W.', 'Stir until about 300 bubbles rise.',
    ],
    one: [['The lake froze on 3 January 1963 at 1,950 feet.', '1963-01-03'], ['From 1990 to 1995 it drew 1600 watts.', '1990-01-01..1995-12-31']],
  },
  'counts of people and things': {
    none: [
      'About 1,500 people and 2000 soldiers came.', 'More than 1900 left.', 'A population of 1950 lives there.', 'Some 1200 houses burned.',
      'The village had 1851 inhabitants.', 'Nearly 2000 birds were ringed.', 'They planted 1600 trees.',
      'There were 1984 entries and 2013 rejections.', 'A fleet of 1588 ships sailed.', 'Of the 1912 voters, few came.',
      'It sold 2010 copies.', 'Exactly 1776 names are carved there.', 'Fewer than 1999 remain.', 'He wrote 1800 letters.',
      'The choir has between 500 and 750 singers.', 'A list of 1001 nights.', 'Attendance varied between 500 and 750.',
      'The garrison of 1450 surrendered.', 'In 300 cases nothing was found.', 'The toll was 1998.',
      'Up to 2000 workers were hired.', 'An estimated 1850 fled.', 'A vote of 111 to 333.', 'At least 1500 died.',
      'The number of nests rose to 1904.', 'They shipped 2020 crates to the north.', 'From 200 to 4,000 plants grow there.',
      'The library owns 1870 maps.',
    ],
    one: [
      ['In 1851 the village had 1951 inhabitants.', '1851-01-01..1851-12-31'],
      ['More than 1900 left on 4 July 1914.', '1914-07-04'],
      ['Attendance varied between 500 and 750 in 1988.', '1988-01-01..1988-12-31'],
    ],
  },
  'names and verbs': {
    none: [
      'It may march a second time.', 'April said March was August.', 'The Legends of Tomorrow is a show.', 'Sheffield Wednesday drew.',
      'Sun and Mars aligned.', 'May I sit here?', 'We march at dawn, may we?', 'June Carter sang.', 'August Strindberg wrote it.',
      'He reads USA Today.', 'The Sunday Times was sold.', 'Will May come?', 'The sun sat low.',
      'They sat down and ate.', 'He had a fall on the stairs.', 'A spring in the lock broke.', 'She was second to none.',
      'A quarter of the town flooded.', 'Half of them fled.', 'The Second Avenue line is new.', 'The first quarter of the town burned.',
      'April, come here!', 'Black Friday Records signed them.', 'It will decorate the hall.', 'Mar the surface no more.',
      'The Third Man is a film.', 'Winter is a surname.', 'The decline may end.', 'One day he left.',
      'The House of Tudor fell.', 'August company gathered.', 'I, Augustus, say so.', 'The novel 1984 is grim.',
      'Catch-22 and Fahrenheit 451 sold well.', 'The film 300 is loud.', 'They sang Summer of Love again.',
    ],
    one: [
      ['June Carter sang on 5 June 1969.', '1969-06-05'],
      ['Sheffield Wednesday drew in April 1991.', '1991-04-01..1991-04-30'],
      ['It may march again in May 2010.', '2010-05-01..2010-05-31'],
    ],
  },
  'codes, chess and networks': {
    none: [
      '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6', 'The host is 192.168.19.98.', '10.0.0.1 pings 127.0.0.1.', 'The MAC is 00:19:98:20:01:12.',
      'Card 4000 1234 1999 2001 was declined.', 'IBAN GB29 NWBK 6016 1331 9268 19', 'The key is 2011-AAAA-1999.', 'Serial number 1987-2004-19.',
      'Asteroid 1998 is small.', 'BWV 1001 is a sonata.',
      'The code 1-2-3-4 opens it.', 'Ratio 1990:2000.', 'Coordinates 51.5074, 0.1278.', 'Black plays 19...Qd7 and resigns.', '1/2-1/2',
      'The checksum was 2019a1998f.', 'GPS: 48 51 29 N, 2 17 40 E.', 'Channel 2000 hisses.', 'Ticket A-1914 won.', 'PIN 1985 was refused.',
      'Lot 1926 fetched little.', 'E=1999*2', '3/4/5/6',
      'Barcode 5 901234 123457.', 'Subnet 2001:db8::1 is for examples.',
    ],
    one: [['Asteroid 1998 was found on 2 May 1938.', '1938-05-02'], ['Lot 1926 fetched little in June 2002.', '2002-06-01..2002-06-30']],
  },
  'songs, films and brands': {
    none: [
      'They played Blink-182 and Maroon 5.', 'Formula 1 and Moto 3 came to town.', 'The album 21 was her best.', 'The band 1349 is from Oslo.',
      'Forever 21 sells shirts.', 'She owns an Atari 2600.', 'The Xbox 360 hummed.', 'A Commodore 64 and a ZX81 stood there.', 'Level 42 toured.',
      'He plays a Gibson ES-335.', 'Channel 4 and BBC 2 showed it.', 'A Mazda 323 passed.',
    ],
    one: [['Blink-182 played on 3 August 2001.', '2001-08-03'], ['The Xbox 360 came out in November 2005.', '2005-11-01..2005-11-30']],
  },
};

/** The dates of a text, whether or not they need the reference. */
function dated(text: string): string[] {
  const mentions = toTimeTagRecord(null, text, tagText(text, { reference: '2025-11-26' })).mentions.filter(
    (each) => each.start_iso !== null && each.start_iso !== undefined,
  );
  return mentions.map((each) => (each.start_iso === each.end_iso ? each.start_iso! : `${each.start_iso}..${each.end_iso}`));
}

describe('false times', () => {
  it('has some hundreds of sentences', () => assert.ok(Object.values(kinds).reduce((sum, kind) => sum + kind.none.length, 0) >= 250));

  for (const [name, { none, one }] of Object.entries(kinds)) {
    it(`sees none in ${name}`, () => {
      assert.deepEqual(none.map((text) => [text, ...dated(text)]).filter((each) => each.length > 1), []);
    });
    it(`sees the one date among ${name}`, () => {
      for (const [text, date] of one) assert.deepEqual(dated(text), [date], text);
    });
  }
});
