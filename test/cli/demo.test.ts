// asof demo: indexes its corpus, answers the example questions, and leaves nothing behind unless
// asked to.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { argv, asof } from './spawn.js';
import { temporaryFolder } from '../store/fixtures.js';

describe('asof demo', () => {
  const folder = temporaryFolder();

  it('shows both sides of every question, ends as it counted, and cleans up', async () => {
    const { code, stdout, stderr } = await asof(['demo'], { env: { TMPDIR: folder.path() } });
    assert.equal(stderr, '');
    const questions = (stdout.match(/^ ?\d+\. /gm) ?? []).length;
    assert.ok(questions >= 12, `${questions} questions`);
    assert.equal((stdout.match(/^ {4}plain similarity +[✓✗] /gm) ?? []).length, questions);
    const right = (stdout.match(/^ {4}asof +✓ /gm) ?? []).length;
    assert.match(
      stdout,
      new RegExp(
        `asof answered ${right} of ${questions} correctly, plain similarity \\d+, in .* with indexing\\.\\n$`,
      ),
    );
    assert.equal(code, 0);
    assert.ok(right >= 12, `${right} of ${questions} right`);
    assert.ok(
      stdout.split('\n').every((line) => line.length <= 100),
      'a line is too long',
    );
    assert.deepEqual(
      readdirSync(folder.path()).filter((name) => name.startsWith('asof-demo')),
      [],
    );
  });

  it('prints JSON and keeps the corpus of --dir for further questions', async () => {
    const dir = folder.path('kept');
    const { code, stdout } = await asof(['demo', '--json', '--dir', dir]);
    const report = JSON.parse(stdout) as {
      passages: number;
      questions: { asof: { right: boolean; evidence: { id: string } } }[];
      right: { asof: number; plain: number; of: number };
    };
    assert.equal(code, 0);
    assert.ok(report.passages >= 1500 && report.right.asof > report.right.plain);
    assert.equal(report.questions.filter(({ asof: side }) => side.right).length, report.right.asof);
    const asked = await asof(argv`
      ask ${dir} ${'Who was prime minister of the United Kingdom as of 6 May 2021?'} --json
    `);
    assert.equal(asked.code, 0);
  });

  it('adds no examples to another corpus', async () => {
    const dir = folder.path('own');
    await asof(['index', dir, '-'], { input: '{"id":"a","text":"The mill shut in 1949."}\n' });
    const { code, stderr } = await asof(['demo', '--dir', dir]);
    assert.deepEqual(
      [code, /own is a corpus with other passages: name another folder/.test(stderr)],
      [2, true],
      stderr,
    );
    const { stdout } = await asof(['info', dir, '--json']);
    assert.equal((JSON.parse(stdout) as { passages: number }).passages, 1);
  });
});
