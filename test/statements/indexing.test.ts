// Content times that are read where passages are indexed, whatever the zone and the batches; an
// abort ends the reading. What is packed: packed.test.ts; dates of a text: contentClock.test.ts.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { intervalsAt, readIndexed, type IndexingOptions } from '../../lib/statements/indexing.js';
import { splitSentences } from '../../lib/text/sentences.js';
import { unionIntervals } from '../../lib/store/writing/rows.js';
import type { Interval } from '../../lib/time/interval.js';
import { assertEach } from '../assertEach.js';

interface Text {
  text: string;
  title?: string;
  publishedAt?: number;
}

const piece = fc.constantFrom(
  ...['on 3 May 2011', 'said', 'in May', 'until 1934', 'since 2010', '. ', '. ', '\n', '; ', '. '],
  ...['the next day', 'last week', '2011–present', 'Bulletin of 3 May 2011:', 'left in 1934', '😀'],
  ...[
    'what was said on 3 May 2011',
    'rain on 9 May 2011',
    '2021-11-07T01:30:00-05:00',
    'İ',
    '\ud800',
  ],
  ...['27 March 2022 at 02:30', 'at 01:30 on 31 October 2021', 'winter 1939-40', 'it rose', '  '],
);
const textOf = (most: number): fc.Arbitrary<string> =>
  fc.array(piece, { maxLength: most }).map((pieces) => pieces.join(' '));
const titles = fc.oneof(
  fc.constantFrom(
    'May',
    'Since',
    'Title of 2004',
    'Who: ',
    'Is it?',
    'In.',
    '3 May 2011:',
    '1990!',
  ),
  textOf(4),
);
const passage: fc.Arbitrary<Text> = fc.record(
  {
    text: textOf(30),
    title: titles,
    publishedAt: fc.oneof(
      fc.integer({ min: -1e12, max: 2e12 }),
      fc.integer({ min: Date.UTC(2011, 4, 2), max: Date.UTC(2011, 4, 5) }),
    ),
  },
  { requiredKeys: ['text'] },
);
const recordsOf = (texts: readonly Text[]) =>
  texts.map((each, at) => ({ id: String(at), ...each }));
/** A text without a sentence is one sentence. */
const sentencesOf = (texts: readonly Text[]) =>
  texts.map(({ text }) => {
    const sentences = splitSentences(text);
    return sentences.length > 0 ? sentences : [{ start: 0, end: text.length }];
  });

/** The content times of each passage: of all its sentences, and of each where these have rows. */
async function contentsOf(
  texts: readonly Text[],
  options: IndexingOptions & { sentenceRows: boolean },
): Promise<Interval[][]> {
  const sentences = sentencesOf(texts);
  const { contents } = await readIndexed(recordsOf(texts), sentences, options);
  const count = texts.length + (options.sentenceRows ? rowsOf(sentences) : 0);
  assert.equal(contents.listEnds.length, count);
  return Array.from({ length: count }, (_, list) => intervalsAt(contents, list));
}
/** One sentence is the passage. */
const rowsOf = (sentences: readonly (readonly unknown[])[]): number =>
  sentences.reduce((sum, { length }) => sum + (length > 1 ? length : 0), 0);

describe('content times where passages are indexed', () => {
  it('are those of a passage alone, in any batch and zone, and all of its sentences', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(passage, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(undefined, 'Asia/Tokyo', 'America/New_York', 'Australia/Lord_Howe'),
        fc.boolean(),
        async (texts, timeZone, packs) => {
          const options = { timeZone, packs, sentenceRows: true };
          const alone = await Promise.all(texts.map((text) => contentsOf([text], options)));
          assert.deepEqual(await contentsOf(texts, options), alone.flat());
          for (const [whole, ...rows] of alone)
            if (rows.length > 0) assert.deepEqual(whole, unionIntervals(rows));
          const wholes = await contentsOf(texts, { ...options, sentenceRows: false });
          assert.deepEqual(
            wholes,
            alone.map(([whole]) => whole),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  it('are those of all batches, and of texts that are one', async () => {
    const short = (at: number): Text => ({ text: `It opened in ${1000 + at}. In May it shut.` });
    const long = { text: 'In 1990 it rained. '.repeat(4000), title: 'Rain of 1989' };
    const texts = [long, long, ...Array.from({ length: 600 }, (_, at) => short(at)), long];
    const years = (await contentsOf(texts, { sentenceRows: false, packs: true })).map((list) =>
      list.map(({ start }) => new Date(start).getUTCFullYear()),
    );
    const expected = texts.map((each, at) => (each === long ? [1989, 1990] : [998 + at]));
    assertEach(years, (list) => [...new Set(list)], expected);
    assert.deepEqual(await contentsOf([], { sentenceRows: true, packs: true }), []);
  });

  it('are of days of the zone', async () => {
    const text = 'It opened on 14 March 2021.';
    const read = async (timeZone?: string) => {
      const { contents } = await readIndexed(recordsOf([{ text }]), sentencesOf([{ text }]), {
        timeZone,
      });
      const { start, end } = intervalsAt(contents, 0)[0]!;
      return [new Date(start).toISOString(), new Date(end).toISOString()];
    };
    assert.deepEqual(await read(), ['2021-03-14T00:00:00.000Z', '2021-03-15T00:00:00.000Z']);
    // A day of 23 hours.
    assert.deepEqual(await read('America/New_York'), [
      '2021-03-14T05:00:00.000Z',
      '2021-03-15T04:00:00.000Z',
    ]);
  });

  it('are not read on after an abort', async () => {
    const texts = Array.from({ length: 2000 }, (_, at) => ({ text: `In ${at} it rained.` }));
    const controller = new AbortController();
    const reading = readIndexed(
      recordsOf(texts),
      sentencesOf(texts),
      { packs: true },
      controller.signal,
    );
    setImmediate(() => controller.abort());
    await assert.rejects(reading, { code: 'ERR_ABORTED' });
  });
});
