// The ONNX encoder with the real runtime on the double: vectors against the float64 oracle, what
// the folder decides, faults of folders named, and processes that end while the model runs. Skipped
// where onnxruntime-node is not installed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorCode } from '../../../lib/errors.js';
import { Corpus } from '../../../lib/store/corpus.js';
import {
  onnxEncoder,
  type OnnxEncoder,
  type OnnxEncoderOptions,
} from '../../../lib/models/onnx/onnxEncoder.js';
import { HubDouble } from '../hub/hubDouble.js';
import {
  dimensions,
  modelBytes,
  oracle,
  positions,
  runtimeIsInstalled,
  writeDouble,
  type Folder,
} from './double.js';
import { failsWith } from '../../failsWith.js';
import { temporaryFolder } from '../../store/fixtures.js';

const close = (found: ArrayLike<number>, expected: readonly number[]): void =>
  expected.forEach((value, j) =>
    assert.ok(Math.abs(found[j]! - value) < 1e-6, `component ${j}: ${found[j]} for ${value}`),
  );

type FolderSettings = Omit<Extract<OnnxEncoderOptions, { path: string }>, 'path'>;

describe('vectors: the ONNX encoder', () => {
  const root = temporaryFolder();
  const open: OnnxEncoder[] = [];
  let count = 0;
  const folder = (given: Folder = {}): string =>
    writeDouble(root.path(String((count += 1)), 'double'), given);
  const encoder = async (
    options: FolderSettings = {},
    given: Folder = {},
  ): Promise<OnnxEncoder> => {
    const opened = await onnxEncoder({ path: folder(given), ...options });
    open.push(opened);
    return opened;
  };

  before(function () {
    if (runtimeIsInstalled()) return;
    console.log(
      '      onnxruntime-node is not installed: the ONNX encoder is not tested ' +
        '(ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node)',
    );
    this.skip();
  });
  afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));

  const texts = [
    'the king of spain',
    'spain',
    '',
    'born in 1944 : the king was born in 1944',
    ' \n',
    'Unheard words',
    'the king of spain',
  ];

  it("gives the oracle's vectors, whatever shares a batch, and zeros for blank texts", async () => {
    for (const pooling of ['mean', 'cls', 'last'] as const) {
      for (const batchSize of [1, 2, 16]) {
        const { encode } = await encoder({ pooling, batchSize });
        const vectors = await encode(texts, { kind: 'passage' });
        texts.forEach((text, i) => {
          const row = vectors.subarray(i * dimensions, (i + 1) * dimensions);
          close(
            row,
            text.trim() === ''
              ? new Array<number>(dimensions).fill(0)
              : oracle(text, pooling, positions),
          );
        });
      }
    }
  });

  it('encodes more texts than one turn has', async () => {
    const { encode } = await encoder({ batchSize: 2 });
    const many = Array.from({ length: 61 }, (_, i) => texts[i % texts.length]!);
    const vectors = await encode(many, { kind: 'passage' });
    many.forEach(
      (text, i) =>
        text.trim() !== '' &&
        close(vectors.subarray(i * dimensions), oracle(text, 'mean', positions)),
    );
    assert.equal((await encode([], { kind: 'query' })).length, 0);
  });

  it('takes pooling, length and prefixes from the folder, and from the caller first', async () => {
    const files = {
      '1_Pooling/config.json': {
        word_embedding_dimension: dimensions,
        pooling_mode_cls_token: true,
        pooling_mode_mean_tokens: false,
      },
      'sentence_bert_config.json': { max_seq_length: 5 },
      'config_sentence_transformers.json': {
        prompts: { query: 'query : ', document: 'passage : ' },
      },
    };
    const long = 'the king of spain was born in 1944';
    const told = await encoder({}, { files });
    close(await told.encode([long], { kind: 'query' }), oracle(`query : ${long}`, 'cls', 5));
    close(await told.encode([long], { kind: 'passage' }), oracle(`passage : ${long}`, 'cls', 5));
    const chosen = await encoder(
      { pooling: 'mean', maxTokens: 7, prefixes: { query: '' } },
      { files },
    );
    close(await chosen.encode([long], { kind: 'query' }), oracle(long, 'mean', 7));
    close(await chosen.encode([long], { kind: 'passage' }), oracle(`passage : ${long}`, 'mean', 7));
  });

  it(
    'is named by its architecture and a hash that changes with whatever changes its ' +
      'vectors, and not with its folder',
    async () => {
      const ids = [];
      for (const [options, given] of [
        [{}, {}],
        [{ pooling: 'cls' }, {}],
        [{ maxTokens: 5 }, {}],
        [{ prefixes: { query: 'a' } }, {}],
        [{}, { seed: 8 }],
      ] as [FolderSettings, Folder][]) {
        const { id } = await encoder(options, given);
        assert.match(id, /^onnx-bert-8-[0-9a-f]{16}$/);
        ids.push(id);
      }
      assert.equal(new Set(ids).size, ids.length);
      assert.equal((await encoder({ threads: 2, batchSize: 3 })).id, ids[0]);
    },
  );

  it('names what is wrong with a folder', async () => {
    const cases: [Folder, ErrorCode, RegExp][] = [
      [{ files: { 'config.json': null } }, 'ERR_NOT_FOUND', /config\.json/],
      [{ files: { 'tokenizer.json': null } }, 'ERR_NOT_FOUND', /tokenizer\.json.*as published/],
      [
        { files: { 'onnx/model.onnx': null } },
        'ERR_NOT_FOUND',
        /onnx\/model\.onnx or model\.onnx.*exported/,
      ],
      [
        { files: { 'config.json': 'not JSON' } },
        'ERR_INVALID_INPUT',
        /config\.json to be a JSON object/,
      ],
      [{ files: { 'config.json': '[]' } }, 'ERR_INVALID_INPUT', /JSON object/],
      [{ files: { 'tokenizer.json': {} } }, 'ERR_INVALID_INPUT', /tokenizer/],
      [
        { files: { '1_Pooling/config.json': { pooling_mode_max_tokens: true } } },
        'ERR_INVALID_INPUT',
        /max_tokens.*Give pooling/,
      ],
      [
        { files: { 'onnx/model.onnx': modelBytes().subarray(0, 500) } },
        'ERR_INVALID_INPUT',
        /ONNX model.*again/,
      ],
      [{ files: { 'onnx/model.onnx': 'not a model' } }, 'ERR_INVALID_INPUT', /ONNX model.*again/],
      [{ output: 'logits' }, 'ERR_INVALID_INPUT', /vector for each token.*\[1, 1\].*onnxReranker/],
      [{ input: 'tokens' }, 'ERR_INVALID_INPUT', /input_ids.*takes tokens, attention_mask/],
      [
        { files: { 'config.json': { hidden_size: 384 } } },
        'ERR_INVALID_INPUT',
        /384 dimensions.*received 8/,
      ],
    ];
    for (const [given, code, pattern] of cases)
      await assert.rejects(encoder({}, given), failsWith(code, pattern));
    await assert.rejects(
      onnxEncoder({ path: root.path('nowhere') }),
      failsWith('ERR_NOT_FOUND', /model folder.*nothing/),
    );
    await assert.rejects(
      onnxEncoder({ path: join(folder(), 'config.json') }),
      failsWith('ERR_NOT_FOUND', /a file/),
    );
    await assert.rejects(
      onnxEncoder({ path: 'someone/some-model' }),
      failsWith('ERR_NOT_FOUND', /hub.*as hub instead of path/),
    );
    await assert.rejects(
      encoder({ maxTokens: positions + 1 }),
      failsWith('ERR_INVALID_ARGUMENT', /maxTokens.*at most 12/),
    );
  });

  it('refuses options that are none', async () => {
    for (const wrong of [
      null,
      {},
      { path: '' },
      { path: 1 },
      { pooling: 'max' },
      { prefixes: 'q' },
      { prefixes: { query: 1 } },
      { file: '' },
      { file: '/model.onnx' },
      { maxTokens: 2 },
      { threads: 0 },
      { batchSize: 1.5 },
    ]) {
      const options =
        wrong && Object.keys(wrong).length > 0 && !('path' in wrong)
          ? { path: 'a', ...wrong }
          : wrong;
      await assert.rejects(
        onnxEncoder(options as never),
        failsWith('ERR_INVALID_ARGUMENT', /Expected/),
      );
    }
    const { encode } = await encoder();
    await assert.rejects(
      encode(['a', 1] as never, { kind: 'query' }),
      failsWith('ERR_INVALID_ARGUMENT', /texts\[1\]/),
    );
  });

  it('comes from a hub as from a folder, and is the same there', async () => {
    const path = folder();
    const names = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model.onnx'];
    const hub = await HubDouble.open(
      Object.fromEntries(names.map((name) => [name, readFileSync(join(path, name))])),
    );
    try {
      const options = { hub: 'owner/some-model', baseUrl: hub.url, cache: root.path('cache') };
      const told: number[] = [];
      await using first = await onnxEncoder({
        ...options,
        onProgress: ({ done, total }) => told.push(done / total),
      });
      assert.equal(told.at(-1), 1);
      await using local = await onnxEncoder({ path });
      assert.equal(first.id, local.id);
      close(await first.encode(['spain'], { kind: 'query' }), oracle('spain', 'mean', positions));
      const asked = hub.asked.length;
      await using again = await onnxEncoder({ ...options, baseUrl: hub.url });
      assert.equal(again.id, local.id);
      assert.equal(hub.asked.length, asked);
      await assert.rejects(
        onnxEncoder({ ...options, path } as never),
        failsWith('ERR_INVALID_ARGUMENT', /either path or hub/),
      );
      await assert.rejects(
        onnxEncoder({ ...options, cache: root.path('other'), signal: AbortSignal.abort() }),
        failsWith('ERR_ABORTED', /signal/),
      );
    } finally {
      await hub.close();
    }
  });

  it('serves a corpus, which refuses another encoder', async () => {
    const path = root.path('corpus.asof');
    const mine = await encoder();
    using corpus = await Corpus.open(path, { encoder: mine });
    await corpus.add([
      { id: 'a', text: 'The king of Spain was born in 1944.' },
      { id: 'b', text: 'A passage.' },
    ]);
    assert.equal(corpus.info().encoder.id, mine.id);
    await corpus.close();
    await assert.rejects(
      Corpus.open(path, { encoder: await encoder({ pooling: 'cls' }) }),
      failsWith('ERR_ENCODER_MISMATCH', /onnx-bert-8-/),
    );
  });

  const child = (code: string): { status: number | null; stdout: string; stderr: string } => {
    const path = folder({ layers: 200 });
    const module = new URL('../../../dist/models/index.js', import.meta.url).href;
    const source = `const { onnxEncoder } = await import(${JSON.stringify(module)});
      const encoder = await onnxEncoder({ path: ${JSON.stringify(path)}, batchSize: 256 });
      const work = () => encoder.encode(new Array(50000).fill('the king of spain was born in 1944'), { kind: 'passage' });
      ${code}`;
    return spawnSync(process.execPath, ['--input-type=module', '-e', source], {
      encoding: 'utf8',
      timeout: 60_000,
    });
  };

  it('does not hold the process open, and lets it end while the model runs', function () {
    this.timeout(240_000);
    const cases: [string, number][] = [
      ['await encoder.encode(["spain"], { kind: "query" });', 0],
      ['work().catch(() => {}); setTimeout(() => process.exit(3), 120);', 3],
      [
        'work().catch(() => {}); setTimeout(() => { throw new Error("a fault of the user"); ' +
          '}, 120);',
        1,
      ],
      ['work().catch(() => {}); setTimeout(() => encoder.close(), 120);', 0],
    ];
    for (const [code, status] of cases) {
      const ended = child(code);
      assert.equal(ended.status, status, `${code}\n${ended.stderr}`);
    }
  });
});
