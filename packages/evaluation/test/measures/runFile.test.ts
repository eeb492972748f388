// A run file scored query by query: the same values as held whole, and mixed queries; a long run is
// in runFile.slow.ts.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { readRun } from '../../lib/files/trec.js';
import { scoreRun } from '../../lib/measures/averages.js';
import { parseMetrics } from '../../lib/measures/metricNames.js';
import { scoreRunFile } from '../../lib/measures/runFile.js';
import { commandLine, argv } from '../../../../test/cli/spawn.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

describe('run files', () => {
  const folder = temporaryFolder();

  it('give the same whether read query by query or held whole, grouped or not', async () => {
    const metrics = parseMetrics('map,ndcg@3,bpref,hit@1');
    const qrels = new Map(
      ['q2', 'q1', 'q3', 'q5'].map((query, at) => [
        query,
        new Map([
          ['a', 1],
          ['b', at],
          ['c', 0],
        ]),
      ]),
    );
    const line = fc.tuple(
      fc.constantFrom('q1', 'q2', 'q3', 'q4'),
      fc.constantFrom(...'abcdef'),
      fc.integer({ max: 3, min: 0 }),
    );
    const lines = fc.uniqueArray(line, {
      selector: ([query, id]) => `${query} ${id}`,
      minLength: 1,
      maxLength: 24,
    });
    await fc.assert(
      fc.asyncProperty(lines, fc.boolean(), fc.boolean(), async (drawn, grouped, complete) => {
        const ordered = grouped
          ? [...drawn].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
          : drawn;
        const path = folder.path('run.trec');
        writeFileSync(
          path,
          ordered.map(([query, id, score]) => `${query} Q0 ${id} 1 ${score} tag\n`).join(''),
        );
        const { whole, inRun, tag, ...streamed } = await scoreRunFile(path, qrels, metrics, {
          complete,
        });
        assert.deepEqual(
          streamed,
          scoreRun((await readRun(path)).run, qrels, metrics, { complete }),
        );
        assert.deepEqual(
          [tag, inRun, grouped && whole],
          ['tag', new Set(drawn.map(([query]) => query)).size, false],
        );
      }),
      { numRuns: 40 },
    );
  });

  it('say where they are mixed, and refuse mixed standard input', async () => {
    const path = folder.path('mixed.trec');
    const mixed = 'q1 Q0 a 1 1 t\nq2 Q0 a 1 1 t\nq1 Q0 b 2 0 t\n';
    writeFileSync(path, mixed);
    assert.equal(
      (await scoreRunFile(path, new Map([['q1', new Map([['b', 1]])]]), parseMetrics('mrr'))).whole,
      true,
    );
    writeFileSync(folder.path('qrels'), 'q1 0 b 1\n');
    const given = argv`
      ${commandLine} metrics --qrels ${folder.path('qrels')} --metrics mrr --run
    `;
    const file = spawnSync(process.execPath, [...given, path], { cwd: root, encoding: 'utf8' });
    assert.equal(file.status, 0, file.stderr);
    assert.match(file.stderr, /is not grouped by query: it was read again as a whole/);
    const piped = spawnSync(process.execPath, [...given, '-'], {
      cwd: root,
      encoding: 'utf8',
      input: mixed,
    });
    assert.equal(piped.status, 1);
    assert.match(
      piped.stderr,
      /\(standard input\):3: Expected lines grouped by query, received "q1" again\./,
    );
  });
});
