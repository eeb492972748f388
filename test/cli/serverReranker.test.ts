// `--reranker cohere:NAME` and `tei:NAME` as a user gives them: ask and eval with the scores of a
// server on loopback, and what is wrong said in one line.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { json, startLoopback, type Loopback, type Reply } from '../models/loopback.js';
import { asof, type Outcome } from './spawn.js';
import { temporaryFolder } from '../store/fixtures.js';

const bare = {
  ASOF_API_KEY: '',
  OPENAI_API_KEY: '',
  OPENAI_BASE_URL: '',
  ASOF_RERANKER_API_KEY: '',
};
const key = 'rk-of-nobody-0123';
const question = 'Who kept the light in 1910?';

/** The mill first, whatever is asked, in the protocol of the request. */
const millFirst: Reply = (response, seen) => {
  const { documents, texts } = seen.body as { documents?: string[]; texts?: string[] };
  const scoreOf = (text: string): number => (text.includes('mill') ? 0.9 : 0.1);
  const results = (documents ?? texts)!.map((text, index) =>
    documents ? { index, relevance_score: scoreOf(text) } : { index, score: scoreOf(text) },
  );
  json(200, documents ? { results } : results)(response, seen);
};

describe('cli: a reranker on a server', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  const corpus = folder.path('keepers.asof');
  let loopback: Loopback;
  before(async () => {
    loopback = await startLoopback();
    loopback.always(millFirst);
    const passages = [
      '{"id":"dorn","text":"Agnes Dorn kept the light in 1910."}',
      '{"id":"orr","text":"Ann Orr owned the mill behind the light."}',
    ];
    const indexed = await asof(['index', corpus, '-'], { input: passages.join('\n') });
    assert.equal(indexed.code, 0, indexed.stderr);
  });
  after(() => loopback.close());
  const run = (args: string[], env: Record<string, string> = {}) =>
    asof(args, { env: { ...bare, ...env } });
  const ask = (args: string[], env: Record<string, string> = {}) =>
    run(['ask', corpus, question, ...args], env);
  const first = ({ code, stdout, stderr }: Outcome): string => {
    assert.equal(code, 0, stderr);
    return (JSON.parse(stdout) as { evidence: { id: string }[] }).evidence[0]!.id;
  };
  const fails = (outcome: Outcome, code: number, pattern: RegExp): void => {
    assert.equal(outcome.code, code, outcome.stderr);
    assert.match(outcome.stderr, pattern);
    assert.equal(outcome.stderr.trim().split('\n').length, 1, outcome.stderr);
    assert.equal(outcome.stdout, '');
  };

  it('reranks with either protocol, on the server named with it or of --base-url', async () => {
    const url = loopback.baseURL;
    const seen = loopback.plan();
    for (const protocol of ['cohere', 'tei'])
      for (const system of ['dense+rerank', 'bm25+rerank']) {
        const args = ['-s', system, '--json', '--reranker'];
        assert.equal(first(await ask([...args, `${protocol}:small@${url}`])), 'orr');
        assert.equal(first(await ask([...args, `${protocol}:small`, '--base-url', url])), 'orr');
      }
    assert.equal(first(await ask(['-s', 'dense', '--json'])), 'dorn');
    assert.ok(seen.every(({ path }) => path === '/v1/rerank'));
    assert.ok(seen.every(({ headers }) => headers.authorization === undefined));
    assert.deepEqual(
      seen.map(({ body }) => body['model']),
      ['small', 'small', 'small', 'small', undefined, undefined, undefined, undefined],
    );
  });

  it('sends a key to the server that it is for only, and shows none', async () => {
    const url = loopback.baseURL;
    const args = ['-s', 'bm25+rerank', '--json', '--reranker'];
    const others = { ASOF_API_KEY: 'sk-of-another-server' };
    const seen = loopback.plan();
    await ask([...args, `cohere:small@${url}`], others);
    await ask([...args, `cohere:small@${url}`], { ...others, ASOF_RERANKER_API_KEY: key });
    await ask([...args, 'cohere:small'], { ...others, OPENAI_BASE_URL: url });
    assert.deepEqual(
      seen.map(({ headers }) => headers.authorization),
      [undefined, `Bearer ${key}`, 'Bearer sk-of-another-server'],
    );
    loopback.plan(json(401, { message: `wrong key ${key}` }));
    fails(
      await ask([...args, `cohere:small@${url}`], { ASOF_RERANKER_API_KEY: key }),
      1,
      /\/v1\/rerank to answer as small, received status 401: wrong key \[hidden\]/,
    );
  });

  it('evaluates, and says which reranker the figures are of', async () => {
    writeFileSync(folder.path('queries.jsonl'), JSON.stringify({ id: 'q', text: question }));
    writeFileSync(folder.path('qrels'), 'q 0 orr 1\n');
    const measured = await run([
      ...['eval', corpus, '--queries', folder.path('queries.jsonl')],
      ...['--qrels', folder.path('qrels'), '-s', 'dense,dense+rerank', '--metrics', 'hit@1'],
      ...['--reranker', `tei:small@${loopback.baseURL}`, '--json'],
    ]);
    assert.equal(measured.code, 0, measured.stderr);
    const lines = JSON.parse(measured.stdout) as {
      metrics: Record<string, number>;
      options: { reranker?: string };
    }[];
    assert.deepEqual(
      lines.map(({ metrics, options }) => [metrics['hit@1'], options.reranker]),
      [
        [0, undefined],
        [1, 'tei-compatible:small'],
      ],
    );
  });

  it('says what is wrong', async () => {
    const url = loopback.baseURL;
    loopback.plan();
    const reranked = ['-s', 'dense+rerank'];
    fails(await ask(reranked), 2, /dense\+rerank needs a reranker: --reranker onnx:/);
    fails(
      await run(['compare', folder.path(), '-s', 'bm25,bm25+rerank']),
      2,
      /bm25\+rerank needs a reranker/,
    );
    fails(
      await ask([...reranked, '--reranker', 'cohere:small']),
      2,
      /--reranker cohere:small needs the server that has it: --base-url URL, or cohere:small@URL/,
    );
    fails(
      await ask([...reranked, '--reranker', 'tei:', '--base-url', url]),
      2,
      /--reranker tei:NAME needs the name of a model/,
    );
    fails(
      await ask([...reranked, '--reranker', `jina:small@${url}`]),
      2,
      /--reranker must be onnx:.*cohere:NAME.*tei:NAME.*received "jina:small@/,
    );
    fails(
      await ask(['-s', 'dense', '--reranker', `tei:small@${url}`]),
      2,
      /--reranker would not be used by dense: .* or dense\+rerank or bm25\+rerank/,
    );
    fails(
      await ask([...reranked, '--reranker', `tei:small@${url}`, '--base-url', url]),
      2,
      /--base-url needs the name of a model.*--reranker cohere:NAME/,
    );
    assert.equal(loopback.seen.length, 0);
    loopback.plan(json(200, [{ index: 0, score: 1 }]));
    fails(
      await ask([...reranked, '--reranker', `tei:small@${url}`]),
      1,
      /received 1 scores for 2 texts/,
    );
  });
});
