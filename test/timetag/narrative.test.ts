// What a story's dates and words refer to: the last date mentioned. One sentence or two for each
// rule of narrative.cpp, anaphora.cpp and event_anchors.cpp; whole texts are
// test/time/narrative.jsonl.
import assert from 'node:assert/strict';
import { tagText } from '../../lib/time/tagger.js';
import { examples, timexesOf } from './seen.js';

describe('timetag narrative', () => {
  const values = (text: string) =>
    timexesOf(text, { mode: 'narrative' }).map((line) => line.replace(/ \| \w+ \| /, ' = '));

  const told = examples(`
On 24 July 1822 they sailed. On 2 August the wind fell.
  24 July 1822 = 1822-07-24; 2 August = 1822-08-02
On 20 November 1822 they sailed. In January they landed.
  20 November 1822 = 1822-11-20; January = 1823-01
In January 1823 they landed. They had sailed in December.
  January 1823 = 1823-01; December = 1822-12
In June 1823 the fort was ready, the largest since 1781. In August it burned.
  June 1823 = 1823-06; 1781 = 1781; August = 1823-08
He came in May 1823. In 1830, his son followed. On 6 June they met.
  May 1823 = 1823-05; 1830 = 1830; 6 June = 1830-06-06
They met in May 1820. The treaty of 1830 on July 7 was kept.
  May 1820 = 1820-05; 1830 = 1830; July 7 = 1830-07-07
On 4 May 1830 they left. Four days later they returned.
  4 May 1830 = 1830-05-04; Four days later = 1830-05-08
On 4 May 1830 they left. Eight months later they returned.
  4 May 1830 = 1830-05-04; Eight months later = 1831-01
In May 1830 they left. Three days later they returned.
  May 1830 = 1830-05; Three days later = 1830-XX-XX
On 4 May 1830 they left; some had gone two years earlier. On 9 May it rained.
  4 May 1830 = 1830-05-04; two years earlier = 1828; 9 May = 1830-05-09
On 4 May 1830 they left. The following day it rained. That same month the river rose.
  4 May 1830 = 1830-05-04; The following day = 1830-05-05; That same month = 1830-05
On 4 May 1830 they left, and on the 28th they returned.
  4 May 1830 = 1830-05-04; the 28th = 1830-05-28
On 28 May 1830 they left, and on the 3rd they returned.
  28 May 1830 = 1830-05-28; the 3rd = 1830-06-03
In late 1830 it froze. That winter many died.
  late 1830 = 1830; That winter = 1830-WI
In 1830 he came. In the last week of August he left.
  1830 = 1830; the last week of August = 1830-08
The 1830 campaign was short. In August of that year it ended.
  1830 = 1830; August of that year = 1830-08
They ran in October and the first half of November 1830.
  October = 1830-10; the first half of November 1830 = 1830-11
On 12 May 1830 they left; it rained through the 15th.
  12 May 1830 = 1830-05-12; the 15th = 1830-05-15
Rome fell in 146 B.C.
  146 B.C. = BC0146
Trains ran as recently as 1830.
  1830 = 1830
It was the summer of '69.
  the summer of '69 = 1969-SU
He died in 1830. In October of that year the town flooded.
  1830 = 1830; October of that year = 1830-10
He came in April 1830. The harbour was ready by the end of the year.
  April 1830 = 1830-04; the end of the year = 1830
He came in April 1830. Later that year he married.
  April 1830 = 1830-04; Later that year = 1830
The plan was dropped early in 1914.
  early in 1914 = 1914
In April 1830 they came. The summer was dry, and in winter wolves came.
  April 1830 = 1830-04; The summer = 1830-SU; winter = 1831-WI
In April 1830 they came. September saw the first frost.
  April 1830 = 1830-04; September = 1830-09
They came in spring and summer 1830.
  spring = 1830-SP; summer 1830 = 1830-SU
On 6 May 1830, the day after the great ball, they married.
  6 May 1830 = 1830-05-06; the day after the great ball = 1830-05-06
On 6 May 1830 they married. Two days after leaving the town, they quarrelled.
  6 May 1830 = 1830-05-06; Two days after leaving the town = 1830-05-08
On 6 May 1830 they met, and after ten months of bitter argument, nothing was settled.
  6 May 1830 = 1830-05-06; ten months of bitter argument = P10M
In nearly six weeks of rain since 8 August 1830 the dam filled.
  8 August 1830 = 1830-08-08
The revolt began in 499 BC. In 492, a fleet was sent; the truce (431-404) came later.
  499 BC = BC0499; 492 = BC0492; 431 = BC0431; 404 = BC0404
It rained from the 13th to the 19th of May 1830.
  the 13th = 1830-05-13; the 19th of May 1830 = 1830-05-19
On 24 July 1900 it rained, and by Sunday the river rose.
  24 July 1900 = 1900-07-24; Sunday = 1900-07-29
On 24 July 1900 it rained. Two years on, the land was dry.
  24 July 1900 = 1900-07-24; Two years on = 1902
In the weeks after the flood, nobody slept.
  the weeks after the flood = PXW
In May 1979 they met. Under the 1978 treaty it was allowed. In June they left.
  May 1979 = 1979-05; 1978 = 1978; June = 1979-06
In May 1979 they met. At the same time the price rose.
  May 1979 = 1979-05; the same time = 1979-05
On 4 May 1979 he said: we sail tomorrow. On 6 May they sailed.
  4 May 1979 = 1979-05-04; tomorrow = XXXX-XX-XX; 6 May = 1979-05-06
In March 1830 they came; by Christmas they were gone.
  March 1830 = 1830-03; Christmas = 1830-12-25
On 6 May 1830 they met. At dawn on 8 May they sailed, and by nightfall they were lost.
  6 May 1830 = 1830-05-06; dawn = 1830-05-08TMO; 8 May = 1830-05-08; nightfall = 1830-05-08TEV
On 6 May 1830 they met. That October they married.
  6 May 1830 = 1830-05-06; That October = 1830-10
On 6 May 1830 they met. In the months that followed, he wrote.
  6 May 1830 = 1830-05-06; the months that followed = PXM
The town fell in 221 BC. A war came two years later (218 BC).
  221 BC = BC0221; two years later = BC0218; 218 BC = BC0218
They left in April 1980. Three days later, on 6 May 1980, they returned.
  April 1980 = 1980-04; Three days later = 1980-05-06; 6 May 1980 = 1980-05-06
In May 1777 they left their winter quarters.
  May 1777 = 1777-05; winter = XXXX-WI
On 6 May 1830 the clubs of ’89 were closed.
  6 May 1830 = 1830-05-06; ’89 = 1789
`);
  for (const [text, wanted] of told)
    it(`reads ${text}`, () => assert.deepEqual(values(text), wanted));

  const none = [
    'The March to Sela was long.',
    'In 1830 the spring of the clock broke.',
    'In 1830 the fall of the city came.',
    'In 1830 Miss April smiled.',
    'In 1830 the 38th regiment marched.',
    'In 1830 they lived on the 3rd floor.',
  ];
  for (const text of none)
    it(`sees no other time in: ${text}`, () =>
      assert.deepEqual(
        values(text).filter((line) => line !== '1830 = 1830'),
        [],
      ));

  it(
    'a date that nothing was told before is the reference\u2019s, and what counts from it ' +
      'has no interval',
    () => {
      const { mentions } = tagText('Four days later the city fell.', { mode: 'narrative' });
      assert.deepEqual(
        mentions.map(({ timexValue, interval }) => [timexValue, interval]),
        [['XXXX-XX-XX', undefined]],
      );
      assert.deepEqual(
        timexesOf('On 6 May it fell.', { mode: 'narrative', reference: '2021-06-01' }),
        ['6 May | DATE | 2021-05-06'],
      );
    },
  );

  // Work that grew with the square of the length would last longer than any test may.
  it('a long row of steps is read to its end', () => {
    const step = 'Two days after the siege of the old town the third day of the war';
    const text = `On 6 May 1830 they left. ${`${step} `.repeat(4000)}`;
    const { mentions } = tagText(text, { mode: 'narrative' });
    assert.equal(mentions.filter(({ text: words }) => words === step).length, 4000);
  });
});
