// Long streams, lines and texts through asof time tag.
import assert from 'node:assert/strict';
import { asof } from './spawn.js';

const lines = (text: string): unknown[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

describe('asof time tag', () => {
  it('passes a stream through in the memory of a few batches', async () => {
    const text =
      'He moved to Bern on 3 May 1950, and nothing else is known of the years before that. '.repeat(
        10,
      );
    const input = Array.from(
      { length: 40_000 },
      (_, id) => `${JSON.stringify({ id, text })}\n`,
    ).join(''); // 35 MB in, 60 MB out
    const { code, stdout, stderr } = await asof(['time', 'tag'], {
      input,
      env: { NODE_OPTIONS: '--max-old-space-size=64' },
    });
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(stdout.match(/^\{"id":/gm)?.length, 40_000);
    assert.match(stdout.slice(stdout.lastIndexOf('\n', stdout.length - 2) + 1), /^\{"id":39999,/);
  });

  it('reads a long line, and passes over one that is too long to be a line', async () => {
    const long = JSON.stringify({ id: 'long', text: `${'word '.repeat(4_000_000)}in 1950` });
    const input = Buffer.concat([
      Buffer.from(`${long}\n`),
      Buffer.alloc(65 * 1024 * 1024, 'x'),
      Buffer.from('\n{"id":"after","text":"in 1960"}'),
    ]);
    const { code, stdout, stderr } = await asof(['time', 'tag'], { input });
    assert.equal(code, 1);
    const read = lines(stdout) as { id: unknown; mentions: { text: string; start: number }[] }[];
    assert.deepEqual(
      read.map(({ id, mentions }) => [id, mentions[0]!.text, mentions[0]!.start]),
      [
        ['long', 'in 1950', 20_000_000],
        ['after', 'in 1960', 0],
      ],
    );
    assert.equal(
      stderr,
      'asof: (standard input):2: Expected lines of at most 64 MiB, received a longer one. Is ' +
        'it a text file?\n',
    );
  });

  it('skips a text with too many times, and reads the lines around it', async () => {
    const input = [1, 2, 3]
      .map((id) => JSON.stringify({ id, text: id === 2 ? '1990 '.repeat(1_100_000) : 'in 1990' }))
      .join('\n');
    const { code, stdout, stderr } = await asof(['time', 'tag'], { input });
    assert.deepEqual([code, lines(stdout).map((line) => (line as { id: number }).id)], [1, [1, 3]]);
    assert.match(
      stderr,
      /^asof: \(standard input\):2: Expected a text with at most 1048576 time mentions, received one with 1100000\. Split it\.\n$/,
    );
  });
});
