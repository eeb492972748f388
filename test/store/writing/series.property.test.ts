// Random writes of series against a model in memory without segments: equal content,
// counts and refusals after each, in whatever batches.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AsOfError } from '../../../lib/errors.js';
import type { Passage, StoredPassage } from '../../../lib/records.js';
import { Corpus } from '../../../lib/store/corpus.js';
import { contents, hashEncoder, temporaryFolder } from '../fixtures.js';

const encoder = hashEncoder();
const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
const year = fc.integer({ min: 2000, max: 2009 });
const passage = fc.record(
  {
    id: fc.constantFrom(...ids),
    version: fc.nat(1),
    publishedAt: year,
    validFrom: year,
    validTo: fc.integer({ min: 2009, max: 2012 }),
    series: fc.constantFrom('s', 't', 'a'),
    supersedes: fc.constantFrom(...ids),
  },
  { requiredKeys: ['id', 'version'] },
);
type Times<Time> = Partial<Record<'publishedAt' | 'validFrom' | 'validTo', Time>>;
type PatchCase = Times<number | null> & { series?: string };
type PassageCase = Times<number> & {
  id: string;
  version: number;
  series?: string;
  supersedes?: string;
};

const operation = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      passages: fc.array(passage, { minLength: 1, maxLength: 6 }),
      batchSize: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      ids: fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('update' as const),
      ids: fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1, maxLength: 3 }),
      patch: fc.record(
        {
          publishedAt: fc.option(year),
          validFrom: fc.option(year),
          validTo: fc.option(fc.integer({ min: 2009, max: 2012 })),
          series: fc.constantFrom('s', 't'),
        },
        { requiredKeys: ['validTo'] },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('again' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('compact' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
);

const instant = (of: number): number => Date.UTC(of, 0, 1);
const textOf = ({ id, version }: PassageCase): string =>
  `${id} in version ${version}.${id < 'd' ? ' It has two sentences.' : ''}`;

function toPassage({ version, publishedAt, validFrom, validTo, ...rest }: PassageCase): Passage {
  const times = { publishedAt, validFrom, validTo };
  const given = Object.entries(times).filter(([, value]) => value !== undefined);
  return {
    ...rest,
    text: textOf({ ...rest, version }),
    ...Object.fromEntries(given.map(([name, value]) => [name, instant(value!)])),
  };
}

class Refused extends Error {}

interface Member {
  drawn: PassageCase;
  series?: string | undefined;
}

/** The passages of a corpus, added one by one. */
class Model {
  constructor(readonly members = new Map<string, Member>()) {}

  copy(): Model {
    return new Model(new Map([...this.members].map(([id, each]) => [id, { ...each }])));
  }

  add(drawn: PassageCase): 'added' | 'replaced' | 'unchanged' {
    const { id, series, supersedes } = drawn;
    if (supersedes === id) throw new Refused('supersedes itself');
    const isNamed = series !== undefined || supersedes !== undefined;
    if (isNamed && series !== id && startOf(drawn) === undefined) throw new Refused('no time');
    const known = this.members.get(id);
    const isSame =
      known !== undefined &&
      (series === undefined || series === known.series) &&
      formOf(known.drawn, known.series) === formOf(drawn, known.series);
    if (isSame) return 'unchanged';
    const of = this.seriesOf(drawn, known);
    if (of !== undefined && of !== id && startOf(drawn) === undefined) throw new Refused('no time');
    this.members.set(id, { drawn, series: of });
    return known ? 'replaced' : 'added';
  }

  /** What is stored of a state of a series has its start. */
  update(id: string, { series, ...times }: PatchCase): 'replaced' | 'unchanged' {
    const known = this.members.get(id)!;
    const { validFrom: from, ...drawn } = known.drawn;
    const stored = { validFrom: known.series === undefined ? from : startOf(known.drawn) };
    const entries = Object.entries({ ...drawn, series: known.series, ...stored, ...times });
    if (series !== undefined) entries.push(['series', series]);
    const present = entries.filter(([, value]) => value !== undefined && value !== null);
    return this.add(Object.fromEntries(present) as PassageCase) as 'replaced' | 'unchanged';
  }

  private seriesOf(drawn: PassageCase, known: Member | undefined): string | undefined {
    const { id, series, supersedes } = drawn;
    if (supersedes === undefined) {
      const isSuperseded = [...this.members.values()].some(
        (each) => each.series === id && each.drawn.supersedes === id,
      );
      return series ?? known?.series ?? (isSuperseded ? id : undefined);
    }
    const target = this.members.get(supersedes);
    if (!target) {
      const kept = known?.drawn.supersedes === supersedes ? known.series : undefined;
      if ((series ?? kept) === undefined) throw new Refused('unknown');
      return series ?? kept;
    }
    const own = target.series ?? supersedes;
    if (series !== undefined && series !== own) throw new Refused('another series');
    if (!((startOf(target.drawn) ?? -Infinity) < (startOf(drawn) ?? -Infinity)))
      throw new Refused('an earlier start');
    target.series ??= own;
    return own;
  }

  /** What the corpus has to have. */
  contents(): Map<string, StoredPassage> {
    const found = [...this.members].map(([id, { drawn, series }]): [string, StoredPassage] => {
      const { publishedAt, validTo, supersedes } = drawn;
      const from = series === undefined ? drawn.validFrom : startOf(drawn);
      const next =
        series === undefined
          ? undefined
          : [...this.members.values()]
              .filter((each) => each.series === series)
              .map((each) => ({ id: each.drawn.id, start: startOf(each.drawn) ?? -Infinity }))
              .filter(({ start }) => start > (from ?? -Infinity))
              .sort((a, b) => a.start - b.start || (a.id < b.id ? -1 : 1))[0];
      const isClosed = next !== undefined && next.start < (validTo ?? Infinity);
      const end = isClosed ? next.start : validTo;
      const entries = {
        id,
        text: textOf(drawn),
        publishedAt: publishedAt && instant(publishedAt),
        validFrom: from && instant(from),
        validTo: end && instant(end),
        series,
        supersedes,
        supersededBy: isClosed
          ? {
              id: next.id,
              from: instant(next.start),
              ...(validTo === undefined ? {} : { validTo: instant(validTo) }),
            }
          : undefined,
      };
      const present = Object.entries(entries).filter(([, value]) => value !== undefined);
      return [id, Object.fromEntries(present) as unknown as StoredPassage];
    });
    return new Map(found);
  }
}

/** Start of a state in years. */
const startOf = ({ validFrom, publishedAt, validTo = Infinity }: PassageCase): number | undefined =>
  validFrom ?? (publishedAt !== undefined && publishedAt <= validTo ? publishedAt : undefined);

/** What makes a passage another one; in a series it is valid from its start. */
function formOf(drawn: PassageCase, series: string | undefined): string {
  const { id, version, publishedAt, validTo, supersedes } = drawn;
  const from = series === undefined ? drawn.validFrom : startOf(drawn);
  return JSON.stringify([id, version, publishedAt, from, validTo, supersedes]);
}

describe('series against a model (property)', () => {
  const folder = temporaryFolder();

  it('equals the model after any sequence of writes', async () => {
    let run = 0;
    const seen = { closed: 0, refused: 0, unchanged: 0, updated: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 2, maxLength: 12 }), async (operations) => {
        const path = folder.path(`${(run += 1)}`);
        let model = new Model();
        let corpus = await Corpus.open(path, { encoder });
        for (const each of operations) {
          if (each.kind === 'add') {
            const drawn = each.passages as PassageCase[];
            model = await added(corpus, model, drawn, each.batchSize, seen);
          } else if (each.kind === 'update') {
            const known = each.ids.filter((id) => model.members.has(id));
            model = await updated(corpus, model, known, each.patch, seen);
          } else if (each.kind === 'delete') {
            const present = each.ids.filter((id) => model.members.delete(id));
            assert.equal(await corpus.delete(each.ids), present.length);
          } else if (each.kind === 'again') {
            const stored = [...contents(corpus).values()];
            const { unchanged } = await corpus.add(stored, { batchSize: 2 });
            assert.equal(unchanged, stored.length);
            seen.unchanged += unchanged;
          } else if (each.kind === 'compact') {
            await corpus.compact();
          } else {
            await corpus.close();
            corpus = await Corpus.open(path, { encoder });
          }
          const found = contents(corpus);
          assert.deepEqual(found, model.contents());
          for (const { supersededBy } of found.values()) if (supersededBy) seen.closed += 1;
        }
        for (const series of ['s', 't', ...ids]) {
          const members = [...model.members.values()].filter((each) => each.series === series);
          assert.equal(await corpus.count({ where: { series } }), members.length);
        }
        await corpus.verify();
        await corpus.close();
      }),
      { numRuns: 50 },
    );
    for (const [name, count] of Object.entries(seen)) assert.ok(count > 8, `${count} ${name}`);
  });
});

