// Text tables of candidates against analysed texts: several segments, deleted and replaced
// passages, merges, and segments without a forward index.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binding } from '../../lib/binding.js';
import {
  readTexts,
  containedTerms,
  type PassageRows,
  type TextTerms,
} from '../../lib/retrieval/textTable.js';
import { reseal } from '../store/fixtures.js';
import { Corpus } from '../../lib/store/corpus.js';
import { sentenceRowsOf, sentencesOfEach } from '../../lib/store/rowTimes.js';
import { passageText } from '../../lib/store/rows.js';
import type { Snapshot } from '../../lib/store/snapshot.js';
import { englishAnalyzer } from '../../lib/text/analyzer.js';
import { readWordVectors } from '../../lib/vectors/wordVectors.js';
import { createSystem } from '../../lib/papers/registry.js';
import { textTable } from '../oracle/textTable.js';
import { writeSegmentFile } from '../segmentFiles.js';

const analyzer = englishAnalyzer();
const subjects = [
  'The mill',
  'A river',
  "O'Hara's barn",
  'État',
  'The U.S. grain board',
  '日本',
  'Ada Lovelace',
];
const verbs = [
  'burned in 1936',
  'opened',
  'sold 1,936 sacks of flour',
  'flooded the champion’s field',
  'won the final',
  '…',
];
const sentence = (n: number): string =>
  `${subjects[n % 7]} ${verbs[(n * 5 + 1) % 6]} near ${subjects[(n * 3 + 2) % 7]}.`;
const passages = (count: number, salt: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: `p${n}`,
    ...(n % 3 > 0 ? { title: n % 2 === 0 ? 'Mills of the U.S.' : `Flour ${n}` } : {}),
    text:
      n % 29 === 0
        ? ''
        : Array.from({ length: 1 + ((n + salt) % 4) }, (_unused, s) => sentence(n + s + salt)).join(
            ' ',
          ),
  }));

/** The rows of a passage's sentences. */
function everyRow(snapshot: Snapshot, segment: number, passage: number): number[] {
  const { segment: file, multiSentence, passages: count } = snapshot.segments[segment]!;
  const [from, to] = sentenceRowsOf({ segment: file }, passage);
  const only =
    (file.read('rows.passage', multiSentence, count - multiSentence) as Uint32Array).indexOf(
      passage,
    ) + multiSentence;
  return from < to ? Array.from({ length: to - from }, (_, i) => from + i) : [only];
}

/** All visible passages, in no order, some with some of their sentences. */
function everyPassage(snapshot: Snapshot): PassageRows[] {
  const all = Array.from(snapshot.livePassages(), ({ segment, passage }, n): PassageRows => {
    return {
      segment,
      passage,
      rows: everyRow(snapshot, segment, passage).filter((_, i) => (n + i) % 5 !== 0),
    };
  });
  return all.sort((a, b) => ((a.passage * 7919) % 1009) - ((b.passage * 7919) % 1009));
}

function textsOf(snapshot: Snapshot, { segment, passage, rows }: PassageRows): string[][] {
  const { title, text } = snapshot.passage(segment, passage);
  const spans = sentencesOfEach(snapshot.segments[segment]!, rows);
  return [
    analyzer.analyze(title ?? ''),
    ...spans.map(({ start, end }) => analyzer.analyze(text.slice(start, end))),
  ];
}

