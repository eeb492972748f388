// Packed statements: those of a segment are what is read of the text, in any lexicon; other bytes
// are refused without a trace; merges and repairs keep them, and questions do without.
import assert from 'node:assert/strict';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { binding } from '../../lib/binding.js';
import type { PassageHandle, SectionArray, Segment } from '../../binding.js';
import { Corpus, hybrid, type Passage } from '../../lib/index.js';
import { repairCorpus } from '../../lib/store/repair/repair.js';
import { splitSentences } from '../../lib/text/sentences.js';
import { readIndexed } from '../../lib/statements/indexing.js';
import type { Lexicon } from '../../lib/statements/lexicon.js';
import { mostSentences } from '../../lib/statements/sources.js';
import { readStatements, unpackStatements } from '../../lib/statements/statements.js';
import { newLexicon } from '../facts/passages.js';
import { flipBit, writeSegmentFile } from '../segmentFiles.js';
import { temporaryFolder } from '../store/fixtures.js';

interface Text {
  text: string;
  title?: string;
  publishedAt?: number;
}

const folder = temporaryFolder();
let files = 0;
/** A segment of these sections alone. */
async function segmentOf(sections: Record<string, SectionArray>): Promise<Segment> {
  const path = folder.path(`${files++}.seg`);
  const list = Object.entries(sections).map(([name, data]) => ({ name, data }));
  await writeSegmentFile(path, list);
  return binding.Segment.open(path);
}
const split = (texts: readonly Text[]) => texts.map(({ text }) => splitSentences(text));
const packed = async (texts: readonly Text[], timeZone?: string) => {
  const records = texts.map((each, at) => ({ id: String(at), ...each }));
  const { statements } = await readIndexed(records, split(texts), { packs: true, timeZone });
  return statements!;
};
const stored = (texts: readonly Text[]) =>
  texts.map((each, passage) => ({ publishedAt: each.publishedAt, passage, rows: [], row: 0 }));

/** All that a passage has, its words as text. */
function contents(lexicon: Lexicon, handle: PassageHandle): unknown {
  const { text, title, statements, times, titleTimes } = binding.passageColumns(handle);
  const wordsOf = ({ words, starts, joins }: typeof text): unknown => ({
    ...{ starts, joins },
    words: Array.from(words, (word) => lexicon.word(word)),
  });
  return { text: wordsOf(text), title: wordsOf(title), statements, times, titleTimes };
}

const piece = fc.constantFrom(
  ...['In 2019', 'it rose', 'than in 2018', 'until 1934', '. ', '. ', 'The Fed', '5%', '\n', ' '],
  ...['on 3 May 2020', 'he left in 1950', '(2011–present)', 'v1.2-beta.3', 'from 1901 to 1935'],
  ...['since yesterday', 'at 14:35 UTC on 9 May 2019', 'mime-db', 'STRAẞE', 'Łódź', '東京', '😀'],
  ...['a'.repeat(40), 'ﬁ', "O'Neil's", 'Bank of England', 'x'.repeat(300), '\ud800'],
);
const textOf = (most: number): fc.Arbitrary<string> =>
  fc.array(piece, { maxLength: most }).map((pieces) => pieces.join(' '));
const passage: fc.Arbitrary<Text> = fc.record(
  {
    text: textOf(30),
    title: textOf(4),
    publishedAt: fc.integer({ min: -1e12, max: 2e12 }),
  },
  { requiredKeys: ['text'] },
);

