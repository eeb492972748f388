// Passages of a corpus in PostgreSQL by filter, order and id: pages, counts and deletions are those
// of a local corpus, over random passages and filters, on one server and on two.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  bm25,
  Corpus,
  searchVectors,
  type ListOptions,
  type Passage,
  type StoredCorpus,
} from '../../../lib/index.js';
import { Shard } from '../lib/connection.js';
import { PostgresCorpus } from '../lib/index.js';
import type { PostgresOptions } from '../lib/options.js';
import { storedContents } from '../../../lib/store/storedCorpus.js';
import { failsWith } from '../../../test/failsWith.js';
import { fields, filterCase, metadata, passageOf } from '../../../test/store/fields/fixtures.js';
import { hashEncoder, passagesFrom, temporaryFolder } from '../../../test/store/fixtures.js';
import { skipWithoutPostgres } from './binaries.js';
import { PostgresServers } from './servers.js';

const encoder = hashEncoder();
const orders = ['id', 'price', 'seen', 'publishedAt', 'validFrom', 'validTo'];

async function pages(corpus: StoredCorpus, options: ListOptions): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let after: string | undefined; ; ) {
    const page = await corpus.list({ ...options, after });
    all.push(page.passages);
    after = page.next;
    if (after === undefined) return all;
  }
}

/** Of an info what does not depend on how the passages are stored. */
async function contentsOf(corpus: StoredCorpus): Promise<object> {
  const { passages, rows, sentences, sentenceRows, encoder, pipeline, fields, timeZone, spans } =
    await corpus.info();
  return { passages, rows, sentences, sentenceRows, encoder, pipeline, fields, timeZone, spans };
}

