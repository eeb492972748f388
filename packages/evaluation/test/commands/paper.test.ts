// asof paper as a user runs it: papers listed, tables of inventions, of the sources' files and of
// TEMPO's data, what is not there said with an exit status, and what is misspelt refused.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tempRagEval } from '../../lib/papers/data/tempRagEval.js';
import type { PaperCell, TableReport } from '../../lib/papers/papers.js';
import { asof, argv } from '../../../../test/cli/spawn.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';

interface Report {
  data: { name: string; label: string; files: { sha256: string; known: boolean }[] }[];
  tables: TableReport[];
}

/** Finals and semifinals of two seasons in the form of ATP's and WTA's files. */
function season(tour: 'atp' | 'wta', year: number): string {
  const slams = ['Australian Open', 'Roland Garros', 'Wimbledon', 'US Open'];
  const rows = slams.flatMap((slam, at) =>
    ['SF', 'SF', 'F'].map((round, number) =>
      [
        `${year}-${at}`,
        slam,
        'G',
        `${year}0${at + 4}15`,
        number,
        `${tour} winner ${year} ${at}`,
        'AAA',
        `${tour} loser ${year} ${at} ${number}`,
        'BBB',
        '6-4 6-4',
        round,
      ].join(','),
    ),
  );
  const other = `${year}-9,Halle,A,${year}0601,1,x,AAA,y,BBB,6-0 6-0,F`;
  const names =
    'tourney_id,tourney_name,tourney_level,tourney_date,match_num,winner_name,winner_ioc,' +
    'loser_name,loser_ioc,score,round';
  return `${[names, ...rows, other].join('\n')}\n`;
}

