// asof ask --decay and --relevance on a small corpus, as a user runs it: scores, and what is
// refused.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { asof } from './spawn.js';
import { temporaryFolder } from '../store/fixtures.js';
import { assertEach } from '../assertEach.js';

describe('asof ask --decay', () => {
  const folder = temporaryFolder();
  let corpus: string;
  before(async () => {
    corpus = folder.path('notes.asof');
    const lines = [2014, 2018, 2022, undefined].map((year) =>
      JSON.stringify({
        id: `n${year ?? ''}`,
        text: 'The ferry leaves from the north pier.',
        ...(year ? { published_at: `${year}-01-01T00:00Z` } : {}),
      }),
    );
    writeFileSync(folder.path('passages.jsonl'), lines.join('\n'));
    const { code } = await asof(['index', corpus, folder.path('passages.jsonl')]);
    assert.equal(code, 0);
  });

  const ask = (decay: string, ...more: string[]) =>
    asof(['ask', corpus, 'Where does the ferry leave?', '--decay', decay, ...more]);

  for (const system of ['bm25', 'dense', 'hybrid']) {
    it(`ranks by it with ${system}`, async () => {
      const { code, stdout } = await ask(
        'shape=linear,halfLife=1461d,floor=0.1,clock=published',
        '--asked-at',
        '2022-01-01T00:00Z',
        '--system',
        system,
        '--json',
      );
      assert.equal(code, 0);
      const { evidence } = JSON.parse(stdout) as {
        evidence: { id: string; scores: Record<string, number> }[];
      };
      // Four years are a half-life, eight are the end; undated notes count 0.5.
      const values = { n2022: 1, n: 0.5, n2018: 0.5, n2014: 0.1 };
      assert.deepEqual(
        Object.fromEntries(evidence.map(({ id, scores }) => [id, scores['temporal']])),
        values,
      );
      // The ranker of hybrid has its own probabilities of notes that say the same.
      if (system !== 'hybrid') assertEach(evidence, ({ id }) => id, Object.keys(values));
    });
  }

  it('adds with a weight', async () => {
    const { code, stdout } = await ask(
      'shape=gaussian, halfLife=4y, offset=1y, combine=sum, weight=0.5, origin=2018, undated=0',
      '--system',
      'bm25',
      '--json',
    );
    assert.equal(code, 0);
    const { evidence } = JSON.parse(stdout) as { evidence: { id: string; score: number }[] };
    assert.deepEqual(
      [evidence[0]!, evidence.at(-1)!].map(({ id, score }) => [id, score.toFixed(6)]),
      [
        ['n2018', '1.500000'],
        ['n', '1.000000'],
      ],
    );
  });

  it('exits with 2 for what is no decay, and says so', async () => {
    for (const [given, message] of [
      ['linear', /--decay linear: Expected the options of decay to be some of shape, halfLife/],
      ['shape=linear,halfLife=30', /decay\.halfLife to be a number with a unit/],
      ['shape=linear,halfLife=30d,floor=', /decay\.floor to be a number from 0/],
      ['shape=linear,halfLife=30d,half=1', /half/],
    ] as const) {
      const { code, stderr } = await ask(given);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
    }
  });

  it('weighs meaning and words with --relevance', async () => {
    const words = ['ask', corpus, 'ferry', '--json', '--relevance'];
    const scans = async (weights: object): Promise<number[]> => {
      const { code, stdout, stderr } = await asof([...words, JSON.stringify(weights)]);
      assert.equal(code, 0, stderr);
      const { evidence } = JSON.parse(stdout) as { evidence: { scores: { scan: number } }[] };
      return evidence.map(({ scores }) => scores.scan);
    };
    const [one, two] = [await scans({ semantic: 0, lexical: 1 }), await scans({ lexical: 2 })];
    assert.equal(one.length, 4);
    one.forEach((scan, at) => assert.ok(Math.abs(two[at]! - 2 * scan) < 1e-6, `${scan}`));
    for (const [wrong, message] of [
      ['semantic=1', /^asof: Expected --relevance to be JSON/],
      ['{"words": 1}', /--relevance/],
    ] as const) {
      const refused = await asof([...words, wrong]);
      assert.equal(refused.code, 2, refused.stderr);
      assert.match(refused.stderr, message);
    }
  });

  it('fails for a system without decay', async () => {
    const { code, stderr } = await ask('shape=linear,halfLife=30d', '--system', 'tempralm');
    assert.notEqual(code, 0);
    assert.match(stderr, /decay/);
  });
});
