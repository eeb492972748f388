// asof report as a user runs it: a file to open, and what it says where there is nothing to make
// one of.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { asof, argv } from '../../../../test/cli/spawn.js';
import { sample } from '../comparison/sample.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';

describe('asof report', function () {
  this.timeout(120_000);
  const work = temporaryFolder();
  let result: string;
  before(() => {
    result = work.path('result.json');
    writeFileSync(result, JSON.stringify(sample(), null, 2));
  });

  it('writes one file, anew where it is there, and nothing beside it', async () => {
    const out = work.path('made', 'report.html');
    mkdirSync(work.path('made'));
    const first = await asof(['report', result, '--out', out]);
    assert.deepEqual([first.code, first.stderr], [0, '']);
    assert.match(
      first.stdout,
      /report\.html: 4 systems on 1 set, 0\.\d MB; open it in a browser\.\n$/,
    );
    const again = await asof(argv`
      report ${result} --out ${out} --questions 1 --title ${'Ours & theirs'} --json
    `);
    assert.deepEqual(JSON.parse(again.stdout), {
      out,
      bytes: readFileSync(out).length,
      sets: 1,
      systems: 4,
    });
    assert.match(readFileSync(out, 'utf8'), /<title>Ours &amp; theirs<\/title>/);
    assert.deepEqual(readdirSync(work.path('made')), ['report.html']);
  });

  it('writes into a device without replacing it', async () => {
    const { code, stderr } = await asof(['report', result, '--out', '/dev/null']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.ok(!statSync('/dev/null').isFile());
  });

  it('says what it needs and what it was given', async () => {
    const broken = work.path('broken.json');
    writeFileSync(broken, readFileSync(result, 'utf8').slice(0, 5000));
    const odd = work.path('odd.json');
    writeFileSync(odd, JSON.stringify({ ...sample(), questions: 'none' }));
    const out = work.path('report.html');
    type Case = [args: string[], code: number, said: RegExp];
    const refused =
      /Expected to write \/proc\/report\.html, the system refused: .*Check the folder, its permissions/;
    const unwritable: Case = [[result, '--out', '/proc/report.html'], 1, refused];
    const cases: Case[] = [
      [[result], 2, /--out FILE\.html is needed/],
      [
        [result, '--out', out, '--questions', 'all'],
        2,
        /--questions must be a whole number from 0/,
      ],
      [[broken, '--out', out], 1, /broken\.json: Expected JSON/],
      [
        [broken, '--out', work.path('.', 'broken.json')],
        2,
        /--out would write over .*broken\.json, which it reads/,
      ],
      ...(process.platform === 'linux' ? [unwritable] : []),
      [
        [odd, '--out', out],
        1,
        /odd\.json: Expected "questions" to be a list, received "none"\. Write it again/,
      ],
      [
        [result, '--out', work.path('no', 'report.html')],
        1,
        /Expected a folder to write --out .* found none/,
      ],
    ];
    const outcomes = await Promise.all(cases.map(([args]) => asof(['report', ...args])));
    outcomes.forEach(({ code, stdout, stderr }, at) => {
      assert.deepEqual([code, stdout], [cases[at]![1], ''], stderr);
      assert.match(stderr, cases[at]![2]);
      assert.equal(stderr.split('\n').length, 2, 'one line');
    });
    assert.ok(!existsSync(out));
  });
});
