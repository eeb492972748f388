// Writes of one shard: what is read back is what a local corpus stores, and the statistics are
// those of the passages that are there, whatever was written and deleted before.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import type { Corpus, Encoder, Passage } from '../../../lib/index.js';
import { Shard, type Session } from '../lib/connection.js';
import { getRecords, readPassages } from '../lib/read.js';
import { openSchema } from '../lib/schema.js';
import {
  addPassages,
  compactPostings,
  compactShard,
  deletePassages,
  updatePassages,
} from '../lib/write.js';
import type { PassagePatch } from '../../../lib/store/passages/patch.js';
import { PassageWriter } from '../../../lib/store/remote/passageWriter.js';
import { withSeries } from '../../../lib/store/fields/types.js';
import {
  passageRules,
  preparePassage,
  type PreparedPassage,
} from '../../../lib/store/passages/passages.js';
import { pipelineNames } from '../../../lib/store/writing/segmentBuilder.js';
import { staticEncoder } from '../../../lib/vectors/staticEncoder.js';
import { withCorpus } from '../../../test/corpus.js';
import { failsWith } from '../../../test/failsWith.js';
import { passageAt } from '../../../test/retrieval/remoteCorpus.js';
import { skipWithoutPostgres } from './binaries.js';
import { PostgresServers } from './servers.js';
import { assertExact, storedPassages } from './statistics.js';

const passages: Passage[] = [
  { id: 'one', text: 'The mill of Varn burnt down on 5 May 1961.' },
  {
    id: 'several',
    title: 'Mayors of Lund 1990',
    text: 'Ann Lee was mayor from 1981 to 1992. Bob Hay followed in June 1992. He left in 1999.',
    publishedAt: '2001-02-03T04:05:06.789Z',
    validFrom: '1981',
    metadata: { town: 'Lund', tags: ['mayor', 'naïve "\\ 東京'], size: -1.5e-9, open: true },
  },
  { id: 'until', text: 'A rule. Another rule, of last year.', validTo: '1999-12-31' },
  { id: 'both', text: 'No time', validFrom: '-000100-01-01', validTo: '2020-05-06', title: '' },
  {
    id: 'Größe\u{1f30d}',
    text: '\u0000 \u2028 "quoted" \\ tab\t. Ünïcode 𝒳 in 2010, 2011 and 2012.',
  },
  { id: 'repeated', text: 'mill mill mill. mill mills milling 1999 1999' },
  { id: 'NULL', text: 'An id that arrays of PostgreSQL read otherwise.' },
  { id: '{"a\\",\'b\'}', text: 'Another one.' },
  { id: 'wordless', text: '...', title: '!!' },
];
const fields = { town: 'keyword', tags: 'keyword[]', size: 'number', open: 'boolean' } as const;