async function check(corpus: Corpus): Promise<void> {
  using snapshot = corpus.snapshot();
  const vectors = await readWordVectors();
  const terms = [
    ...new Set(
      analyzer.analyze(
        'Which mill flooded the field of the champion in 1936, Lovelace or the river?',
      ),
    ),
  ];
  const sought: TextTerms = {
    terms,
    counted: ['mill', 'flour', 'nowher'],
    pairs: [
      [0, 1],
      [1, 0],
      [0, 0],
    ],
    common: [...terms.keys()].filter((at) => vectors.has(terms[at]!)),
  };
  const own = everyPassage(snapshot);
  const { table, textOffsets } = await readTexts({ snapshot, analyzer }, own, sought, vectors);
  const texts: string[][] = [];
  own.forEach((each, at) => {
    assert.equal(textOffsets[at]!.first, textOffsets[at]!.title + 1);
    textsOf(snapshot, each).forEach((text, i) => void (texts[textOffsets[at]!.title + i] = text));
  });
  assert.deepEqual(
    { ...table },
    { ...textTable(texts, sought, vectors), width: terms.length, counted: 3 },
  );
  const candidates = own.flatMap(({ segment, passage }) => {
    const all = everyRow(snapshot, segment, passage);
    return [{ segment, passage, row: all.at(-1)! }];
  });
  const held = await containedTerms({ snapshot, analyzer }, candidates, terms);
  own.forEach((each, at) => {
    const has = new Set(
      analyzer.analyze(passageText(snapshot.passage(each.segment, each.passage))),
    );
    assert.deepEqual(
      held[at],
      terms.filter((term) => has.has(term)),
    );
  });
  const none = await readTexts({ snapshot, analyzer }, [], sought, vectors);
  assert.equal(none.table.lengths.length, 0);
  await assert.rejects(
    readTexts({ snapshot, analyzer }, own, sought, vectors, AbortSignal.abort()),
    { code: 'ERR_ABORTED' },
  );
}

/** Rewrites a corpus's segments, or the first of them, in the format before the forward index. */
async function forgetTexts(folder: string, many = Infinity): Promise<void> {
  const files = readdirSync(join(folder, 'segments'))
    .filter((name) => name.endsWith('.seg'))
    .sort()
    .slice(0, many);
  for (const name of files) {
    const path = join(folder, 'segments', name);
    const segment = binding.Segment.open(path);
    const names = segment.sections().map((each) => each.name);
    const sections = names.map((own) => ({
      name: own.replace('lexical.forward', 'lexical.unknown'),
      data: segment.read(own),
    }));
    segment.close();
    await writeSegmentFile(`${path}.before`, sections);
    renameSync(`${path}.before`, path);
  }
  reseal(folder);
}

describe('readTexts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asof-texts-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const keeps = (corpus: Corpus): boolean[] => {
    using snapshot = corpus.snapshot();
    return snapshot.segments.map(({ segment }) =>
      segment.sections().some(({ name }) => name === 'lexical.forward_terms'),
    );
  };

  it(
    'says what the analysis of the texts says, before and after passages are replaced and ' +
      'segments merged',
    async () => {
      const corpus = await Corpus.open(join(folder, 'several'));
      await corpus.add(passages(300, 0), { batchSize: 100 });
      await corpus.add(passages(120, 1), { batchSize: 60 });
      await corpus.delete(['p200', 'p201', 'p7']);
      assert.ok(keeps(corpus).length > 2 && keeps(corpus).every(Boolean));
      await check(corpus);
      await corpus.compact();
      assert.deepEqual(keeps(corpus), [true]);
      await check(corpus);
      await corpus.verify();
      await corpus.close();
    },
  );

  it(
    'analyses the texts of segments that do not keep them, some or all; a merge with one ' +
      'of them keeps none',
    async () => {
      for (const many of [1, Infinity]) {
        const path = join(folder, `before${many}`);
        const made = await Corpus.open(path);
        await made.add(passages(200, 0), { batchSize: 100 });
        const ask = async (corpus: Corpus) => {
          const { evidence } = await createSystem('hybrid', { corpus }).run({
            text: 'When did the mill near the river burn?',
          });
          return evidence.map(({ id, score, scores }) => ({ id, score, scores }));
        };
        const expected = await ask(made);
        await made.close();
        await forgetTexts(path, many);
        const corpus = await Corpus.open(path);
        assert.equal(keeps(corpus)[0], false);
        assert.equal(keeps(corpus).at(-1), many === 1);
        await check(corpus);
        assert.deepEqual(await ask(corpus), expected);
        await corpus.compact();
        assert.deepEqual(keeps(corpus), [false]);
        await check(corpus);
        await corpus.close();
      }
    },
  );
});
