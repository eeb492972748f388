// asof bench-data perturb: questions in, perturbed questions and their judgements out.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { parseQuestion } from '../../../../lib/time/index.js';
import { perturbQuestion } from '../../lib/index.js';
import { asof, argv } from '../../../../test/cli/spawn.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';
import { assertEach } from '../../../../test/assertEach.js';

const question = {
  id: 'q1',
  text: 'Who owned the old mill from 1914 to 1930?',
  answers: ['Ada Brook'],
  gold_evidence: ['Ada Brook owned the mill until 1930.'],
  asked_at: '2001-01-01',
  as_recorded: '2020-06-30',
};
const lines = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('asof bench-data perturb', () => {
  const folder = temporaryFolder();

  it('prints what the library makes, and copies judgements', async () => {
    const [qrels, copied] = [folder.path('qrels.tsv'), folder.path('copied.tsv')];
    writeFileSync(qrels, 'q1 0 d7 1\nq1 0 d9 2\nq2 0 d1 1\n');
    const { code, stdout, stderr } = await asof(
      argv`bench-data perturb --seed 5 --per-question 6 --qrels ${qrels} --qrels-to ${copied}`,
      { input: JSON.stringify(question) },
    );
    assert.deepEqual([code, stderr], [0, '']);
    const printed = lines(stdout);
    const made = perturbQuestion(
      { id: 'q1', text: question.text, answers: question.answers, askedAt: question.asked_at },
      { seed: 5, perQuestion: 6 },
    );
    assertEach(
      printed,
      ({ id, text }) => [id, text],
      made.map(({ id, text }) => [id, text]),
    );
    assert.deepEqual(
      readFileSync(copied, 'utf8').trim().split('\n'),
      made.flatMap(({ id }) => [`${id} 0 d7 1`, `${id} 0 d9 2`]),
    );
    for (const record of printed) {
      assert.deepEqual(Object.keys(record), [
        'id',
        'original_id',
        'text',
        'answers',
        'gold_evidence',
        'asked_at',
        'as_recorded',
        'condition',
        'relation',
        'start_iso',
        'end_iso',
        'window_start',
        'window_end',
        'granularity',
      ]);
      const { constraint } = parseQuestion({
        text: String(record['text']),
        askedAt: question.asked_at,
      });
      assert.deepEqual(
        [record['original_id'], record['condition'], record['relation'], record['granularity']],
        ['q1', constraint.condition, constraint.relation, constraint.interval!.granularity],
      );
      assert.deepEqual(
        [record['gold_evidence'], record['as_recorded']],
        [question.gold_evidence, question.as_recorded],
      );
    }
  });

  it('reads the validity of answers, and skips invalid lines', async () => {
    const content = 'Who was the keeper of the light?';
    const given = {
      id: 'a',
      text: content,
      valid_from: '1914-03-05',
      valid_to: '1930',
      others: [{ valid_from: '1931', valid_to: '1940' }, { valid_to: '1914-03-04' }],
    };
    const faulty = [
      { id: 'b', text: content },
      { id: 'c', text: content, valid_from: 1914 },
      { ...given, others: [1914] },
      { ...given, valid_from: '1931' },
      { id: 'd' },
    ];
    const input = [...faulty.slice(0, 3), given, ...faulty.slice(3)]
      .map((record) => JSON.stringify(record))
      .join('\n');
    const { code, stdout, stderr } = await asof(
      argv`bench-data perturb --condition last --relation ${'as of,by'} --granularity year`,
      { input },
    );
    assert.equal(code, 1);
    assert.deepEqual(
      lines(stdout)
        .map(({ id }) => id)
        .sort(),
      ['a~last-as-of-year', 'a~last-by-year'],
    );
    assert.deepEqual(
      [...stderr.matchAll(/^asof: \(standard input\):(\d+): Expected/gm)].map((match) => match[1]),
      ['1', '2', '3', '5', '6'],
    );
  });

  it('refuses options out of range before it reads', async () => {
    const wrong: [string[], RegExp][] = [
      [['--relation', 'at'], /relations to be some of as of/],
      [['--seed', 'x'], /--seed must be a whole number/],
      [['--per-question', '0'], /--per-question must be a whole number from 1 to 999,999,999/],
      [['--until', 'soon'], /until to be an ISO 8601/],
      [['--qrels', 'x.tsv'], /go together/],
    ];
    for (const [args, message] of wrong) {
      const { code, stderr } = await asof(['bench-data', 'perturb', ...args], { input: '' });
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, message);
    }
    const unwritable = await asof(
      argv`bench-data perturb --qrels /dev/null --qrels-to ${folder.path('none', 'x.tsv')}`,
      { input: '' },
    );
    assert.equal(unwritable.code, 1);
    assert.match(
      unwritable.stderr,
      /Expected a folder to write --qrels-to .*x\.tsv in, found none/,
    );
  });

  it('keeps the former judgements after an early end, without temporary files', async () => {
    const [qrels, there] = [folder.path('before.tsv'), folder.path('there.tsv')];
    writeFileSync(qrels, 'q1 0 d 1\n');
    writeFileSync(there, 'as it was\n');
    const args = argv`
      bench-data perturb ${folder.path('no questions.jsonl')} --qrels ${qrels}
      --qrels-to ${there}
    `;
    assert.equal((await asof(args)).code, 1);
    assert.equal(readFileSync(there, 'utf8'), 'as it was\n');
    assert.deepEqual(
      readdirSync(folder.path()).filter((name) => name.endsWith('.part')),
      [],
    );
    if (process.platform !== 'linux') return;
    const full = await asof(
      ['bench-data', 'perturb', '--qrels', qrels, '--qrels-to', '/dev/full'],
      { input: JSON.stringify(question) },
    );
    assert.equal(full.code, 1);
    assert.match(
      full.stderr,
      /^asof: Expected to write \/dev\/full, the system refused: ENOSPC.*\n$/,
    );
  });
});
