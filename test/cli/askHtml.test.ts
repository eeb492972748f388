// asof ask --html: the page as a file, with what the command prints as well.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { passages } from '../../packages/server/test/http/pagePassages.js';
import type { QuestionPageData } from '../../packages/server/lib/http/pageData.js';
import { asof } from './spawn.js';
import { temporaryFolder } from '../store/fixtures.js';

describe('asof ask --html', () => {
  const folder = temporaryFolder();
  let corpus: string;
  before(async () => {
    corpus = folder.path('tannau.asof');
    const lines = passages.map(({ publishedAt, validFrom, validTo, ...passage }) =>
      JSON.stringify({
        ...passage,
        published_at: publishedAt,
        valid_from: validFrom,
        valid_to: validTo,
      }),
    );
    writeFileSync(folder.path('passages.jsonl'), lines.join('\n'));
    assert.equal((await asof(['index', corpus, folder.path('passages.jsonl')])).code, 0);
  });

  const question = 'Who is the prime minister of Tannau?';

  it('writes the results as of several times, and prints the one in question', async () => {
    const file = folder.path('page.html');
    const args = ['ask', corpus, question, '--asked-at', '2020-06-01', '--html', file];
    const json = await asof([...args, '--json', '-k', '3']);
    assert.equal(json.code, 0, json.stderr);
    const printed = JSON.parse(json.stdout) as { answer: string; evidence: unknown[] };
    const page = readFileSync(file, 'utf8');
    const [, text] = /id="page-data">(.*?)<\/script>/s.exec(page)!;
    const data = JSON.parse(text!) as QuestionPageData;
    assert.equal(data.corpus.name, 'tannau.asof');
    const { result } = data.moments[data.first]!;
    assert.equal(result.answer, printed.answer);
    assert.deepEqual(result.evidence, printed.evidence);
    assert.equal(result.evidence.length, 3);
    assert.ok(data.moments.length > 3);
    assert.match(
      page,
      /default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-/,
    );
    assert.doesNotMatch(page, /connect-src|<script>window\.hacked/);
    assert.equal(page.split('<script').length, 3, 'its data and its code');
    const plain = await asof(args);
    assert.match(plain.stdout, /Bruno Hale/);
  });

  it('refuses a file that cannot be written before it asks', async () => {
    const missing = folder.path('missing', 'page.html');
    const { code, stdout, stderr } = await asof(['ask', corpus, question, '--html', missing]);
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.match(stderr, /Expected a folder to write --html/);
    assert.ok(!existsSync(missing));
  });
});
