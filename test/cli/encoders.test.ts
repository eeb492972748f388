// `--encoder`, `--reranker` and `--reader onnx:...` as a user gives them: a folder, a model of a
// hub (on the loopback), what is wrong said in one line. The models are doubles. Skipped where
// onnxruntime-node is not installed.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onnxEncoder } from '../../lib/models/index.js';
import { HubDouble } from '../models/hub/hubDouble.js';
import { readerBytes, runtimeIsInstalled, writeDouble } from '../models/onnx/double.js';
import { argv, asof, type Outcome } from './spawn.js';
import { temporaryFolder } from '../store/fixtures.js';

describe('cli: encoders, rerankers and readers in ONNX form', function () {
  this.timeout(120_000);
  const root = temporaryFolder();
  const folder = root.path('encoder');
  const passages = root.path('passages.jsonl');
  const corpus = root.path('corpus.asof');

  before(function () {
    if (!runtimeIsInstalled()) {
      console.log('      onnxruntime-node is not installed: --encoder onnx: is not tested');
      this.skip();
    }
    writeDouble(folder);
    writeDouble(root.path('cross'), { output: 'logits' });
    const model = readerBytes({ starts: { king: 9 }, ends: { spain: 9 } });
    writeDouble(root.path('reader'), { files: { 'onnx/model.onnx': model } });
    writeFileSync(
      passages,
      '{"id":"a","text":"The king of Spain was born in 1944."}\n{"id":"b","text":"A passage."}\n',
    );
  });

  const fails = (outcome: Outcome, code: number, pattern: RegExp): void => {
    assert.equal(outcome.code, code, outcome.stderr);
    assert.match(outcome.stderr, pattern);
    assert.equal(outcome.stderr.trim().split('\n').length, 1, outcome.stderr);
  };

  it('index, ask and evaluate with a folder', async () => {
    const indexed = await asof(argv`
      index ${corpus} ${passages} --encoder onnx:${folder} --json
    `);
    assert.equal(indexed.code, 0, indexed.stderr);
    assert.equal(JSON.parse(indexed.stdout).added, 2);
    const asked = await asof(argv`
      ask ${corpus} ${'Who was born in 1944?'} -s mrag --encoder onnx:${folder}
      --reranker onnx:${root.path('cross')} --json
    `);
    assert.equal(asked.code, 0, asked.stderr);
    assert.ok(
      JSON.parse(asked.stdout).evidence.every(
        ({ scores }: { scores: Record<string, number> }) => 'reranker' in scores,
      ),
      asked.stdout,
    );
    assert.equal(JSON.parse(asked.stdout).evidence.length, 2);
    writeFileSync(root.path('queries.jsonl'), '{"id":"q","text":"Who was born in 1944?"}\n');
    writeFileSync(root.path('qrels.tsv'), 'q 0 a 1\n');
    const args = argv`
      eval ${corpus} --queries ${root.path('queries.jsonl')} --qrels ${root.path('qrels.tsv')}
      --encoder onnx:${folder}#onnx/model.onnx --reranker onnx:${root.path('cross')}
    `;
    const measured = await asof([...args, '-s', 'dense,mrag', '--json']);
    assert.equal(measured.code, 0, measured.stderr);
    const [dense, mrag] = JSON.parse(measured.stdout) as {
      queries: number;
      options: Record<string, unknown>;
    }[];
    assert.deepEqual(
      [dense!.queries, mrag!.queries, 'reranker' in dense!.options, 'reranker' in mrag!.options],
      [1, 1, false, true],
    );
    assert.match((await asof([...args, '-s', 'dense,mrag'])).stdout, /reranker, in mrag: /);
    fails(
      await asof([...args, '-s', 'dense']),
      2,
      /--reranker would not be used by dense: name a system that reranks, --system mrag or mrag\+official/,
    );
    fails(await asof(['ask', corpus, 'Who?']), 1, /onnx-bert-8-/);
  });

  it('read an answer', async () => {
    const question = ['ask', corpus, 'Who was born in 1944?', '--encoder', `onnx:${folder}`];
    const read = async (...reader: string[]): Promise<Record<string, unknown>> => {
      const asked = await asof([...question, '--json', ...reader]);
      assert.equal(asked.code, 0, asked.stderr);
      return JSON.parse(asked.stdout) as Record<string, unknown>;
    };
    const { answer, answer_span_confidence: confidence } = await read(
      '--reader',
      `onnx:${root.path('reader')}`,
    );
    assert.deepEqual([answer, confidence], ['king of Spain', 1]);
    assert.notEqual((await read()).answer, answer);
    fails(await asof([...question, '--reader', `onnx:${folder}`]), 1, /start and end logits/);
  });

  it('take prefixes, pooling, length and threads, which a corpus is asked with too', async () => {
    const own = root.path('own.asof');
    const by = ['--encoder', `onnx:${folder}`, '--query-prefix', 'query : '];
    const more = ['--passage-prefix', 'of : ', '--pooling', 'last', '--max-tokens', '5'];
    const all = [...by, ...more, '--threads', '2'];
    const indexed = await asof(['index', own, passages, ...all]);
    assert.equal(indexed.code, 0, indexed.stderr);
    const question = ['ask', own, 'Who was born in 1944?', '-s', 'dense', '--json'];
    const options = { query: 'query : ', passage: 'of : ' };
    await using encoder = await onnxEncoder({
      path: folder,
      prefixes: options,
      pooling: 'last',
      maxTokens: 5,
    });
    const info = JSON.parse((await asof(['info', own, '--json'])).stdout);
    assert.equal(info.encoder.id, encoder.id);
    assert.equal((await asof([...question, ...all])).code, 0);
    fails(await asof([...question, ...by]), 1, /onnx-bert-8-/);
    for (const [wrong, words] of [
      [['--pooling', 'max'], /mean, cls, last/],
      [['--max-tokens', 'many'], /--max-tokens must be a whole number/],
      [['--threads', '65'], /threads/],
    ] as const)
      fails(await asof([...question, '--encoder', `onnx:${folder}`, ...wrong]), 2, words);
    fails(
      await asof([...question, '--pooling', 'mean']),
      2,
      /--pooling is an option of an ONNX encoder/,
    );
  });

  it('fetch a model of a hub once', async () => {
    const names = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model.onnx'];
    const hub = await HubDouble.open(
      Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))])),
    );
    const env = {
      HF_ENDPOINT: hub.url,
      ASOF_CACHE: root.path('cache'),
      HF_TOKEN: 'token-of-the-user',
    };
    hub.token = env.HF_TOKEN;
    try {
      const question = argv`
        ask ${corpus} ${'Who was born in 1944?'} -s dense --json --encoder
      `;
      const first = await asof([...question, 'onnx:owner/some-model@main'], { env });
      assert.equal(first.code, 0, first.stderr);
      assert.ok(existsSync(join(env.ASOF_CACHE, 'hub')));
      const asked = hub.asked.length;
      assert.equal(
        (await asof([...question, 'onnx:owner/some-model'], { env })).stdout.length > 0,
        true,
      );
      assert.equal(hub.asked.length, asked);
      fails(
        await asof([...question, 'onnx:owner/other-model'], { env }),
        1,
        /404 RepoNotFound.*owner\/other-model is no folder here/,
      );
      fails(
        await asof([...question, 'onnx:owner/some-model#onnx/model_q4.onnx'], { env }),
        1,
        /model_q4\.onnx.*Name the model file/,
      );
      hub.token = 'another';
      fails(
        await asof([...question, 'onnx:owner/some-model@v2'], { env }),
        1,
        /401 GatedRepo.*token of yours/,
      );
    } finally {
      await hub.close();
    }
    const offline = await asof(
      ['ask', corpus, 'Who?', '-s', 'dense', '--json', '--encoder', 'onnx:owner/some-model'],
      { env },
    );
    assert.equal(offline.code, 0, offline.stderr);
  });

  it('invalid names are refused with a message', async () => {
    fails(
      await asof(['ask', corpus, 'Who?', '--encoder', 'onnx:']),
      2,
      /onnx:FOLDER or onnx:OWNER\/NAME/,
    );
    fails(
      await asof(['ask', corpus, 'Who?', '--encoder', `onnx:${root.path('nowhere')}`]),
      1,
      /model folder.*nothing/,
    );
    fails(
      await asof(['ask', corpus, 'Who?', '-s', 'mrag', '--reranker', root.path('cross')]),
      2,
      /--reranker must be onnx:/,
    );
    fails(
      await asof(argv`
        ask ${corpus} ${'Who?'} -s mrag --encoder onnx:${folder} --reranker onnx:${folder}
      `),
      1,
      /one or two logits/,
    );
    fails(
      await asof(argv`
        index ${root.path('new.asof')} ${passages} --encoder onnx:${root.path('cross')}
      `),
      1,
      /onnxReranker/,
    );
    assert.ok(!existsSync(root.path('new.asof')), 'no corpus is made before its encoder is there');
  });
});