/** Adds to both; the model after it: without the batch of a refused passage and what follows. */
async function added(
  corpus: Corpus,
  before: Model,
  drawn: readonly PassageCase[],
  batchSize: number,
  seen: { refused: number },
): Promise<Model> {
  let model = before;
  let refused: unknown;
  const counts = { added: 0, replaced: 0, unchanged: 0 };
  for (let from = 0; from < drawn.length && refused === undefined; from += batchSize) {
    const next = model.copy();
    try {
      for (const each of drawn.slice(from, from + batchSize)) counts[next.add(each)] += 1;
      model = next;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused = error;
    }
  }
  const adding = corpus.add(drawn.map(toPassage), { batchSize });
  if (refused === undefined) assert.deepEqual(await adding, counts);
  else {
    seen.refused += 1;
    await assert.rejects(
      adding,
      (error) => AsOfError.is(error) && error.code === 'ERR_INVALID_ARGUMENT',
    );
  }
  return model;
}

/** Updates both; the model after it: none of the passages where one is refused. */
async function updated(
  corpus: Corpus,
  before: Model,
  known: readonly string[],
  { series, ...times }: PatchCase,
  seen: { refused: number; updated: number },
): Promise<Model> {
  const model = before.copy();
  const counts = { replaced: 0, unchanged: 0 };
  const instants = Object.entries(times).map(([name, of]) => [
    name,
    of === null ? of : instant(of),
  ]);
  const patch = { ...(Object.fromEntries(instants) as Times<number | null>), series };
  const updating = corpus.update(known, patch);
  try {
    for (const id of known) counts[model.update(id, { ...times, ...(series && { series }) })] += 1;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    seen.refused += 1;
    await assert.rejects(
      updating,
      (error) => AsOfError.is(error) && error.code === 'ERR_INVALID_ARGUMENT',
    );
    return before;
  }
  const { replaced, unchanged } = counts;
  assert.deepEqual(await updating, { updated: replaced, unchanged });
  seen.updated += replaced;
  return model;
}
