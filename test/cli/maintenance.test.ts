// asof get, delete, compact, verify, backup and repair, as a user runs them.
import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binding } from '../../lib/binding.js';
import { asof } from './spawn.js';
import { temporaryFolder } from '../store/fixtures.js';
import { assertEach } from '../assertEach.js';

const passages: ({ id: string; text: string } & Record<string, unknown>)[] = [
  {
    id: 'may',
    text: 'Theresa May became prime minister.',
    title: 'May',
    published_at: '2016-07-13',
    valid_from: '2016-07-13',
    valid_to: '2019-07-23',
    metadata: { party: 'Conservative', source: { page: 3 } },
  },
  {
    id: 'johnson',
    text: 'Boris Johnson became prime minister.',
    published_at: '2019-07-24T12:30Z',
  },
  { id: 'truss', text: 'Liz Truss resigned.', valid_to: '2022-10-25T10:00:01.5Z' },
  { id: '-', text: 'An id like any other.' },
  { id: 'caesar', text: 'Caesar was killed.', published_at: '-0043-03-15' },
];
const lines = passages.map((passage) => `${JSON.stringify(passage)}\n`).join('');
const parse = (stdout: string): Record<string, unknown> =>
  JSON.parse(stdout) as Record<string, unknown>;

describe('maintenance of a corpus', () => {
  const folder = temporaryFolder();
  let corpus: string;
  let number = 0;
  const fresh = (): string => folder.path(`corpus-${(number += 1)}`);
  const copy = (of = corpus): string => {
    const path = fresh();
    cpSync(of, path, { recursive: true });
    return path;
  };
  before(async () => {
    corpus = fresh();
    const { code, stderr } = await asof(['index', corpus, '-'], { input: lines });
    assert.deepEqual([code, stderr], [0, '']);
  });

  describe('asof get', () => {
    it('prints passages as they were indexed, in the order of the ids', async () => {
      const { code, stdout, stderr } = await asof(['get', corpus, 'truss', 'may']);
      assert.deepEqual([code, stderr], [0, '']);
      const printed = stdout.trim().split('\n').map(parse);
      assertEach(printed, ({ id }) => id, ['truss', 'may']);
      assert.deepEqual(printed[1], passages[0]);
    });

    it('reads ids from standard input, and prints what indexes to the same', async () => {
      const { code, stdout } = await asof(['get', corpus, '-', '--json'], { input: lines });
      assert.equal(code, 0);
      assert.equal(stdout.trim().split('\n').length, passages.length);
      const again = await asof(['index', copy(), '-', '--json'], { input: stdout });
      assert.deepEqual(parse(again.stdout)['unchanged'], passages.length);
    });

    it('reports ids that are not there, and exits with 1', async () => {
      const { code, stdout, stderr } = await asof(['get', corpus, 'brown', 'may', 'attlee']);
      assert.equal(code, 1);
      assert.equal(parse(stdout)['id'], 'may');
      assert.equal(
        stderr,
        `asof: Expected a passage "brown" in ${corpus}, found none.\n` +
          `asof: Expected a passage "attlee" in ${corpus}, found none.\n`,
      );
    });
  });

  it('asof delete deletes by id, from arguments and standard input', async () => {
    const path = copy();
    const first = await asof(['delete', path, 'may', 'may', 'nobody']);
    assert.deepEqual([first.code, first.stdout], [0, `${path}: 1 passage deleted, 1 id unknown\n`]);
    const second = await asof(['delete', path, 'truss', '-', '--json'], {
      input: '{"id":"-","text":"ignored"}\n\n{"id":"caesar"}\n',
    });
    assert.deepEqual(parse(second.stdout), { corpus: path, deleted: 3, unknown: 0 });
    const bad = await asof(['delete', path, '-'], { input: '{"id":"johnson"}\n{"text":"x"}\n' });
    assert.equal(bad.code, 1);
    assert.match(bad.stderr, /\(standard input\):2: Expected a string "id"/);
    assert.equal((await asof(['get', path, 'johnson'])).code, 0);
  });

  it('asof compact merges and drops, and asof verify checks every byte', async () => {
    const path = copy();
    await asof(['delete', path, 'may']);
    await asof(['index', path, '-'], { input: '{"id":"sunak","text":"Rishi Sunak followed."}' });
    const compacted = parse((await asof(['compact', path, '--json'])).stdout);
    const { seconds, ...counts } = compacted;
    assert.deepEqual(counts, { corpus: path, merged: 2, dropped: 1 });
    assert.equal(typeof seconds, 'number');
    assert.match((await asof(['compact', path])).stdout, /: nothing to merge in /);
    const verified = parse((await asof(['verify', path, '--json'])).stdout);
    assert.deepEqual([verified['integrity'], verified['passages']], ['intact', 5]);
    assert.match((await asof(['verify', path])).stdout, /: intact, 5 passages \(every byte/);
    damageSection(path, 'passages.record');
    const damaged = await asof(['verify', path]);
    assert.deepEqual([damaged.code, damaged.stdout], [1, '']);
    assert.match(
      damaged.stderr,
      /^asof: Expected the checksum \w+ of block \d+ of the section passages\.record/,
    );
  });

  it('asof backup copies a corpus, into a new folder only', async () => {
    const backup = fresh();
    const { code, stdout } = await asof(['backup', corpus, backup, '--json']);
    assert.equal(code, 0);
    const { seconds, bytes, ...counts } = parse(stdout);
    assert.deepEqual(counts, { corpus, backup, passages: 5, files: 2, linked: 1 });
    assert.ok(Number(seconds) > 0 && Number(bytes) > 1000);
    assert.equal((await asof(['verify', backup])).code, 0);
    const again = await asof(['backup', corpus, backup]);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /Expected a new or empty folder at .*, found manifest/);
    const text = await asof(['backup', corpus, fresh()]);
    assert.match(text.stdout, /: 5 passages in 2 files, 1 of them links, [\d.]+ KiB in /);
    assert.equal((await asof(['backup', corpus, join(corpus, 'backup')])).code, 2);
    assert.ok(!existsSync(join(corpus, 'backup')));
  });

  it('asof restore puts a backup into a corpus, damaged or new', async () => {
    const [path, backup] = [copy(), fresh()];
    await asof(['backup', corpus, backup]);
    await asof(['delete', path, '--where', '{}']);
    assert.equal(parse((await asof(['info', path, '--json'])).stdout)['passages'], 0);
    const { code, stdout } = await asof(['restore', path, backup, '--json']);
    assert.equal(code, 0);
    const { seconds, ...counts } = parse(stdout);
    assert.equal(typeof seconds, 'number');
    assert.deepEqual(counts, { corpus: path, restored: backup, passages: 5, continued: true });
    // Copies, since the others are links of the same files.
    const damaged = copy(path);
    damageSection(damaged, 'passages.record');
    const again = await asof(['restore', damaged, backup]);
    assert.match(again.stdout, /: 5 passages of .* in /);
    assert.equal((await asof(['verify', damaged])).code, 0);
    assert.equal((await asof(['restore', fresh(), backup])).code, 0);
    const wrong = copy(backup);
    damageSection(wrong, 'passages.record');
    const refused = await asof(['restore', path, wrong]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /Expected the checksum/);
    assert.equal((await asof(['verify', path])).code, 0);
    assert.equal((await asof(['restore', path])).code, 2);
  });

  describe('asof repair', () => {
    it('makes a lost manifest anew', async () => {
      const [path, repaired] = [copy(), fresh()];
      rmSync(join(path, 'manifest'));
      assert.match((await asof(['info', path])).stderr, /without one.*asof repair/);
      const { code, stdout } = await asof(['repair', path, repaired, '--json']);
      assert.equal(code, 0);
      const { seconds, ...report } = parse(stdout);
      assert.equal(typeof seconds, 'number');
      assert.deepEqual(report, {
        corpus: path,
        repaired,
        passages: 5,
        reindexed: 0,
        lost: [],
        lost_without_id: 0,
        uncertain: [],
        damage: [
          {
            file: 'manifest',
            fault: 'is missing',
            outcome: 'made anew from 1 segment; missing files and wrong tombstones would not show',
          },
        ],
      });
      assert.equal((await asof(['verify', repaired])).code, 0);
    });

    it('names lost passages, keeps the others, and exits with 1', async () => {
      const [path, repaired] = [copy(), fresh()];
      damageSection(path, 'passages.record');
      const { code, stdout } = await asof(['repair', path, repaired]);
      assert.equal(code, 1);
      assert.match(stdout, /: 4 passages kept, 4 of them indexed again, 1 lost in /);
      assert.match(stdout, /\ndamage\n {2}000001-\w+\.seg: expected the checksum /);
      assert.match(stdout, /\nlost\n {2}-\n$/);
      const { stdout: printed } = await asof(['get', repaired, '-'], { input: lines });
      assert.equal(printed.trim().split('\n').length, 4);
    });

    it('of a whole corpus reports no damage, and of no corpus an error', async () => {
      const { code, stdout } = await asof(['repair', corpus, fresh()]);
      assert.deepEqual([code, stdout.split('\n')[1]], [0, 'Nothing was damaged.']);
      const none = await asof(['repair', folder.path('nowhere'), fresh()]);
      assert.equal(none.code, 1);
      assert.match(none.stderr, /Expected a corpus at .*nowhere, found none/);
    });
  });

  it('refuses commands without their arguments', async () => {
    const cases: [string[], RegExp][] = [
      [['get', corpus], /needs ID/],
      [['delete', corpus], /needs ids, - or --where/],
      [['backup', corpus], /needs FOLDER/],
      [['repair', corpus], /needs FOLDER/],
      [['verify', corpus, 'x'], /received also "x"/],
    ];
    const outcomes = await Promise.all(cases.map(([args]) => asof(args)));
    outcomes.forEach(({ code, stderr }, at) => {
      assert.equal(code, 2);
      assert.match(stderr, cases[at]![1]);
    });
    const nowhere = folder.path('missing');
    for (const args of [
      ['delete', nowhere, 'x'],
      ['compact', nowhere],
      ['verify', nowhere],
    ])
      assert.equal((await asof(args)).code, 1);
    assert.ok(!existsSync(nowhere));
  });
});

/** Flips a bit in the first byte of a section of the first segment. */
function damageSection(path: string, name: string): void {
  const [first] = readdirSync(join(path, 'segments')).filter((each) => each.endsWith('.seg'));
  const file = join(path, 'segments', first!);
  const segment = binding.Segment.open(file);
  const { offset } = segment.sections().find((section) => section.name === name)!;
  segment.close();
  const bytes = readFileSync(file);
  bytes[offset + 1]! ^= 1;
  writeFileSync(file, bytes);
}
