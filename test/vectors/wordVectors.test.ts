// The table of word vectors: similarities against a float64 reading of the file, coverage, and
// damaged files.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AsOfError, type ErrorCode } from '../../lib/errors.js';
import { englishAnalyzer } from '../../lib/text/analyzer.js';
import { readWordVectors, type WordVectors } from '../../lib/vectors/wordVectors.js';
import { temporaryFolder } from '../store/fixtures.js';

const embedded = fileURLToPath(new URL('../../models/word-vectors.bin', import.meta.url));
const term = (word: string): string => englishAnalyzer().analyze(word)[0]!;

/** Reads the file on its own, by the layout of models/README.md. */
function oracle(file: Buffer): {
  header: Record<string, unknown>;
  cosine(a: string, b: string): number;
  terms: string[];
} {
  const [count, d, headerLength, termsLength] = [24, 28, 32, 36].map((at) =>
    file.readUInt32LE(at),
  ) as [number, number, number, number];
  const after = (from: number, length: number): number => 64 * Math.ceil((from + length) / 64);
  const termsAt = after(64, headerLength);
  const scalesAt = after(termsAt, termsLength);
  const rowsAt = after(scalesAt, 4 * count);
  const terms = file
    .toString('utf8', termsAt, termsAt + termsLength)
    .trimEnd()
    .split('\n');
  const row = (t: string): number[] => {
    const r = terms.indexOf(t);
    return Array.from(
      { length: d },
      (_, j) => file.readInt8(rowsAt + r * d + j) * file.readFloatLE(scalesAt + 4 * r),
    );
  };
  const dot = (a: number[], b: number[]): number =>
    a.reduce((sum, value, j) => sum + value * b[j]!, 0);
  return {
    header: JSON.parse(file.toString('utf8', 64, 64 + headerLength)) as Record<string, unknown>,
    terms,
    cosine: (a, b) => dot(row(a), row(b)),
  };
}

describe('vectors: words', () => {
  const folder = temporaryFolder();
  const file = readFileSync(embedded);
  const expected = oracle(file);
  let words: WordVectors;
  before(async () => {
    words = await readWordVectors();
  });

  it('reports its id, and is small', () => {
    assert.equal(words.id, expected.header['id']);
    assert.equal(words.terms, expected.terms.length);
    assert.equal(expected.header['licence'], 'Apache-2.0');
    assert.equal(expected.header['analyser'], englishAnalyzer().id);
    assert.ok(file.length < 4_000_000);
  });

  it('returns the similarity of the file, symmetrically', () => {
    for (let i = 0; i < 300; i += 1) {
      const [a, b] = [
        expected.terms[(i * 7919) % words.terms]!,
        expected.terms[(i * 104729 + 17) % words.terms]!,
      ];
      const similarity = words.similarity(a, b)!;
      assert.ok(
        Math.abs(similarity - Math.max(-1, Math.min(1, expected.cosine(a, b)))) < 1e-6,
        `${a} ${b}`,
      );
      assert.equal(similarity, words.similarity(b, a));
    }
    // Rows are of length one before they are rounded to a 127th of their largest component.
    assert.ok(Math.abs(words.similarity(term('river'), term('river'))! - 1) < 0.02);
  });

  it('has common words by their terms, but no names and numbers', () => {
    for (const word of ['rivers', 'finalist', 'took', 'elected', 'snowy'])
      assert.ok(words.has(term(word)), word);
    for (const word of ['thierry', '1999', 'zzz']) assert.ok(!words.has(term(word)), word);
    assert.equal(words.similarity('river', 'zzz'), undefined);
    const known = new Set(expected.terms);
    for (const each of expected.terms.filter((_, at) => at % 9 === 0)) {
      assert.ok(words.has(each), each);
      for (const other of [each.slice(1), each.slice(0, -1), `${each}a`, `${each}\u00e9`])
        assert.equal(words.has(other), known.has(other), other);
    }
  });

  it('rates related words as more similar than unrelated ones', () => {
    for (const [word, near, far] of [
      ['doctor', 'hospital', 'violin'],
      ['king', 'queen', 'engine'],
      ['warm', 'hot', 'parliament'],
      ['salary', 'wage', 'glacier'],
    ]) {
      assert.ok(
        words.similarity(term(word!), term(near!))! >
          words.similarity(term(word!), term(far!))! + 0.1,
        word,
      );
    }
  });

  it('rejects a missing, foreign, newer, truncated or damaged file', async () => {
    const refused = async (
      name: string,
      bytes: Buffer | undefined,
      code: ErrorCode,
    ): Promise<void> => {
      const path = folder.path(name);
      if (bytes) writeFileSync(path, bytes);
      await assert.rejects(
        readWordVectors(path),
        (error) => AsOfError.is(error) && error.code === code,
        name,
      );
    };
    const changed = (at: number, value: number): Buffer => {
      const copy = Buffer.from(file);
      copy[at] = value;
      return copy;
    };
    await refused('missing', undefined, 'ERR_NOT_FOUND');
    await refused('empty', Buffer.alloc(0), 'ERR_CORPUS_FOREIGN');
    await refused('foreign', Buffer.from('ASOFENC\0 and more'), 'ERR_CORPUS_FOREIGN');
    await refused('newer', changed(8, 2), 'ERR_CORPUS_NEWER');
    await refused('cut', file.subarray(0, 40), 'ERR_CORPUS_CORRUPT');
    await refused('shorter', file.subarray(0, file.length - 1), 'ERR_CORPUS_CORRUPT');
    await refused(
      'damaged',
      changed(file.length >> 1, file[file.length >> 1]! ^ 1),
      'ERR_CORPUS_CORRUPT',
    );
  });
});