describe('writes to PostgreSQL', function () {
  let all: PostgresServers;
  let shard: Shard;
  let encoder: Encoder;
  let writer: PassageWriter;
  const settings = {
    encoder: { id: '', dimensions: 256 },
    fields: withSeries(fields),
    pipeline: pipelineNames,
  };
  before(async function () {
    skipWithoutPostgres(this);
    all = await PostgresServers.start();
    encoder = await staticEncoder();
    settings.encoder = { id: encoder.id, dimensions: encoder.dimensions };
    writer = new PassageWriter(settings, encoder);
  });
  after(() => all?.stop());
  let schema = 0;
  beforeEach(async () => {
    shard = new Shard({ url: all.urls[0]!, schema: `asof_${(schema += 1)}` }, 0);
    await openSchema(shard, { created: settings, shards: 1 }, undefined);
  });
  afterEach(() => shard.close());

  const prepared = (batch: readonly Passage[]): PreparedPassage[] =>
    batch.map((passage, at) => preparePassage(passage, at, passageRules(settings, true)));
  const add = (batch: readonly Passage[]) => addPassages(shard, prepared(batch), writer, undefined);
  const remove = (ids: string[]) => deletePassages(shard, ids, writer, undefined);
  const read = (ids: readonly string[]) => shard.read(undefined, (s) => readPassages(s, ids));
  const everything = () => shard.read(undefined, storedPassages);

  let local: Corpus;
  withCorpus(passages, (corpus) => (local = corpus));
  const stored = (ids: readonly string[]): PreparedPassage[] => {
    using snapshot = local.snapshot();
    return snapshot.findEach(ids).map((place) => passageAt(snapshot, place!));
  };

  it('reads what a local corpus stores, to the bit', async () => {
    assert.deepEqual(await add(passages), { added: passages.length, replaced: 0, unchanged: 0 });
    const ids = passages.map(({ id }) => id);
    const found = await read([...ids, 'missing', ids[0]!]);
    assert.equal(found.length, ids.length);
    assert.deepEqual(found, stored(found.map(({ stored: { id } }) => id)));
    const times = found.flatMap(({ contents }) => contents!.flat());
    assert.ok(
      times.length >= 10 && found.some(({ contents }) => contents!.some((c) => c.length > 2)),
    );
  });

  it('keeps fields, times and the first and further content times in columns', async () => {
    await add(passages);
    const rows = await shard.read(undefined, (session) =>
      session.query(
        `select fields, p.published, valid_from, valid_to, part, sentence, valid_start, valid_end,
           1 + coalesce(array_length(more_start, 1), 0) as times
         from passages p join rows r using (passage)
         where id in ('several', 'until') order by id, sentence`,
      ),
    );
    const published = Date.UTC(2001, 1, 3, 4, 5, 6, 789);
    const from = Date.UTC(1981);
    const until = Date.UTC(2000);
    const lund = {
      fields: {
        town: ['Lund'],
        tags: ['mayor', 'naïve "\\ 東京'],
        size: -1.5e-9,
        open: ['true'],
      },
      ...{ published, valid_from: from, valid_to: null, valid_start: from, valid_end: Infinity },
    };
    const rule = {
      fields: {},
      ...{ published: null, valid_from: null, valid_to: until, valid_start: -Infinity },
      valid_end: until,
    };
    assert.deepEqual(
      rows.map((row) => ({ ...(row as object), times: undefined })),
      [
        ...[0, 1, 2, 3].map((sentence) => ({ ...lund, part: sentence && 2, sentence })),
        ...[0, 1, 2].map((sentence) => ({ ...rule, part: sentence && 2, sentence })),
      ].map((row) => ({ ...row, times: undefined })),
    );
    assert.deepEqual(
      rows.slice(0, 4).map((row) => (row as { times: number }).times),
      stored(['several']).flatMap(({ contents }) => {
        const union = new Set(contents!.flat().map(({ start, end }) => `${start} ${end}`));
        return [union.size, ...contents!.map(({ length }) => length)];
      }),
    );
  });

  it('adds, replaces and leaves, of equal ids the last', async () => {
    await add(passages.slice(0, 3));
    const changed = { ...passages[1]!, text: 'Cy Moss is mayor. Ann Lee was.' };
    const counts = await add([passages[0]!, changed, changed, passages[3]!, { ...passages[3]! }]);
    assert.deepEqual(counts, { added: 1, replaced: 1, unchanged: 3 });
    const twice = await add([{ id: 'one', text: 'First.' }, passages[0]!]);
    assert.deepEqual(twice, { added: 0, replaced: 2, unchanged: 0 });
    assert.deepEqual(
      (await everything()).map(({ id, text }) => [id, text]),
      [passages[3]!, passages[0]!, changed, passages[2]!].map(({ id, text }) => [id, text]),
    );
    assert.deepEqual(await remove(['one', 'missing', 'one']), 1);
    const left = await shard.read(undefined, (session) =>
      getRecords(session, ['until', 'one', 'both']),
    );
    assert.deepEqual(
      left.map(({ id }) => id),
      ['both', 'until'],
    );
    await assertStatistics();
  });

  it('takes vectors and times that passages bring, and compares them', async () => {
    const d = 256;
    const vectorOf = (seed: number) => Array.from({ length: d }, (_, j) => Math.sin(seed + j * j));
    const own = { ...passages[1]!, vector: vectorOf(1), sentenceVectors: [2, 3, 4].map(vectorOf) };
    await add([own]);
    const [{ vector, sentenceVectors }] = prepared([own]) as [PreparedPassage];
    const [found] = await read(['several']);
    assert.deepEqual([found!.vector, found!.sentenceVectors], [vector, sentenceVectors]);
    assert.deepEqual(await add([passages[1]!, own]), { added: 0, replaced: 0, unchanged: 2 });
    assert.deepEqual(await read(['several']), [found]);
    assert.equal((await add([{ ...own, vector: vectorOf(5) }])).replaced, 1);
    // as stored elsewhere, with times that no tagger would find
    const contents = found!.contents!.map((times) => times.slice(0, 1));
    const copy = { ...found!, contents, record: found!.record };
    await addPassages(shard, [copy], writer, undefined);
    assert.deepEqual(await read(['several']), [copy]);
    await assertStatistics();
  });

  it('changes passages with the rows that they have, or none of them', async () => {
    await add(passages);
    const unable = new PassageWriter(settings, { ...encoder, encode: () => assert.fail() });
    const update = (which: Parameters<typeof updatePassages>[1], patch: PassagePatch) =>
      updatePassages(shard, which, (all) => unable.patched(all, patch), unable, undefined);
    const ids = ['until', 'several'];
    const before = stored(ids);
    const patch = { validFrom: '1990', metadata: { town: 'Varn', open: null } };
    assert.deepEqual(await update(ids, patch), { added: 0, replaced: 2, unchanged: 0 });
    await local.update(ids, patch);
    assert.deepEqual(await read(ids), stored(['several', 'until']));
    assert.notDeepEqual(stored(ids), before);
    await assertStatistics();
    const town = Object.keys(settings.fields).indexOf('town');
    const filter = { kind: 'keywords' as const, field: town, values: ['Varn'] };
    const again = await update(filter, { publishedAt: '2020' });
    assert.deepEqual(again, { added: 0, replaced: 2, unchanged: 0 });
    await local.update(ids, { publishedAt: '2020' });
    assert.deepEqual(await read(ids), stored(['several', 'until']));
    const written = await everything();
    await assert.rejects(
      update(filter, { validTo: '1995', metadata: { size: 'large' } }),
      failsWith('ERR_INVALID_ARGUMENT', /id "(?:several|until)"/),
    );
    assert.deepEqual(await everything(), written);
    await assertStatistics();
  });

  it('has room for long vectors and many times', async () => {
    const text = Array.from({ length: 30 }, (_, at) => `In ${1950 + at} it rose.`).join(' ');
    for (const dimensions of [1900, 1901, 4096]) {
      const wide = { ...settings, encoder: { id: 'wide', dimensions } };
      const other = new Shard({ url: all.urls[0]!, schema: `wide_${dimensions}` }, 0);
      try {
        await openSchema(other, { created: wide, shards: 1 }, undefined);
        const random = Float32Array.from({ length: dimensions }, (_, j) => Math.sin(j * j));
        const own = { id: 'a', text, vector: random, sentenceVectors: Array(30).fill(random) };
        const published = { publishedAt: '2001', validFrom: '2000', validTo: '2002' };
        const passage = preparePassage({ ...own, ...published }, 0, passageRules(wide, false));
        const none = new PassageWriter(wide, { ...encoder, dimensions });
        await addPassages(other, [passage], none, undefined);
        const [found] = await other.read(undefined, (session) => readPassages(session, ['a']));
        assert.deepEqual(found!.sentenceVectors, passage.sentenceVectors);
        assert.equal(found!.contents!.length, 30);
      } finally {
        await other.close();
      }
    }
  });

  it('leaves nothing of a write that is aborted while it is encoded, or waits', async () => {
    await add(passages.slice(0, 2));
    const before = await everything();
    const many = prepared(passages.map((each) => ({ ...each, text: `${each.text} Changed.` })));
    const encoding = new AbortController();
    const aborting: Encoder = {
      ...encoder,
      encode: (...call) => {
        encoding.abort();
        return encoder.encode(...call);
      },
    };
    await assert.rejects(
      addPassages(shard, many, new PassageWriter(settings, aborting), encoding.signal),
      failsWith('ERR_ABORTED', /aborted/),
    );
    const waiting = new AbortController();
    await shard.write(undefined, async (session) => {
      await session.query('lock table postings in share row exclusive mode');
      const writing = addPassages(shard, many, writer, waiting.signal);
      const rejected = assert.rejects(writing, failsWith('ERR_ABORTED', /aborted/));
      await untilBlocked(session);
      waiting.abort();
      await rejected;
    });
    assert.deepEqual(await everything(), before);
    await assertStatistics();
  });

  it('has all or nothing of a write whose server is killed', async () => {
    await add(passages.slice(0, 2));
    const before = await everything();
    const server = all.servers[0]!;
    let writing: Promise<void> | undefined;
    const holding = shard.write(undefined, async (session) => {
      await session.query('lock table postings in share row exclusive mode');
      writing = assert.rejects(
        add(passages.map((each) => ({ ...each, text: `${each.text} Changed.` }))),
        failsWith('ERR_STORAGE', /shard 0/, { shard: shard.name, outcome: undefined }),
      );
      await untilBlocked(session); // rows are written, postings are not
      await server.kill();
      await session.query('select 1');
    });
    await assert.rejects(holding, failsWith('ERR_STORAGE', /connection/));
    await writing;
    await server.start();
    assert.deepEqual(await everything(), before);
    await assertStatistics();
    assert.deepEqual(await add(passages), {
      added: passages.length - 2,
      replaced: 0,
      unchanged: 2,
    });
    await assertStatistics();
  });

  it('has exact statistics after any writes and deletions, and after a compaction', async () => {
    const word = fc.constantFrom('mill', 'mayor', 'bridge', 'Lund', '1999', 'burnt', 'the');
    const sentence = fc.array(word, { minLength: 1, maxLength: 6 }).map((w) => `${w.join(' ')}.`);
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const passage = fc.record({
      id,
      text: fc.array(sentence, { minLength: 1, maxLength: 4 }).map((all) => all.join(' ')),
    });
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ add: fc.array(passage, { maxLength: 4 }) }) },
      { weight: 2, arbitrary: fc.record({ remove: fc.array(id, { maxLength: 3 }) }) },
      { weight: 1, arbitrary: fc.constant({}) },
    );
    const steps = fc.array(step, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        await remove(['a', 'b', 'c', 'd', 'e', 'f']);
        for (const each of taken) {
          if ('add' in each) await add(each.add);
          else if ('remove' in each) await remove(each.remove);
          else await shard.write(undefined, compactPostings);
        }
        await assertStatistics();
      }),
      { numRuns: 15 },
    );
    const blocks = () =>
      shard.read(undefined, (s) => s.query<{ n: number }>('select n from postings where n <= 0'));
    await remove(['a']);
    await compactShard(shard, undefined);
    assert.deepEqual(await blocks(), []);
    await assertStatistics();
  });

  it('lets writers go on while postings are compacted, by one at a time', async () => {
    await add(passages);
    let second: Promise<void> | undefined;
    await shard.write(undefined, async (session) => {
      await compactPostings(session);
      await remove(['several', 'one']);
      await add([passages[0]!, { id: 'new', text: 'The mill was built anew.' }]);
      second = shard.write(undefined, compactPostings);
      await untilBlocked(session);
    });
    await second;
    await assertStatistics();
  });

  it('lets writers of the same ids and compactions run at once', async () => {
    const second = new Shard({ url: all.urls[0]!, schema: shard.schema }, 0);
    const ids = Array.from({ length: 12 }, (_, at) => `id ${at}`);
    const writes = async (on: Shard, salt: number): Promise<void> => {
      for (let round = 0; round < 8; round += 1) {
        const batch = ids.map((id, at) => ({
          id,
          text: `Writer ${salt} came in round ${round}. It wrote ${(at * salt + round) % 3} words.`,
        }));
        if (salt % 2 === 1) batch.reverse();
        await addPassages(on, prepared(batch), writer, undefined);
        if (round % 3 === salt % 3) await deletePassages(on, ids.slice(salt, 6), writer, undefined);
      }
    };
    let writing = true;
    const compactor = async (on: Shard): Promise<void> => {
      while (writing) await compactShard(on, undefined);
    };
    const compacting = Promise.all([compactor(shard), compactor(second)]);
    try {
      await Promise.all([writes(shard, 1), writes(second, 2), writes(second, 3)]);
    } finally {
      writing = false;
      await compacting;
      await second.close();
    }
    await assertStatistics();
    await add(ids.map((id) => ({ id, text: 'The end of it.' })));
    assert.equal((await everything()).length, ids.length);
    await assertStatistics();
  });

  it('changes what others replace meanwhile, in each of many writes of one passage', async () => {
    await add([{ id: 'busy', text: 'A mill.' }]);
    const counts = await Promise.all(
      Array.from({ length: 12 }, (_, at) => {
        const patch = { metadata: { round: at } };
        const changed = (all: readonly PreparedPassage[]) => writer.patched(all, patch);
        return updatePassages(shard, ['busy'], changed, writer, undefined);
      }),
    );
    for (const each of counts) assert.deepEqual(each, { added: 0, replaced: 1, unchanged: 0 });
    const deleted = await Promise.all([
      add([{ id: 'busy', text: 'A saw mill.' }]),
      add([{ id: 'busy', text: 'An oil mill.' }]),
      deletePassages(shard, ['busy'], writer, undefined),
    ]);
    assert.equal(deleted[2], 1);
    await assertStatistics();
  });

  const assertStatistics = () => assertExact(shard, writer);

  async function untilBlocked(session: Session): Promise<void> {
    const blocked = 'select from pg_locks where not granted';
    while ((await session.query(blocked)).length === 0) await wait(5);
  }
});
