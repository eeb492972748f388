// Undated passages: ordered by publication time, with a further search only if the hits require it.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueryContext } from '../../lib/retrieval/queryContext.js';
import { multiQueryRetrieval } from '../../lib/retrieval/multiQueryRetrieval.js';
import { countUndated } from '../../lib/retrieval/undatedPassages.js';
import { Corpus } from '../../lib/store/corpus.js';
import { hybridRetrieval } from '../../lib/systems/hybridRetrieval.js';
import { hybrid } from '../../lib/systems/hybrid.js';
import { contentWithYears } from '../../lib/systems/queryAnalysis.js';

const months = 400;
const dayIn = (month: number, day: number): string =>
  new Date(Date.UTC(1980, month, day)).toISOString().slice(0, 10);
const fares = Array.from({ length: months }, (_, month) => ({
  id: `fare-${(month * 7919) % months}`,
  text: `The ferry fare of Tolm is ${100 + month} cents.`,
  publishedAt: dayIn(month, 3),
}));
/** Passages with a date, with a validity and without a publication are marked by their ids. */
const others = [
  // No year of the questions: another name could win by the exact year.
  { id: 'dated', text: 'In 1890 the ferry of Grell was sold.', publishedAt: '1991-01-01' },
  {
    id: 'holds',
    text: 'The ferry of Grell is blue.',
    publishedAt: '1991-01-01',
    validFrom: '1990-01-01',
  },
  { id: 'never', text: 'The ferry of Grell is slow.' },
];

describe('undated passages', () => {
  let folder: string;
  let corpus: Corpus;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'asof-undated-'));
    corpus = await Corpus.open(join(folder, 'c'));
    await corpus.add(fares.slice(0, months / 2)); // two segments
    await corpus.add([...fares.slice(months / 2), ...others]);
  });
  after(async () => {
    await corpus.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const context = { note: () => {} };
  const ask = async (text: string): Promise<QueryContext> =>
    contentWithYears().run(
      { question: { text }, k: 1, corpus, snapshot: corpus.snapshot() },
      context,
    );

  it('are found by their publication day among many similar ones', async () => {
    for (let month = 7; month < months - 1; month += 23) {
      const { evidence } = await hybrid({ corpus }).run({
        text: `What was the ferry fare of Tolm as of ${dayIn(month, 20)}?`,
      });
      assert.equal(evidence[0]!.text, fares[month]!.text, dayIn(month, 20));
    }
  });

  it('are counted if only their publication dates them', async () => {
    const query = await ask('Was the ferry of Grell sold in 1990?');
    const { hits } = await hybridRetrieval().retrieve.run({ ...query, k: 500 }, context);
    assert.equal(hits.length, months + others.length);
    assert.equal(countUndated(query, hits), months);
    assert.equal(
      countUndated(
        query,
        hits.filter(({ id }) => others.some((other) => other.id === id)),
      ),
      0,
    );
    assert.equal(countUndated(query, []), 0);
    query.snapshot.release();
  });

  it('cause a further search only if needed, and if more passages may exist', async () => {
    const query = await ask('What was the ferry fare in 1990?');
    const ranking = {
      scope: 'passages',
      relevance: { semantic: 0, lexical: 1 },
      pool: true,
    } as const;
    let calls = 0;
    const hits = async (n: number, called: boolean): Promise<number> => {
      const when = (): boolean => ((calls += 1), called);
      return (
        await multiQueryRetrieval('x', [{ ...ranking, n }], {
          ranking: { ...ranking, n: 20 },
          when,
        }).run(query, context)
      ).shortlistSize!;
    };
    assert.deepEqual([await hits(10, false), await hits(10, true), calls], [10, 20, 2]);
    assert.equal(await hits(1000, true), months + others.length);
    assert.equal(calls, 2, 'all were found');
    query.snapshot.release();
  });
});
