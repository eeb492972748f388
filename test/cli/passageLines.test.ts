// Lines of asof index: fields and values that are refused, vectors of another model, and corpora of
// one row a passage.
import assert from 'node:assert/strict';
import { asof } from './spawn.js';
import { temporaryFolder } from '../store/fixtures.js';

describe('lines of asof index', () => {
  const folder = temporaryFolder();

  it('are refused by file and line where a field is misspelt or a value wrong', async () => {
    const wrong: [string, RegExp][] = [
      [
        '"publishedAt":"2021"',
        /no fields but id, text, .*"publishedAt"\. Did you mean published_at\?/,
      ],
      ['"tilte":"T"', /received "tilte"\. Did you mean title\? .*metadata/],
      ['"tenant":"T"', /received "tenant"\. What else there is goes into metadata/],
      ['"text":" "', /Expected text to be more than white space/],
      ['"valid_to":1700000000', /"valid_to" to be ISO 8601 or epoch milliseconds.*times 1000/],
      ['"valid_to":4000000000', /Expected validTo to be epoch milliseconds, not seconds/],
      ['"vector":[1,"2"]', /Expected "vector" to be a list of numbers/],
      ['"vector":[1,2]', /Expected vector to be a Float32Array or array of \d+ numbers.* of 2/],
      ['"sentence_vectors":[1]', /Expected "sentence_vectors" to be a list of lists of numbers/],
    ];
    const input = wrong.map(([field]) => `{"id":"x","text":"y",${field}}\n`).join('');
    const { code, stderr } = await asof(['index', folder.path('wrong.asof'), '-'], { input });
    assert.equal(code, 1);
    const lines = stderr.trim().split('\n');
    assert.equal(lines.length, wrong.length);
    wrong.forEach(([, words], at) => {
      assert.ok(lines[at]!.includes(`:${at + 1}: Expected`), lines[at]);
      assert.match(lines[at]!, words);
    });
  });

  it('take vectors of another model, for one row a passage', async () => {
    const own = folder.path('own.asof');
    const lines = [
      { id: 'x', text: 'It opened. It closed.', vector: [3, 4, 0] },
      { id: 'y', text: 'Nobody knows why.', vector: [0, 0, 1] },
    ];
    const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const args = ['--no-sentences', '--encoder', 'vectors:elsewhere,3', '--json'];
    const { code, stdout, stderr } = await asof(['index', own, '-', ...args], { input });
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal((JSON.parse(stdout) as { added: number }).added, 2);
    const again = await asof(['index', own, '-', '--json'], { input });
    assert.equal((JSON.parse(again.stdout) as { unchanged: number }).unchanged, 2);
    const info = await asof(['info', own, '--json']);
    const { rows, passages: count, encoder } = JSON.parse(info.stdout) as Record<string, unknown>;
    assert.deepEqual([rows, count], [2, 2]);
    assert.deepEqual(encoder, { id: 'elsewhere', dimensions: 3 });
    assert.match((await asof(['info', own])).stdout, /rows +2, of whole passages/);
    const found = await asof(['ask', own, 'What opened?', '--system', 'bm25', '--json']);
    assert.equal((JSON.parse(found.stdout) as { evidence: { id: string }[] }).evidence[0]!.id, 'x');
    const without = '{"id":"z","text":"Another."}';
    const named = ['--encoder', 'vectors:elsewhere,3'];
    const refused = await asof(['index', own, '-', ...named], { input: without });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /:1: Expected vector to be 3 numbers, since the encoder has no/);
    const misnamed = await asof(['index', own, '-', '--encoder', 'vectors:x'], { input: without });
    assert.equal(misnamed.code, 2);
  });
});
