// asof eval of several systems of which one fails: what the others found is printed, and the exit
// status says so.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { asof } from '../../../../test/cli/spawn.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';

describe('asof eval of a system that fails', () => {
  const folder = temporaryFolder();
  const at = (name: string): string => folder.path(name);
  const lines = (name: string, rows: readonly object[]): void =>
    writeFileSync(at(name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  before(async () => {
    lines('p.jsonl', [
      { id: 'a', text: 'The fair of Dover opened on 8 May 2025.', published_at: '2025-05-09' },
      { id: 'b', text: 'The mill is of stone.', published_at: '2025-05-09' },
    ]);
    lines('q.jsonl', [{ id: 'q', text: 'What opened on 8 May 2025?', answers: ['fair'] }]);
    assert.equal((await asof(['index', at('c.asof'), at('p.jsonl')])).code, 0);
    writeFileSync(at('qrels.tsv'), 'q\t0\ta\t1\n');
  });
  const evaluate = (...more: string[]) =>
    asof(['eval', at('c.asof'), '--queries', at('q.jsonl'), '--qrels', at('qrels.tsv'), ...more]);

  it('keeps what the others found', async () => {
    const weights = ['--weights', at('none.weights')];
    const some = await evaluate('-s', 're3,bm25', '--metrics', 'hit@1', ...weights, '--json');
    assert.equal(some.code, 1);
    assert.match(some.stderr, /^asof: Query q: Expected .*none\.weights/);
    assert.equal((JSON.parse(some.stdout) as { system: string }).system, 'bm25');
    const alone = await evaluate('-s', 're3', ...weights);
    assert.deepEqual([alone.code, alone.stdout], [1, '']);
    assert.match(alone.stderr, /none\.weights/);
  });

  it('refuses weights that no system would use, a comparison before it measures', async () => {
    const unused = await evaluate('-s', 'bm25', '--weights', at('none.weights'));
    assert.equal(unused.code, 2);
    assert.match(unused.stderr, /--weights would not be used by bm25: name re3, or omit it\./);
    lines('passages.jsonl', [{ id: 'a', text: 'The fair of Dover opened on 8 May 2025.' }]);
    lines('queries.jsonl', [{ id: 'q', text: 'What opened on 8 May 2025?' }]);
    const { code, stderr, stdout } = await asof([
      ...['compare', folder.path(), '-s', 'bm25,re3', '--encoder', 'models/default-encoder.bin'],
      ...['--weights', at('none.weights')],
    ]);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /none\.weights/);
  });
});
