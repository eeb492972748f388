// Shared fixtures of the store's tests: an encoder without a model, passages, temporary folders,
// and the model of a corpus's expected content.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binding } from '../../lib/binding.js';
import { AsOfError, type ErrorCode } from '../../lib/errors.js';
import type { Passage, StoredPassage } from '../../lib/records.js';
import type { Corpus } from '../../lib/store/corpus.js';
import { manifestText, readManifest, segmentFile } from '../../lib/store/format/manifest.js';
import { sealOf } from '../../lib/store/format/openSegments.js';
import type { Encoder } from '../../lib/vectors/encoder.js';
import type { TimeEncoderWeights } from '../../lib/vectors/timeEncoder.js';
import { removeFolder } from '../removeFolder.js';

/**
 * Hashes words into a few dimensions: equal texts have equal vectors, and that is all it promises.
 */
export function hashEncoder(dimensions = 8, id = `hash-${dimensions}`): Encoder {
  return {
    id,
    dimensions,
    async encode(texts) {
      const vectors = new Float32Array(texts.length * dimensions);
      texts.forEach((text, i) => {
        const vector = vectors.subarray(i * dimensions, (i + 1) * dimensions);
        for (const word of text.split(/\W+/)) {
          let hash = 2166136261;
          for (let at = 0; at < word.length; at += 1)
            hash = Math.imul(hash ^ word.charCodeAt(at), 16777619) >>> 0;
          vector[hash % dimensions]! += (hash & 1024 ? 1 : -1) * (1 + (hash >>> 20) / 4096);
        }
        const length = Math.hypot(...vector);
        if (length > 0) vector.forEach((value, j) => void (vector[j] = value / length));
      });
      return vectors;
    },
  };
}

/** Weights of a time encoder over an encoder, all the same. */
export function timeWeights({ id, dimensions }: Encoder, value = 0.1): TimeEncoderWeights {
  const shape = {
    kind: 'film' as const,
    dimensions,
    waves: 3,
    width: 5,
    statistics: { meanYear: 2000, deviationYear: 30 },
  };
  const parameters = new Float32Array(
    binding.timeParameterCount({ ...shape, ...shape.statistics }),
  ).fill(value);
  return { encoder: id, ...shape, parameters, settings: {}, training: {} };
}

export const isWindows = process.platform === 'win32';

/** A folder that is there once it is named, and gone after the suite. Call it in a describe. */
export function temporaryFolder(): { path(...names: string[]): string } {
  let folder: string | undefined;
  after(() => folder !== undefined && removeFolder(folder));
  return {
    path: (...names) => join((folder ??= mkdtempSync(join(tmpdir(), 'asof-test-'))), ...names),
  };
}

/** Copies of a corpus for tests to damage, each in a folder of its own. */
export function copiesOf(folder: { path(name: string): string }, whole: () => string) {
  let number = 0;
  return (): string => {
    const path = folder.path(`copy-${(number += 1)}`);
    cpSync(whole(), path, { recursive: true });
    return path;
  };
}

export function fails(code: ErrorCode, words: RegExp = /./): (error: unknown) => boolean {
  return (error) => {
    assert.ok(AsOfError.is(error), `${String(error)} is no AsOfError`);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    return true;
  };
}

/**
 * Passage number i in its version v: some of one sentence, some of several, with clocks here and
 * there.
 */
export function passageNumber(i: number, version = 0): Passage {
  const sentences = [
    'The bridge opened in 1932.',
    `It was visited ${i} times on 5 May 2021.`,
    'Nobody knows why.',
  ].slice(0, (i % 3) + 1);
  const passage: Passage = {
    id: `p${i}`,
    text: `${sentences.join(' ')}${version > 0 ? ` Edition ${version} appeared.` : ''}`,
  };
  if (i % 2 === 0) passage.title = `Bridge ${i % 10}`;
  if (i % 3 === 0) passage.publishedAt = `20${String(10 + (i % 12)).padStart(2, '0')}-03-01`;
  if (i % 5 === 0) passage.validFrom = '2001';
  if (i % 7 === 0) passage.validTo = '2012-06';
  if (i % 4 === 0) passage.metadata = { number: i, nested: { list: [1, 'two', null] } };
  return passage;
}

export const passagesFrom = (from: number, to: number, version = 0): Passage[] =>
  Array.from({ length: to - from }, (_, i) => passageNumber(from + i, version));

/** Path of the segment of a number, in the folder of a corpus. */
export function segmentNumbered(path: string, number: number): string {
  const folder = join(path, 'segments');
  const start = `${String(number).padStart(6, '0')}-`;
  const name = readdirSync(folder).find((each) => each.startsWith(start) && each.endsWith('.seg'));
  assert.ok(name, `no segment ${number} in ${path}`);
  return join(folder, name);
}

/** Has the manifest of a closed corpus vouch for segments that a test has rewritten. */
export function reseal(path: string): void {
  const manifest = readManifest(readFileSync(join(path, 'manifest')), path);
  const segments = manifest.segments.map((each) => ({
    ...each,
    ...sealOf(join(path, 'segments', segmentFile(each))),
  }));
  writeFileSync(join(path, 'manifest'), manifestText({ ...manifest, segments }));
}

/** All visible passages by id, read through a snapshot's segments: what searches see. */
export function contents(corpus: Corpus): Map<string, StoredPassage> {
  using snapshot = corpus.snapshot();
  const found = new Map<string, StoredPassage>();
  snapshot.segments.forEach(({ passages, liveDocs }, segment) => {
    for (let p = 0; p < passages; p += 1) {
      if (liveDocs && !(liveDocs[p >> 3]! & (1 << (p % 8)))) continue;
      const stored = snapshot.passage(segment, p);
      assert.equal(snapshot.id(segment, p), stored.id);
      assert.ok(!found.has(stored.id), `${stored.id} is visible twice`);
      found.set(stored.id, stored);
    }
  });
  return found;
}
