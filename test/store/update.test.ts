// Updates: times, metadata and series of stored passages change, and what was made of their texts
// stays as it was stored.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binding } from '../../lib/binding.js';
import { hybrid } from '../../lib/index.js';
import type { Passage } from '../../lib/records.js';
import { Corpus } from '../../lib/store/corpus.js';
import type { CorpusOptions } from '../../lib/store/corpusOptions.js';
import type { PassagePatch } from '../../lib/store/passages/patch.js';
import { contents, fails, hashEncoder, passagesFrom, temporaryFolder } from './fixtures.js';
import { assertEach } from '../assertEach.js';

const fields = { kind: 'keyword', number: 'number' } as const;

/** An encoder that says how many texts it was given. */
function countingEncoder() {
  const { encode, ...encoder } = hashEncoder();
  const counts = { texts: 0 };
  const counted: typeof encode = (texts, options) => {
    counts.texts += texts.length;
    return encode(texts, options);
  };
  return { encoder: { ...encoder, encode: counted }, counts };
}

/** Digests of the sections of a corpus's only segment. */
function sectionsOf(corpus: Corpus): Map<string, number> {
  using snapshot = corpus.snapshot();
  assert.equal(snapshot.segments.length, 1);
  const { segment } = snapshot.segments[0]!;
  return new Map(
    segment.sections().map(({ name }) => {
      const { buffer, byteOffset, byteLength } = segment.read(name) as Uint8Array;
      return [name, binding.crc32c(new Uint8Array(buffer, byteOffset, byteLength))];
    }),
  );
}

