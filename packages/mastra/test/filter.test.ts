// Filters of Mastra: each operator against values worked out by hand, and random filters by both
// ways of evaluation, which have to agree.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Corpus } from '../../../lib/index.js';
import { compileFilter, type FilterSchema, type Metadata } from '../lib/filter.js';
import { passageOf } from '../lib/records.js';
import { checkClocks } from '../../../lib/store/passages/clocks.js';
import { temporaryFolder } from '../../../test/store/fixtures.js';

const schema: FilterSchema = {
  fields: { price: 'number', seen: 'time' },
  clocks: checkClocks({ publishedAt: 'at' }),
};
const records: Metadata[] = [
  { name: 'amber', price: 10, tags: ['new', 'sale'], open: true, at: '2020-05-04' },
  { name: 'birch', price: 25, tags: ['new'], open: true, rating: 4.5, seen: '2024-01-01' },
  { name: 'cedar', price: 50, tags: [], open: false, rating: 3, at: '2021-05-04T10:00Z' },
  { name: 'delta', price: null, owner: { name: 'Eve', age: 30 }, rating: 'high' },
  {
    name: 'Ember',
    reviews: [
      { score: 5, by: 'Ann' },
      { score: 2, by: 'Bob' },
    ],
    validTo: '2022-05-04',
  },
  { text: 'x'.repeat(3000), price: 99, 'a.b': 1 },
];

