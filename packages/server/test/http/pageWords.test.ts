// What the page of a question says without a browser: every score has words, constraints and
// distances too, and its axis fits its dates.
import assert from 'node:assert/strict';
import { hybrid, type Corpus } from '../../../../lib/index.js';
import { createSystem, systemNames } from '../../../../lib/papers/registry.js';
import { toJson } from '../../../../lib/systems/json.js';
import { featureNames } from '../../../../lib/facts/features/features.js';
import { distanceWords, askedWords, placeWords, timeWords } from '../../lib/page/dates.js';
import { nearRows, rowsOf, spanOf, windowOf } from '../../lib/page/rows.js';
import { columns, saidScores, shareWords } from '../../lib/page/scoreWords.js';
import { constraintWords, whyOf } from '../../lib/page/why.js';
import type { ResultRecord } from '../../lib/http/pageData.js';
import { withCorpus } from '../../../../test/corpus.js';
import { needed } from '../../../../test/reranker.js';
import { passages } from './pagePassages.js';

const day = 86_400_000;

describe('the words of the page of a question', () => {
  let corpus: Corpus;
  withCorpus(passages, (opened) => (corpus = opened));

  const ask = async (text: string, askedAt: string): Promise<ResultRecord> => {
    const result = await hybrid({ corpus }).run({ text, askedAt });
    return toJson.result(result, 'hybrid') as unknown as ResultRecord;
  };

  it('has words for every column that a system emits, and for every share', async () => {
    const emitted = new Set<string>();
    const shares = new Set<string>();
    for (const name of systemNames) {
      const own = new Set<string>();
      for (const text of [
        'Who was the prime minister of Tannau in 2020?',
        'What is the berth fee of Tannau harbour?',
      ]) {
        const system = createSystem(name, { corpus, ...needed(name) });
        const { evidence } = await system.run({ text, askedAt: '2021-01-01' });
        for (const each of evidence) {
          for (const column of Object.keys(each.scores)) own.add(column);
          for (const share of Object.keys(each.shares ?? {})) shares.add(share);
        }
      }
      assert.ok(own.size > 0, name);
      for (const column of own) emitted.add(column);
      assert.deepEqual(
        [...own].filter((column) => !(column in columns)),
        [],
        name,
      );
    }
    assert.ok(emitted.size >= 10 && shares.size >= 10, `${emitted.size}, ${shares.size}`);
    const words = new Set(Object.keys(shareWords));
    assert.deepEqual(
      [...shares, ...featureNames, 'decay'].filter((name) => !words.has(name)),
      [],
    );
    for (const { name, meaning } of Object.values(columns)) assert.ok(name && /\.$/.test(meaning));
  });

  it('says a score shortly, the deciding ones first', () => {
    assert.deepEqual(saidScores({ lexical: 0.4, scan: 3, similarity: 0.62, temporal: 1 }), [
      'similar in meaning .62',
      'words .40',
      'its time fits',
    ]);
  });

  it('says why a passage ranks there, by its dates and those of the question', async () => {
    const result = await ask('Who was the prime minister of Tannau in 2020?', '2021-01-01');
    const rows = rowsOf(result, undefined, 'UTC');
    const bruno = rows.find(({ id }) => id === 'bruno')!;
    const [standing, clauses] = whyOf(bruno, result);
    assert.match(standing, /^\d+ % likely to answer$/);
    assert.ok(clauses.includes('published 17 months before the question'), clauses.join('; '));
    assert.ok(
      clauses.includes('its date 24 July 2019 is over before the window'),
      clauses.join('; '),
    );
  });

  it('calls no passage likely to answer where none answers', async () => {
    const result = await ask('Who was the prime minister of Tannau in 2020?', '2021-01-01');
    const rows = rowsOf(result, undefined, 'UTC');
    const [standing] = whyOf(rows[0]!, { ...result, unanswered: 'No passage states it.' });
    assert.match(standing, /^score /);
  });

  it("says the question's constraint", async () => {
    const words = async (text: string): Promise<string> =>
      constraintWords(await ask(text, '2021-01-01'));
    assert.equal(
      await words('Who was the prime minister of Tannau as of 6 May 2020?'),
      '“as of 6 May 2020” asks for what held on 6 May 2020, by the dates that passages speak of. ' +
        'Nothing published after 1 January 2021 is used.',
    );
    assert.match(
      await words('Who was the prime minister of Tannau between 2017 and 2018?'),
      /asks for times from 1 January 2017 to 31 December 2018/,
    );
    assert.match(
      await words('Who is the prime minister of Tannau?'),
      /^The question names no time: what holds on 1 January 2021 counts/,
    );
  });

  it('does not claim that the future is hidden where a system shows it', async () => {
    const system = createSystem('bm25', { corpus });
    const result = await system.run({ text: 'prime minister of Tannau', askedAt: '2017-01-01' });
    const record = toJson.result(result, 'bm25') as unknown as ResultRecord;
    assert.match(constraintWords(record), /does not hide passages published after 1 January 2017/);
  });

  it('says times, distances and places', () => {
    const end = Date.parse('2021-05-07') - 1;
    assert.equal(askedWords(end), '6 May 2021');
    assert.equal(askedWords(Date.parse('2021-05-06T13:50Z')), '6 May 2021, 13:50 UTC');
    assert.equal(askedWords(Date.parse('2021-05-06T21:59:59.999Z'), 'Europe/Berlin'), '6 May 2021');
    assert.equal(timeWords('2024-05-12T06:00Z'), '12 May 2024, 06:00 UTC');
    assert.deepEqual(
      [0.3, 1, 3, 20, 100, 1000].map((days) => distanceWords(days * day)),
      ['less than a day', '1 day', '3 days', '2 weeks', '3 months', '2 years'],
    );
    const window = { from: 10, to: 20 };
    const places = [
      { from: 12, to: 15 },
      { from: 0, to: 10 },
      { from: 20, to: 30 },
      { from: 5, to: 15 },
      { from: 5, to: null },
    ].map((date) => placeWords(date, window));
    assert.deepEqual(places, [
      'lies inside the window',
      'is over before the window',
      'begins after the window',
      'overlaps the window',
      'covers the window',
    ]);
  });

  it('takes for the window of "as of" the time itself', async () => {
    const result = await ask(
      'Who was the prime minister of Tannau as of 6 May 2020?',
      '2021-01-01',
    );
    assert.deepEqual(windowOf(result), {
      from: Date.UTC(2020, 4, 6),
      to: Date.UTC(2020, 4, 7),
      granularity: 'day',
    });
  });

  it('zooms to most passages only where they are a small part of the whole', () => {
    const rows = (days: readonly number[]) =>
      days.map((each, nth) => ({
        id: `p${nth}`,
        title: `p${nth}`,
        state: 'evidence' as const,
        rank: nth + 1,
        published: each * day,
        dates: [],
        faded: false,
      }));
    assert.equal(nearRows(rows([1, 300, 700, 900])), undefined);
    const near = nearRows(rows([900, 901, 902, 10, 905]))!;
    assert.deepEqual(near.map(({ id }) => id).sort(), ['p0', 'p1', 'p2']);
    assert.equal(nearRows(rows([10, 901, 902, 900, 905])), undefined, 'without the first');
    const span = spanOf([0, null, 100 * day, undefined]);
    assert.deepEqual([span.from / day, span.to / day], [-4, 104]);
  });
});
