// Series of passages: each state is valid until the next one starts, whatever the order of writes.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Passage, StoredPassage } from '../../../lib/records.js';
import { Corpus } from '../../../lib/store/corpus.js';
import { manifestText } from '../../../lib/store/format/manifest.js';
import { repairCorpus } from '../../../lib/store/repair/repair.js';
import { hybrid } from '../../../lib/systems/hybrid.js';
import type { Encoder } from '../../../lib/vectors/encoder.js';
import { contents, fails, hashEncoder, temporaryFolder } from '../fixtures.js';
import { flip, inSegments, manifestOf, sectionsOf, segments } from '../repair/repairFixtures.js';
import { assertEach } from '../../assertEach.js';

const encoder = hashEncoder();
const series = 'uk-pm';
const [may, johnson, truss, sunak] = [
  { id: 'may', text: 'The leader is Theresa May. She likes cricket.', validFrom: '2016-07-13' },
  { id: 'johnson', text: 'The leader is Boris Johnson.', publishedAt: '2019-07-24' },
  { id: 'truss', text: 'The leader is Liz Truss.', validFrom: '2022-09-06' },
  {
    id: 'sunak',
    text: 'The leader is Rishi Sunak.',
    validFrom: '2022-10-25',
    validTo: '2024-07-04',
  },
].map((each) => ({ ...each, series })) as never as [Passage, Passage, Passage, Passage];
const ministers = [may, johnson, truss, sunak];
const day = (date: string): number => Date.parse(`${date}T00:00:00Z`);

/** Id, days of validity and successor of each passage, by id. */
function shown(corpus: Corpus): [string, string, string, string][] {
  const text = (instant?: number): string =>
    instant === undefined ? '' : new Date(instant).toISOString().slice(0, 10);
  return [...contents(corpus).values()]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, validFrom, validTo, supersededBy }) => [
      id,
      text(validFrom),
      text(validTo),
      supersededBy?.id ?? '',
    ]);
}

const whole: [string, string, string, string][] = [
  ['johnson', '2019-07-24', '2022-09-06', 'truss'],
  ['may', '2016-07-13', '2019-07-24', 'johnson'],
  ['sunak', '2022-10-25', '2024-07-05', ''],
  ['truss', '2022-09-06', '2022-10-25', 'sunak'],
];

/** All orders of a list. */
const permutations = <T>(list: readonly T[]): T[][] =>
  list.length <= 1
    ? [[...list]]
    : list.flatMap((first, at) =>
        permutations(list.filter((_, other) => other !== at)).map((rest) => [first, ...rest]),
      );

