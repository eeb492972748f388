// Times of training: those that a corpus and re3 fuse, of passages and of questions, by default and
// by an extractor; which questions are no examples, and which triplets are held out.
import assert from 'node:assert/strict';
import { binding } from '../../../../lib/binding.js';
import { Corpus, type Passage } from '../../../../lib/index.js';
import { grammarExtractor, parseQuestion } from '../../../../lib/time/index.js';
import { fusionTimes } from '../../../../lib/papers/re3/fusionTimes.js';
import { encodeTriplets } from '../../lib/timeEncoder/encodeTriplets.js';
import type { TimeTriplet, Triplet } from '../../lib/index.js';
import { timeColumns } from '../../../../lib/vectors/timeEncoder.js';
import {
  fails,
  hashEncoder,
  passagesFrom,
  temporaryFolder,
} from '../../../../test/store/fixtures.js';

const encoder = hashEncoder();
/** Dates of issue and of headings, of titles, of sentences after the first, and relative ones. */
const dated: Passage[] = [
  ['Forecast issued on 3 May 2025: a high of 61 F on 8 May 2025.', '2025-05-03'],
  ['Outlook of 3 May 2025. It rains in Dover on 4 May 2025. Nobody minds.', '2025-05-03'],
  ['The mill shut. In late August 1949 it burnt. On 25 August 1949 it was gone.', undefined],
  ['It will rain tomorrow.', '2025-05-03'],
  ['It is of stone.', '2025-05-03'],
].map(([text, publishedAt], at) => ({
  id: `d${at}`,
  text: text!,
  ...(publishedAt === undefined ? {} : { publishedAt }),
  ...(at % 2 === 0 ? { title: `Notes of ${1990 + at}` } : { title: 'Dover' }),
}));

const triplet = (
  query: string,
  positive: string,
  more: Partial<TimeTriplet> = {},
): TimeTriplet => ({
  query,
  positive,
  negatives: [],
  askedAt: '2025-05-06',
  ...more,
});

describe('the times of training', () => {
  const folder = temporaryFolder();

  it('of passages are those that a corpus fuses', async () => {
    const passages = [...dated, ...passagesFrom(0, 40)];
    const { times, counts } = await encodeTriplets(
      encoder,
      passages.map(({ id }, at) => triplet(`What was number ${at} in 1999?`, id)),
      [],
      passages,
    );
    const columns = timeColumns(times);
    await using corpus = await Corpus.open(folder.path('corpus'), { encoder });
    await corpus.add(passages);
    using snapshot = corpus.snapshot();
    const { segment, passages: count } = snapshot.segments[0]!;
    const stored = await binding.contentDates(segment);
    const numbers = segment.read('rows.passage', 0, count) as Uint32Array;
    const ids = [...numbers].map((number) => snapshot.id(0, number));
    const at = ids.map((id) => 2 * passages.findIndex((each) => each.id === id) + 1);
    for (const part of ['year', 'month', 'day', 'dayOfYear', 'mask'] as const)
      assert.deepEqual(
        at.map((row) => columns[part][row]),
        [...stored[part].subarray(0, count)],
        part,
      );
    assert.ok(counts.dated > passages.length + 20);
    const first = [columns.year[1], columns.month[1], columns.day[1]];
    assert.deepEqual(first, [1990, 0, 0], 'the title of the first has the first time');
  });

  it('of questions are those that re3 fuses; none and several give no examples', async () => {
    const queries = [
      'How warm will it be on 8 May 2025?',
      'How warm will it be tomorrow?',
      'Who kept the mill before 1950?',
      'How warm will it be on 8 May 2025 and on 11 June 2025?',
      'What is it made of?',
    ];
    const triplets = queries.map((query) => triplet(query, 'd3'));
    const made = await encodeTriplets(encoder, triplets, [], dated);
    const rows = [0, 2, 3, 4, 5]; // the passage is in row 1
    const fused = queries.map((text) =>
      fusionTimes(parseQuestion({ text, askedAt: '2025-05-06' })),
    );
    assert.deepEqual(
      fused.map((times) => times.length),
      [1, 1, 1, 2, 0],
    );
    const expected = timeColumns([fused[0]![0]!, fused[1]![0]!]);
    assert.deepEqual([made.times[0]!.dayOfMonth, made.times[2]!.dayOfMonth], [...expected.day]);
    assert.deepEqual([...made.examples.question], rows.slice(0, 3));
    assert.deepEqual([made.counts.triplets, made.counts.examples], [5, 3]);
    const byGrammar = await encodeTriplets(encoder, triplets, [], dated, {
      extractor: grammarExtractor,
    });
    assert.deepEqual([...byGrammar.examples.question], rows.slice(0, 4), 'one time of each');
    assert.equal(byGrammar.times[3]!.year, 1950);
  });

  it('mined triplets bring their passages, and those of the split test are held out', async () => {
    const mined = (split: 'train' | 'test', kind: Triplet['kind'], year: number): Triplet => ({
      kind,
      split,
      question: `Who kept the ${split} mill in ${year}?`,
      positive: { id: `${split}-${year}`, text: `Ada kept it in ${year}.` },
      negative: { id: `${split}-x`, title: 'The mill', text: 'Tom kept it in 1901.' },
      margin: 1,
    });
    const triplets = [
      mined('train', 'temporal', 1920),
      mined('train', 'temporal', 1930),
      mined('train', 'general', 1940),
      mined('test', 'temporal', 1950),
      mined('test', 'temporal', 1950),
    ];
    const { counts, examples, validation } = await encodeTriplets(encoder, triplets, [], []);
    assert.deepEqual(
      [counts.triplets, counts.examples, counts.validation, counts.passages],
      [3, 3, 1, 6],
    );
    assert.equal([...examples.negative].filter((row) => row === 0xffffffff).length, 1);
    const { recall } = await validation.measure();
    assert.equal(recall, 1, 'the one right passage of two');
    await assert.rejects(
      encodeTriplets(encoder, [triplet('Who, in 1950?', 'nowhere')], [], []),
      fails('ERR_INVALID_INPUT', /"nowhere"/),
    );
    const broken = { ...triplet('Who?', 'a'), passages: [{ id: 'a' }] } as never;
    await assert.rejects(
      encodeTriplets(encoder, [broken], [], []),
      fails('ERR_INVALID_ARGUMENT', /passage a/),
    );
  });
});
