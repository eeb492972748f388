// Random sequences of operations against a model in memory: equal content after each.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { Corpus } from '../../lib/store/corpus.js';
import type { Passage } from '../../lib/records.js';
import { parseInstant } from '../../lib/time/instant.js';
import { contents, hashEncoder, passageNumber, temporaryFolder } from './fixtures.js';

const encoder = hashEncoder();
const number = fc.nat(25);
const operation = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      passages: fc.array(fc.tuple(number, fc.nat(2)), { maxLength: 12 }),
      batchSize: fc.integer({ min: 1, max: 8 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      numbers: fc.array(number, { maxLength: 10 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('update' as const),
      numbers: fc.uniqueArray(number, { maxLength: 8 }),
      value: fc.option(fc.nat(3)),
      validTo: fc.option(fc.constantFrom(Date.UTC(2020, 0, 1), Date.UTC(2022, 5, 1))),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('alter' as const),
      change: fc.constantFrom('add' as const, 'rename', 'drop'),
      name: fc.constantFrom('mark', 'sign'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('compact' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
);

describe('corpus against a model (property)', () => {
  const folder = temporaryFolder();

  it('equals the model after any sequence of operations', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 10 }), async (operations) => {
        const path = folder.path(`${(run += 1)}`);
        const model = new Map<string, Passage>();
        let field: string | undefined;
        let corpus = await Corpus.open(path, { encoder });
        for (const each of operations) {
          if (each.kind === 'add') {
            const passages = each.passages.map(([i, version]) => passageNumber(i, version));
            const counts = await corpus.add(passages, { batchSize: each.batchSize });
            assert.deepEqual(counts, modelled(model, passages));
          } else if (each.kind === 'delete') {
            const ids = each.numbers.map((i) => `p${i}`);
            const expected = new Set(ids.filter((id) => model.has(id))).size;
            assert.equal(await corpus.delete(ids), expected);
            ids.forEach((id) => model.delete(id));
          } else if (each.kind === 'update') {
            const ids = each.numbers.map((i) => `p${i}`).filter((id) => model.has(id));
            const { value, validTo } = each;
            const patch = { validTo, metadata: { [field ?? 'mark']: value } };
            const changed = ids.filter((id) => {
              const [before, after] = [model.get(id)!, patched(model.get(id)!, patch)];
              model.set(id, after);
              return !isDeepStrictEqual(formOf(before), formOf(after));
            });
            const unchanged = ids.length - changed.length;
            assert.deepEqual(await corpus.update(ids, patch), {
              updated: changed.length,
              unchanged,
            });
          } else if (each.kind === 'alter') {
            const { change, name } = each;
            const isTaken = (of: Passage): boolean => field !== name && name in (of.metadata ?? {});
            if (change === 'add' && field === undefined) {
              await corpus.alterFields({ add: { [name]: 'number' } });
              field = name;
            } else if (change === 'drop' && field !== undefined) {
              await corpus.alterFields({ drop: [field] });
              field = undefined;
            } else if (field !== undefined && ![...model.values()].some(isTaken)) {
              await corpus.alterFields({ rename: { [field]: name } });
              for (const [id, passage] of model) model.set(id, renamed(passage, field, name));
              field = name;
            }
          } else if (each.kind === 'compact') {
            await corpus.compact();
            assert.equal(corpus.info().deleted, 0);
          } else {
            await corpus.close();
            corpus = await Corpus.open(path, { encoder });
          }
          compare(corpus, model);
          await compareField(corpus, model, field);
        }
        await corpus.verify();
        await corpus.close();
      }),
      { numRuns: 25 },
    );
  });
});

/** A passage with its times as instants and its entries in the order in which they came. */
function formOf({ text, title, publishedAt, validFrom, validTo, metadata }: Passage): object {
  const [published, from] = [publishedAt, validFrom].map(
    (each) => each && parseInstant(each, 'start', 'time'),
  );
  const to = validTo && parseInstant(validTo, 'end', 'time');
  return { text, title, published, from, to, metadata: JSON.stringify(metadata) };
}

function patched(
  passage: Passage,
  patch: { validTo: number | null; metadata: Record<string, number | null> },
): Passage {
  const metadata = { ...passage.metadata };
  for (const [name, value] of Object.entries(patch.metadata))
    if (value === null) delete metadata[name];
    else metadata[name] = value;
  return { ...passage, validTo: patch.validTo ?? undefined, metadata };
}

function renamed(passage: Passage, from: string, to: string): Passage {
  if (!passage.metadata) return passage;
  const entries = Object.entries(passage.metadata).map(([name, value]) => [
    name === from ? to : name,
    value,
  ]);
  return { ...passage, metadata: Object.fromEntries(entries) as Record<string, unknown> };
}

/** The column of the field has what the metadata has. */
async function compareField(
  corpus: Corpus,
  model: Map<string, Passage>,
  field: string | undefined,
): Promise<void> {
  assert.deepEqual(corpus.info().fields, field === undefined ? {} : { [field]: 'number' });
  if (field === undefined) return;
  for (let value = 0; value < 4; value += 1)
    assert.equal(
      await corpus.count({ where: { [field]: value } }),
      [...model.values()].filter(({ metadata }) => metadata?.[field] === value).length,
    );
}

function modelled(
  model: Map<string, Passage>,
  passages: readonly Passage[],
): { added: number; replaced: number; unchanged: number } {
  const counts = { added: 0, replaced: 0, unchanged: 0 };
  for (const passage of passages) {
    const known = model.get(passage.id);
    const isSame = known && isDeepStrictEqual(formOf(known), formOf(passage));
    counts[!known ? 'added' : isSame ? 'unchanged' : 'replaced'] += 1;
    model.set(passage.id, passage);
  }
  return counts;
}

function compare(corpus: Corpus, model: Map<string, Passage>): void {
  const held = contents(corpus);
  assert.deepEqual([...held.keys()].sort(), [...model.keys()].sort());
  for (const [id, passage] of model) {
    const { text, title, publishedAt, validFrom, validTo, metadata } = held.get(id)!;
    assert.deepEqual(formOf({ id, text, title, publishedAt, validFrom, validTo, metadata }), {
      ...formOf(passage),
    });
    assert.deepEqual(corpus.get(id), held.get(id));
  }
  const info = corpus.info();
  assert.equal(info.passages, model.size);
  const sentences = [...model.values()].map(({ text }) => text.split(/(?<=\.) /).length);
  assert.equal(
    info.sentences,
    sentences.reduce((sum, count) => sum + count, 0),
  );
  assert.equal(
    info.rows,
    sentences.reduce((sum, count) => sum + (count > 1 ? count + 1 : 1), 0),
  );
}
