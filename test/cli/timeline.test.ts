// asof timeline on a small corpus, as a user runs it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { asof } from './spawn.js';
import { temporaryFolder } from '../store/fixtures.js';

const ministers: [string, string, string][] = [
  ['Tony Blair', '1997-05-02', '2007-06-27'],
  ['Gordon Brown', '2007-06-27', '2010-05-11'],
  ['David Cameron', '2010-05-11', '2016-07-13'],
];

describe('asof timeline', () => {
  const folder = temporaryFolder();
  let corpus: string;
  before(async () => {
    corpus = folder.path('pm.asof');
    const lines = ministers.map(([name, from, to], index) =>
      JSON.stringify({
        id: `pm${index}`,
        title: name,
        published_at: from,
        text: `${name} was Prime Minister of the United Kingdom from ${from} to ${to}.`,
      }),
    );
    writeFileSync(folder.path('passages.jsonl'), lines.join('\n'));
    const { code } = await asof(['index', corpus, folder.path('passages.jsonl')]);
    assert.equal(code, 0);
  });

  it('is of the passages that a filter and times of publication let pass', async () => {
    const name = 'Prime Minister of the United Kingdom';
    const evidence = async (...options: string[]) => {
      const { code, stdout, stderr } = await asof(['timeline', corpus, name, '--json', ...options]);
      assert.equal(code, 0, stderr);
      const { entries } = JSON.parse(stdout) as { entries: { evidence: string[] }[] };
      return entries.flatMap((each) => each.evidence);
    };
    assert.deepEqual(await evidence('--since', '2007-06-27'), ['pm1', 'pm2']);
    assert.deepEqual(await evidence('--until', 'June 2007'), ['pm0', 'pm1']);
    assert.deepEqual(await evidence('--where', '{"publishedAt": {"gte": "2010"}}'), ['pm2']);
    assert.equal((await asof(['timeline', corpus, name, '--where', '3'])).code, 2);
  });

  it('prints a timeline, for people and as JSON', async () => {
    const name = 'Prime Minister of the United Kingdom';
    const { code, stdout } = await asof(['timeline', corpus, name, '--json']);
    assert.equal(code, 0);
    const { question, entries } = JSON.parse(stdout) as {
      question: string;
      entries: Record<string, unknown>[];
    };
    assert.equal(question, name);
    assert.deepEqual(
      entries.map((each) => [each['start_iso'], each['end_iso'], each['evidence']]),
      ministers.map(([, from, to], index) => [from, to, [`pm${index}`]]),
    );
    for (const { probability } of entries) assert.ok(Number(probability) > 0.5);
    const text = await asof(['timeline', corpus, name]);
    assert.match(text.stdout, /^1997-05-02 to 2007-06-27 {2}/);
    assert.equal((await asof(['timeline', corpus, name, '--passages', '0'])).code, 2);
    assert.equal((await asof(['timeline', folder.path('missing.asof'), name])).code, 1);
  });
});
