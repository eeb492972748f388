// Histories on the command line: kept by asof index --history, asked of with --as-recorded.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { asof } from './spawn.js';
import { temporaryFolder } from '../store/fixtures.js';

const depth = (metres: number): string =>
  `${JSON.stringify({ id: 'lund', text: `The harbour of Lund is ${metres} metres deep.` })}\n`;

describe('history on the command line', () => {
  const folder = temporaryFolder();
  const corpus = folder.path('corpus');
  let recorded: string[];

  const versions = async (): Promise<Record<string, unknown>[]> =>
    (await asof(['get', corpus, 'lund', '--versions'])).stdout
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  before(async () => {
    await asof(['index', corpus, '-', '--history'], { input: depth(12) });
    await asof(['index', corpus, '-'], { input: depth(9) });
    recorded = (await versions()).map((each) => each['recorded_at'] as string);
  });

  it('lists versions with their times and why they ended', async () => {
    const [first, second, ...others] = await versions();
    assert.deepEqual(others, []);
    assert.match(first!['text'] as string, / 12 /);
    assert.deepEqual([first!['ended_at'], first!['ended_by']], [recorded[1], 'correction']);
    assert.match(second!['text'] as string, / 9 /);
    assert.equal('ended_at' in second!, false);
  });

  it('answers, lists, gets and evaluates as recorded at a time', async () => {
    const past = ['--as-recorded', recorded[0]!];
    for (const [options, metres] of [
      [past, 12],
      [[], 9],
    ] as const) {
      const expected = new RegExp(` ${metres} metres`);
      const asked = await asof(['ask', corpus, 'How deep is the harbour of Lund?', ...options]);
      assert.match(asked.stdout, expected);
      assert.match((await asof(['list', corpus, ...options])).stdout, expected);
      assert.match((await asof(['get', corpus, 'lund', ...options])).stdout, expected);
      assert.equal((await asof(['list', corpus, '--count', ...options])).stdout, '1\n');
      assert.equal((await asof(['timeline', corpus, 'harbour of Lund', ...options])).code, 0);
    }
    const queries = folder.path('queries.jsonl');
    const query = { id: 'q', text: 'How deep is the harbour of Lund?', answers: ['12 metres'] };
    const recall = async (lines: object, options: readonly string[]): Promise<unknown> => {
      writeFileSync(queries, `${JSON.stringify(lines)}\n`);
      const files = ['--queries', queries, '--metrics', 'answer_recall@1', '--per-query'];
      const { stdout, stderr } = await asof(['eval', corpus, ...files, '--json', ...options]);
      assert.equal(stderr, '');
      return (JSON.parse(stdout) as { metrics: Record<string, number> }).metrics['answer_recall@1'];
    };
    assert.equal(await recall(query, []), 0);
    assert.equal(await recall(query, past), 1);
    assert.equal(await recall({ ...query, as_recorded: recorded[0] }, []), 1);
  });

  it('refuses times of a corpus without history', async () => {
    const without = folder.path('without');
    await asof(['index', without, '-'], { input: depth(9) });
    for (const command of [
      ['ask', without, 'How deep?', '--as-recorded', '2020'],
      ['get', without, 'lund', '--versions'],
    ]) {
      const { code, stderr } = await asof(command);
      assert.equal(code, 2);
      assert.match(stderr, /--history of asof index/);
    }
  });

  it('forgets with compact --keep-days', async () => {
    const compact = await asof(['compact', corpus, '--keep-days', '0', '--json']);
    assert.equal((JSON.parse(compact.stdout) as { dropped: number }).dropped, 1);
    assert.equal((await versions()).length, 1);
    const { code, stderr } = await asof(['get', corpus, 'lund', '--as-recorded', recorded[0]!]);
    assert.equal(code, 2);
    assert.match(stderr, /keeps its history/);
    const info = JSON.parse((await asof(['info', corpus, '--json'])).stdout) as {
      history: { from: number };
    };
    assert.ok(info.history.from >= Date.parse(recorded[1]!));
  });
});
