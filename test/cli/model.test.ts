// asof ask and eval with --model, as a user runs them, against a server on loopback that stands for
// a model.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { json, saying, startLoopback, type Loopback } from '../models/loopback.js';
import { argv, asof } from './spawn.js';
import { temporaryFolder } from '../store/fixtures.js';
import { assertEach } from '../assertEach.js';

const key = 'sk-of-nobody-0123456789';
const bare = { ASOF_API_KEY: '', OPENAI_API_KEY: '', OPENAI_BASE_URL: '' };

describe('asof ask and eval with a language model', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let corpus: string;
  let loopback: Loopback;
  before(async () => {
    loopback = await startLoopback();
    corpus = folder.path('keepers.asof');
    const passages = [
      '{"id":"dorn","text":"Agnes Dorn kept the light at Cape Merrow from 1902 to 1919."}',
      '{"id":"paul","text":"Paul Dorn kept the light at Cape Merrow from 1919 to 1940."}',
    ];
    assert.equal((await asof(['index', corpus, '-'], { input: passages.join('\n') })).code, 0);
  });
  after(() => loopback.close());
  const ask = (args: string[], env: Record<string, string> = {}) =>
    asof(
      ['ask', corpus, 'Who kept the light at Cape Merrow in 1910?', '--system', 'dense', ...args],
      { env: { ...bare, ...env } },
    );

  it(
    'reads the answer with the model of a server, with the key of the environment, and ' +
      'says in the trace who answered',
    async () => {
      loopback.always(saying('{"answer":"Agnes Dorn"}'));
      const seen = loopback.plan();
      const { code, stdout, stderr } = await ask(
        ['--model', 'small-1', '--base-url', loopback.baseURL, '--read', 'direct', '--json'],
        {
          ASOF_API_KEY: key,
          OPENAI_API_KEY: 'sk-another',
        },
      );
      assert.deepEqual([code, stderr], [0, '']);
      const { answer, trace } = JSON.parse(stdout) as {
        answer: string;
        trace: { notes?: { by?: string } }[];
      };
      assert.equal(answer, 'Agnes Dorn');
      assert.equal(trace.at(-1)!.notes!.by, 'openai-compatible:small-1');
      assert.equal(seen[0]!.headers.authorization, `Bearer ${key}`);
      assert.equal(seen[0]!.body.model, 'small-1');
      assert.ok(!stdout.includes(key));
    },
  );

  it('shows the answer on a terminal as it is written, and prints it once', async () => {
    const event = (content: string, finish_reason: string | null) =>
      `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason }] })}\n\n`;
    loopback.always((response, { body }) => {
      if (!body['stream']) return saying('{"answer":"Agnes Dorn"}')(response, undefined as never);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event('{"answer":"Agnes', null));
      response.end(event(' Dorn"}', 'stop'));
    });
    const args = ['--model', 'small-1', '--base-url', loopback.baseURL, '--read', 'direct'];
    const dated = ['--asked-at', '2026-01-01'];
    const onTerminal = {
      TERM: 'xterm',
      NODE_OPTIONS: '--import data:text/javascript,process.stderr.isTTY=true',
    };
    const seen = loopback.plan();
    const shown = await ask([...args, ...dated], onTerminal);
    assert.equal(shown.stderr, '\r\x1b[KAgnes\r\x1b[KAgnes Dorn\r\x1b[K');
    const piped = await ask([...args, ...dated]);
    const timeless = ({ stdout }: typeof shown) => stdout.replace(/[\d.]+ m?s/g, '');
    assert.deepEqual([piped.stderr, timeless(piped)], ['', timeless(shown)]);
    assert.match(shown.stdout, /Agnes Dorn/);
    const json = await ask([...args, '--json'], onTerminal);
    assert.equal(json.stderr, '');
    assertEach(seen, ({ body }) => body['stream'], [true, undefined, undefined]);
  });

  it('prompts with temperature and examples, and from memory if it may', async () => {
    loopback.always(saying('{"answer":""}'));
    const seen = loopback.plan();
    const examples = folder.path('examples.jsonl');
    writeFileSync(examples, '{"question":"Who ran the inn?","answer":"Bo Lind"}\n');
    const server = ['--model', 'small-1', '--base-url', loopback.baseURL];
    const prompting = ['--temperature', '0.2', '--fallback', 'memory', '--examples', examples];
    const read = ['--read', 'concatenated', ...prompting, '--json'];
    const { code, stdout, stderr } = await ask([...server, ...read]);
    assert.deepEqual([code, stderr], [0, '']);
    const { trace } = JSON.parse(stdout) as { trace: { notes?: Record<string, unknown> }[] };
    assert.equal(trace.at(-1)!.notes!['fallback'], 'memory');
    assertEach(seen, ({ body }) => body['temperature'], [0.2, 0.2]);
    for (const { body } of seen) assert.match(JSON.stringify(body), /Who ran the inn\?.*Bo Lind/);
  });

  it(
    'takes the server from OPENAI_BASE_URL and sends no key where there is none; without ' +
      '--model no server is asked',
    async () => {
      const seen = loopback.plan();
      assert.equal(
        (
          await ask(['--model', 'small-1', '--read', 'direct'], {
            OPENAI_BASE_URL: loopback.baseURL,
          })
        ).code,
        0,
      );
      assert.equal(seen[0]!.headers.authorization, undefined);
      loopback.plan();
      const { stdout } = await ask(['--json'], { OPENAI_BASE_URL: loopback.baseURL });
      assert.equal(loopback.seen.length, 0);
      assert.equal(
        (JSON.parse(stdout) as { trace: { notes?: { by?: string } }[] }).trace.at(-1)!.notes!.by,
        'rules',
      );
    },
  );

  it('says what the server says, without the key, and ends with 1', async () => {
    loopback.plan(json(401, { error: { message: `wrong key ${key}` } }));
    const { code, stdout, stderr } = await ask(
      ['--model', 'small-1', '--base-url', loopback.baseURL, '--read', 'direct'],
      { OPENAI_API_KEY: key },
    );
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^asof: .*status 401: wrong key \[hidden\].*Check apiKey\.\n$/);
  });

  it('measures with the model and prints its name with the figures', async () => {
    loopback.always(saying('{"answer":"Agnes Dorn"}'));
    loopback.plan();
    const queries = folder.path('queries.jsonl');
    writeFileSync(
      queries,
      '{"id":"q1","text":"Who kept the light at Cape Merrow in 1910?","answers":["Agnes ' +
        'Dorn"]}\n{"id":"q2","text":"Who kept the light at Cape ' +
        'Merrow in 1930?","answers":["Paul Dorn"]}\n',
    );
    const args = argv`
      eval ${corpus} --queries ${queries} --system dense --metrics em --read direct
      --model small-1 --base-url ${loopback.baseURL}
    `;
    const { code, stdout } = await asof([...args, '--json'], { env: bare });
    assert.equal(code, 0);
    const report = JSON.parse(stdout) as {
      options: Record<string, unknown>;
      metrics: Record<string, number>;
    };
    assert.equal(report.options.model, 'openai-compatible:small-1');
    assert.equal(report.metrics.em, 0.5);
    assert.match(
      (await asof(args, { env: bare })).stdout,
      /model, in dense: openai-compatible:small-1/,
    );
  });

  it('refuses options that do not go together', async () => {
    const wrong: [string[], RegExp][] = [
      [['--base-url', loopback.baseURL], /--base-url needs the name of a model/],
      [['--model', 'small-1', '--read', 'direct'], /--model small-1 needs the server/],
      [['--read', 'direct'], /--read direct prompts a model/],
      [
        ['--model', 'm', '--base-url', loopback.baseURL],
        /--model would not be used by dense with --read extract/,
      ],
      [['--model', 'm', '--read', 'direct', '--base-url', 'nowhere'], /baseURL/],
    ];
    for (const [args, pattern] of wrong) {
      const { code, stderr } = await ask(args);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, pattern);
    }
  });
});
