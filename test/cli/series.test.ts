// Series on the command line: read by asof index from lines and tables, printed closed, and read
// again as they were.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { asof } from './spawn.js';
import { temporaryFolder } from '../store/fixtures.js';

const passages = [
  { id: 'a', text: 'The mayor of Varn is Ann.', valid_from: '2001-05-06', series: 'varn' },
  { id: 'c', text: 'The mayor of Varn is Carl.', valid_from: '2010', series: 'varn' },
  { id: 'd', text: 'Version one.', valid_to: '2030' },
  { id: 'e', text: 'Version two.', published_at: '2020-02-01', supersedes: 'd' },
];
const lines = (all: readonly object[]): string =>
  all.map((each) => `${JSON.stringify(each)}\n`).join('');

describe('series on the command line', () => {
  const folder = temporaryFolder();
  const corpus = folder.path('corpus');
  const listed = async (path: string): Promise<Record<string, unknown>[]> =>
    (await asof(['list', path])).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('are read from lines and tables, in any order', async () => {
    const input = lines(passages);
    assert.deepEqual((await asof(['index', corpus, '-'], { input })).stderr, '');
    const table = folder.path('mayors.csv');
    writeFileSync(
      table,
      'id,text,published_at,series\nb,The mayor of Varn is Bo.,2005-01-02,varn\n',
    );
    const { code, stderr } = await asof(['index', corpus, table]);
    assert.deepEqual([code, stderr], [0, '']);
    const [a, c, d, e] = passages;
    assert.deepEqual(await listed(corpus), [
      { ...a, valid_to: '2005-01-01', superseded_by: { id: 'b', from: '2005-01-02' } },
      {
        id: 'b',
        text: 'The mayor of Varn is Bo.',
        published_at: '2005-01-02',
        valid_from: '2005-01-02',
        valid_to: '2009-12-31',
        series: 'varn',
        superseded_by: { id: 'c', from: '2010-01-01' },
      },
      { ...c, valid_from: '2010-01-01' },
      {
        ...d,
        valid_to: '2020-01-31',
        series: 'd',
        superseded_by: { id: 'e', from: '2020-02-01', valid_to: '2030-12-31' },
      },
      { ...e, valid_from: '2020-02-01', series: 'd' },
    ]);
    const where = ['--where', '{"series": "varn"}', '--count'];
    assert.equal((await asof(['list', corpus, ...where])).stdout, '3\n');
  });

  it('are the same passages where what list prints is read again', async () => {
    const input = (await asof(['list', corpus])).stdout;
    const again = await asof(['index', corpus, '-', '--json'], { input });
    assert.equal((JSON.parse(again.stdout) as { unchanged: number }).unchanged, 5);
    const copy = folder.path('copy');
    const reversed = input.trim().split('\n').reverse().join('\n');
    await asof(['index', copy, '-'], { input: reversed });
    assert.deepEqual(await listed(copy), await listed(corpus));
  });

  it('say in the JSON of evidence what superseded it', async () => {
    const question = 'Who was mayor of Varn as of 3 March 2003?';
    const { stdout } = await asof(['ask', corpus, question, '--json']);
    const { evidence } = JSON.parse(stdout) as { evidence: Record<string, unknown>[] };
    const { id, series, valid_to, superseded_by } = evidence[0]!;
    assert.deepEqual(
      { id, series, valid_to, superseded_by },
      {
        id: 'a',
        series: 'varn',
        valid_to: '2005-01-01',
        superseded_by: { id: 'b', from: '2005-01-02' },
      },
    );
  });

  it('are refused with the line where a state has no time', async () => {
    const input = lines([{ id: 'f', text: 'The mayor of Varn is Flo.', series: 'varn' }]);
    const { code, stderr } = await asof(['index', corpus, '-'], { input });
    assert.equal(code, 1);
    assert.match(stderr, /:1: Expected validFrom to be a time, since the states of a series/);
  });

  it('are compared with what is stored', async () => {
    const input = lines([{ id: 'n', text: 'The mayor of Varn is Dee.', valid_from: '2015' }]);
    const { stdout } = await asof(['index', corpus, '-', '--conflicts'], { input });
    const text = 'supersedes c of 2010-01-01: The mayor of Varn is Carl.';
    assert.ok(stdout.startsWith(`n: The mayor of Varn is Dee.\n  ${text}\n`), stdout);
    const again = await asof(['index', corpus, '-', '--conflicts', '--json'], {
      input: lines([{ id: 'o', text: 'The mayor of Varn is Eve.', valid_from: '2018' }]),
    });
    assert.deepEqual(JSON.parse(again.stdout).conflicts, [
      {
        id: 'o',
        statement: 'The mayor of Varn is Eve.',
        earlier: [
          {
            id: 'n',
            text: 'The mayor of Varn is Dee.',
            relation: 'supersedes',
            start_iso: '2015-01-01',
          },
        ],
      },
    ]);
  });
});
