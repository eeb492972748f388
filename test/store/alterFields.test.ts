// Changes of the schema: fields that are added, renamed and dropped, of passages that stay.
import assert from 'node:assert/strict';
import { bm25 } from '../../lib/index.js';
import type { Passage } from '../../lib/records.js';
import { Corpus } from '../../lib/store/corpus.js';
import type { CorpusOptions } from '../../lib/store/corpusOptions.js';
import type { FieldChanges } from '../../lib/store/fields/types.js';
import { viewOf } from '../../lib/store/views/view.js';
import { contents, fails, hashEncoder, temporaryFolder } from './fixtures.js';
import { assertEach } from '../assertEach.js';

const passages: Passage[] = [
  { id: 'a', text: 'One. Two.', metadata: { kind: 'x', cost: 1, tags: ['old', 'new'] } },
  { id: 'b', text: 'Three.', metadata: { kind: 'y', cost: 2.5, since: '2001-05-01' } },
  { id: 'c', text: 'Four.', metadata: { kind: 'x' } },
  { id: 'd', text: 'Five.' },
];
const fields = { kind: 'keyword', cost: 'number' } as const;

describe('alterFields', () => {
  const folder = temporaryFolder();
  let made = 0;
  async function created(options: CorpusOptions = {}): Promise<Corpus> {
    const path = folder.path(`${(made += 1)}`);
    const corpus = await Corpus.open(path, { encoder: hashEncoder(), fields, ...options });
    await corpus.add(passages.slice(0, 3));
    await corpus.add(passages.slice(3));
    return corpus;
  }
  const ids = async (corpus: Corpus, where: object, more = {}): Promise<string> =>
    (await corpus.list({ where: where as never, ...more })).passages.map(({ id }) => id).join('');

  it('adds fields, of which metadata may have entries', async () => {
    await using corpus = await created();
    await assert.rejects(ids(corpus, { tags: 'old' }), fails('ERR_INVALID_ARGUMENT', /tags/));
    const altered = await corpus.alterFields({
      add: { tags: 'keyword[]', since: 'time', state: 'keyword' },
    });
    const all = { ...fields, tags: 'keyword[]', since: 'time', state: 'keyword' };
    assert.deepEqual(altered, all);
    assert.deepEqual(corpus.info().fields, all);
    assert.equal(await ids(corpus, { tags: 'old' }), 'a');
    assert.equal(await ids(corpus, { since: { gte: '2001' } }), 'b');
    assert.equal(await ids(corpus, { state: { exists: true } }), '');
    await corpus.update({ where: { kind: 'x' } }, { metadata: { state: 'done' } });
    assert.equal(await ids(corpus, { state: 'done' }), 'ac');
    await corpus.add([{ id: 'e', text: 'Six.', metadata: { state: 'done' } }]);
    assert.equal(await ids(corpus, { state: 'done' }), 'ace');
    await assert.rejects(
      corpus.add([{ id: 'f', text: 'Six.', metadata: { since: true } }]),
      fails('ERR_INVALID_ARGUMENT', /since/),
    );
    await corpus.verify();
    await corpus.compact();
    assert.equal(await ids(corpus, { state: 'done', kind: 'x' }), 'ac');
  });

  it('renames fields, in the metadata of passages, too', async () => {
    await using corpus = await created();
    await corpus.alterFields({ rename: { cost: 'price', kind: 'sort' } });
    assert.deepEqual(corpus.info().fields, { sort: 'keyword', price: 'number' });
    assert.deepEqual(corpus.get('b')?.metadata, { sort: 'y', price: 2.5, since: '2001-05-01' });
    assert.equal(await ids(corpus, { price: { gt: 0 } }, { orderBy: 'price' }), 'ab');
    await assert.rejects(ids(corpus, { cost: 1 }), fails('ERR_INVALID_ARGUMENT', /cost/));
    const metadata = { sort: 'x', price: 1, tags: ['old', 'new'] };
    assert.deepEqual(await corpus.add([{ ...passages[0]!, metadata }]), {
      added: 0,
      replaced: 0,
      unchanged: 1,
    });
    await corpus.verify();
  });

  it('drops fields, whose entries stay, and changes types', async () => {
    await using corpus = await created();
    await corpus.alterFields({ drop: ['cost'], rename: { kind: 'tag' } });
    assert.deepEqual(corpus.info().fields, { tag: 'keyword' });
    assert.equal(corpus.get('a')?.metadata?.['cost'], 1);
    await corpus.add([{ id: 'e', text: 'Six.', metadata: { cost: 'much' } }]);
    await assert.rejects(
      corpus.alterFields({ add: { cost: 'number' } }),
      fails('ERR_INVALID_ARGUMENT', /id "e".*metadata\.cost to be a finite number, received/),
    );
    await corpus.update(['e'], { metadata: { cost: 3 } });
    await corpus.alterFields({ drop: ['tag'], add: { cost: 'number' } });
    assert.equal(await ids(corpus, { cost: { gte: 2 } }), 'be');
    await corpus.verify();
  });

  it('encodes nothing, and keeps every version with its times', async () => {
    const { encode: _, ...named } = hashEncoder();
    const first = await created({ history: true });
    await first.update(['a'], { metadata: { cost: 7 } });
    await first.delete(['b']);
    await first.close();
    await using corpus = await Corpus.open(first.path, { encoder: named });
    const all = (): unknown[] => ['a', 'b', 'c', 'd'].map((id) => corpus.versions(id));
    const before = all();
    const times = corpus.versions('a').map(({ recordedAt }) => recordedAt);
    await corpus.alterFields({ add: { tags: 'keyword[]' } });
    assert.deepEqual(all(), before);
    assert.equal(corpus.info().deleted, 2);
    for (const merged of [false, true]) {
      if (merged) await corpus.compact();
      const at = { asRecorded: times[0]! };
      assert.equal(await ids(corpus, { cost: 1 }, at), 'a');
      assert.equal(await ids(corpus, { cost: 1 }), '');
      assert.equal(await ids(corpus, { tags: 'old' }, at), 'a');
      assert.equal(await ids(corpus, { tags: 'old' }), 'a');
    }
    await corpus.alterFields({ rename: { cost: 'price' } });
    assert.equal(corpus.get('a', { asRecorded: times[0]! })?.metadata?.['price'], 1);
    assert.equal(await ids(corpus, { price: 1 }, { asRecorded: times[0]! }), 'a');
    await corpus.verify();
  });

  it('leaves open snapshots as they are, and shows other handles the new fields', async () => {
    await using corpus = await created();
    await using other = await Corpus.open(corpus.path, { encoder: hashEncoder() });
    using snapshot = other.snapshot();
    await corpus.alterFields({ rename: { kind: 'sort' } });
    const view = await viewOf(snapshot, { where: { kind: 'x' } }, {});
    assert.equal([...view.livePassages()].length, 2);
    assert.equal(await ids(other, { sort: 'x' }), 'ac');
    const options = { k: 4, where: { sort: 'x' } };
    const { evidence } = await bm25({ corpus: other }).run({ text: 'four' }, options);
    assertEach(evidence, ({ id }) => id, ['c']);
    await other.add([{ id: 'e', text: 'Six.', metadata: { sort: 'x' } }]);
    assert.equal(await ids(corpus, { sort: 'x' }), 'ace');
    await assert.rejects(
      Corpus.open(corpus.path, { encoder: hashEncoder(), fields }),
      fails('ERR_INVALID_ARGUMENT', /alterFields/),
    );
  });

  it('works on a corpus without passages', async () => {
    const path = folder.path('empty');
    await using corpus = await Corpus.open(path, { encoder: hashEncoder() });
    await corpus.alterFields({ add: { kind: 'keyword' } });
    await corpus.add(passages);
    assert.equal(await ids(corpus, { kind: 'x' }), 'ac');
  });

  it('says what is wrong, and changes nothing then', async () => {
    await using corpus = await created();
    const { generation } = corpus.info();
    const before = contents(corpus);
    const wrong: [unknown, RegExp][] = [
      [{}, /fields to add, rename or drop/],
      [{ drop: ['nothing'] }, /fields of the corpus, each once: kind, cost, received.*nothing/],
      [{ rename: { nothing: 'price' } }, /nothing/],
      [{ drop: ['kind'], rename: { kind: 'sort' } }, /each once.*kind/],
      [{ rename: { kind: 'cost' } }, /cost twice/],
      [{ add: { kind: 'keyword' } }, /kind twice/],
      [{ add: { series: 'keyword' } }, /name of a field/],
      [{ rename: { kind: 'publishedAt' } }, /name of a field/],
      [{ add: { sort: 'text' } }, /fields\.sort to be one of/],
      [{ add: { tags: 'keyword' } }, /id "a".*metadata\.tags to be a keyword/],
      [{ rename: { kind: 'tags' } }, /metadata of passage "a".*tags/],
      [{ remove: ['kind'] }, /remove/],
      [null, /object/],
    ];
    for (const [changes, words] of wrong)
      await assert.rejects(
        corpus.alterFields(changes as FieldChanges),
        fails('ERR_INVALID_ARGUMENT', words),
        JSON.stringify(changes),
      );
    assert.equal(corpus.info().generation, generation);
    assert.deepEqual(contents(corpus), before);
  });
});