describe('asof paper', () => {
  const folder = temporaryFolder();
  const at = (...names: string[]): string => folder.path(...names);
  const report = async (args: readonly string[]) => {
    const { code, stdout, stderr } = await asof(['paper', ...args, '--json']);
    return { code, stderr, ...(JSON.parse(stdout) as Report) };
  };
  const verdicts = (cells: readonly PaperCell[]) => [...new Set(cells.map((cell) => cell.verdict))];

  it('lists the papers with their tables', async () => {
    const { code, stdout } = await asof(['paper']);
    assert.equal(code, 0);
    assert.match(stdout, /^mrag: MRAG, 435 cells\n {2}2: answer and evidence recall/);
    assert.match(stdout, /\ntempralm: TempRALM, 28 cells\n/);
  });

  it('runs on inventions of its own, which are labelled so', async () => {
    const args = argv`tempralm --table 1,2`;
    const { code, stdout, stderr } = await asof(['paper', ...args]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /data tennis: .*\n?.*: a small collection of inventions\n/);
    assert.match(stdout, /needs encoder contriever \(the embedded encoder in its place\)/);
    assert.match(stdout, / {2}TempRALM +0\.\d+ \(0\.63\) /);
    assert.match(stdout, /Ours are of other data: they show that the table runs\./);
    const { tables } = await report(args);
    const [exact, recall] = tables.map(({ cells }) => cells);
    assert.deepEqual(verdicts(recall!), ['other data']);
    assert.deepEqual([recall!.length, recall![0]!.n], [8, 128]);
    const [rerun] = exact!.filter(({ row }) => row === 'TempRALM, 32');
    assert.equal(rerun!.why, 'what is there would run it as TempRALM, 128');
  });

  it("makes its collection of the sources' files, whose hashes it reports", async () => {
    mkdirSync(at('data', 'tennis_atp'), { recursive: true });
    for (const year of [2018, 2019])
      for (const tour of ['atp', 'wta'] as const)
        writeFileSync(at('data', 'tennis_atp', `${tour}_matches_${year}.csv`), season(tour, year));
    const args = ['--data', at('data'), '--keep', at('kept'), '--table', '2'];
    const { code, stderr, data, tables } = await report(['tempralm', ...args]);
    assert.deepEqual([code, stderr], [0, '']);
    const { name, label, files } = data[0]!;
    assert.deepEqual([name, files.length, files[0]!.known], ['tennis', 4, false]);
    assert.match(label, /^made in our sentences/);
    const cells = tables[0]!.cells;
    assert.deepEqual([cells.length, cells[0]!.n], [8, 128]);
    assert.ok(cells.every(({ verdict }) => ['match', 'close', 'differ'].includes(verdict)));
    const made = readdirSync(at('kept', 'sets'))[0]!;
    const passages = readFileSync(at('kept', 'sets', made, 'tennis', 'passages.jsonl'), 'utf8');
    assert.equal(passages.trim().split('\n').length, 2 * 2 * 12);
    assert.match(passages, /atp winner 2019 0 of AAA defeated .* Australian Open Men's Singles/);
  });

  it("has MRAG's list of two retrievers, whole pages, and views of given pages", async () => {
    mkdirSync(at('mrag', 'temprageval'), { recursive: true });
    await tempRagEval.sample(at('mrag', 'temprageval'));
    const passages = readFileSync(at('mrag', 'temprageval', 'passages.jsonl'), 'utf8');
    const titles = [
      ...new Set([...passages.matchAll(/"title":"(.*?)"/g)].map(([, title]) => title!)),
    ];
    writeFileSync(
      at('mrag', 'pageviews.tsv'),
      `title\tviews\n${titles.map((title) => `${title}\t1,234\n`).join('')}`,
    );
    const given = argv`mrag --data ${at('mrag')} --table 4,6,8 --sample 20`;
    const { tables } = await report(given);
    const oursOf = (table: number, row: string): (number | undefined)[] =>
      tables[table]!.cells.filter((cell) => cell.row === row).map(({ ours }) => ours);
    assert.deepEqual(oursOf(0, '# total questions'), [200, 200]);
    assert.deepEqual(oursOf(0, 'Avg. entity popularity'), [1234, 1234]);
    const [hybrid, dense, lexical] = ['Hybrid', 'Contriever', 'BM25'].map((row) => oursOf(1, row));
    assert.equal(hybrid![0], dense![0], 'the first is that of the encoder');
    assert.ok(hybrid![3]! >= Math.min(dense![3]!, lexical![3]!));
    const [exact] = oursOf(2, 'Llama3.1-8B Long-Doc QA, 16.4');
    assert.ok(exact! > 20 && exact! < 100, `${exact}: five holders a page`);
  });

  it('says what is not there, and ends with status 1', async () => {
    mkdirSync(at('empty'));
    const { code, stderr, tables } = await report(['tempralm', '--data', at('empty')]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^asof: table 1: not run in full: needs its data: github\.com\/JeffSackmann/,
    );
    assert.deepEqual(verdicts(tables.flatMap(({ cells }) => cells)), ['not run']);
    const alone = await asof(argv`paper mrag --table 3 --sample 4`);
    assert.equal(alone.code, 1);
    assert.match(
      alone.stdout,
      /not run, [^:]*GPT4o-mini Direct Prompt[^:]*: needs its model: --model/,
    );
  });

  it("computes the printed examples, and TEMPO's tables from its data", async () => {
    const printed = await report(argv`tempo --table 11,12,13`);
    const cells = printed.tables.flatMap((each) => each.cells);
    assert.deepEqual([printed.code, cells.length, verdicts(cells)], [0, 10, ['match']]);
    const data = 'packages/evaluation/test/tempo/corpusParquet';
    const { tables } = await report(['tempo', '--data', data, '--table', '2,14,19']);
    const of = (table: string, row: string, column: string) =>
      tables
        .find((each) => each.table === table)!
        .cells.find((cell) => cell.row === row && cell.column === column)!;
    assert.deepEqual([of('2', 'Law', 'Q').ours, of('2', 'Law', 'Steps').ours], [3, 7 / 3]);
    assert.equal(of('2', 'HSM', 'Q').verdict, 'not run');
    for (const table of ['14', '19']) {
      assert.ok(Number.isFinite(of(table, 'Law', 'BM25').ours), table);
      assert.equal(of(table, 'Law', 'BGE').verdict, 'not run');
    }
  });

  it('refuses a paper and a table that there are none of', async () => {
    for (const [args, message] of [
      [argv`re2`, /NAME must be one of mrag, .*; received "re2"\./],
      [argv`re3 --table 9`, /--table must be some of 1, 2, 3, 5, 6, of Re3; received "9"\./],
      [['re3', '--data', at('nowhere')], /Expected a folder of data at .*nowhere, found none\./],
    ] as const) {
      const { code, stderr } = await asof(['paper', ...args]);
      assert.ok(code === 2 || code === 1, stderr);
      assert.match(stderr, message);
    }
  });
});
