// The as-of rule, ties, votes and what is broken: what no sentence pattern is needed for.
// docs/papers/re3.md and equation 14 of Re3.
import assert from 'node:assert/strict';
import { voteOnVersions } from '../../../lib/facts/versions/byRules.js';
import type { Passage } from '../../../lib/index.js';

const question = { text: 'What does the Fjell museum charge?', askedAt: '2025-06-30' };
const priced = (id: string, price: number, publishedAt?: Passage['publishedAt']): Passage => ({
  id,
  text: `The Fjell museum charges ${price} kroner.`,
  ...(publishedAt === undefined ? {} : { publishedAt }),
});
const votes = async (passages: readonly Passage[], askedAt = question.askedAt): Promise<string> =>
  (await voteOnVersions({ ...question, askedAt }, passages))
    .map(({ vote }) => (vote < 0 ? '-' : vote > 0 ? '+' : '0'))
    .join('');

describe('rules of votes', () => {
  it('the newest wins, what says the same supports it, and what says otherwise loses', async () => {
    const passages = [
      priced('a', 80, '2023-01-01'),
      priced('b', 90, '2024-01-01'),
      priced('c', 90, '2025-01-01'),
    ];
    assert.equal(await votes(passages), '-++');
    const [lost] = await voteOnVersions(question, passages);
    assert.deepEqual(lost, { id: 'a', vote: -1, newer: 'c', values: ['80', '90'] });
  });

  it('as of the time of asking, to the millisecond', async () => {
    const passages = [
      priced('a', 80, '2024-01-01T12:00:00Z'),
      priced('b', 90, '2025-01-01T12:00:00Z'),
    ];
    assert.equal(await votes(passages, '2025-01-01T12:00:00Z'), '-+');
    assert.equal(await votes(passages, '2025-01-01T11:59:59Z'), '00');
    // A day without an hour is over when it ends.
    assert.equal(await votes(passages, '2025-01-01'), '-+');
    assert.equal(await votes(passages, '2024-12-31'), '00');
  });

  it('equal dates tie: both stay, and both win over what is older', async () => {
    assert.equal(await votes([priced('a', 80, '2025-01-01'), priced('b', 90, '2025-01-01')]), '00');
    const [older, ...newest] = await voteOnVersions(question, [
      priced('o', 70, '2024-01-01'),
      priced('a', 80, '2025-01-01'),
      priced('b', 90, '2025-01-01'),
    ]);
    assert.equal(older!.vote, -1);
    assert.ok(newest.every(({ vote }) => vote >= 0));
    // What one of two newest ones says too stays.
    assert.equal(
      await votes([
        priced('o', 80, '2024-01-01'),
        priced('a', 80, '2025-01-01'),
        priced('b', 90, '2025-01-01'),
      ]),
      '000',
    );
  });

  it('a difference of one, a day apart, counts', async () => {
    assert.equal(await votes([priced('a', 80, '2025-01-01'), priced('b', 81, '2025-01-02')]), '-+');
  });

  it('a value that came back is in force from its first version, in any sentence', async () => {
    const back = [
      'Ostrand forecast, 5 May 2025. Sunny. High 80.',
      'The outlook for 5 May 2025 in Ostrand is sunny; it should reach 79°F.',
    ];
    const texts = [...back, '5 May 2025, Ostrand: sunny, up to 80F.'];
    const passages = texts.map((text, at) => ({
      id: `p${at}`,
      text,
      publishedAt: `2025-05-0${at + 1}`,
    }));
    const found = await voteOnVersions(
      { text: 'How hot will Ostrand be on 5 May 2025?', askedAt: '2025-05-04' },
      passages,
    );
    assert.deepEqual(
      found.map(({ vote }) => vote < 0),
      [false, true, false],
    );
    // Where the newest one is not there, the one between is the newest in sight.
    const without = await voteOnVersions(
      { text: 'How hot will Ostrand be on 5 May 2025?', askedAt: '2025-05-04' },
      passages.slice(0, 2),
    );
    assert.deepEqual(
      without.map(({ vote }) => vote < 0),
      [true, false],
    );
  });

  it('what does not say when it was published takes no part', async () => {
    assert.equal(await votes([priced('a', 80), priced('b', 90, '2025-01-01')]), '00');
    assert.equal(await votes([priced('a', 80, '2024-01-01'), priced('b', 90)]), '00');
  });

  it('a publication that is no time is refused by its place', async () => {
    for (const publishedAt of [NaN, Infinity, 'soon', '2025-13-01'] as Passage['publishedAt'][])
      await assert.rejects(votes([priced('a', 80, '2024-01-01'), priced('b', 90, publishedAt)]), {
        code: 'ERR_INVALID_ARGUMENT',
        message: /passages\[1\]\.publishedAt/,
      });
  });

  it('texts that say nothing, and very long ones, are safe', async () => {
    const long = `The Fjell museum charges 80 kroner. ${'It has many rooms, of which 12 are shown on 3 May 2024. '.repeat(2000)}`;
    const odd = [
      '',
      ' ',
      '\n',
      '.',
      '—',
      '🙂🙂',
      '12',
      '2024-01-01',
      'a'.repeat(20_000),
      '\ud800',
      '((((',
      '"',
      '1,1,1,1,1,1',
      long,
    ];
    const passages = odd.map(
      (text, at): Passage => ({ id: String(at), text, publishedAt: Date.UTC(2024, 0, 1 + at) }),
    );
    const result = await voteOnVersions(question, [
      ...passages.slice(0, -1),
      priced('b', 90, '2025-01-01'),
    ]);
    assert.ok(result.every(({ vote }) => vote >= 0));
    assert.equal(
      (await voteOnVersions(question, [passages.at(-1)!, priced('b', 90, '2025-01-01')])).length,
      2,
    );
    assert.deepEqual(await voteOnVersions(question, []), []);
    assert.deepEqual(await voteOnVersions({ text: 'x' }, [priced('a', 80, '2024-01-01')]), [
      { id: 'a', vote: 0 },
    ]);
  });

  it('three hundred versions leave the one in force', async () => {
    const passages = Array.from({ length: 300 }, (_, at) =>
      priced(`p${at}`, 100 + at, Date.UTC(2024, 0, 1) + at * 3_600_000),
    );
    assert.equal(await votes(passages), `${'-'.repeat(299)}+`);
  });

  it('yields to other work while hundreds are read, and stops at the signal', async () => {
    const towns = ['Tromvik', 'Ostrand', 'Lunden', 'Halvard'];
    const passages = Array.from(
      { length: 150 },
      (_, at): Passage => ({
        id: `p${at}`,
        text: `Round ${at} of the talks in ${towns[at % 4]!} about ferry ${at % 7} cost $${at % 5}.50 a head, said ${towns[(at + 1) % 4]!}.`,
        publishedAt: Date.UTC(2024, 0, 1) + at * 3_600_000,
      }),
    );
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await voteOnVersions(question, passages);
    clearInterval(timer);
    assert.ok(turns > 2, `${turns} turns`);
    const controller = new AbortController();
    const voting = voteOnVersions(
      question,
      passages.map((each) => ({ ...each, text: `${each.text} It rained.` })),
      { signal: controller.signal },
    );
    setTimeout(() => controller.abort(), 1);
    await assert.rejects(voting, { code: 'ERR_ABORTED' });
  });
});