describe('filters of Mastra', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  before(async () => {
    corpus = await Corpus.open(folder.path('filters'), {
      encoder: { id: 'mastra', dimensions: 2 },
      sentences: false,
      fields: { ...schema.fields, entries: 'keyword[]' },
    });
    await corpus.add(
      records.map((metadata, at) =>
        passageOf({ id: `${at}`, vector: [1, at], metadata }, schema.fields, schema.clocks),
      ),
    );
  });
  after(() => corpus.close());

  async function passing(filter: unknown): Promise<number[]> {
    const { where, isExact, accepts } = compileFilter(filter, schema);
    const { passages } = await corpus.list({ where });
    const listed = passages.map(({ id }) => Number(id));
    const accepted = records.flatMap((each, at) => (accepts(each) ? [at] : []));
    if (isExact) assert.deepEqual(listed, accepted, JSON.stringify(filter));
    assert.ok(
      accepted.every((at) => listed.includes(at)),
      JSON.stringify(filter),
    );
    return accepted;
  }

  const cases: [filter: object, expected: number[]][] = [
    [{}, [0, 1, 2, 3, 4, 5]],
    [{ name: 'amber' }, [0]],
    [{ open: true, price: { $gt: 10 } }, [1]],
    [{ price: { $gte: 25, $lte: 50 } }, [1, 2]],
    [{ price: { $lt: 25 } }, [0]],
    [{ price: { $ne: 10 } }, [1, 2, 3, 4, 5]],
    [{ price: null }, [3, 4]],
    [{ price: { $ne: null } }, [0, 1, 2, 5]],
    [{ rating: { $gt: 3 } }, [1]],
    [{ rating: { $gte: 'h' } }, [3]],
    [{ rating: { $not: { $gt: 3 } } }, [0, 2, 3, 4, 5]],
    [{ tags: 'new' }, [0, 1]],
    [{ tags: ['sale', 'old'] }, [0]],
    [{ tags: { $all: ['new', 'sale'] } }, [0]],
    [{ tags: { $nin: ['new'] } }, [2, 3, 4, 5]],
    [{ tags: { $exists: true } }, [0, 1, 2]],
    [{ owner: { $exists: false } }, [0, 1, 2, 4, 5]],
    [{ 'owner.name': 'Eve' }, [3]],
    [{ owner: { name: 'Eve', age: { $gt: 20 } } }, [3]],
    [{ 'reviews.by': 'Bob' }, [4]],
    [{ reviews: { $elemMatch: { score: { $gt: 4 }, by: 'Ann' } } }, [4]],
    [{ reviews: { $elemMatch: { score: { $gt: 4 }, by: 'Bob' } } }, []],
    [{ tags: { $elemMatch: { $gt: 'p' } } }, [0]],
    [{ 'reviews.score': { $in: [2, 3] } }, [4]],
    [{ name: { $regex: '^e', $options: 'i' } }, [4]],
    [{ name: { $regex: '(?i)^EM' } }, [4]],
    [{ name: /e/ }, [0, 2, 3, 4]],
    [{ name: { $not: /e/ } }, [1, 5]],
    [{ text: 'x'.repeat(3000) }, [5]],
    [{ text: `${'x'.repeat(2999)}y` }, []],
    [{ 'a.b': 1 }, [5]],
    [{ at: { $gte: '2020-05-04', $lt: '2021' } }, [0]],
    [{ at: { $lte: '2021-05-04' } }, [0, 2]],
    [{ at: { $gt: new Date('2021-05-04T09:00Z') } }, [2]],
    [{ seen: { $gte: '2024' } }, [1]],
    [{ validTo: { $lte: '2022-05-04' } }, [4]],
    [{ validTo: { $gt: '2022-05-03' } }, [4]],
    [{ $or: [{ name: 'amber' }, { rating: { $lt: 4 } }] }, [0, 2]],
    [{ $and: [{ open: true }, { $not: { name: 'amber' } }] }, [1]],
    [{ $nor: [{ open: true }, { price: { $gt: 60 } }] }, [2, 3, 4]],
    [{ $nor: [] }, [0, 1, 2, 3, 4, 5]],
    [{ $or: [] }, []],
  ];
  for (const [filter, expected] of cases) {
    const label = JSON.stringify(filter, (_, value: unknown) =>
      value instanceof RegExp ? String(value) : value,
    );
    it(`passes ${label.slice(0, 80)}`, async () => {
      assert.deepEqual(await passing(filter), expected);
    });
  }

  it('has the same result by keywords and fields as by reading metadata', async () => {
    const value = fc.constantFrom('amber', 'new', 'Eve', 10, 25, 3, true, false, null);
    const operand = fc.oneof(
      value,
      fc.record({ $ne: value }),
      fc.record({ $in: fc.array(value, { maxLength: 3 }) }),
      fc.record({ $nin: fc.array(value, { maxLength: 3 }) }),
      fc.record({ $exists: fc.boolean() }),
      fc.record({ $gt: fc.constantFrom(3, 20, 'b') }),
      fc.record({ $not: fc.record({ $lte: fc.constantFrom(10, 40) }) }),
    );
    const path = fc.constantFrom('name', 'price', 'tags', 'open', 'rating', 'owner.name', 'none');
    const field = fc.tuple(path, operand).map(([name, each]) => ({ [name]: each }));
    const { filter } = fc.letrec<{ filter: object }>((tie) => ({
      filter: fc.oneof(
        { maxDepth: 3 },
        field,
        fc.record({ $and: fc.array(tie('filter'), { maxLength: 3 }) }),
        fc.record({ $or: fc.array(tie('filter'), { maxLength: 3 }) }),
        fc.record({ $nor: fc.array(tie('filter'), { maxLength: 2 }) }),
        fc.record({ $not: tie('filter') }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(filter, async (each) => void (await passing(each))),
      { numRuns: 300, seed: 1 },
    );
  });

  it('refuses what is no filter', () => {
    for (const wrong of [
      'name',
      [{ name: 'a' }],
      { $where: '1' },
      { $and: { name: 'a' } },
      { name: {} },
      { name: { $eq: {} } },
      { name: { $in: 'a' } },
      { name: { $near: 1 } },
      { name: { $gt: true } },
      { name: { $exists: 1 } },
      { name: { $regex: '(' } },
      { name: { $regex: 5 } },
      { reviews: { $elemMatch: 5 } },
      { at: { $gt: 'lately' } },
    ])
      assert.throws(
        () => compileFilter(wrong, schema),
        { code: 'ERR_INVALID_ARGUMENT' },
        JSON.stringify(wrong),
      );
  });
});
