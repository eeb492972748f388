// Damaged, foreign, newer and incomplete corpora: named errors, no crash.
import assert from 'node:assert/strict';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { binding } from '../../lib/binding.js';
import type { SectionArray } from '../../binding.js';
import { createSystem } from '../../lib/papers/registry.js';
import { Corpus } from '../../lib/store/corpus.js';
import {
  type Manifest,
  manifestText,
  newSegmentId,
  readManifest,
} from '../../lib/store/format/manifest.js';
import { contentTimesOfEach } from '../../lib/store/views/rowTimes.js';
import type { Snapshot } from '../../lib/store/views/snapshot.js';
import { anywhere } from '../anywhere.js';
import {
  contents,
  copiesOf,
  fails,
  hashEncoder,
  passagesFrom,
  reseal,
  temporaryFolder,
} from './fixtures.js';
import { flipBit, writeSegmentFile } from '../segmentFiles.js';

const encoder = hashEncoder();

describe('damaged corpora', () => {
  const folder = temporaryFolder();
  let whole: string;
  before(async () => {
    whole = folder.path('whole');
    const corpus = await Corpus.open(whole, { encoder });
    await corpus.add(passagesFrom(0, 40), { batchSize: 20 });
    await corpus.add(passagesFrom(5, 8, 1));
    await corpus.close();
  });

  const copy = copiesOf(folder, () => whole);
  const open = (path: string, options = {}) => Corpus.open(path, { encoder, ...options });
  const segmentFile = (path: string, i = 0): string =>
    join(
      path,
      'segments',
      readdirSync(join(path, 'segments'))
        .filter((name) => name.endsWith('.seg'))
        .sort()[i]!,
    );
  const manifestOf = (path: string): Manifest =>
    readManifest(readFileSync(join(path, 'manifest')), path);
  const writeManifest = (path: string, manifest: object): void =>
    writeFileSync(join(path, 'manifest'), manifestText(manifest as Manifest));
  /** Opens the corpus, does something, and closes it whatever happened. */
  const using = async (path: string, use: (corpus: Corpus) => unknown): Promise<void> => {
    const corpus = await open(path);
    try {
      await use(corpus);
    } finally {
      await corpus.close();
    }
  };

  /** A copy with a section of its segment `i` changed under checksums that hold. */
  const forged = async (
    i: number,
    section: string,
    change: (data: SectionArray) => SectionArray,
  ): Promise<string> => {
    const path = copy();
    const file = segmentFile(path, i);
    const segment = binding.Segment.open(file);
    const sections = segment.sections().map(({ name }) => {
      const data = segment.read(name);
      return { name, data: name === section ? change(data) : data };
    });
    segment.close();
    rmSync(file);
    await writeSegmentFile(file, sections);
    reseal(path);
    return path;
  };

  it('a truncated segment is rejected with its sizes by every reader', async () => {
    const path = copy();
    const file = segmentFile(path);
    truncateSync(file, statSync(file).size - 1);
    for (const use of [
      (corpus: Corpus) => corpus.snapshot(),
      (corpus: Corpus) => corpus.info(),
      (corpus: Corpus) => corpus.verify(),
      (corpus: Corpus) => corpus.compact(),
    ]) {
      await assert.rejects(
        using(path, use),
        fails('ERR_CORPUS_CORRUPT', /000001-.*\.seg.*found \d+ bytes/),
      );
    }
  });

  it('a corpus without its manifest is neither opened nor overwritten', async () => {
    const path = copy();
    rmSync(join(path, 'manifest'));
    const segments = readdirSync(join(path, 'segments'));
    for (const options of [{}, { create: false }, { readOnly: true }]) {
      const said = /Expected a manifest at .*manifest, found 4 segment files without one/;
      await assert.rejects(open(path, options), fails('ERR_CORPUS_CORRUPT', said));
    }
    assert.deepEqual(readdirSync(join(path, 'segments')), segments);
    for (const name of segments) rmSync(join(path, 'segments', name));
    await using(path, (corpus) => assert.equal(corpus.info().passages, 0)); // nothing there to lose
  });

  it('an unreadable manifest is rejected with a message', async () => {
    const path = copy();
    rmSync(join(path, 'manifest'));
    mkdirSync(join(path, 'manifest')); // may be opened and not read, by root too
    await assert.rejects(
      open(path),
      fails(
        'ERR_STORAGE',
        /Expected to read .*manifest, the system answered: .*Check its permissions/,
      ),
    );
  });

  it('a missing segment is named', async () => {
    const path = copy();
    rmSync(segmentFile(path));
    await assert.rejects(
      using(path, (corpus) => corpus.snapshot()),
      fails('ERR_CORPUS_CORRUPT', /missing.*000001-.*\.seg/),
    );
    await assert.rejects(
      using(path, (corpus) => corpus.verify()),
      fails('ERR_CORPUS_CORRUPT', /missing/),
    );
  });

  it('a flipped byte in any section is found by its first reader, verify and compact', async () => {
    const ask = (system: string) => (corpus: Corpus) =>
      createSystem(system, { corpus }).run({ text: 'bridge' });
    const readers: Record<string, (corpus: Corpus) => unknown> = {
      'passages.record': contents,
      'passages.record_offset': contents,
      'passages.id': contents,
      'passages.id_offset': contents,
      'passages.hash': (corpus) => corpus.add(passagesFrom(0, 20)),
      'passages.statement': ask('hybrid'),
      'passages.statement_offset': ask('hybrid'),
      'passages.schema': (corpus) => corpus.verify(), // only a repair reads it
    };
    const segment = binding.Segment.open(segmentFile(whole));
    const sections = segment.sections().filter(({ bytes }) => bytes > 0);
    segment.close();
    for (const { name, bytes } of sections) {
      const path = copy();
      flipBit(segmentFile(path), name, anywhere(1, bytes)[0]!);
      const words = new RegExp(`section ${name.replace('.', '\\.')} in`);
      await assert.rejects(
        using(path, (corpus) => corpus.verify()),
        fails('ERR_CORPUS_CORRUPT', words),
      );
      await assert.rejects(
        using(path, (corpus) => corpus.compact()),
        fails('ERR_CORPUS_CORRUPT', words),
      );
      await assert.rejects(
        using(path, readers[name] ?? ask('dense')),
        fails('ERR_CORPUS_CORRUPT', words),
      );
    }
  });

  it('a segment of another corpus under the same name is detected', async () => {
    const path = copy();
    copyFileSync(segmentFile(path, 2), segmentFile(path, 0));
    await assert.rejects(
      using(path, (corpus) => corpus.snapshot()),
      fails('ERR_CORPUS_CORRUPT', /as in the manifest/),
    );
    const other = folder.path('other');
    await using(other, (corpus) =>
      corpus.add(
        passagesFrom(0, 20).map((passage) => ({ ...passage, id: `q${passage.id.slice(1)}` })),
      ),
    );
    const swapped = copy();
    copyFileSync(segmentFile(other), segmentFile(swapped, 0));
    await assert.rejects(
      using(swapped, (corpus) => corpus.snapshot()),
      fails('ERR_CORPUS_CORRUPT', /another content/),
    );
  });

  it('a manifest of another program, and a corpus of an older format, are foreign', async () => {
    const path = copy();
    writeFileSync(join(path, 'manifest'), Buffer.alloc(65536, 'not a manifest '));
    await assert.rejects(open(path), fails('ERR_CORPUS_FOREIGN', /none of its/));
    const old = copy();
    writeManifest(old, { ...manifestOf(old), format: 2 });
    const names = readdirSync(old, { recursive: true });
    for (const options of [{}, { readOnly: true }])
      await assert.rejects(open(old, options), fails('ERR_CORPUS_FOREIGN', /format 2.*Index/));
    assert.deepEqual(readdirSync(old, { recursive: true }), names);
  });

  it('a corpus or segment of a later version is rejected as newer', async () => {
    const path = copy();
    writeManifest(path, { ...manifestOf(path), format: 4 });
    await assert.rejects(open(path), fails('ERR_CORPUS_NEWER', /format 3.*format 4.*Upgrade/));

    const later = copy();
    const data = readFileSync(segmentFile(later));
    data.writeUInt32LE(9, 8);
    data.writeUInt32LE(binding.crc32c(data.subarray(0, 60)), 60);
    writeFileSync(segmentFile(later), data);
    await assert.rejects(
      using(later, (corpus) => corpus.verify()),
      fails('ERR_CORPUS_NEWER', /version 9/),
    );
  });

  it('verify finds a record of another hash or id under right checksums', async () => {
    const reversed = (data: SectionArray): SectionArray =>
      Uint8Array.from(data as Uint8Array, (byte) => (byte === 0x70 ? 0x71 : byte));
    for (const [section, words] of [
      ['passages.hash', /record of passage 0 of 000003-\w+\.seg with the hash/],
      ['passages.id', /record of passage 0 of 000003-\w+\.seg with its id/],
    ] as const) {
      const path = await forged(2, section, (data) =>
        section === 'passages.id'
          ? reversed(data)
          : Uint8Array.from(data as Uint8Array, (byte) => byte ^ 1),
      );
      await assert.rejects(
        using(path, (corpus) => corpus.verify()),
        fails('ERR_CORPUS_CORRUPT', words),
      );
    }
  });

  it('offsets that descend or lead beyond their section end a call, in bounded time', async () => {
    const reads: [string, (snapshot: Snapshot) => unknown][] = [
      ['passages.id_offset', (snapshot) => [0, 1, 2, 3].map((p) => snapshot.id(0, p))],
      ['passages.id_offset', (snapshot) => snapshot.ids([0, 0, 0, 0], [0, 1, 2, 3])],
      ['passages.record_offset', (snapshot) => [1, 2, 3].map((p) => snapshot.passage(0, p))],
      [
        'clock.content_offset',
        ({ segments: [first] }) =>
          contentTimesOfEach(
            first!,
            Array.from({ length: first!.rows }, (_, row) => row),
          ),
      ],
    ];
    for (const [section, read] of reads) {
      for (const value of [0, 2 ** 32 - 1]) {
        const path = await forged(0, section, (data) => {
          const changed = data.slice() as Uint32Array | BigUint64Array;
          if (changed instanceof Uint32Array) changed[2] = value;
          else changed[2] = BigInt(value);
          return changed;
        });
        await using(path, (corpus) => {
          using snapshot = corpus.snapshot();
          assert.throws(
            () => read(snapshot),
            fails('ERR_CORPUS_CORRUPT', new RegExp(`ascending offsets in section ${section}`)),
          );
        });
      }
    }
  });

  it('a writer removes the orphans of a crash, and nothing else', async () => {
    const path = copy();
    const orphans = [newSegmentId(99), newSegmentId(100)].map((id) =>
      join(path, 'segments', `${id}.seg`),
    );
    for (const orphan of orphans) appendFileSync(orphan, 'half a segment');
    await using(path, (corpus) => void contents(corpus));
    for (const orphan of orphans) assert.ok(existsSync(orphan), 'a reader removed a file');
    await using(path, async (corpus) => {
      await corpus.delete(['no such id']);
      await corpus.verify();
    });
    assert.deepEqual(readdirSync(join(path, 'segments')), readdirSync(join(whole, 'segments')));
  });

  it('an interrupted creation is completed', async () => {
    const path = folder.path('interrupted');
    mkdirSync(join(path, 'segments'), { recursive: true });
    writeFileSync(join(path, 'manifest.next'), 'asof corpus 2 1');
    await assert.rejects(open(path, { readOnly: true }), fails('ERR_NOT_FOUND'));
    await using(path, async (corpus) =>
      assert.equal((await corpus.add(passagesFrom(0, 2))).added, 2),
    );
  });

  it('a moved corpus is the same corpus', async () => {
    const path = copy();
    const moved = folder.path('moved');
    renameSync(path, moved);
    await using(moved, (corpus) => corpus.verify());
  });

  it('opening reads no vectors: info needs the manifest and tables only', async () => {
    const path = copy();
    const file = segmentFile(path);
    const segment = binding.Segment.open(file);
    const { offset, bytes } = segment.sections().find(({ name }) => name === 'vectors.f32')!;
    segment.close();
    const data = readFileSync(file);
    data.fill(0xff, offset, offset + bytes); // NaNs, should anybody look
    writeFileSync(file, data);
    await using(path, (corpus) => {
      assert.equal(corpus.info().passages, 40);
      assert.equal(contents(corpus).size, 40);
    });
  });
});
