// Another corpus in the place of an open one: a folder that was indexed anew and renamed, removed
// and made again, or put back from an older copy.
import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Corpus } from '../../lib/store/corpus.js';
import { fileSystem, useFileSystem } from '../../lib/store/format/fileSystem.js';
import { manifestText, readManifest } from '../../lib/store/format/manifest.js';
import { bm25 } from '../../lib/systems/baselines.js';
import type { Encoder } from '../../lib/vectors/encoder.js';
import { contents, fails, hashEncoder, passagesFrom, temporaryFolder } from './fixtures.js';

const encoder = hashEncoder();
const isReplaced = fails(
  'ERR_CORPUS_REPLACED',
  /another or none in its place.*open the corpus again/,
);

describe('a corpus in the place of an open one', () => {
  const folder = temporaryFolder();
  let number = 0;
  const fresh = (): string => folder.path(`corpus-${(number += 1)}`);
  const open = (path: string, options = {}): Promise<Corpus> =>
    Corpus.open(path, { encoder, ...options });

  /** A corpus of segments of four passages, from a number on. */
  async function made(from: number, segments: number): Promise<string> {
    const path = fresh();
    await using corpus = await open(path);
    for (let at = 0; at < segments; at += 1)
      await corpus.add(passagesFrom(from + 4 * at, from + 4 * at + 4));
    return path;
  }

  const ways: Record<string, (path: string, other: string) => void> = {
    renamed(path, other) {
      renameSync(path, fresh());
      renameSync(other, path);
    },
    'removed and copied'(path, other) {
      rmSync(path, { recursive: true });
      cpSync(other, path, { recursive: true });
    },
    'written over'(path, other) {
      cpSync(other, path, { recursive: true });
    },
  };

  for (const [way, replace] of Object.entries(ways)) {
    it(`is refused by every call, and is not harmed (${way})`, async () => {
      const [path, other] = [await made(0, 2), await made(100, 2)];
      const truth = await open(other).then(async (corpus) => {
        await using _ = corpus;
        return contents(corpus);
      });
      const [looked, unused] = [await open(path), await open(path)];
      contents(looked);
      replace(path, other);
      for (const corpus of [looked, unused]) {
        const calls: Record<string, () => unknown> = {
          get: () => corpus.get('p0'),
          has: () => corpus.has('p100'),
          info: () => corpus.info(),
          refresh: () => corpus.refresh(),
          list: () => corpus.list(),
          count: () => corpus.count(),
          verify: () => corpus.verify(),
          backup: () => corpus.backup(fresh()),
          add: () => corpus.add(passagesFrom(0, 1)),
          delete: () => corpus.delete(['p1', 'p100']),
          deleteWhere: () => corpus.delete({ where: {} }),
          compact: () => corpus.compact(),
          question: () => bm25({ corpus }).run({ text: 'bridge' }),
        };
        for (const [name, call] of Object.entries(calls))
          await assert.rejects(async () => call(), isReplaced, name);
        await corpus.close();
      }
      await using again = await open(path);
      await again.verify();
      assert.deepEqual(contents(again), truth);
    });
  }

  it('is not harmed by a write that began before', async () => {
    for (const act of ['add', 'replace', 'compact'] as const) {
      const [path, other] = [await made(0, 3), await made(100, 3)];
      let swap: (() => void) | undefined = () => ways['renamed']!(path, other);
      const swapping: Encoder = {
        ...encoder,
        async encode(texts, options) {
          swap?.();
          swap = undefined;
          return encoder.encode(texts, options);
        },
      };
      await using corpus = await open(path, { encoder: swapping });
      const write =
        act === 'compact'
          ? corpus.compact({
              onProgress() {
                swap?.();
                swap = undefined;
              },
            })
          : corpus.add(act === 'add' ? passagesFrom(50, 54) : passagesFrom(0, 4, 1));
      await assert.rejects(write, isReplaced, act);
      await using again = await open(path);
      await again.verify();
      assert.deepEqual(
        [...contents(again).keys()].sort(),
        passagesFrom(100, 112)
          .map(({ id }) => id)
          .sort(),
      );
    }
  });

  it('commits no manifest that another writer has put in the place of its own', async () => {
    const path = await made(0, 1);
    await using corpus = await open(path);
    const before = readFileSync(join(path, 'manifest'));
    const system = fileSystem;
    useFileSystem({
      ...system,
      async sync(descriptor) {
        const next = join(path, 'manifest.next');
        if (existsSync(next)) {
          rmSync(next);
          writeFileSync(next, before);
        }
        await system.sync(descriptor);
      },
    });
    try {
      await assert.rejects(corpus.add(passagesFrom(50, 51)), isReplaced);
    } finally {
      useFileSystem(system);
    }
    assert.deepEqual(readFileSync(join(path, 'manifest')), before);
    await corpus.add(passagesFrom(50, 51));
    await corpus.verify();
  });

  it('may be an older copy of it, which the handle goes on with', async () => {
    const path = await made(0, 3);
    const older = fresh();
    await using corpus = await open(path);
    cpSync(path, older, { recursive: true });
    const before = contents(corpus);
    await corpus.add(passagesFrom(2, 6, 1));
    await corpus.delete(['p0', 'p9']);
    await corpus.compact();
    assert.equal(contents(corpus).size, 10);
    rmSync(path, { recursive: true });
    cpSync(older, path, { recursive: true });
    assert.deepEqual(contents(corpus), before);
    await corpus.verify();
    assert.equal(await corpus.delete(['p0', 'p1']), 2);
    assert.deepEqual(await corpus.add(passagesFrom(2, 3, 1)), {
      added: 0,
      replaced: 1,
      unchanged: 0,
    });
    await corpus.compact();
    await corpus.verify();
    await using again = await open(path);
    assert.deepEqual(contents(again), contents(corpus));
    assert.equal(contents(again).size, 10);
  });

  it('may be a copy that went another way to the same generation', async () => {
    const path = await made(0, 2);
    const copy = fresh();
    cpSync(path, copy, { recursive: true });
    await using corpus = await open(path);
    await using other = await open(copy);
    await corpus.delete(['p0', 'p1']);
    await other.delete(['p2', 'p3']);
    await corpus.add(passagesFrom(20, 24));
    await other.add(passagesFrom(30, 34));
    assert.equal(corpus.info().generation, other.info().generation);
    const [ours, theirs] = [contents(corpus), contents(other)];
    assert.notDeepEqual([...ours.keys()], [...theirs.keys()]);
    ways['renamed']!(path, copy);
    assert.deepEqual(contents(corpus), theirs);
    const { evidence } = await bm25({ corpus }).run({ text: 'bridge' }, { k: 100 });
    assert.deepEqual(evidence.map(({ id }) => id).sort(), [...theirs.keys()].sort());
    await corpus.verify();
    await corpus.compact();
    assert.deepEqual(contents(corpus), theirs);
  });

  it('is not a backup, which has an identity of its own', async () => {
    const path = await made(0, 1);
    const copy = fresh();
    await using corpus = await open(path);
    await corpus.backup(copy);
    const [manifest, copied] = [path, copy].map((each) =>
      readManifest(readFileSync(join(each, 'manifest')), each),
    );
    assert.notEqual(manifest!.id, copied!.id);
    assert.equal(manifestText({ ...copied!, id: manifest!.id }), manifestText(manifest!));
    ways['renamed']!(path, copy);
    assert.throws(() => corpus.has('p0'), isReplaced);
  });
});
