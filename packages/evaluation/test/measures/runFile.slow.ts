// A long run file within a small heap.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commandLine, argv } from '../../../../test/cli/spawn.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

describe('run files', () => {
  const folder = temporaryFolder();

  it('of a million lines fit in a heap that they would not fit in whole', async function () {
    this.timeout(120_000);
    const path = folder.path('long.trec');
    const document = (query: number, rank: number): string =>
      `document-${(query * 7 + rank * 13) % 9973}`;
    const stream = createWriteStream(path);
    for (let query = 0; query < 1000; query += 1) {
      let text = '';
      for (let rank = 1; rank <= 1000; rank += 1)
        text += `query-${query} Q0 ${document(query, rank)} ${rank} ${1000 - rank} long\n`;
      if (!stream.write(text)) await once(stream, 'drain');
    }
    stream.end();
    await once(stream, 'finish');
    assert.ok(statSync(path).size > 30e6);
    const judged = Array.from(
      { length: 1000 },
      (_, query) => `query-${query} 0 ${document(query, 1)} 1\n`,
    ).join('');
    writeFileSync(folder.path('long.qrels'), judged);
    const args = argv`
      --max-old-space-size=48 ${commandLine} metrics --qrels ${folder.path('long.qrels')}
    `;
    const measured = spawnSync(
      process.execPath,
      [...args, '--run', path, '--metrics', 'map,ndcg', '--json'],
      { cwd: root, encoding: 'utf8' },
    );
    assert.equal(measured.status, 0, measured.stderr.slice(0, 500));
    const { queries, metrics } = JSON.parse(measured.stdout) as {
      queries: number;
      metrics: Record<string, number>;
    };
    assert.deepEqual([queries, metrics], [1000, { map: 1, ndcg: 1 }]);
  });
});
