// Prefilter of rows by the terms of spellings: passes all rows with the words, and few others.
import assert from 'node:assert/strict';
import { prefilterByWords } from '../../../../lib/papers/mrag/keywords/rankByKeywords.js';
import type { Corpus } from '../../../../lib/index.js';
import { englishAnalyzer } from '../../../../lib/text/analyzer.js';
import { keywordScorer } from '../../../../lib/papers/mrag/keywords/keyword.js';
import { keywordOf } from '../../../../lib/papers/mrag/keywords/forms.js';
import { withCorpus } from '../../../corpus.js';

const names = [
  'Ann Neil',
  "Shane O'Neil",
  'NEILS',
  'Neil’s',
  'the Weir of Varn',
  'U.S. Weir',
  '\u212aing 3.5',
  'Österreich',
  'Varn-Neil',
  "l'Arc",
  '62nd Weir',
];

describe('prefilterByWords', () => {
  let corpus: Corpus;
  withCorpus(
    Array.from({ length: 400 }, (_, at) => ({
      id: `${at}`,
      ...(at % 3 === 0 ? { title: names[at % 7]! } : {}),
      text:
        at % 5 === 0
          ? 'Nothing is known.'
          : `It was ${names[(at * 5) % 11]} then. Of ${names[(at * 7 + 3) % 11]} little is known.`,
    })),
    (made) => (corpus = made),
  );

  const prefilter = async (words: readonly string[]) => {
    using snapshot = corpus.snapshot();
    const rows = [...snapshot.livePassages()].map(({ segment, passage }) => ({
      segment,
      passage,
      row: (snapshot.segments[segment]!.segment.read('rows.passage') as Uint32Array).indexOf(
        passage,
      ),
    }));
    const { spellings, score } = keywordScorer(words.map(keywordOf));
    const may = await prefilterByWords({ snapshot, analyzer: englishAnalyzer() }, rows, spellings);
    const has = rows.map(({ segment, passage }) => {
      const { title, text } = snapshot.passage(segment, passage);
      return score(title === undefined ? text : `${title} ${text}`) > 0;
    });
    return { may, has };
  };

  for (const words of [
    ['Neil'],
    ["O'Neil"],
    ['Weir of Varn'],
    ['Arc', 'King'],
    ['Varn-Neil'],
    ['Ann Neil', 'Nobody'],
    ['Österreich'],
  ]) {
    it(`passes every row with ${words.join(' or ')}`, async () => {
      const { may, has } = await prefilter(words);
      assert.ok(has.some((each) => each));
      has.forEach((each, at) => assert.ok(!each || may![at] === 1, `row ${at}`));
      assert.ok(may!.filter((each) => each === 0).length > 100);
    });
  }

  it('is undefined for spellings without a plain word, and other analyzers', async () => {
    for (const words of [['Neil', '62nd'], ['Нил'], ['A'], ['weir']])
      assert.equal((await prefilter(words)).may, undefined, words.join());
    using snapshot = corpus.snapshot();
    const analyzer = { id: 'other', analyze: (text: string) => [text] };
    assert.equal(
      await prefilterByWords({ snapshot, analyzer }, [{ segment: 0, row: 0 }], [['neil']]),
      undefined,
    );
  });
});