describe('packed statements', () => {
  it('are those of the texts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(passage, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(undefined, 'Asia/Tokyo', 'America/New_York'),
        async (texts, timeZone) => {
          const lexicon = newLexicon();
          const split_ = split(texts);
          const read = readStatements(
            texts.map((record, at) => ({ record, sentences: split_[at]!, rows: [], row: 0 })),
            lexicon,
            timeZone,
          );
          const { offsets, bytes } = await packed(texts, timeZone);
          const sections = { 'passages.statement_offset': offsets, 'passages.statement': bytes };
          const segment = await segmentOf(sections);
          const own = newLexicon();
          const found = unpackStatements(segment, stored(texts), own, timeZone);
          segment.close();
          for (const [at, each] of found.entries()) {
            const { handle, ...others } = read[at]!;
            assert.deepEqual(contents(own, each!.handle), contents(lexicon, handle));
            assert.deepEqual(
              { ...each, handle: 0, lexicon: 0 },
              { ...others, handle: 0, lexicon: 0 },
            );
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('leave out what is read in excerpts, and what is of another version', async () => {
    const long = { text: 'It rained. '.repeat(mostSentences + 1) };
    const texts = [long, { text: 'It snowed.' }, long];
    const { offsets, bytes } = await packed(texts);
    assert.deepEqual([offsets[1], offsets[3]], [0n, offsets[2]]);
    bytes[0]! += 1;
    const segment = await segmentOf({
      'passages.statement_offset': offsets,
      'passages.statement': bytes,
    });
    const none = await segmentOf({ other: bytes });
    for (const each of [segment, none]) {
      assert.deepEqual(unpackStatements(each, stored(texts), newLexicon()), [
        ...[undefined, undefined, undefined],
      ]);
      each.close();
    }
  });

  it('are refused where their bytes are others', async () => {
    const texts = [
      { text: 'In 2019 the Fed of Łódź left. It rose until May 2020.', title: 'v1.2' },
    ];
    const whole = await packed(texts);
    const codes = { read: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.bytes.length - 2),
        fc.integer({ min: 0, max: 255 }),
        fc.nat(whole.bytes.length),
        async (at, value, cut) => {
          const bytes = Uint8Array.from(whole.bytes);
          bytes[at + 1] = value;
          const kept = cut % 3 === 0 ? bytes.slice(0, Math.max(1, cut)) : bytes;
          const segment = await segmentOf({
            'passages.statement_offset': BigUint64Array.of(0n, BigInt(kept.length)),
            'passages.statement': kept,
          });
          const lexicon = newLexicon();
          try {
            const [found] = unpackStatements(segment, stored(texts), lexicon);
            contents(lexicon, found!.handle);
            codes.read += 1;
          } catch (error) {
            assert.equal((error as { code: string }).code, 'ERR_CORPUS_CORRUPT');
            codes.refused += 1;
          } finally {
            segment.close();
          }
        },
      ),
      { numRuns: 300 },
    );
    assert.ok(codes.read > 20 && codes.refused > 20, JSON.stringify(codes));
  });

  it('are refused beyond their section, and passages beyond the segment', async () => {
    const texts = [{ text: 'It snowed.' }];
    const { bytes } = await packed(texts);
    const segment = await segmentOf({
      'passages.statement_offset': BigUint64Array.of(0n, BigInt(bytes.length + 1)),
      'passages.statement': bytes,
    });
    assert.throws(() => unpackStatements(segment, stored(texts), newLexicon()), {
      code: 'ERR_CORPUS_CORRUPT',
      message: /ascending offsets in section passages.statement_offset/,
    });
    assert.throws(
      () => unpackStatements(segment, [{ passage: 1, rows: [], row: 0 }], newLexicon()),
      { code: 'ERR_INVALID_ARGUMENT', message: /passages/ },
    );
    segment.close();
  });

  it('stay through merges and repairs, and give the results of the texts', async () => {
    const texts: Passage[] = Array.from({ length: 30 }, (_, at) => ({
      id: `p${at}`,
      title: at % 3 === 0 ? `Report of ${2000 + at}` : undefined,
      text: `The toll of the bridge was ${at} crowns in ${1990 + at}. It had been less before.`,
      publishedAt: `${1991 + at}-02-03`,
    }));
    const path = folder.path('merged');
    const corpus = await Corpus.open(path);
    for (let from = 0; from < texts.length; from += 10)
      await corpus.add(texts.slice(from, from + 10));
    await corpus.delete(['p3']);
    const ask = async (from: Corpus) => {
      const system = hybrid({ corpus: from });
      const results = [];
      for (const text of ['What was the toll in 2004?', 'What is the toll of the bridge?'])
        results.push(await system.run({ text, askedAt: '2022' }));
      return results.map(({ evidence, answer }) => [
        evidence.map(({ id, score, sentence, validity }) => [id, score, sentence, validity]),
        answer,
      ]);
    };
    await corpus.compact();
    assert.equal(packedIn(path), texts.length - 1);
    const asked = await ask(corpus);
    await corpus.close();
    const anew = await Corpus.open(folder.path('anew'));
    await anew.add(texts.filter(({ id }) => id !== 'p3'));
    assert.deepEqual(await ask(anew), asked);
    await anew.close();
    const [damaged, mended] = [folder.path('damaged'), folder.path('mended')];
    cpSync(path, damaged, { recursive: true });
    const [name] = readdirSync(join(damaged, 'segments')).filter((each) => each.endsWith('.seg'));
    flipBit(join(damaged, 'segments', name!), 'passages.statement', 40);
    await repairCorpus(damaged, mended);
    assert.equal(packedIn(mended), texts.length - 1);
    const whole = await Corpus.open(mended);
    assert.deepEqual(await ask(whole), asked);
    await whole.close();
  });
});

/** Passages of a corpus's segments that have packed statements. */
function packedIn(path: string): number {
  const names = readdirSync(join(path, 'segments')).filter((name) => name.endsWith('.seg'));
  return names.reduce((sum, name) => {
    const segment = binding.Segment.open(join(path, 'segments', name));
    const offsets = segment.read('passages.statement_offset') as BigUint64Array;
    segment.close();
    return sum + offsets.filter((offset, at) => at > 0 && offset > offsets[at - 1]!).length;
  }, 0);
}
