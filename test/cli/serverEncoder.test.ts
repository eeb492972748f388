// `--encoder openai:NAME` as a user gives it: index, ask and eval with vectors of a server on
// loopback, and what is wrong said in one line.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { json, startLoopback, type Loopback, type Reply } from '../models/loopback.js';
import { argv, asof, type Outcome } from './spawn.js';
import { temporaryFolder } from '../store/fixtures.js';

const bare = { ASOF_API_KEY: '', OPENAI_API_KEY: '', OPENAI_BASE_URL: '' };
const question = 'Who kept the light in 1910?';

/** A vector that counts the letters of a text, so that equal texts meet. */
const counting: Reply = (response, { body }) => {
  const vectors = (body['input'] as string[]).map((text) => {
    const vector = new Array<number>(8).fill(0);
    for (const letter of text.toLowerCase()) vector[letter.charCodeAt(0) % 8]! += 1;
    return vector;
  });
  json(200, { data: vectors.map((embedding, index) => ({ index, embedding })) })(response, {
    path: '',
    headers: {},
    body,
    at: 0,
  });
};

describe('cli: an encoder on a server', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  const passages = folder.path('passages.jsonl');
  const corpus = folder.path('keepers.asof');
  let loopback: Loopback;
  before(async () => {
    loopback = await startLoopback();
    writeFileSync(
      passages,
      '{"id":"dorn","text":"Agnes Dorn kept the light in 1910."}\n{"id":"orr","text":"Ann ' +
        'Orr owned the mill."}\n',
    );
    loopback.always(counting);
  });
  after(() => loopback.close());
  const run = (args: string[], env: Record<string, string> = {}) =>
    asof(args, { env: { ...bare, ...env } });
  const fails = (outcome: Outcome, code: number, pattern: RegExp): void => {
    assert.equal(outcome.code, code, outcome.stderr);
    assert.match(outcome.stderr, pattern);
    assert.equal(outcome.stdout, '');
  };
  const named = (): string[] => ['--encoder', 'openai:counts-8', '--base-url', loopback.baseURL];

  it('indexes, asks and evaluates, with the key of the environment', async () => {
    const seen = loopback.plan();
    const indexed = await run(['index', corpus, passages, ...named(), '--json'], {
      ASOF_API_KEY: 'sk-of-nobody',
    });
    assert.equal(indexed.code, 0, indexed.stderr);
    assert.ok(seen.length > 0 && seen.every(({ path }) => path === '/v1/embeddings'));
    assert.ok(
      seen.every(
        ({ headers, body }) =>
          headers.authorization === 'Bearer sk-of-nobody' && body['model'] === 'counts-8',
      ),
    );
    const asked = await run(['ask', corpus, question, '-s', 'dense', ...named(), '--json']);
    assert.equal(asked.code, 0, asked.stderr);
    assert.equal(
      (JSON.parse(asked.stdout) as { evidence: { id: string }[] }).evidence[0]!.id,
      'dorn',
    );
    writeFileSync(folder.path('queries.jsonl'), JSON.stringify({ id: 'q', text: question }));
    writeFileSync(folder.path('qrels'), 'q 0 dorn 1\n');
    const measured = await run(argv`
      eval ${corpus} --queries ${folder.path('queries.jsonl')} --qrels ${folder.path('qrels')}
      -s dense --metrics hit@1 --encoder openai:counts-8@${loopback.baseURL} --json
    `);
    assert.equal(measured.code, 0, measured.stderr);
    const { metrics, options } = JSON.parse(measured.stdout) as {
      metrics: Record<string, number>;
      options: { encoder: string };
    };
    assert.equal(metrics['hit@1'], 1);
    assert.match(options.encoder, /^openai-compatible:counts-8/);
  });

  it('reads the server from the environment', async () => {
    const asked = await run(
      ['ask', corpus, question, '-s', 'dense', '--encoder', 'openai:counts-8', '--json'],
      {
        OPENAI_BASE_URL: loopback.baseURL,
      },
    );
    assert.equal(asked.code, 0, asked.stderr);
  });

  it('sends prompts before texts, and knows a corpus by them', async () => {
    const own = folder.path('prompted.asof');
    const instruction =
      'Instruct: Given a question about a time, retrieve passages of what held at it.\nQuery: ';
    const prompts = ['--query-prefix', instruction, '--passage-prefix', 'passage: '];
    const indexed = await run(['index', own, passages, ...named(), ...prompts]);
    assert.equal(indexed.code, 0, indexed.stderr);
    const seen = loopback.plan();
    const asked = await run(['ask', own, question, '-s', 'dense', ...named(), ...prompts]);
    assert.equal(asked.code, 0, asked.stderr);
    assert.ok(
      seen.some(
        ({ body }) => JSON.stringify(body['input']) === JSON.stringify([instruction + question]),
      ),
    );
    fails(
      await run(['ask', own, question, '-s', 'dense', ...named()]),
      1,
      /openai-compatible:counts-8/,
    );
    fails(
      await run(['ask', own, question, '--query-prefix', 'query: ']),
      2,
      /--query-prefix is an option of an encoder with prompts/,
    );
  });

  it('says what is wrong', async () => {
    fails(await run(['ask', corpus, question]), 1, /openai-compatible:counts-8/);
    fails(
      await run(['ask', corpus, question, '--encoder', 'openai:counts-8']),
      2,
      /needs the server that has it: --base-url URL/,
    );
    fails(
      await run(['ask', corpus, question, '--encoder', 'openai:', '--base-url', loopback.baseURL]),
      2,
      /needs the name of a model/,
    );
    fails(
      await run(['ask', corpus, question, '--base-url', loopback.baseURL]),
      2,
      /--base-url needs the name of a model/,
    );
    fails(
      await run(['index', folder.path('new.asof'), passages, '--base-url', loopback.baseURL]),
      2,
      /--encoder openai:NAME/,
    );
    loopback.plan(json(401, { error: { message: 'wrong key sk-of-nobody' } }));
    const refused = await run(['index', folder.path('new.asof'), passages, ...named()], {
      ASOF_API_KEY: 'sk-of-nobody',
    });
    fails(refused, 1, /status 401: wrong key \[hidden\]/);
    assert.ok(
      !existsSync(folder.path('new.asof')),
      'no corpus is made before its encoder is there',
    );
  });
});