describe('update', () => {
  const folder = temporaryFolder();
  let made = 0;
  const created = (options: CorpusOptions = {}): Promise<Corpus> =>
    Corpus.open(folder.path(`${(made += 1)}`), { encoder: hashEncoder(), fields, ...options });

  const time = fc.constantFrom('2001', '2016-05-03', new Date(Date.UTC(1970, 0, 20)), null);
  const patch: fc.Arbitrary<PassagePatch> = fc.record(
    {
      publishedAt: time,
      validFrom: fc.constantFrom('1990', '1995-06-01', null),
      validTo: fc.constantFrom('2020', new Date('2012-03-01T10:00Z'), null),
      metadata: fc.oneof(
        fc.constant(null),
        fc.dictionary(
          fc.constantFrom('kind', 'other'),
          fc.oneof(fc.constantFrom('a', 'b'), fc.constant(null)),
        ),
      ),
    },
    { requiredKeys: ['metadata'] },
  );

  it('is the corpus of the changed passages, without encoding (property)', async () => {
    await fc.assert(
      fc.asyncProperty(
        patch,
        fc.boolean(),
        fc.uniqueArray(fc.nat(29), { minLength: 1 }),
        async (patch, sentences, numbers) => {
          const { encoder, counts } = countingEncoder();
          await using corpus = await created({ encoder, sentences });
          await corpus.add(
            passagesFrom(0, 30).map((each) => ({
              ...each,
              text: `${each.text} It closed yesterday.`,
            })),
            { batchSize: 20 },
          );
          counts.texts = 0;
          const ids = numbers.map((number) => `p${number}`);
          const before = contents(corpus);
          const { updated, unchanged } = await corpus.update(ids, patch);
          assert.equal(updated + unchanged, ids.length);
          assert.equal(counts.texts, 0);
          const after = contents(corpus);
          const changed = [...after.keys()].filter(
            (id) => JSON.stringify(after.get(id)) !== JSON.stringify(before.get(id)),
          );
          assert.equal(changed.length, updated);
          assert.ok(changed.every((id) => ids.includes(id)));
          await corpus.compact();
          await corpus.verify();
          await using anew = await created({ encoder, sentences });
          const passages = [...after.values()].map((each) => ({ ...each, ...datesOf(each) }));
          await anew.add(passages, { batchSize: 20 });
          await anew.compact();
          assert.deepEqual(sectionsOf(corpus), sectionsOf(anew));
        },
      ),
      { numRuns: 12 },
    );
  });

  it('changes what is given, removes what is null, and leaves the rest', async () => {
    await using corpus = await created();
    const metadata = { kind: 'a', number: 1, nested: { list: [1, null] }, none: null };
    await corpus.add([
      { id: 'p', text: 'One.', publishedAt: '2001', validFrom: '1999', validTo: '2004', metadata },
    ]);
    await corpus.update(['p'], {
      validTo: '2005',
      validFrom: null,
      metadata: { kind: 'b', number: null, nested: { map: {} }, left: undefined },
    });
    assert.deepEqual(corpus.get('p'), {
      id: 'p',
      text: 'One.',
      publishedAt: Date.UTC(2001, 0, 1),
      validTo: Date.UTC(2006, 0, 1),
      metadata: { kind: 'b', nested: { map: {} }, none: null },
    });
    assert.equal(await corpus.count({ where: { kind: 'b' } }), 1);
    assert.equal(await corpus.count({ where: { number: { exists: true } } }), 0);
    assert.deepEqual(await corpus.update(['p'], { metadata: { kind: 'b' } }), {
      updated: 0,
      unchanged: 1,
    });
    await corpus.update(['p'], { metadata: null });
    assert.equal(corpus.get('p')?.metadata, undefined);
  });

  it('takes all that pass a filter in one commit, or none', async () => {
    await using corpus = await created();
    const passages: Passage[] = Array.from({ length: 12 }, (_, number) => ({
      id: `p${number}`,
      text: `Text ${number}.`,
      metadata: { kind: number % 2 ? 'odd' : 'even', number },
      ...(number === 8 && { validFrom: '2020' }),
    }));
    await corpus.add(passages);
    const { generation } = corpus.info();
    const where = { kind: 'even' };
    await assert.rejects(
      corpus.update({ where }, { validTo: '2018' }),
      fails('ERR_INVALID_ARGUMENT', /id "p8".*validFrom to be no later than validTo/),
    );
    await assert.rejects(
      corpus.update({ where }, { metadata: { number: 'many' } }),
      fails('ERR_INVALID_ARGUMENT', /id "p0".*metadata\.number to be a finite number/),
    );
    await assert.rejects(
      corpus.update(['p1', 'nobody', 'p2', 'none'], { validTo: '2019' }),
      fails('ERR_NOT_FOUND', /none of "nobody", "none"\./),
    );
    assert.equal(corpus.info().generation, generation);
    const counts = await corpus.update({ where }, { validTo: '2021', metadata: { kind: 'old' } });
    assert.deepEqual(counts, { updated: 6, unchanged: 0 });
    assert.equal(corpus.info().generation, generation + 1);
    assert.equal(await corpus.count({ where }), 0);
    assert.equal(await corpus.count({ where: { validTo: { lt: '2022-01-02' } } }), 6);
    assert.deepEqual(await corpus.update([], { validTo: '2021' }), { updated: 0, unchanged: 0 });
  });

  it('says what is wrong with a patch', async () => {
    await using corpus = await created();
    await corpus.add([{ id: 'p', text: 'One.' }]);
    const wrong: [unknown, RegExp][] = [
      [{}, /patch to be an object with some of publishedAt/],
      ['2001', /patch to be an object/],
      [{ text: 'Two.' }, /string "text".*Add the passage again/],
      [{ title: null }, /string "title".*Add the passage again/],
      [{ valid_to: '2001' }, /Did you mean validTo\?/],
      [{ kind: 'a' }, /go into metadata/],
      [{ series: null }, /series to be the key.*stays in its series/],
      [{ metadata: new Map([['kind', 'a']]) }, /metadata/],
      [{ metadata: { kind: { a: NaN } } }, /metadata\.kind\.a/],
      [{ validTo: 'soon' }, /validTo/],
    ];
    for (const [patch, words] of wrong)
      await assert.rejects(
        corpus.update(['p'], patch as PassagePatch),
        fails('ERR_INVALID_ARGUMENT', words),
        JSON.stringify(patch),
      );
    for (const which of ['p', { where: undefined }, { ids: ['p'] }])
      await assert.rejects(
        corpus.update(which as never, { validTo: '2001' }),
        fails('ERR_INVALID_ARGUMENT'),
      );
  });

  it('reads words like "yesterday" again where the time of publication changes', async () => {
    await using corpus = await created();
    const text = 'The office moved to Lund yesterday.';
    await corpus.add([{ id: 'p', text, publishedAt: '2001-05-02' }]);
    await corpus.update(['p'], { publishedAt: '2011-07-08' });
    const { evidence } = await hybrid({ corpus }).run({
      text: 'Where did the office move in July 2011?',
      askedAt: '2012-01-01',
    });
    assertEach(evidence[0]!.dates!, ({ start }) => start, [Date.UTC(2011, 6, 7)]);
  });

  it('leaves the corpus as it was recorded before', async () => {
    await using corpus = await created({ history: true });
    await corpus.add([{ id: 'p', text: 'One.', validTo: '2001', metadata: { kind: 'a' } }]);
    await corpus.add([{ id: 'q', text: 'Two.', metadata: { kind: 'a' } }]);
    const { recordedAt } = corpus.versions('q')[0]!;
    await corpus.update({ where: { kind: 'a' } }, { validTo: '2003', metadata: { kind: 'b' } });
    for (const merged of [false, true]) {
      if (merged) await corpus.compact();
      const before = { asRecorded: recordedAt };
      assert.deepEqual(corpus.get('p', before)?.validTo, Date.UTC(2002, 0, 1));
      assert.deepEqual(corpus.get('p')?.validTo, Date.UTC(2004, 0, 1));
      assert.equal(await corpus.count({ ...before, where: { kind: 'a' } }), 2);
      assert.equal(await corpus.count({ where: { kind: 'b' } }), 2);
      assertEach(corpus.versions('p'), ({ endedBy }) => endedBy, ['correction', undefined]);
    }
    await corpus.verify();
  });

  it('keeps vectors that passages brought, without an encoder', async () => {
    const { encode: _, ...encoder } = hashEncoder(2, 'own');
    await using corpus = await created({ encoder });
    await corpus.add([
      {
        id: 'p',
        text: 'One. Two.',
        vector: [3, 4],
        sentenceVectors: [
          [1, 0],
          [0, 1],
        ],
      },
    ]);
    await corpus.update(['p'], { publishedAt: '2001' });
    await corpus.compact();
    using snapshot = corpus.snapshot();
    assert.deepEqual(
      Array.from(snapshot.segments[0]!.segment.read('vectors.f32') as Float32Array),
      [Math.fround(0.6), Math.fround(0.8), 1, 0, 0, 1],
    );
  });

  it('moves states in their series, and passages into others', async () => {
    await using corpus = await created();
    const state = (id: string, validFrom: string) => ({
      id,
      text: `${id}.`,
      validFrom,
      series: 's',
    });
    await corpus.add([state('a', '2001'), state('b', '2005'), state('c', '2009')]);
    await corpus.update(['b'], { validFrom: '2010' });
    const spans = () =>
      ['a', 'b', 'c'].map((id) => {
        const { validFrom, validTo } = corpus.get(id)!;
        return [validFrom, validTo].map((each) => each && new Date(each).getUTCFullYear());
      });
    assert.deepEqual(spans(), [
      [2001, 2009],
      [2010, undefined],
      [2009, 2010],
    ]);
    await corpus.update(['c'], { series: 't' });
    assert.deepEqual(spans(), [
      [2001, 2010],
      [2010, undefined],
      [2009, undefined],
    ]);
    await corpus.update(['a'], { validTo: '2005' });
    assert.deepEqual(spans()[0], [2001, 2006]);
    assert.equal(corpus.get('a')?.supersededBy, undefined);
  });

  it('writes many long passages as several segments of one commit', async () => {
    await using corpus = await created();
    const text = `${'long words '.repeat(90_000)}end.`;
    await corpus.add(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, text })));
    const { generation } = corpus.info();
    await corpus.update({ where: {} }, { metadata: { kind: 'long' } });
    const info = corpus.info();
    assert.deepEqual([info.generation, info.segments, info.passages], [generation + 1, 2, 6]);
    assert.equal(await corpus.count({ where: { kind: 'long' } }), 6);
  });
});

/** Instants as dates: numbers of 1970 are refused as seconds. */
const datesOf = (passage: Passage): Partial<Passage> =>
  Object.fromEntries(
    (['publishedAt', 'validFrom', 'validTo'] as const).flatMap((name) =>
      passage[name] === undefined ? [] : [[name, new Date(passage[name])]],
    ),
  );