describe('series', () => {
  const folder = temporaryFolder();
  let number = 0;
  const open = (options: object = {}): Promise<Corpus> =>
    Corpus.open(folder.path(`${(number += 1)}`), { encoder, ...options });

  it('closes each state where the next one starts, in any order and any batches', async () => {
    for (const [at, order] of permutations(ministers).entries()) {
      await using corpus = await open();
      const counts = await corpus.add(order, { batchSize: 1 + (at % 4) });
      assert.deepEqual(counts, { added: 4, replaced: 0, unchanged: 0 });
      assert.deepEqual(shown(corpus), whole);
      await corpus.verify();
    }
  });

  it('lets states that start at one instant hold side by side, in any order', async () => {
    const twins = [may, { ...johnson, id: 'twin' }, johnson, truss];
    for (const [at, order] of permutations(twins).entries()) {
      await using corpus = await open();
      await corpus.add(order, { batchSize: 1 + (at % 4) });
      assert.deepEqual(shown(corpus), [
        ['johnson', '2019-07-24', '2022-09-06', 'truss'],
        ['may', '2016-07-13', '2019-07-24', 'johnson'],
        ['truss', '2022-09-06', '', ''],
        ['twin', '2019-07-24', '2022-09-06', 'truss'],
      ]);
      await corpus.delete(['johnson']);
      assert.deepEqual(shown(corpus)[0], ['may', '2016-07-13', '2019-07-24', 'twin']);
      await corpus.verify();
    }
  });

  it('leaves out what is refused, and adds the rest, where that is received', async () => {
    await using corpus = await open();
    await corpus.add([may]);
    const refused: unknown[] = [];
    const counts = await corpus.add(
      [
        { id: 'blank', text: ' ' },
        johnson,
        { id: 'early', text: 'It is early.', supersedes: 'may', validFrom: '2015' },
        { id: 'undated', text: 'It has no time.', series },
        truss,
      ],
      { batchSize: 2, onRefused: ({ details }) => refused.push([details['index'], details['id']]) },
    );
    assert.deepEqual(counts, { added: 2, replaced: 0, unchanged: 0 });
    assert.deepEqual(refused.sort(), [
      [0, 'blank'],
      [2, 'early'],
      [3, 'undated'],
    ]);
    assertEach(shown(corpus), ([id]) => id, ['johnson', 'may', 'truss']);
  });

  it('leaves all as it is where the same passages are added again', async () => {
    await using corpus = await open();
    await corpus.add(ministers);
    const { generation } = corpus.info();
    const counts = { added: 0, replaced: 0, unchanged: 4 };
    assert.deepEqual(await corpus.add(ministers, { batchSize: 1 }), counts);
    // As they are stored, too: closed.
    const stored = [...contents(corpus).values()];
    assert.deepEqual(await corpus.add(stored), counts);
    assert.equal(corpus.info().generation, generation);
    await using copy = await open();
    await copy.add(stored.reverse(), { batchSize: 1 });
    assert.deepEqual(shown(copy), whole);
    await copy.delete(['truss', 'sunak']);
    assert.deepEqual(shown(copy)[0], ['johnson', '2019-07-24', '', '']);
  });

  it('opens a state again up to the next one where those between are deleted', async () => {
    await using corpus = await open();
    await corpus.add(ministers, { batchSize: 2 });
    assert.equal(await corpus.delete(['johnson', 'truss']), 2);
    assert.deepEqual(shown(corpus), [['may', '2016-07-13', '2022-10-25', 'sunak'], whole[2]]);
    assert.equal(await corpus.delete({ where: { validFrom: { gte: '2020' } } }), 1);
    assert.deepEqual(shown(corpus), [['may', '2016-07-13', '', '']]);
    assert.deepEqual(await corpus.add(ministers), { added: 3, replaced: 0, unchanged: 1 });
    assert.deepEqual(shown(corpus), whole);
    await corpus.verify();
  });

  it('keeps a correction closed, and moves a state by its corrected start', async () => {
    await using corpus = await open();
    await corpus.add(ministers);
    // A correction that names no series is of the same one.
    const { series: _, ...unnamed } = johnson;
    const corrected = { ...unnamed, text: 'The leader is Alexander Boris de Pfeffel Johnson.' };
    assert.deepEqual(await corpus.add([corrected]), { added: 0, replaced: 1, unchanged: 0 });
    assert.equal(corpus.get('johnson')!.text, corrected.text);
    assert.deepEqual(shown(corpus), whole);
    const stored = corpus.get('may')!;
    await corpus.add([{ ...stored, text: 'The leader is May.' }]);
    assert.deepEqual(shown(corpus), whole);
    await corpus.add([{ ...truss, validFrom: '2018' }]);
    assert.deepEqual(shown(corpus), [
      ['johnson', '2019-07-24', '2022-10-25', 'sunak'],
      ['may', '2016-07-13', '2018-01-01', 'truss'],
      whole[2],
      ['truss', '2018-01-01', '2019-07-24', 'johnson'],
    ]);
    await corpus.add([{ ...truss, series: 'other' }]);
    assert.deepEqual(shown(corpus)[1], ['may', '2016-07-13', '2019-07-24', 'johnson']);
    assert.equal(await corpus.count({ where: { series: 'other' } }), 1);
  });

  it('restores an end of its own, and lets an earlier one be', async () => {
    await using corpus = await open();
    await corpus.add([{ ...may, validTo: '2019-07-23' }, johnson]);
    assert.equal(corpus.get('may')!.validTo, day('2019-07-24'));
    assert.equal(corpus.get('may')!.supersededBy, undefined);
    await corpus.add([{ ...johnson, publishedAt: '2017' }]);
    const { validTo, supersededBy } = corpus.get('may')!;
    assert.deepEqual(
      [validTo, supersededBy],
      [day('2017-01-01'), { id: 'johnson', from: day('2017-01-01'), validTo: day('2019-07-24') }],
    );
    // Another end that is given with the stored passage counts.
    await corpus.add([{ ...corpus.get('may')!, validTo: '2016-12-30' }]);
    assert.deepEqual(corpus.get('may')!.supersededBy, undefined);
    assert.equal(corpus.get('may')!.validTo, day('2016-12-31'));
  });

  it('lets a passage supersede another one, of the corpus or the same call', async () => {
    const chain: Passage[] = [
      { id: 'v1', text: 'Version one.' },
      { id: 'v2', text: 'Version two.', publishedAt: '2020', supersedes: 'v1' },
      { id: 'v3', text: 'Version three.', publishedAt: '2021', supersedes: 'v2' },
      { id: 'v4', text: 'Version four.', publishedAt: '2022', supersedes: 'v2' },
    ];
    for (const batchSize of [1, 2, 4]) {
      await using corpus = await open();
      await corpus.add(chain, { batchSize });
      const expected = [
        ['v1', '', '2020-01-01', 'v2'],
        ['v2', '2020-01-01', '2021-01-01', 'v3'],
        ['v3', '2021-01-01', '2022-01-01', 'v4'],
        ['v4', '2022-01-01', '', ''],
      ];
      assert.deepEqual(shown(corpus), expected);
      assert.equal(await corpus.count({ where: { series: 'v1' } }), 4);
      assert.deepEqual(await corpus.add(chain), { added: 0, replaced: 0, unchanged: 4 });
      // What others supersede comes back into its place; its series is that of its successors.
      await corpus.delete(['v1']);
      await corpus.add(chain);
      assert.deepEqual(shown(corpus), expected);
      await corpus.delete(['v2', 'v3', 'v4']);
      assert.deepEqual(shown(corpus), [['v1', '', '', '']]);
    }
  });

  it('encodes nothing to close or open a state, and keeps its vectors', async () => {
    const texts: string[] = [];
    const counting: Encoder = {
      ...encoder,
      encode: (given, options) => {
        texts.push(...given);
        return encoder.encode(given, options);
      },
    };
    await using corpus = await open({ encoder: counting });
    await corpus.add([may, sunak]);
    const before = vectorsOf(corpus, 'may');
    texts.length = 0;
    await corpus.add([johnson]);
    assert.deepEqual(texts, [johnson.text]);
    await corpus.delete(['johnson']);
    assert.equal(texts.length, 1);
    assert.equal(before.length, 3 * 8);
    assert.deepEqual(vectorsOf(corpus, 'may'), before);
  });

  it('finds by a filter only the state in force, and ranks it first', async () => {
    await using corpus = await Corpus.open(folder.path('embedded'));
    const other = { id: 'x', text: 'The opening of the bridge was in 2021.', publishedAt: '2021' };
    await corpus.add([sunak, may, other, johnson, truss]);
    const system = hybrid({ corpus });
    for (const [date, id] of [
      ['5 May 2017', 'may'],
      ['6 May 2021', 'johnson'],
      ['30 September 2022', 'truss'],
      ['1 March 2024', 'sunak'],
    ] as const) {
      const text = `Who was the leader as of ${date}?`;
      const { evidence } = await system.run({ text, askedAt: '2025-01-01' });
      assert.equal(evidence[0]!.id, id, date);
      const on = new Date(`${date} UTC`);
      const where = { series, validFrom: { lte: on }, validTo: { gte: on } };
      assertEach((await corpus.list({ where })).passages, (each) => each.id, [id]);
    }
    const { evidence } = await system.run({ text: 'Is Theresa May the leader?' });
    const closed = evidence.find(({ id }) => id === 'may')!;
    const asked = { text: 'Is Theresa May the leader?', askedAt: '2019-07-01' };
    const before = (await system.run(asked)).evidence.find(({ id }) => id === 'may')!;
    assert.deepEqual([before.supersededBy, before.validTo], [undefined, undefined]);
    await corpus.add([{ ...johnson, validFrom: '2019-07-24', publishedAt: '2020-03-01' }]);
    const late = { ...asked, askedAt: '2019-12-01' };
    for (const where of [{}, { series, not: { validFrom: { gte: '2019-07-24' } } }])
      for (const each of (await system.run(late, { where })).evidence)
        assert.equal(each.supersededBy, undefined, each.id);
    const from = day('2019-07-24');
    assert.deepEqual([closed.series, closed.validTo], [series, from]);
    assert.deepEqual(closed.supersededBy, { id: 'johnson', from });
  });
});

