// Mining over a real corpus: what becomes positive and negative by time, the split by page,
// determinism, streaming, the model's twin, and triplets as lines.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { Corpus } from '../../../../lib/index.js';
import {
  mineGeneralTriplets,
  mineTriplets,
  readTriplets,
  toTripletRecord,
  type MiningOptions,
  type Triplet,
} from '../../lib/index.js';
import { matchings } from '../../lib/mining/temporal.js';
import { splitOf } from '../../lib/mining/split.js';
import { contentIntervals } from '../../../../lib/time/contentClock.js';
import { tagText } from '../../../../lib/time/index.js';
import { relationOf } from '../../lib/mining/overlap.js';
import { scripted } from '../../../../test/reading/doubles.js';
import { fails, temporaryFolder } from '../../../../test/store/fixtures.js';
import { datedPages } from '../pages.js';

async function all<T>(from: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const each of from) list.push(each);
  return list;
}

const timesOf = (text: string) => contentIntervals(tagText(text).mentions, text);

describe('temporal hard mining', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  before(async () => {
    corpus = await Corpus.open(folder.path('pages.asof'));
    await corpus.add(datedPages());
  });
  after(() => corpus.close());
  const mined = (options: MiningOptions = {}): Promise<Triplet[]> =>
    all(mineTriplets(corpus, options));

  it(
    'by intervals: the positive covers the window, the negative is of another time, of the ' +
      'same page where it can be',
    async () => {
      const triplets = await mined();
      assert.ok(triplets.length > 100);
      for (const { question, window, positive, negative, margin, gapYears } of triplets) {
        assert.ok(relationOf(timesOf(positive.text), window!).coverage >= 0.5, question);
        const away = relationOf(timesOf(negative.text), window!);
        assert.equal(away.coverage, 0, question);
        assert.ok(margin > 0.2 && margin <= 1 && Math.abs(away.gapYears - gapYears!) < 1e-9);
        assert.notEqual(positive.text, negative.text);
      }
      assert.ok(
        triplets.filter(({ positive, negative }) => positive.title === negative.title).length >
          0.9 * triplets.length,
      );
      const [near, far] = [
        triplets.filter(({ gapYears }) => gapYears! < 2),
        triplets.filter(({ gapYears }) => gapYears! > 20),
      ];
      const mean = (list: Triplet[]): number =>
        list.reduce((sum, { margin }) => sum + margin, 0) / list.length;
      assert.ok(mean(near) < 0.7 && mean(far) > 0.9);
    },
  );

  it('by years: a whole margin, no year in common; time-blind: anything near', async () => {
    for (const { window, negative, margin } of await mined({ matching: 'year', margin: 0.5 })) {
      assert.equal(margin, 0.5);
      const span = {
        start: Date.UTC(new Date(window!.start).getUTCFullYear(), 0),
        end: Date.UTC(new Date(window!.end - 1).getUTCFullYear() + 1, 0),
      };
      assert.equal(relationOf(timesOf(negative.text), span).coverage, 0);
    }
    const blind = await mined({ matching: 'none' });
    assert.ok(
      blind.some(
        ({ window, negative }) => relationOf(timesOf(negative.text), window!).coverage > 0,
      ),
    );
    assert.ok(blind.some(({ negative }) => timesOf(negative.text).length === 0));
  });

  it('no page is on both sides, and the same seed gives the same triplets', async () => {
    const [train, test, again] = [
      await mined({ split: 'train', seed: 4 }),
      await mined({ split: 'test', seed: 4 }),
      await mined({ split: 'train', seed: 4 }),
    ];
    assert.deepEqual(train, again);
    assert.ok(train.length > test.length && test.length > 0);
    for (const [side, list] of [
      ['train', train],
      ['test', test],
    ] as const) {
      for (const { split, positive, negative } of list)
        assert.deepEqual([split, splitOf(positive, 4), splitOf(negative, 4)], [side, side, side]);
    }
    assert.notDeepEqual((await mined({ split: 'train', seed: 5 }))[0], train[0]);
  });

  it('streams: a limit ends it early, progress counts passages, an abort ends it', async () => {
    assert.equal((await mined({ limit: 7 })).length, 7);
    const seen: number[] = [];
    await mined({ onProgress: ({ done, total }) => seen.push(done / total) });
    assert.equal(seen.at(-1), 1);
    const controller = new AbortController();
    await assert.rejects(async () => {
      for await (const triplet of mineTriplets(corpus, { signal: controller.signal }))
        if (triplet) controller.abort();
    }, fails('ERR_ABORTED'));
    await assert.rejects(mined({ limit: 0 }), fails('ERR_INVALID_ARGUMENT', /limit/));
    await assert.rejects(
      mined({ matching: 'century' as never }),
      fails('ERR_INVALID_ARGUMENT', new RegExp(matchings.join(', '))),
    );
    await assert.rejects(mined({ margin: 3 }), fails('ERR_INVALID_ARGUMENT', /margin/));
  });

  it(
    'a model writes the questions, and rules where it leaves the time out; one that cannot ' +
      'be asked ends the mining',
    async () => {
      const model = scripted(({ prompt }, call) => {
        const time = /end it with the words "([^"]+)"/.exec(prompt)![1]!;
        if (call % 4 === 3) return 'no JSON at all';
        return { question: call % 3 === 0 ? 'Who was there?' : `Who minded the place ${time}?` };
      });
      const questions = new Set(
        (await mined({ model, limit: 120, questionsPerPassage: 1 })).map(
          ({ question }) => question,
        ),
      );
      const written = [...questions].filter((question) =>
        question.startsWith('Who minded the place '),
      );
      assert.ok(written.length > 5 && written.length < questions.size);
      assert.ok(![...questions].includes('Who was there?'));
      assert.match(model.requests[0]!.prompt, /JSON/);
      const broken = { id: 'broken', generate: () => Promise.reject(new Error('no such host')) };
      await assert.rejects(mined({ model: broken }), fails('ERR_MODEL_FAILED', /no such host/));
    },
  );

  it(
    'general triplets ask for a passage by its title or for the rest of a text by its ' +
      'first sentence',
    async () => {
      const general = await all(mineGeneralTriplets(corpus, { limit: 60 }));
      assert.equal(general.length, 60);
      for (const { question, positive, negative } of general) {
        assert.ok(question === positive.title || positive.id.endsWith('#rest'));
        assert.notEqual(positive.title, negative.title);
        if (positive.id.endsWith('#rest')) assert.ok(!positive.text.includes(question));
      }
      assert.deepEqual(general, await all(mineGeneralTriplets(corpus, { limit: 60 })));
    },
  );

  it('triplets survive as lines, and faulty lines are named', async () => {
    const file = folder.path('triplets.jsonl');
    const triplets = [
      ...(await mined({ limit: 40 })),
      ...(await all(mineGeneralTriplets(corpus, { limit: 5 }))),
    ];
    writeFileSync(
      file,
      triplets.map((triplet) => `${JSON.stringify(toTripletRecord(triplet))}\n`).join(''),
    );
    const read = await all(readTriplets(file));
    assert.deepEqual(
      read.map((triplet) => toTripletRecord(triplet)),
      triplets.map((triplet) => toTripletRecord(triplet)),
    );
    assert.deepEqual(
      read.map(({ window }) => window),
      triplets.map(({ window }) => window),
    );
    const good = toTripletRecord(triplets[0]!);
    for (const [wrong, words] of [
      [{ kind: 'odd' }, /kind/],
      [{ split: 3 }, /split/],
      [{ margin: -1 }, /margin/],
      [{ positive: 'x' }, /positive/],
      [{ negative: { id: 'x', text: 'It rains.', published_at: 'soon' } }, /published_at/],
      [{ relation: 'near' }, /relation/],
      [{ window_end: 'soon' }, /window_end/],
    ] as const) {
      writeFileSync(file, `${JSON.stringify(good)}\n${JSON.stringify({ ...good, ...wrong })}\n`);
      await assert.rejects(all(readTriplets(file)), fails('ERR_INVALID_INPUT', words));
    }
  });
});