describe('passages in PostgreSQL', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let servers: PostgresServers;
  before(async function () {
    skipWithoutPostgres(this);
    servers = await PostgresServers.start({ servers: 2 });
  });
  after(() => servers?.stop());
  let corpora = 0;
  const connect = (
    count: number,
    options: Partial<PostgresOptions> = {},
  ): Promise<PostgresCorpus> =>
    PostgresCorpus.connect({
      shards: servers.urls.slice(0, count),
      schema: `c${(corpora += 1)}`,
      encoder,
      fields,
      ...options,
    });

  for (const count of [1, 2])
    it(`are listed, counted and deleted as in a folder, on ${count}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(metadata, { minLength: 1, maxLength: 40 }),
          fc.record({ filter: filterCase, removed: filterCase, time: fc.boolean() }),
          fc.constantFrom(...orders),
          fc.boolean(),
          fc.integer({ min: 1, max: 15 }),
          async (all, { filter, removed, time }, field, isDescending, limit) => {
            const timeZone = time ? 'Asia/Tokyo' : undefined;
            await using remote = await connect(count, { timeZone });
            await using local = await Corpus.open(folder.path(`c${corpora}`), {
              ...{ encoder, fields, timeZone },
            });
            const passages = all.map((each, i) => ({
              ...passageOf(i, each),
              ...(i % 4 === 1 ? { validFrom: Date.UTC(1990, i % 7) } : {}),
              ...(i % 5 === 1 ? { validTo: `${2001 + (i % 3)}` } : {}),
            }));
            for (const corpus of [local, remote]) await corpus.add(passages);
            const direction = isDescending && field !== 'id' ? 'desc' : 'asc';
            const same = async (what: (corpus: StoredCorpus) => unknown): Promise<void> =>
              assert.deepEqual(await what(remote), await what(local));
            const options = { orderBy: { field, direction }, limit } as const;
            await same((corpus) => pages(corpus, options));
            await same((corpus) => pages(corpus, { ...options, where: filter.where }));
            await same((corpus) => corpus.count({ where: filter.where }));
            await same(contentsOf);
            await same((corpus) => corpus.delete({ where: removed.where }));
            await same((corpus) => corpus.delete(new Set(['none', passages[0]!.id])));
            await same((corpus) => corpus.has(passages[0]!.id));
            await same((corpus) => corpus.has(passages.at(-1)!.id));
            await same((corpus) => corpus.getMany(passages.map(({ id }) => id)));
            await same((corpus) => pages(corpus, options));
            await same((corpus) => corpus.count());
            await remote.verify();
            await remote.compact();
            const { passages: left, rows, sentences } = local.info();
            const counts = await remote.info();
            assert.deepEqual(
              [counts.passages, counts.rows, counts.sentences, counts.deleted],
              [left, rows, sentences, 0],
            );
            await remote.verify();
          },
        ),
        { numRuns: 12 },
      );
    });

  it('have no U+0000 in what PostgreSQL keeps as text, and are not found by it', async () => {
    await using remote = await connect(2);
    await using local = await Corpus.open(folder.path('nul'), { encoder, fields });
    const kept: Passage[] = ['a', 'b', 'c'].map((id) => ({ id, text: 'The \0 mill.' }));
    for (const corpus of [remote, local]) await corpus.add(kept);
    for (const [argument, fault] of [
      ['id', { id: 'x\0' }],
      ['series', { series: '\0', validFrom: 1 }],
      ['supersedes', { supersedes: 'a\0', validFrom: 1 }],
      ['metadata.tags', { metadata: { tags: ['y', '\0'] } }],
    ] as const)
      await assert.rejects(
        remote.add([
          { id: 'd', text: 'New.' },
          { id: 'x', text: 'x', ...fault },
        ]),
        failsWith('ERR_INVALID_ARGUMENT', /without U\+0000.*remove it/, { argument, index: 1 }),
      );
    const after = Buffer.from(JSON.stringify({ order: 'id asc', value: 0, id: 'a\0b' })).toString(
      'base64url',
    );
    const same = async (what: (corpus: StoredCorpus) => unknown): Promise<void> =>
      assert.deepEqual(await what(remote), await what(local));
    await same((corpus) => corpus.has('a\0'));
    await same((corpus) => corpus.get('\0'));
    await same((corpus) => corpus.getMany(['a\0', 'b', '\0']));
    await same((corpus) => corpus.count({ where: { tags: { contains: '\0' } } }));
    await same((corpus) => corpus.list({ after }));
    await same((corpus) => corpus.delete(['\0', 'a\0', 'b']));
    await same(async (corpus) => {
      const asked = { candidateIds: ['a\0', 'c'], read: false };
      const { evidence } = await bm25({ corpus }).run({ text: 'mill' }, asked);
      return evidence.map(({ id }) => id);
    });
    await same((corpus) => corpus.list());
  });

  it('are in the order of code points, on every page', async () => {
    const ids = ['', 'a', 'z', '\u{e000}', '\uffee', '\u{1f30d}', '\u{10fffe}'].map(
      (each) => `i${each}`,
    );
    await using remote = await connect(2);
    await remote.add(ids.toReversed().map((id): Passage => ({ id, text: 'Same.' })));
    for (const limit of [1, 2, 100])
      for (const orderBy of ['id', 'price']) {
        const found = (await pages(remote, { orderBy, limit })) as Passage[][];
        assert.deepEqual(
          found.flat().map(({ id }) => id),
          ids,
        );
      }
  });

  it('are read with their vectors, each once', async () => {
    await using remote = await connect(2);
    await using local = await Corpus.open(folder.path('vectors'), { encoder, fields });
    for (const corpus of [local, remote]) await corpus.add(passagesFrom(0, 1100));
    const read = async (corpus: StoredCorpus): Promise<unknown[]> => {
      const all = [];
      for await (const { stored, hash, vector, sentenceVectors = [] } of storedContents(
        corpus,
        undefined,
      ))
        all.push({ stored, hash: hash.toString('hex'), vector, sentences: [...sentenceVectors] });
      return all.sort((a, b) => (a.stored.id < b.stored.id ? -1 : 1));
    };
    assert.deepEqual(await read(remote), await read(local));
    const controller = new AbortController();
    const reading = storedContents(remote, controller.signal)[Symbol.asyncIterator]();
    await reading.next();
    controller.abort();
    await assert.rejects(async () => {
      while (!(await reading.next()).done);
    }, failsWith('ERR_ABORTED'));
  });

  it('are found by vectors', async () => {
    await using remote = await connect(2);
    await using local = await Corpus.open(folder.path('searched'), { encoder, fields });
    for (const corpus of [local, remote]) await corpus.add(passagesFrom(0, 200));
    const vectors = await encoder.encode(['The bridge opened.', 'visited 7 times'], {
      kind: 'query',
    });
    for (const options of [
      {},
      { where: { publishedAt: { exists: true } }, asOf: '2019-01-01' },
      { decay: { shape: 'linear', halfLife: '900d' } as const, asOf: '2021-06-01' },
    ]) {
      const [found, expected] = await Promise.all(
        [remote, local].map((corpus) => searchVectors(corpus, vectors, 10, options)),
      );
      assert.deepEqual(
        found!.map((hits) => [...hits]),
        expected!.map((hits) => [...hits]),
      );
      assert.equal(found![0]!.length, 10);
    }
    await assert.rejects(
      searchVectors(remote, vectors, -1),
      failsWith('ERR_INVALID_ARGUMENT', /k/),
    );
  });

  it('have sizes on each server, and the number that compaction drops', async () => {
    await using remote = await connect(2);
    await remote.add(passagesFrom(0, 30));
    await remote.delete(['p1', 'p2', 'p3']);
    const { deleted, bytes, shards, schema } = await remote.info();
    assert.equal(deleted, 3);
    assert.equal(schema, `c${corpora}`);
    assert.equal(shards.length, 2);
    assert.equal(shards[0]!.passages + shards[1]!.passages, 27);
    assert.equal(shards[0]!.bytes + shards[1]!.bytes, bytes.total);
    const { total, ...parts } = bytes;
    assert.equal(
      Object.values(parts).reduce((sum, each) => sum + each, 0),
      total,
    );
    for (const { name } of shards)
      assert.match(name, /^shard [01] \(127\.0\.0\.1:\d+\/postgres\)$/);
    await remote.compact();
    assert.equal((await remote.info()).deleted, 0);
  });

  it('have no earlier versions', async () => {
    await using remote = await connect(1);
    const asRecorded = '2020-01-01';
    for (const refused of [
      () => remote.list({ asRecorded }),
      () => remote.count({ asRecorded }),
      () => remote.get('a', { asRecorded }),
      () => remote.versions('a'),
    ])
      await assert.rejects(refused, failsWith('ERR_INVALID_ARGUMENT', /with history/));
  });

  it('are not written through a handle that is read-only, nor a corpus created', async () => {
    await assert.rejects(connect(1, { readOnly: true }), failsWith('ERR_NOT_FOUND'));
    const made = await connect(1);
    await made.add(passagesFrom(0, 3));
    await made.close();
    await using reader = await connect(1, { schema: `c${corpora}`, readOnly: true });
    assert.equal(reader.readOnly, true);
    for (const refused of [
      () => reader.add(passagesFrom(3, 4)),
      () => reader.delete(['p1']),
      () => reader.compact(),
    ])
      await assert.rejects(refused, failsWith('ERR_INVALID_ARGUMENT', /opened for writing/));
    assert.equal(await reader.count(), 3);
    await reader.verify();
  });

  it('of another encoder are read without it', async () => {
    const made = await connect(1);
    await made.add(passagesFrom(0, 3));
    await made.close();
    await using reader = await connect(1, { schema: `c${corpora}`, encoder: undefined });
    assert.equal(reader.encoder.id, encoder.id);
    assert.equal((await reader.list()).passages.length, 3);
    await assert.rejects(reader.add(passagesFrom(3, 5)), failsWith('ERR_ENCODER_MISMATCH'));
  });
});

/** A statement that spoils a corpus, and what its verification says. */
const damages: Readonly<Record<string, [sql: string, said: RegExp]>> = {
  'a row is gone': ['delete from rows where sentence = 0', /a row of the whole for each passage/],
  'a sentence is gone': ['delete from rows where sentence = 1', /sentences of each passage/],
  'a passage is gone': ["delete from passages where id = 'p1'", /a row of the whole/],
  'a sum is off': ['update totals set tokens = tokens + 1', /the totals/],
  'a frequency is off': ['update postings set n = n + 1', /document frequency/],
  'a posting is off': ['update postings set packed[1] = packed[1] + 1', /postings of each row/],
  'a posting is gone': [
    `delete from postings p using (select term from postings group by term limit 1) t
     where p.term = t.term`,
    /postings of each row/,
  ],
  'a record is another': ["update passages set record = record || ' '", /record of "p0"/],
  'a time is another': ['update passages set published = 7', /its id and times/],
  'a derived vector is left over': [
    "insert into derived_vectors values ('k', -5, (select v from rows limit 1))",
    /derived vectors of rows that are there/,
  ],
  'a sum of derived vectors is off': [
    "insert into derived_totals values ('k', 5)",
    /the totals of derived vectors/,
  ],
};

describe('verification in PostgreSQL', function () {
  this.timeout(120_000);
  let servers: PostgresServers;
  before(async function () {
    skipWithoutPostgres(this);
    servers = await PostgresServers.start();
  });
  after(() => servers?.stop());

  for (const [what, [sql, said]] of Object.entries(damages))
    it(`says that ${what}`, async () => {
      const schema = what.replaceAll(' ', '_');
      await using corpus = await PostgresCorpus.connect({ shards: servers.urls, schema, encoder });
      await corpus.add(passagesFrom(0, 12));
      await corpus.verify();
      const shard = new Shard({ url: servers.urls[0]!, schema }, 0);
      await shard.write(undefined, (session) => session.query(sql));
      await shard.close();
      const seen: number[] = [];
      await assert.rejects(
        corpus.verify({ onProgress: ({ done }) => void seen.push(done) }),
        failsWith('ERR_CORPUS_CORRUPT', said),
      );
    });
});
