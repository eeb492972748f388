// Which passages are read sentence by sentence: relevance times the best date that each of them
// tells.
import assert from 'node:assert/strict';
import type { Corpus } from '../../../lib/index.js';
import { mrag } from '../../../lib/papers/index.js';
import { appendBelow } from '../../../lib/papers/mrag/shortlist.js';
import { withCorpus } from '../../corpus.js';

describe('shortlist', () => {
  let corpus: Corpus;
  withCorpus(
    Array.from({ length: 40 }, (_, at) => ({
      id: `light-${at}`,
      title: 'Varn Light',
      text: `The keeper of the light was keeper ${at}. It was lit in ${1800 + at}. Nothing else is told.`,
    })),
    (made) => (corpus = made),
  );

  const ask = async (k: number, passages: number) =>
    mrag({ corpus, passages, spline: { shape: 'curve' } }).run(
      { text: 'Who was the keeper of the Varn Light in 1837?', askedAt: '2020-01-01' },
      { k },
    );

  it('keeps the passage of the time asked for among few that are alike', async () => {
    assert.equal((await ask(5, 3)).evidence[0]?.id, 'light-37');
  });

  it('orders alike however many are wanted, and loses none', async () => {
    const [few, many] = [await ask(10, 12), await ask(40, 12)];
    assert.deepEqual(
      many.evidence.slice(0, 10).map(({ id }) => id),
      few.evidence.map(({ id }) => id),
    );
    assert.equal(new Set(many.evidence.map(({ id }) => id)).size, 40);
    assert.ok(
      many.evidence.every(({ score }, at) => at === 0 || score <= many.evidence[at - 1]!.score),
    );
    assert.equal(
      many.trace.find(({ stage }) => stage === 'shortlist(12)')?.notes?.['shortlist'],
      12,
    );
  });

  it('gives what follows scores below the floor, in order', () => {
    const rest = [0.2, 0.9, 0.1].map((score, at) => ({
      id: `${at}`,
      segment: 0,
      passage: at,
      row: at,
      score,
      scores: {},
    }));
    const moved = appendBelow(rest, 0.5).map(({ score }) => score);
    assert.ok(moved.every((score, at) => score <= (moved[at - 1] ?? 0.5)));
    assert.deepEqual(appendBelow([], 1), []);
  });
});
