// What must hold of votes whatever is voted on: the order of versions tells nothing, voting again
// over what survives changes nothing, and nothing is dropped without a newer version that says
// otherwise. Versions are drawn from sentence patterns of several kinds of facts.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { voteOnVersions } from '../../../lib/facts/versions/byRules.js';
import type { Passage } from '../../../lib/index.js';

const day = (count: number): string =>
  new Date(Date.UTC(2025, 0, 1) + count * 86_400_000).toISOString().slice(0, 10);
const towns = ['Tromvik', 'Ostrand', 'Lunden'];
const patterns: ((town: string, about: string, value: number) => string)[] = [
  (town, about, value) => `The forecast for ${town} on ${about} is a high of ${value}°C.`,
  (town, about, value) => `${town}, ${about}: highest temperature ${value}°C.`,
  (town, about, value) => `By ${about}, ${town} had counted ${value * 100} visitors in total.`,
  (town, _, value) => `The mayor of ${town} is ${['Lena Borg', 'Per Alm', 'Ida Sand'][value % 3]}.`,
  (town, about, value) => `A ticket from ${town} costs $${value}.50 since ${about}.`,
  (town) => `${town} lies on the northern coast.`,
];
const version = fc
  .record({
    pattern: fc.nat(patterns.length - 1),
    town: fc.nat(2),
    about: fc.nat(2),
    value: fc.integer({ min: 8, max: 11 }),
    published: fc.option(fc.nat(6), { nil: undefined }),
  })
  .map(
    ({ pattern, town, about, value, published }): Omit<Passage, 'id'> => ({
      text: patterns[pattern]!(towns[town]!, day(60 + about), value),
      ...(published === undefined ? {} : { publishedAt: day(published) }),
    }),
  );
const versions = fc
  .array(version, { minLength: 2, maxLength: 12 })
  .map((all) => all.map((each, at): Passage => ({ ...each, id: `v${at}` })));
const question = { text: 'What is told of Tromvik?', askedAt: day(5) };
const lostOf = async (passages: readonly Passage[]): Promise<Map<string, string>> =>
  new Map(
    (await voteOnVersions(question, passages))
      .filter(({ vote }) => vote < 0)
      .map(({ id, newer }) => [id, newer!]),
  );

describe('votes on versions', () => {
  it('do not depend on the order of the versions', async () => {
    await fc.assert(
      fc.asyncProperty(
        versions.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        async ([all, shuffled]) => {
          const [a, b] = [await lostOf(all), await lostOf(shuffled)];
          assert.deepEqual([...a.keys()].sort(), [...b.keys()].sort());
        },
      ),
      { numRuns: 150 },
    );
  });

  it('change nothing over what survives', async () => {
    await fc.assert(
      fc.asyncProperty(versions, async (all) => {
        const lost = await lostOf(all);
        assert.deepEqual([...(await lostOf(all.filter(({ id }) => !lost.has(id)))).keys()], []);
      }),
      { numRuns: 150 },
    );
  });

  it('drop nothing without a newer published version that stays and differs', async () => {
    await fc.assert(
      fc.asyncProperty(versions, async (all) => {
        const lost = await lostOf(all);
        const by = new Map(all.map((each) => [each.id, each]));
        for (const [id, newer] of lost) {
          const [older, winner] = [by.get(id)!, by.get(newer)!];
          assert.ok(
            older.publishedAt! < winner.publishedAt! && winner.publishedAt! <= question.askedAt,
          );
          assert.ok(!lost.has(newer));
          assert.notEqual(older.text, winner.text);
          assert.deepEqual(
            [...(await lostOf([older, winner])).keys()],
            [id],
            `${older.text} | ${winner.text}`,
          );
        }
      }),
      { numRuns: 150 },
    );
  });

  it('leave versions of one date alone', async () => {
    await fc.assert(
      fc.asyncProperty(versions, async (all) =>
        assert.equal((await lostOf(all.map((each) => ({ ...each, publishedAt: day(1) })))).size, 0),
      ),
      { numRuns: 100 },
    );
  });

  it('refuse what is no passage', async () => {
    await assert.rejects(voteOnVersions(question, 'all' as never), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /passages to be an array/,
    });
    await assert.rejects(voteOnVersions(question, [{ id: 'a' } as never]), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /passages\[0\]/,
    });
    await assert.rejects(voteOnVersions(question, [], { signal: AbortSignal.abort() }), {
      code: 'ERR_ABORTED',
    });
  });
});
