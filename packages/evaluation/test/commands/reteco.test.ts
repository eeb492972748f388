// RETECO's sub-tracks 1a and 1b: its release read by split, and runs that are its submissions, on
// rows of our own in its form.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { readTempo, type TempoResult } from '../../lib/index.js';
import { writeReteco } from '../tempo/reteco.js';
import { asof } from '../../../../test/cli/spawn.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';
import { assertEach } from '../../../../test/assertEach.js';

describe('RETECO', () => {
  const folder = temporaryFolder();
  const at = (...names: string[]): string => folder.path(...names);
  before(async () => {
    await writeReteco(at('data'), ['history', 'law']);
  });

  const evaluated = async (split: string): Promise<TempoResult> => {
    const args = ['--split', split, '--strategies', 'query+step', '-s', 'bm25', '-k', '5'];
    const outputs = ['--runs', at(split), '--keep', at('keep'), '--json'];
    const { code, stdout, stderr } = await asof(['tempo', 'eval', at('data'), ...args, ...outputs]);
    assert.deepEqual([code, stderr], [0, '']);
    return JSON.parse(stdout) as TempoResult;
  };
  const fields = (file: string): string[][] =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' '));

  it('is read by split, with guidance and nested steps', async () => {
    const count = async (split?: 'train' | 'dev' | 'test') =>
      (await readTempo(at('data'), split ? { split } : {})).domains.map(
        ({ name, queries }) => `${name} ${queries.length}`,
      );
    assert.deepEqual(await count('train'), ['history 2', 'law 2']);
    assert.deepEqual(await count('dev'), ['history 1', 'law 1']);
    const [, law] = (await readTempo(at('data'), { split: 'dev' })).domains;
    assert.deepEqual(law!.queries[0]!.annotation!.anchors, ['1955', '2019']);
    assert.match(law!.queries[0]!.steps[0]!.id, /^9005_2_step\d$/);
    // Without a split the test is read too, and has to have gold documents.
    await assert.rejects(count(), {
      message: /examples_test\.jsonl:1: Expected the columns id, query, gold_ids/,
    });
    const info = await asof(['tempo', 'info', at('data'), '--split', 'train']);
    assert.match(info.stdout, /\nlaw +2 /);
  });

  it('gets runs in six columns by query and by step, with the scores of its qrels', async () => {
    const result = await evaluated('dev');
    assert.equal(result.options['split'], 'dev');
    assert.deepEqual(readdirSync(at('dev')).sort(), [
      'bm25-baseline-history.trec',
      'bm25-baseline-law.trec',
      'bm25-query+step-history.trec',
      'bm25-query+step-law.trec',
    ]);
    for (const [setting, topic, qrels, over] of [
      ['baseline', /^9005_2$/, 'qrels_dev.txt', 'queries'],
      ['query+step', /^9005_2_step\d$/, 'qrels_steps_dev.txt', 'steps'],
    ] as const) {
      const run = at('dev', `bm25-${setting}-law.trec`);
      const seen = new Map<string, { ranks: number[]; scores: number[]; ids: string[] }>();
      for (const [id, q0, document, rank, score, tag, ...more] of fields(run)) {
        assert.match(id!, topic);
        assert.deepEqual([q0, tag, more], ['Q0', 'bm25', []]);
        const known = seen.get(id!) ?? { ranks: [], scores: [], ids: [] };
        seen.set(id!, known);
        known.ranks.push(Number(rank));
        known.scores.push(Number(score));
        known.ids.push(document!);
      }
      for (const { ranks, scores, ids } of seen.values()) {
        assert.deepEqual(
          ranks,
          ranks.map((_, place) => place + 1),
        );
        assert.ok(scores.every((score, place) => place === 0 || score < scores[place - 1]!));
        assert.equal(new Set(ids).size, ids.length);
      }
      const scored = await asof([
        'metrics',
        ...['--qrels', at('data', 'law', qrels), '--run', run, '--metrics', 'ndcg@10', '--json'],
      ]);
      const row = result.rows.find((each) => each.setting === setting && each.over === over)!;
      assert.equal(
        JSON.parse(scored.stdout).metrics['ndcg@10'],
        row.domains['law']!['ndcg@10']!.mean,
      );
    }
  });

  it('gets runs of a split without gold documents, which nothing scores', async () => {
    const [test, dev] = [await evaluated('test'), await evaluated('dev')];
    assertEach(
      test.rows,
      ({ n, macro }) => [n, macro],
      test.rows.map(({ n }) => [n, {}]),
    );
    assert.deepEqual(
      test.domains.map(({ queries, steps }) => [queries, steps]),
      dev.domains.map(({ queries, steps }) => [queries, steps]),
    );
    for (const file of readdirSync(at('dev')))
      assert.deepEqual(fields(at('test', file)), fields(at('dev', file)));
    const { code, stdout } = await asof([
      ...['tempo', 'eval', at('data'), '--split', 'test', '-s', 'bm25', '--tasks', 'steps'],
      ...['--keep', at('keep')],
    ]);
    assert.equal(code, 0);
    assert.match(stdout, /^2 queries and \d steps of 2 domains/);
  });

  it('refuses splits that are unknown, or that the folder lacks', async () => {
    const says = async (split: string, code: number, message: RegExp): Promise<void> => {
      const outcome = await asof(['tempo', 'eval', at('data'), '--split', split]);
      assert.equal(outcome.code, code);
      assert.match(outcome.stderr, message);
    };
    await says('tran', 2, /--split must be one of train, dev.*Did you mean train\?/);
    await says('validation', 1, /split validation .*found dev, test, train\. Name one/);
    await assert.rejects(readTempo(at('data'), { split: 'none' as 'dev' }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
  });
});