/** The vectors of a passage: of the whole, then of its sentences. */
function vectorsOf(corpus: Corpus, id: string): number[] {
  using snapshot = corpus.snapshot();
  const { segment, passage } = snapshot.find(id)!;
  const { segment: native, rows } = snapshot.segments[segment]!;
  const passages = native.read('rows.passage') as Uint32Array;
  const vectors = native.read('vectors.f32') as Float32Array;
  return Array.from({ length: rows }, (_, row) => row)
    .filter((row) => passages[row] === passage)
    .flatMap((row) => [...vectors.subarray(8 * row, 8 * row + 8)]);
}

describe('series: rejected input', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  let kept: Map<string, StoredPassage>;
  const text = 'A text.';
  const cases: [name: string, passage: object, words: RegExp][] = [
    ['without a time', { series }, /validFrom to be a time.*Give validFrom, or publishedAt/],
    [
      'published after its validity',
      { series, publishedAt: '2020', validTo: '2010' },
      /no later than validTo/,
    ],
    [
      'an empty series',
      { series: '', validFrom: '2020' },
      /series to be a string that is not empty/,
    ],
    ['a long series', { series: 'x'.repeat(1001), validFrom: '2020' }, /at most 1000 bytes/],
    ['a number as series', { series: 7, validFrom: '2020' }, /series to be a string/],
    ['itself superseded', { supersedes: 'new', validFrom: '2020' }, /another id than/],
    [
      'an unknown id superseded',
      { supersedes: 'nobody', validFrom: '2020' },
      /supersedes to be the id of a passage of the corpus.*"nobody".*Add that passage first/,
    ],
    [
      'another series',
      { supersedes: 'may', series: 'a', validFrom: '2020' },
      /series to be that of/,
    ],
    [
      'a start before what it supersedes',
      { supersedes: 'may', validFrom: '2015' },
      /validFrom to be after the start of "may".*2015-01-01/,
    ],
    ['a closing that is none', { supersededBy: { id: 'may' } }, /as the store returns it/],
  ];
  beforeEach(async () => {
    corpus = await Corpus.open(folder.path('refused'), { encoder });
    await corpus.add(ministers);
    kept = contents(corpus);
  });
  afterEach(() => corpus.close());

  for (const [name, passage, words] of cases) {
    it(`refuses ${name}, with index and id`, async () => {
      const batch = [{ id: 'good', text }, { id: 'new', text, ...passage } as Passage];
      const refused = corpus.add(batch);
      await assert.rejects(refused, fails('ERR_INVALID_ARGUMENT', words));
      await assert.rejects(refused, ({ details }) => details.index === 1 && details.id === 'new');
      assert.deepEqual(contents(corpus), kept);
    });
  }

  it('reserves the name of the field', async () => {
    const opened = Corpus.open(folder.path('field'), { encoder, fields: { series: 'keyword' } });
    await assert.rejects(opened, fails('ERR_INVALID_ARGUMENT', /series/));
    assert.deepEqual(corpus.info().fields, {});
    await using again = await Corpus.open(corpus.path, { encoder, fields: {} });
    assert.equal(again.info().passages, 4);
  });

  it('refuses series in a corpus that was created without them', async () => {
    const path = folder.path('earlier');
    await (await Corpus.open(path, { encoder })).close();
    const manifest = { ...manifestOf(path), fields: {} };
    writeFileSync(join(path, 'manifest'), manifestText(manifest));
    await using earlier = await Corpus.open(path, { encoder });
    await earlier.add([{ id: 'a', text }]);
    const words = /series to be absent .* new corpus/;
    await assert.rejects(earlier.add([may]), fails('ERR_INVALID_ARGUMENT', words));
    await earlier.add([{ id: 'b', text, publishedAt: '2020' }]);
    await earlier.delete(['a']);
    await earlier.verify();
    assert.deepEqual([...contents(earlier).keys()], ['b']);
  });
});

