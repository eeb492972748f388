// The tagger through the addon: written forms and what is no time, references and modes, and
// properties over any text: offsets slice, nothing crashes, a shifted year shifts its interval,
// time grows no faster than the text.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { casesPresent, readCases, sentenceAccuracy } from '../../bench/quality/time/time.js';
import { binding } from '../../lib/binding.js';
import { AsOfError } from '../../lib/errors.js';
import { toTimeTagRecord } from '../../lib/time/records.js';
import { tagText, tagTimes, type TagMode } from '../../lib/time/tagger.js';
import { walk } from '../oracle/calendar.js';

/** "text | relation | start | end" of every mention. */
const seen = (text: string, reference?: string, mode: TagMode = 'automatic') =>
  toTimeTagRecord(
    null,
    text,
    tagText(text, { mode, ...(reference ? { reference } : {}) }),
  ).mentions.map((each) => `${each.text} | ${each.relation} | ${each.start_iso} | ${each.end_iso}`);
const dates = (text: string, reference?: string, mode?: TagMode) =>
  seen(text, reference, mode).map((each) => each.split(' | ').slice(2).join('..'));

describe('timetag', () => {
  // Forms that sentences.jsonl (test/time/sentences.test.ts) lacks.
  const forms: [string, string][] = [
    ['25, Apr, 1900', '1900-04-25..1900-04-25'],
    ['6-May-2021', '2021-05-06..2021-05-06'],
    ['15 March 44 BC', '-0043-03-15..-0043-03-15'],
    ['Sept. 3, 1939', '1939-09-03..1939-09-03'],
    ['in 1998-2002', '1998-01-01..2002-12-31'],
    ['in 1914–18', '1914-01-01..1918-12-31'],
    ['from 14 August-24 August 1914', '1914-08-14..1914-08-24'],
    ['in August and September 1914', '1914-08-01..1914-08-31'],
    ["in the 1990's", '1990-01-01..1999-12-31'],
    ['in the mid-to-late 1930s', '1934-01-01..1939-12-31'],
    ['in the twenty-first century', '2000-01-01..2099-12-31'],
    ['in 1920 a.d', '1920-01-01..1920-12-31'],
    ['in A.D. 1066', '1066-01-01..1066-12-31'],
    ["in '99", '1999-01-01..1999-12-31'],
    ['in the early months of 1990', '1990-01-01..1990-04-30'],
    ['in 79 A.D.', '0079-01-01..0079-12-31'],
    ['in the winter of 1862–63', '1862-12-01..1863-02-28'],
    ['in the fourth quarter of 2015', '2015-10-01..2015-12-31'],
    ['since 2022-01-07T13:50Z', '2022-01-07T13:50Z..2022-01-07T13:50Z'],
    ['after 9 November 1989 22:30', '1989-11-09T22:30Z..1989-11-09T22:30Z'],
  ];
  for (const [text, stretch] of forms)
    it(`reads ${text}`, () => assert.equal(dates(`It stood there ${text}.`)[0], stretch));

  it('relates what sentences.jsonl lacks', () => {
    const related = (text: string) =>
      seen(`It stood ${text}.`).map((each) => each.split(' | ').slice(0, 2));
    assert.deepEqual(related('ahead of May 1990'), [['ahead of May 1990', 'before']]);
    assert.deepEqual(related('post-1990'), [['post-1990', 'after']]);
    assert.deepEqual(related('not before'), []);
  });

  const none = [
    'They met in room 1234.',
    'Version 2.0.1998 of v1999',
    'Call 555-1998 or (212) 555-2004.',
    'She won 6-4 7-5 with 24–35–1.',
    'See pp. 1234–1250.',
    'The A330-200, F-1945 and Q400 flew.',
    'They live in 1600 Main Street.',
    'It cost $1999 or 1998 euros.',
    'It weighs 1850 kg and is 1900 m long.',
    'flight 1812',
    'more than 1900 left',
    'a population of 1950',
    'The 1500-meter run',
    'the first quarter of the town',
    'Sun and Mars',
    'No. 1984',
    'a ratio of 1990:2000',
    'ISO 8601',
    'in 300 cases',
    '1.1990',
    'x1990',
    '1990x',
    'a vote of 111 to 333',
    'The Legends of Tomorrow',
    'When does the season end?',
  ];
  for (const text of none) it(`sees no time in: ${text}`, () => assert.deepEqual(seen(text), []));

  it('resolves relative words against the reference, and leaves them open without one', () => {
    const reference = '2025-11-26'; // a Wednesday
    const expected: [string, string][] = [
      ['today', '2025-11-26..2025-11-26'],
      ['yesterday', '2025-11-25..2025-11-25'],
      ['last week', '2025-11-17..2025-11-23'],
      ['this month', '2025-11-01..2025-11-30'],
      ['next year', '2026-01-01..2026-12-31'],
      ['three years ago', '2022-01-01..2022-12-31'],
      ['2 days ago', '2025-11-24..2025-11-24'],
      ['last Wednesday', '2025-11-19..2025-11-19'],
      ['next Friday', '2025-11-28..2025-11-28'],
      ['last December', '2024-12-01..2024-12-31'],
      ['last winter', '2024-12-01..2025-02-28'],
      ['last quarter', '2025-07-01..2025-09-30'],
      ['on November 24', '2025-11-24..2025-11-24'],
      ['in January', '2025-01-01..2025-01-31'],
    ];
    for (const [text, stretch] of expected)
      assert.deepEqual(dates(`It opened ${text}.`, reference), [stretch], text);
    assert.deepEqual(
      tagText('It opened yesterday.').mentions.map((each) => [each.text, each.interval]),
      [['yesterday', undefined]],
    );
    assert.deepEqual(
      dates(
        'It began on 9 May 1914. On 7 August it ended, and the following month it was forgotten.',
        reference,
        'narrative',
      ),
      ['1914-05-09..1914-05-09', '1914-08-07..1914-08-07', '1914-09-01..1914-09-30'],
    );
    assert.equal(
      dates('Since 1914 they met. On 24 November it ended.', reference, 'news')[1],
      '2025-11-24..2025-11-24',
    );
  });

  it('gives weekdays and days as counting them does', () => {
    const names = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
    const two = (value: number) => String(value).padStart(2, '0');
    for (const { year, month, day, days, weekday } of walk(10_000, 800)) {
      const iso = `${year}-${two(month)}-${two(day)}`;
      const [mention] = tagText(`on ${month}/${day}/${year}`).mentions;
      assert.equal(mention!.interval!.start, days * 86_400_000, iso);
      const [same] = tagText(`It opened this ${names[weekday]}.`, { reference: iso }).mentions;
      assert.equal(same!.interval!.start, days * 86_400_000, iso);
    }
  });

  const pieces = fc.constantFrom(
    'May',
    'may',
    '6',
    '2021',
    ' ',
    '-',
    '–',
    ',',
    '1990s',
    'early',
    'the',
    'from',
    'to',
    'between',
    'and',
    'BC',
    '19th',
    'century',
    "'",
    '.',
    '/',
    '12',
    'last',
    'week',
    'quarter',
    'of',
    '12:30',
    'T',
    '\ud800',
    '\udc00',
    'é',
    '(',
    ')',
    '2021-02-29',
    'c.',
    'ago',
    'three',
    'until',
    'present',
    'second',
    'half',
    'winter',
    'Q3',
  );
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join('')),
    fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join(' ')),
  );

  it('mentions slice their text, in order, with whole intervals', () => {
    fc.assert(
      fc.property(
        anyText,
        fc.option(fc.integer({ min: -8.64e15, max: 8.64e15 }), { nil: undefined }),
        (text, reference) => {
          let at = 0;
          for (const mention of tagText(text, reference === undefined ? {} : { reference })
            .mentions) {
            assert.ok(
              mention.start >= at && mention.end > mention.start && mention.end <= text.length,
            );
            assert.equal(mention.text, text.slice(mention.start, mention.end));
            if (mention.interval)
              assert.ok(
                mention.interval.start < mention.interval.end &&
                  Number.isFinite(mention.interval.end),
              );
            assert.ok(mention.confidence >= 0 && mention.confidence <= 1);
            at = mention.end;
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('a year later is an interval a year later', () => {
    const forms = fc.constantFrom(
      'in #',
      'on 6 May #',
      'May 6, #',
      'since Sep #',
      'in the summer of #',
      'by the end of #',
      'in Q3 #',
      'in early #',
      'until 11/30/#',
    );
    fc.assert(
      fc.property(forms, fc.integer({ min: 1800, max: 2098 }), (form, year) => {
        const read = (value: number) =>
          tagText(`It stood there ${form.replace('#', String(value))}.`).mentions[0]!.interval!;
        const shifted = new Date(read(year).start);
        shifted.setUTCFullYear(shifted.getUTCFullYear() + 1);
        assert.equal(read(year + 1).start, shifted.getTime());
      }),
    );
  });

  // Work that grew with the square of the length would take hours.
  it('reads 1 MB of anything to its end', () => {
    for (const piece of [
      '1998-',
      'May ',
      '1',
      '- ',
      'from ',
      'the late ',
      'the year of the ',
      'between 1990 and ',
      '\ud83d\ude00',
      'May 6, ',
      '12/',
      'of ',
    ]) {
      const { mentions } = tagText(
        `${piece.repeat(Math.ceil(1_000_000 / piece.length))}. It opened in 1987.`,
      );
      assert.equal(mentions.at(-1)?.text, 'in 1987', piece);
    }
  });

  it('batches give what single texts give, with their own references', async () => {
    const texts = Array.from({ length: 1000 }, (_, i) =>
      i % 3 === 0 ? 'no time here' : `It opened yesterday, and in ${1800 + (i % 250)} too.`,
    );
    const references = texts.map((_, i) => (i % 2 === 0 ? undefined : '2021-05-06'));
    const batch = await tagTimes(texts, { references });
    texts.forEach((text, i) =>
      assert.deepEqual(
        batch[i],
        tagText(text, references[i] === undefined ? {} : { reference: references[i] }),
      ),
    );
    assert.deepEqual(await tagTimes([]), []);
  });

  it('stops at its signal, and refuses what it cannot read', async () => {
    const aborted = (error: unknown) => AsOfError.is(error) && error.code === 'ERR_ABORTED';
    const invalid = (error: unknown) =>
      AsOfError.is(error) && error.code === 'ERR_INVALID_ARGUMENT';
    await assert.rejects(tagTimes(['in 1990'], { signal: AbortSignal.abort() }), aborted);
    const controller = new AbortController();
    const many = tagTimes(
      Array.from({ length: 50_000 }, () => 'from 6 May 1990 to 7 June 1991 it stood there.'),
      { signal: controller.signal },
    );
    controller.abort();
    await assert.rejects(many, aborted);
    await assert.rejects(tagTimes([1 as never]), invalid);
    await assert.rejects(tagTimes('in 1990' as never), invalid);
    await assert.rejects(tagTimes(['in 1990'], { references: [] }), invalid);
    await assert.rejects(tagTimes(['in 1990'], { references: 'never' }), invalid);
    await assert.rejects(tagTimes(['in 1990'], { mode: 'old' as never }), invalid);
    assert.throws(() => binding.tagTimesSync(['a', 'b'], new Float64Array(1), 0), invalid);
    assert.throws(() => binding.tagTimesSync(['a'], new Float32Array(1) as never, 0), invalid);
    assert.throws(() => binding.tagTimesSync(['a'], new Float64Array(1), 4), invalid);
  });

  it('reads the shared sentences exactly', function () {
    if (!casesPresent) {
      console.log('      skipped: ../shared/data/temporal_cases is absent');
      this.skip();
    }
    const accuracy = sentenceAccuracy(readCases('sentence_cases.jsonl'));
    assert.ok(
      accuracy.exact >= accuracy.cases * 0.97 && accuracy.spurious === 0,
      accuracy.misses.join('\n'),
    );
  });
});
