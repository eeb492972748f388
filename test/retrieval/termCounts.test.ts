// Term counts of rows from the postings, against the analysis of their texts: every row of several
// segments, absent terms included.
import assert from 'node:assert/strict';
import { binding } from '../../lib/binding.js';
import { containedTerms, countTerms } from '../../lib/retrieval/termCounts.js';
import { Corpus } from '../../lib/store/corpus.js';
import { sentenceText, passageText } from '../../lib/store/writing/rows.js';
import {
  contentTimesOf,
  contentTimesOfEach,
  sentenceOf,
  sentenceRowsOf,
  sentencesOfEach,
} from '../../lib/store/views/rowTimes.js';
import { englishAnalyzer } from '../../lib/text/analyzer.js';
import { temporaryFolder } from '../store/fixtures.js';

describe('countTerms', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  before(async () => {
    corpus = await Corpus.open(folder.path('c'));
    const words = [
      'weir',
      'mill',
      'miller',
      'flour',
      'U.S. grain',
      "O'Hara's barn",
      '1,936 sacks',
      'état',
      '3.5 tons',
      'July 1936',
      'since 1901',
    ];
    const sentence = (n: number): string =>
      `It had ${words[n % 11]} and ${words[(n * 5 + 1) % 11]}, then ${words[(n * 7 + 3) % 11]}.`;
    for (const half of [0, 1]) {
      const passages = Array.from({ length: 300 }, (_, n) => ({
        id: `p${half}-${n}`,
        ...(n % 3 === 0 ? { title: n % 2 === 0 ? `Weir ${n}` : 'Mills of the U.S.' } : {}),
        text: Array.from({ length: 1 + (n % 4) }, (_, s) => sentence(n + s + half)).join(' '),
      }));
      await corpus.add(passages, { batchSize: 300 });
    }
  });
  after(() => corpus.close());

  it('equals the counts of the analysed rows', async () => {
    using snapshot = corpus.snapshot();
    const analyzer = englishAnalyzer();
    const terms = [
      ...new Set(analyzer.analyze('weir mills U.S. flour 1936 état nowhere 3.5 Hara')),
    ];
    const rows = snapshot.segments.flatMap(({ rows: count }, segment) =>
      Array.from({ length: count }, (_, row) => ({ segment, row })),
    );
    rows.sort((a, b) => ((a.row * 7919) % 1009) - ((b.row * 7919) % 1009)); // in no order
    const { lengths, counts } = await countTerms(snapshot, rows, terms);
    assert.ok(snapshot.segments.length > 1 && rows.length > 1500);
    rows.forEach(({ segment, row }, at) => {
      const stored = snapshot.segments[segment]!;
      const passage = snapshot.passage(
        segment,
        (stored.segment.read('rows.passage', row, 1) as Uint32Array)[0]!,
      );
      const { start, end } = sentenceOf(stored, row);
      const analyzed = analyzer.analyze(
        row < stored.multiSentence
          ? passageText(passage)
          : sentenceText(passage.title, passage.text.slice(start, end)),
      );
      assert.equal(lengths[at], analyzed.length);
      const own = Array.from(counts.subarray(at * terms.length, (at + 1) * terms.length));
      assert.deepEqual(
        own,
        terms.map((term) => analyzed.filter((each) => each === term).length),
      );
    });
    assert.equal((await countTerms(snapshot, [], terms)).counts.length, 0);
    assert.equal((await countTerms(snapshot, rows, [])).lengths.length, rows.length);
  });

  it('gives the terms of whole passages by any of their rows', async () => {
    using snapshot = corpus.snapshot();
    const analyzer = englishAnalyzer();
    const terms = [...new Set(analyzer.analyze('weir mills flour 1936 nowhere'))];
    const candidates = snapshot.segments.flatMap(({ segment, rows }, number) =>
      Array.from(segment.read('rows.passage', 0, rows) as Uint32Array, (passage, row) => ({
        segment: number,
        passage,
        row,
      })),
    );
    const contained = await containedTerms(snapshot, candidates, terms);
    candidates.forEach(({ segment, passage }, at) => {
      const all = new Set(analyzer.analyze(passageText(snapshot.passage(segment, passage))));
      assert.deepEqual(
        contained[at],
        terms.filter((term) => all.has(term)),
      );
    });
  });

  it('reads the rows of many passages like those of one', () => {
    using snapshot = corpus.snapshot();
    for (const stored of snapshot.segments) {
      const { segment, passages, multiSentence, rows } = stored;
      const of = segment.read('rows.passage') as Uint32Array;
      for (let passage = 0; passage < passages; passage += 17) {
        const own = Array.from({ length: rows - passages }, (_, i) => passages + i).filter(
          (row) => of[row] === passage,
        );
        const [from, to] = sentenceRowsOf(stored, passage);
        assert.deepEqual(
          Array.from({ length: to - from }, (_, i) => from + i),
          own,
        );
        assert.equal(own.length === 0, of.subarray(0, multiSentence).indexOf(passage) < 0);
      }
      const some = Array.from({ length: rows }, (_, row) => row).filter(
        (row) => row % 7 < 3 || row % 5 === 0,
      );
      assert.deepEqual(
        sentencesOfEach(stored, some),
        some.map((row) => sentenceOf(stored, row)),
      );
      assert.deepEqual(
        contentTimesOfEach(stored, some),
        some.map((row) => contentTimesOf(stored, row)),
      );
      assert.ok(contentTimesOfEach(stored, some).some((times) => times.length > 1));
    }
  });

  it('rejects rows and passages outside the segment', async () => {
    using snapshot = corpus.snapshot();
    const { segment, rows, passages } = snapshot.segments[0]!;
    await assert.rejects(binding.countTerms(segment, Uint32Array.of(rows), ['mill']), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /rows below/,
    });
    assert.throws(() => binding.rowsOfPassages(segment, Uint32Array.of(passages)), {
      code: 'ERR_INVALID_ARGUMENT',
    });
    for (const stretches of [Uint32Array.of(rows, 1), Uint32Array.of(0, rows + 1)]) {
      assert.throws(() => segment.readEach('rows.passage', stretches), {
        code: 'ERR_CORPUS_CORRUPT',
        message: /rows\.passage .* ends after/,
      });
    }
    assert.throws(() => segment.readEach('rows.passage', Uint32Array.of(1)), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /stretches/,
    });
    assert.throws(() => segment.readEach('unknown', Uint32Array.of()), {
      code: 'ERR_CORPUS_CORRUPT',
    });
    await assert.rejects(
      countTerms(snapshot, [{ segment: 0, row: 0 }], ['mill'], AbortSignal.abort()),
      { code: 'ERR_ABORTED' },
    );
  });
});
