// The measure of versions: by hand on a small run, and equal to the evaluation data's own tool on
// random ones where that is here.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import {
  parseMetrics,
  readFacts,
  readQrels,
  scoreRun,
  type Qrels,
  type Run,
} from '../../lib/index.js';
import type { Facts, VersionJudgements } from '../../lib/measures/versions.js';

const tool = join(
  dirname(fileURLToPath(import.meta.url)),
  ...Array<string>(5).fill('..'),
  'shared',
  'tools',
  'score_versions.py',
);

const qrels = (judged: Record<string, string[]>): Qrels =>
  new Map(Object.entries(judged).map(([query, ids]) => [query, new Map(ids.map((id) => [id, 1]))]));
const run = (ranked: Record<string, string[]>): Run =>
  new Map(
    Object.entries(ranked).map(([query, ids]) => [
      query,
      ids.map((id, at) => ({ id, score: -at })),
    ]),
  );

/** Means of the version measures over all `queries`, a query missing from the run scoring 0. */
function versionMeans(
  ranked: Run,
  queries: readonly string[],
  { current, ...versions }: VersionJudgements,
  names: string,
): number[] {
  const { averages } = scoreRun(ranked, current, parseMetrics(names), { versions, queries });
  return names.split(',').map((name) => {
    assert.equal(averages[name]!.queries, queries.length);
    return averages[name]!.mean;
  });
}

describe('measures of versions', () => {
  const judged = {
    current: qrels({ a: ['new'], b: ['new'] }),
    outdated: qrels({ a: ['old'], b: ['old'] }),
    future: qrels({ b: ['later'] }),
  };

  it('count questions that show what was in force and nothing else', () => {
    const ranked = run({ a: ['new', 'x'], b: ['old', 'new', 'later'] });
    assert.deepEqual(
      versionMeans(ranked, ['a', 'b'], judged, 'current@1,current@2,outdated@2,future@2,clean@2'),
      [0.5, 1, 0.5, 0, 0.5],
    );
    const other = run({ a: ['new'], b: ['new', 'later'] });
    assert.deepEqual(versionMeans(other, ['a', 'b', 'c'], judged, 'clean@5'), [1 / 3]);
  });

  it('ask for every fact of a question', () => {
    const facts: Facts = new Map([
      [
        'a',
        new Map([
          ['0', new Set(['p'])],
          ['1', new Set(['q', 'r'])],
        ]),
      ],
    ]);
    const all = (ids: string[]): number[] =>
      versionMeans(run({ a: ids }), ['a'], { ...judged, facts }, 'all@5');
    assert.deepEqual(all(['p', 'r']), [1]);
    assert.deepEqual(all(['q', 'r']), [0]);
  });

  it('refuse a depth that is none', () => {
    assert.throws(() => parseMetrics('current@0'), { code: 'ERR_INVALID_ARGUMENT' });
  });

  it("agrees with the evaluation data's tool", async function () {
    // the evaluation data (../shared) is not on this machine
    if (!existsSync(tool)) return this.skip();
    this.timeout(60_000);
    const folder = mkdtempSync(join(tmpdir(), 'asof-score-versions-'));
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { maxLength: 8 });
    const drawn = fc.sample(
      fc.record({
        ranked: ids,
        current: ids,
        outdated: ids,
        future: ids,
        facts: fc.array(ids, { maxLength: 3 }),
      }),
      60,
    );
    const file = (name: string, lines: string[]): string => {
      writeFileSync(join(folder, name), lines.map((line) => `${line}\n`).join(''));
      return join(folder, name);
    };
    const lines = (of: 'current' | 'outdated' | 'future'): string[] =>
      drawn.flatMap((each, q) => each[of].map((id) => `q${q} 0 ${id} 1`));
    try {
      const files = {
        run: file(
          'run.trec',
          drawn.flatMap(({ ranked }, q) =>
            ranked.map((id, at) => `q${q} Q0 ${id} ${at + 1} ${-at} t`),
          ),
        ),
        queries: file(
          'queries.jsonl',
          drawn.map((_, q) => JSON.stringify({ id: `q${q}` })),
        ),
        qrels: file('qrels.tsv', lines('current')),
        outdated: file('outdated.tsv', lines('outdated')),
        future: file('future.tsv', lines('future')),
        facts: file(
          'facts.tsv',
          drawn.flatMap(({ facts }, q) =>
            facts.flatMap((each, fact) => each.map((id) => `q${q} ${fact} ${id} 1`)),
          ),
        ),
      };
      const [current, outdated, future] = await Promise.all(
        [files.qrels, files.outdated, files.future].map((path) => readQrels(path)),
      );
      const judgements = {
        current: current!,
        outdated: outdated!,
        future: future!,
        facts: await readFacts(files.facts),
      };
      const ranked = run(Object.fromEntries(drawn.map((each, q) => [`q${q}`, each.ranked])));
      for (const k of [2, 3, 5]) {
        const args = Object.entries(files).flatMap(([name, path]) => [`--${name}`, path]);
        const theirs = JSON.parse(
          execFileSync('python3', [tool, ...args, '-k', String(k)], { encoding: 'utf8' }),
        ) as Record<string, number>;
        const names = [
          'current@1',
          `current@${k}`,
          `outdated@${k}`,
          `future@${k}`,
          `clean@${k}`,
          `all@${k}`,
        ];
        const { current: relevant, ...versions } = judgements;
        const asMetrics = scoreRun(ranked, relevant, parseMetrics(names), {
          versions,
          queries: drawn.map((_, q) => `q${q}`),
        }).averages;
        assert.deepEqual(
          names.map((name) => Math.round(asMetrics[name]!.mean * 1e4) / 1e4),
          names.map((name) => theirs[name]),
        );
        assert.ok(names.every((name) => asMetrics[name]!.queries === drawn.length));
        assert.equal(theirs['queries'], drawn.length);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
