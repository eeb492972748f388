// Damaged, foreign, newer and incomplete corpora: named errors, no crash.
import assert from 'node:assert/strict';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
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
import { open as openLmdb } from 'lmdb';
import { binding } from '../../lib/binding.js';
import { Corpus } from '../../lib/store/corpus.js';
import { anywhere } from '../anywhere.js';
import { contents, fails, hashEncoder, passagesFrom, temporaryFolder } from './fixtures.js';

const encoder = hashEncoder();

describe('damaged corpora', () => {
  const folder = temporaryFolder();
  let whole: string;
  let number = 0;
  before(async () => {
    whole = folder.path('whole');
    const corpus = await Corpus.open(whole, { encoder });
    await corpus.add(passagesFrom(0, 40), { batchSize: 20 });
    await corpus.add(passagesFrom(5, 8, 1));
    await corpus.close();
  });

  const copy = (): string => {
    const path = folder.path(`copy-${(number += 1)}`);
    cpSync(whole, path, { recursive: true });
    return path;
  };
  const open = (path: string, options = {}) => Corpus.open(path, { encoder, ...options });
  const segmentFile = (path: string, i = 0): string =>
    join(path, 'segments', readdirSync(join(path, 'segments')).sort()[i]!);
  /** Opens the corpus, does something, and closes it whatever happened. */
  const using = async (path: string, use: (corpus: Corpus) => unknown): Promise<void> => {
    const corpus = await open(path);
    try {
      await use(corpus);
    } finally {
      await corpus.close();
    }
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
        fails('ERR_CORPUS_CORRUPT', /000001\.seg.*found \d+ bytes/),
      );
    }
    await using(path, (corpus) => assert.equal(corpus.get('p1')?.id, 'p1')); // texts are elsewhere
  });

  it('a corpus without its catalog is neither opened nor overwritten', async () => {
    const path = copy();
    rmSync(join(path, 'catalog.mdb'));
    const segments = readdirSync(join(path, 'segments'));
    for (const options of [{}, { create: false }, { readOnly: true }]) {
      const said = /Expected a catalog at .*catalog\.mdb, found 3 segment files without one/;
      await assert.rejects(open(path, options), fails('ERR_CORPUS_CORRUPT', said));
    }
    assert.deepEqual(readdirSync(join(path, 'segments')), segments);
    for (const name of segments) rmSync(join(path, 'segments', name));
    await using(path, (corpus) => assert.equal(corpus.info().passages, 0)); // nothing there to lose
  });

  it('an unreadable catalog is rejected with a message', async () => {
    const path = copy();
    rmSync(join(path, 'catalog.mdb'));
    mkdirSync(join(path, 'catalog.mdb')); // may be opened and not read, by root too
    await assert.rejects(
      open(path),
      fails(
        'ERR_STORAGE',
        /Expected to read .*catalog\.mdb, the system answered: .*Check its permissions/,
      ),
    );
  });

  it('a missing segment is named', async () => {
    const path = copy();
    rmSync(segmentFile(path));
    await assert.rejects(
      using(path, (corpus) => corpus.snapshot()),
      fails('ERR_CORPUS_CORRUPT', /missing.*000001\.seg/),
    );
    await assert.rejects(
      using(path, (corpus) => corpus.verify()),
      fails('ERR_CORPUS_CORRUPT', /missing/),
    );
  });

  it('verify, and compact before copying, find a flipped byte in any section', async () => {
    const segment = binding.Segment.open(segmentFile(whole));
    const sections = segment.sections().filter(({ bytes }) => bytes > 0);
    segment.close();
    for (const { name, offset, bytes } of sections) {
      if (name === 'counts') continue; // read at once: the next test
      const path = copy();
      const data = readFileSync(segmentFile(path));
      data[offset + anywhere(1, bytes)[0]!]! ^= 4;
      writeFileSync(segmentFile(path), data);
      const words = new RegExp(`section ${name.replace('.', '\\.')} in`);
      await assert.rejects(
        using(path, (corpus) => corpus.verify()),
        fails('ERR_CORPUS_CORRUPT', words),
      );
      await assert.rejects(
        using(path, (corpus) => corpus.compact()),
        fails('ERR_CORPUS_CORRUPT', words),
      );
      // whatever it answers, it does not crash
      await using(path, (corpus) => contents(corpus)).catch(() => {});
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
      using(swapped, (corpus) => corpus.verify()),
      fails('ERR_CORPUS_CORRUPT', /id "q0"/),
    );
  });

  it('a truncated catalog is rejected at every length', async () => {
    const size = statSync(join(whole, 'catalog.mdb')).size;
    for (const length of [
      1,
      100,
      4095,
      4096,
      8191,
      8192,
      size - 4096,
      size - 1,
      ...anywhere(10, size - 1).map((each) => each + 1),
    ]) {
      const path = copy();
      truncateSync(join(path, 'catalog.mdb'), length);
      await assert.rejects(
        open(path),
        fails(length < 160 ? 'ERR_CORPUS_FOREIGN' : 'ERR_CORPUS_CORRUPT'),
        `length ${length}`,
      );
    }
  });

  it('a catalog that is no LMDB file, or of another program, is foreign', async () => {
    const path = copy();
    writeFileSync(join(path, 'catalog.mdb'), Buffer.alloc(65536, 'not a database '));
    await assert.rejects(open(path), fails('ERR_CORPUS_FOREIGN', /no LMDB/));
    const foreign = folder.path('foreign');
    mkdirSync(foreign);
    const database = openLmdb({
      path: join(foreign, 'catalog.mdb'),
      noSubdir: true,
      overlappingSync: false,
    });
    await database.put('some', 'thing');
    await database.close();
    const before = readFileSync(join(foreign, 'catalog.mdb'));
    await assert.rejects(open(foreign), fails('ERR_CORPUS_FOREIGN'));
    await assert.rejects(open(foreign, { readOnly: true }), fails('ERR_CORPUS_FOREIGN'));
    assert.ok(
      before.equals(readFileSync(join(foreign, 'catalog.mdb'))),
      'opening changed a foreign database',
    );
  });

  it('an incomplete manifest is corrupt', async () => {
    for (const part of [
      'encoder',
      'pipeline',
      'segments',
      'derived',
      'nextOrdinal',
      'generation',
      'rows',
    ]) {
      const path = copy();
      const database = openLmdb({
        path: join(path, 'catalog.mdb'),
        noSubdir: true,
        overlappingSync: false,
        encoding: 'string',
      });
      const manifests = database.openDB<string, string>('manifest', { encoding: 'string' });
      await manifests.put(
        'manifest',
        manifests.get('manifest')!.replace(`"${part}"`, `"${part}x"`),
      );
      await database.close();
      await assert.rejects(
        open(path),
        fails('ERR_CORPUS_CORRUPT', /Expected a complete manifest/),
        part,
      );
    }
  });

  it('a corpus or segment of a later version is rejected as newer', async () => {
    const path = copy();
    const database = openLmdb({
      path: join(path, 'catalog.mdb'),
      noSubdir: true,
      overlappingSync: false,
      encoding: 'string',
    });
    const manifests = database.openDB<string, string>('manifest', { encoding: 'string' });
    const manifest = JSON.parse(manifests.get('manifest')!);
    await manifests.put('manifest', JSON.stringify({ ...manifest, format: 2 }));
    await database.close();
    await assert.rejects(
      open(path),
      fails('ERR_CORPUS_NEWER', /format 1 or older.*format 2.*Upgrade/),
    );

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

  it('verify finds a modified or missing record or id', async () => {
    const changes: [string, RegExp, (database: ReturnType<typeof openLmdb>) => Promise<unknown>][] =
      [
        [
          'record',
          /record of passage/,
          (root) =>
            root
              .openDB<string, number>('passages', { encoding: 'string', keyEncoding: 'uint32' })
              .put(3, '{"id":"p10","text":"forged"}'),
        ],
        [
          'lost record',
          /records/,
          (root) => root.openDB('passages', { keyEncoding: 'uint32' }).remove(3),
        ],
        [
          'lost id',
          /ids/,
          (root) => root.openDB('ids', { keyEncoding: 'binary' }).remove(Buffer.from('p1')),
        ],
      ];
    for (const [, words, change] of changes) {
      const path = copy();
      const root = openLmdb({
        path: join(path, 'catalog.mdb'),
        noSubdir: true,
        overlappingSync: false,
        maxDbs: 8,
      });
      await change(root);
      await root.close();
      await assert.rejects(
        using(path, (corpus) => corpus.verify()),
        fails('ERR_CORPUS_CORRUPT', words),
      );
    }
  });

  it('a writer removes the orphans of a crash, and nothing else', async () => {
    const path = copy();
    appendFileSync(join(path, 'segments', '000099.seg'), 'half a segment');
    appendFileSync(join(path, 'segments', '000100.seg.partial'), 'less');
    await using(path, (corpus) => void contents(corpus));
    assert.ok(existsSync(join(path, 'segments', '000099.seg')), 'a reader removed a file');
    await using(path, async (corpus) => {
      await corpus.delete(['no such id']);
      await corpus.verify();
    });
    assert.deepEqual(readdirSync(join(path, 'segments')), readdirSync(join(whole, 'segments')));
  });

  it('an interrupted creation is completed', async () => {
    const path = folder.path('interrupted');
    mkdirSync(join(path, 'segments'), { recursive: true });
    writeFileSync(join(path, 'catalog.mdb'), '');
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
