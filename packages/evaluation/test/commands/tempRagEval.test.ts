// asof eval on questions in the form of TempRAGEval's CSV: answers, gold evidence and groups, and
// evidence recall of perturbed questions. The questions are made up.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { readQueries } from '../../lib/files/queries.js';
import { asof } from '../../../../test/cli/spawn.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';
import { assertEach } from '../../../../test/assertEach.js';

const header =
  'id,original_dataset,original_id,original_question,original_answer,key_time,question,' +
  'exact_time,time_relation,answer,gold_evidence_1,gold_evidence_2';
const [annKept, boKept] = ['Ann Orr kept the lamp from 1900 to 1909.', 'Bo Lind kept it in 1910.'];
const rows = [
  // a line break and quotes in a quoted field
  't_1,timeqa,o1,Who kept it?,Ann Orr,1900,"Who kept the ""lamp""\nfrom 1900 to 1909?",1,from,' +
    `Ann Orr | A. Orr,${annKept},`,
  `t_2,timeqa,o1,Who kept it?,Ann Orr,1900,Who last kept the lamp before 1905?,0,before,Ann Orr,` +
    `${annKept},${boKept}`,
  's_1,situatedqa,o2,Who kept it?,Bo Lind,,Who kept the lamp?,,,Bo Lind,,',
  ',,,,,,,,,,,',
];
const csv = (lines: readonly string[]): string => `${[header, ...lines].join('\n')}\n`;

describe("TempRAGEval's CSV in asof eval", () => {
  const folder = temporaryFolder();
  let corpus: string;
  const write = (name: string, text: string): string => {
    const path = folder.path(name);
    writeFileSync(path, text);
    return path;
  };
  before(async () => {
    corpus = folder.path('lamp.asof');
    const passages = [
      { id: 'a', text: annKept },
      { id: 'b', text: boKept },
      { id: 'c', text: 'The lamp was lit in 1899.' },
    ];
    const path = write('p.jsonl', passages.map((each) => JSON.stringify(each)).join('\n'));
    const { code, stderr } = await asof(['index', corpus, path]);
    assert.deepEqual([code, stderr], [0, '']);
  });
  const read = (path: string, limit?: number) => readQueries(path, { limit });

  it('reads questions, answers and evidence', async () => {
    const path = write('q.csv', csv(rows));
    assert.deepEqual(await read(path), [
      {
        id: 't_1',
        text: 'Who kept the "lamp" from 1900 to 1909?',
        answers: ['Ann Orr', 'A. Orr'],
        goldEvidence: [annKept],
      },
      {
        id: 't_2',
        text: 'Who last kept the lamp before 1905?',
        answers: ['Ann Orr'],
        goldEvidence: [annKept, boKept],
      },
      { id: 's_1', text: 'Who kept the lamp?', answers: ['Bo Lind'] },
    ]);
    assert.equal((await read(path, 2)).length, 2);
    const dated = [`asked_at,${header}`, ...rows.slice(0, 3).map((row, at) => `200${at},${row}`)];
    const queries = await read(write('d.csv', dated.join('\n')));
    assertEach(queries, ({ askedAt }) => askedAt, ['2000', '2001', '2002']);
  });

  it('measures by group and by any column', async () => {
    const path = write('q.csv', csv(rows));
    const evaluated = ['eval', corpus, '--queries', path, '-s', 'bm25', '--json'];
    const metrics = ['--metrics', 'answer_recall@3,evidence_recall@3'];
    const grouped = async (by: string): Promise<unknown[]> => {
      const { code, stdout, stderr } = await asof([...evaluated, ...metrics, '--group-by', by]);
      assert.deepEqual([code, stderr], [0, '']);
      const { groups } = JSON.parse(stdout) as {
        groups: { value: string; metrics: Record<string, number> }[];
      };
      return groups.map(({ value, metrics: means }) => [value, ...Object.values(means)]).sort();
    };
    assert.deepEqual(await grouped('group'), [
      ['situatedqa undated', 1],
      ['timeqa original', 1, 1],
      ['timeqa perturbed', 1, 1],
    ]);
    assert.deepEqual(await grouped('original_id'), [
      ['o1', 1, 1],
      ['o2', 1],
    ]);
  });

  it('names file and line of what is not of the form', async () => {
    const good = rows[2]!;
    const refused = async (text: string, expected: RegExp): Promise<void> =>
      assert.rejects(read(write('x.csv', text)), {
        code: 'ERR_INVALID_INPUT',
        message: expected,
      });
    await refused(
      'id,question,answer\nq,Who?,Ann\n',
      /x\.csv:1: Expected the columns id, original_dataset, .* received none named original_dataset, /,
    );
    await refused(csv([rows[0]!, 's_2,situatedqa']), /x\.csv:4: Expected 12 fields/);
    await refused(csv([good, good]), /x\.csv:3: Expected each query id once/);
    await refused(
      csv([good.replace('s_1', '')]),
      /x\.csv:2: Expected a value of "id", received an/,
    );
    await refused(csv([good.replace('situatedqa', ' ')]), /:2: Expected a value of "original_dat/);
    await refused(csv([good.replace('Who kept the lamp?', '')]), /:2: Expected a value of "quest/);
    await refused(csv([good.replace('?,,,Bo Lind', '?,,,')]), /:2: Expected a value of "answer"/);
    await refused(csv([good.replace('?,,,Bo Lind', '?,,,Bo Lind |')]), /:2: Expected answers div/);
    await refused(csv([rows[1]!.replace(',0,', ',,')]), /:2: Expected "exact_time" to be 1 .*""/);
    await refused(csv([rows[1]!.replace(',0,', ',yes,')]), /:2: Expected "exact_time".*"yes"/);
  });

  it('measures evidence recall of perturbed questions, over their pool too', async () => {
    const path = write(
      'q.jsonl',
      JSON.stringify({
        id: 'q',
        text: 'Who kept the lamp from 1900 to 1909?',
        answers: ['Ann Orr'],
        gold_evidence: [annKept],
      }),
    );
    const evaluated = ['eval', corpus, '--queries', path, '-s', 'bm25', '--json'];
    const measured = ['--metrics', 'evidence_recall@3', '--perturbed'];
    const recall = async (...more: string[]): Promise<number> => {
      const { code, stdout, stderr } = await asof([...evaluated, ...measured, ...more]);
      assert.deepEqual([code, stderr], [0, '']);
      const { perturbed } = JSON.parse(stdout) as {
        perturbed: { metrics: Record<string, { perturbed: number }> };
      };
      return perturbed.metrics['evidence_recall@3']!.perturbed;
    };
    assert.equal(await recall(), 1);
    const others = '{"id":"b"}\n{"id":"c"}\n';
    assert.equal(await recall('--pool', write('others.jsonl', others)), 0);
    const own = `${others}{"id":"a","query":"q"}\n`;
    assert.equal(await recall('--pool', write('own.jsonl', own)), 1);
  });
});