describe('series: repair', () => {
  const folder = temporaryFolder();
  let truth: Map<string, StoredPassage>;
  const damaged = async (name: string): Promise<string> => {
    const path = folder.path(name);
    await using corpus = await Corpus.open(path, { encoder });
    await corpus.add(ministers.slice(0, 2));
    await corpus.add(ministers.slice(2));
    truth = contents(corpus);
    return path;
  };
  const check = async (path: string): Promise<void> => {
    const to = `${path}-repaired`;
    await repairCorpus(path, to, { encoder });
    await using corpus = await Corpus.open(to, { encoder });
    assert.deepEqual(contents(corpus), truth);
    assert.equal(await corpus.count({ where: { series } }), 4);
    await corpus.verify();
    await corpus.delete(['johnson']);
    assert.equal(corpus.get('may')!.supersededBy!.id, 'truss');
  };

  it('keeps closings where the manifest is lost', async () => {
    const path = await damaged('manifest');
    rmSync(join(path, 'manifest'));
    await check(path);
  });

  it('keeps them in segments that are indexed again', async () => {
    const path = await damaged('segments');
    for (const file of segments(path).filter((name) => name.endsWith('.seg'))) {
      const { offset } = sectionsOf(inSegments(path, file)).find(
        ({ name }) => name === 'fields.0.values',
      )!;
      flip(inSegments(path, file), offset, 0);
    }
    await check(path);
  });
});
