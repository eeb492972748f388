// asof serve as a user runs it: a process that listens, what it prints, and how it stops.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { saying, startLoopback } from '../../../../test/models/loopback.js';
import { asof, type Outcome } from '../../../../test/cli/spawn.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';

const question = 'Who kept the light at Cape Merrow in 1910?';
const token = 'a-token-of-this-test-0123456789';
const bare = { ASOF_API_KEY: '', OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ASOF_TOKEN: '' };

interface Serving {
  url: string;
  corpora: string[];
  child: ChildProcess;
  /** How it ended. */
  ended: Promise<Outcome>;
}

/** Starts a server; resolves once it listens. */
async function serve(args: string[], env: Record<string, string> = {}): Promise<Serving> {
  let child!: ChildProcess;
  const ended = asof(['serve', ...args, '--port', '0', '--json'], {
    env: { ...bare, ...env },
    started: (given) => (child = given),
  });
  const failed = ended.then(({ stderr }) => {
    throw new Error(`it did not start: ${stderr}`);
  });
  const [line] = (await Promise.race([once(child.stdout!, 'data'), failed])) as [string];
  return { ...(JSON.parse(line) as { url: string; corpora: string[] }), child, ended };
}

const ask = (url: string, name: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/v1/corpora/${name}/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ question }),
  });

const isOpen = (url: string): Promise<boolean> =>
  fetch(`${url}/health`).then(
    () => true,
    () => false,
  );

describe('asof serve', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let corpus: string;
  const index = async (id: string, text: string): Promise<void> => {
    const { code } = await asof(['index', corpus, '-'], { input: JSON.stringify({ id, text }) });
    assert.equal(code, 0);
  };
  before(async () => {
    corpus = folder.path('keepers.asof');
    await index('dorn', 'Agnes Dorn kept the light at Cape Merrow from 1902 to 1919.');
  });

  it('serves corpora by name, logs without texts, and stops at SIGTERM', async () => {
    const { url, corpora, child, ended } = await serve([corpus, `old=${corpus}`]);
    assert.deepEqual(corpora, ['keepers', 'old']);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    for (const name of corpora) {
      const response = await ask(url, name, { 'x-request-id': `of-${name}` });
      assert.equal(response.headers.get('x-request-id'), `of-${name}`);
      assert.equal(((await response.json()) as { answer: string }).answer, 'Agnes Dorn');
    }
    assert.equal((await fetch(`${url}/nothing`)).status, 404);
    child.kill('SIGTERM');
    const { code, stdout, stderr } = await ended;
    assert.equal(code, 0);
    assert.equal(stdout.trim().split('\n').length, 1);
    const records = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      records.map((each) => [each['method'], each['route'], each['status'], each['error']]),
      [
        ['POST', '/v1/corpora/{corpus}/ask', 200, undefined],
        ['POST', '/v1/corpora/{corpus}/ask', 200, undefined],
        ['GET', '(none)', 404, 'ERR_NOT_FOUND'],
      ],
    );
    assert.equal(records[0]!['request_id'], 'of-keepers');
    assert.ok(!/Merrow|nothing/.test(stderr), 'a text of a request is in the log');
  });

  it('shows what another process writes, and does not write itself', async () => {
    const { url, child, ended } = await serve([corpus]);
    const count = async (): Promise<number> => {
      const { corpora } = (await (await fetch(`${url}/v1/corpora`)).json()) as {
        corpora: { passages: number }[];
      };
      return corpora[0]!.passages;
    };
    assert.equal(await count(), 1);
    await index('paul', 'Paul Dorn kept the light at Cape Merrow from 1919 to 1940.');
    assert.equal(await count(), 2);
    const refused = await fetch(`${url}/v1/corpora/keepers/passages/paul`, { method: 'DELETE' });
    assert.equal(refused.status, 403);
    child.kill('SIGINT');
    assert.equal((await ended).code, 0);
  });

  it('writes with --write, and asks for the token of the environment', async () => {
    const { url, child, ended } = await serve([corpus, '--write'], {
      ASOF_TOKEN: ` ${token},another-token-0123456789 `,
    });
    assert.equal((await ask(url, 'keepers')).status, 401);
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await ask(url, 'keepers', headers)).status, 200);
    const added = await fetch(`${url}/v1/corpora/keepers/passages`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-ndjson' },
      body: '{"id":"lind","text":"Bo Lind kept the light at Cape Merrow from 1940."}\n',
    });
    assert.equal(((await added.json()) as { added: number }).added, 1);
    child.kill('SIGTERM');
    const { code, stdout, stderr } = await ended;
    assert.equal(code, 0);
    assert.ok(!`${stdout}${stderr}`.includes(token), 'the token is printed');
    assert.equal((await asof(['get', corpus, 'lind'])).code, 0);
  });

  it('lets a question end that its model still answers', async () => {
    const loopback = await startLoopback();
    let answer!: () => void;
    const reached = new Promise<void>((resolve) =>
      loopback.always((...request) => {
        answer = () => saying('{"answer":"Agnes Dorn"}')(...request);
        resolve();
      }),
    );
    const model = ['--model', 'small-1', '--base-url', loopback.baseURL, '--read', 'direct'];
    const { url, child, ended } = await serve([corpus, ...model, '--system', 'dense']);
    const asked = ask(url, 'keepers');
    await reached;
    child.kill('SIGINT');
    while (await isOpen(url)) await new Promise(setImmediate);
    answer();
    assert.equal(((await (await asked).json()) as { answer: string }).answer, 'Agnes Dorn');
    assert.equal((await ended).code, 0);
    loopback.close();
  });

  it('refuses what it cannot serve', async () => {
    const { url, child, ended } = await serve([corpus]);
    const port = new URL(url).port;
    const cases: [string[], number, RegExp][] = [
      [[corpus, '--port', port], 2, /a free port of 127\.0\.0\.1.*Another program listens/],
      [[corpus, '--host', '0.0.0.0'], 2, /ASOF_TOKEN/],
      [[corpus, '--port', '70000'], 2, /--port must be a whole number/],
      [[corpus, corpus], 2, /Two corpora have the name keepers/],
      [[folder.path('nowhere')], 1, /Expected a corpus at/],
      [[`a/b=${corpus}`], 1, /Expected a corpus at/],
      [[corpus, '--system', 'hibrid'], 2, /hybrid/],
      [[corpus, '--cors', '*'], 2, /origins/],
      [[corpus, '--read', 'direct'], 2, /--model/],
      [[], 2, /needs DIR/],
    ];
    for (const [args, code, message] of cases) {
      const outcome = await asof(['serve', ...args], { env: bare });
      assert.equal(outcome.code, code, `${args.join(' ')}: ${outcome.stderr}`);
      assert.match(outcome.stderr, message);
    }
    child.kill('SIGTERM');
    await ended;
  });
});
