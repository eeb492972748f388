// The manifest and the tombstones that it vouches for: any damage, any contradiction within and any
// name that leads elsewhere is refused whenever they are read.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Corpus } from '../../../lib/store/corpus.js';
import {
  manifestText,
  readManifest,
  tombstoneFile,
  type Manifest,
} from '../../../lib/store/format/manifest.js';
import { anywhere } from '../../anywhere.js';
import { copiesOf, fails, hashEncoder, passagesFrom, temporaryFolder } from '../fixtures.js';

const encoder = hashEncoder();

describe('manifest', () => {
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
  const open = (path: string) => Corpus.open(path, { encoder });
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

  it('a manifest cut short or with any bit flipped is rejected', async () => {
    const path = copy();
    const bytes = readFileSync(join(path, 'manifest'));
    const refused = async (content: Buffer, what: string): Promise<void> => {
      writeFileSync(join(path, 'manifest'), content);
      await assert.rejects(
        open(path),
        (error: { code?: string }) =>
          /^ERR_CORPUS_(?:FOREIGN|NEWER|CORRUPT)$/.test(String(error.code)),
        what,
      );
    };
    for (let length = 0; length < bytes.length; length += 1 + (length >> 3))
      await refused(bytes.subarray(0, length), `length ${length}`);
    for (let byte = 0; byte < bytes.length; byte += 1) {
      const flipped = Buffer.from(bytes);
      flipped[byte]! ^= 1 << anywhere(1, 8)[0]!;
      await refused(flipped, `byte ${byte}`);
    }
    writeFileSync(join(path, 'manifest'), bytes);
    await using(path, (corpus) => corpus.verify());
  });

  it('a manifest that contradicts itself is corrupt, though its checksum is right', async () => {
    const changes: [string, RegExp, (manifest: Manifest) => object][] = [
      ...(
        ['id', 'encoder', 'pipeline', 'segments', 'derived', 'nextSegment', 'storage'] as const
      ).map((part): [string, RegExp, (manifest: Manifest) => object] => [
        part,
        /lacks parts/,
        (manifest) => ({ ...manifest, [part]: undefined }),
      ]),
      ...(
        [
          ['id', '000099-0123456789abcdef', /wrong number/],
          ['id', '../../victim', /wrong id/],
          ['id', 1, /wrong id/],
          ['bytes', -1, /wrong number/],
          ['passages', 1e9, /counts that contradict/],
          ['multiSentence', 21, /counts that contradict/],
          ['rows', 2 ** 40, /counts that contradict/],
          ['deleted', 20, /counts that contradict/],
          ['deletedRows', 1e9, /counts that contradict/],
          ['deletedSentences', 1e9, /counts that contradict/],
          ['tombstones', undefined, /tombstones that contradict/],
          ['tombstones', { generation: 99, checksum: 1 }, /tombstones that contradict/],
          ['storage', 'f16', /lacks parts/],
          ['spans', { valid: [0, 'x'] }, /span that is none/],
        ] as const
      ).map(([part, value, words]): [string, RegExp, (manifest: Manifest) => object] => [
        part,
        words,
        (manifest) => ({
          ...manifest,
          segments: manifest.segments.map((each, at) =>
            at === 0 ? { ...each, [part]: value } : each,
          ),
        }),
      ]),
      [
        'twice',
        /segment 000001-[0-9a-f]{16} twice/,
        (manifest) => ({ ...manifest, segments: [...manifest.segments, manifest.segments[0]] }),
      ],
      ...(['recordedAt', 'series'] as const).map(
        (name): [string, RegExp, (manifest: Manifest) => object] => [
          name,
          /lacks parts/,
          (manifest) => ({ ...manifest, fields: { ...manifest.fields, [name]: null } }),
        ],
      ),
      [
        'derived',
        /derived column of no segment/,
        (manifest) => ({
          ...manifest,
          derived: [{ key: '../../victim', segment: manifest.segments[0]!.id, bytes: 1 }],
        }),
      ],
    ];
    for (const [part, words, change] of changes) {
      const path = copy();
      writeManifest(path, change(manifestOf(path)));
      await assert.rejects(open(path), fails('ERR_CORPUS_CORRUPT', words), part);
    }
  });

  it('tombstones that are damaged, missing or of another segment are rejected', async () => {
    const path = copy();
    const name = tombstoneFile(manifestOf(path).segments.find(({ tombstones }) => tombstones)!);
    const file = join(path, 'segments', name);
    const bytes = readFileSync(file);
    const look = () => using(path, (corpus) => corpus.has('p1'));
    for (let bit = 0; bit < 8 * bytes.length; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      writeFileSync(file, flipped);
      await assert.rejects(look(), fails('ERR_CORPUS_CORRUPT', /17 of 20 passages are live/));
    }
    writeFileSync(file, Buffer.alloc(1 << 20));
    await assert.rejects(look(), fails('ERR_CORPUS_CORRUPT'));
    rmSync(file);
    await assert.rejects(look(), fails('ERR_CORPUS_CORRUPT', /missing/));
    writeFileSync(file, bytes);
    await look();
  });
});
