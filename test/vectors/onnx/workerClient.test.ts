// The encoder's thread in every state, with stand-ins for the runtime that take their time or fail: turns, aborts, closing, a missing runtime.
// It needs no onnxruntime-node.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Head } from '../../../lib/vectors/onnx/messages.js';
import { readModelFolder } from '../../../lib/vectors/onnx/modelFolder.js';
import { WorkerClient } from '../../../lib/vectors/onnx/workerClient.js';
import { dimensions, writeDouble } from './double.js';
import { failsWith } from '../../failsWith.js';


/** A runtime whose model gives `give` after `runMs` of a blocked thread, as the real one blocks. */
const runtime = (runMs: number, give = `new Tensor('float32', new Float32Array(rows * length * ${dimensions}).fill(1), [rows, length, ` +
  `${dimensions}])`): string =>
  `data:text/javascript,${encodeURIComponent(`
    export class Tensor { constructor(type, data, dims) { this.data = data; this.dims = dims; } }
    let runs = 0;
    const run = async (feeds) => {
      await new Promise(setImmediate);
      runs += 1;
      const [rows, length] = feeds.input_ids.dims;
      if (runs > 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${runMs});
      return { last_hidden_state: ${give} };
    };
    export const InferenceSession = {
      create: async () => ({ inputNames: ['input_ids', 'attention_mask'], outputNames: ['last_hidden_state'], run, release: async () => {} }),
    };
    `)}`;

describe('vectors: the thread of the ONNX encoder', () => {
  const path = writeDouble(mkdtempSync(join(tmpdir(), 'asof-onnx-')));
  const head: Head = { kind: 'vector', pooling: 'mean', dimensions };
  const open: WorkerClient[] = [];
  const start = async (module: string): Promise<WorkerClient> => {
    const client = await WorkerClient.start({ ...(await readModelFolder(path, {})), head, threads: 1, batchSize: 1 }, { runtime: module });
    open.push(client);
    return client;
  };
  const many = (count: number): string[] => new Array<string>(count).fill('spain');
  afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));
  after(() => rmSync(path, { recursive: true, force: true }));

  it('says how to install a runtime that is not there', async () => {
    await assert.rejects(start('onnxruntime-that-is-absent'), failsWith('ERR_NATIVE_UNAVAILABLE', /not installed.*npm install onnxruntime-node/));
    await assert.rejects(
      start('data:text/javascript,throw new Error("wrong libc")'),
      failsWith('ERR_NATIVE_UNAVAILABLE', /could not be loaded: wrong libc/),
    );
  });

  it('rejects an abort at once, lets the batch finish and goes on with the next request', async () => {
    const client = await start(runtime(600));
    const controller = new AbortController();
    const long = client.run({ texts: many(100) }, controller.signal);
    const waiting = client.run({ texts: many(100) }, controller.signal);
    const next = client.run({ texts: ['the king'] }, undefined);
    setTimeout(() => controller.abort(), 50);
    const began = performance.now();
    await assert.rejects(long, failsWith('ERR_ABORTED', /signal/));
    await assert.rejects(waiting, failsWith('ERR_ABORTED', /signal/));
    assert.ok(performance.now() - began < 500, 'rejected before its batch ended');
    assert.equal((await next).length, dimensions);
    assert.ok(performance.now() - began < 20000, 'the aborted batches were not run');
  });

  it('gives a short request its turn while a long one runs', async () => {
    const client = await start(runtime(20));
    const ended: string[] = [];
    const long = client.run({ texts: many(40) }, undefined).then(() => ended.push('long'));
    const short = client.run({ texts: many(1) }, undefined).then(() => ended.push('short'));
    await Promise.all([long, short]);
    assert.deepEqual(ended, ['short', 'long']);
  });

  it('runs fewer texts at once where they are long', async () => {
    const files = {
      'config.json': { model_type: 'bert', hidden_size: dimensions, max_position_embeddings: 4096 },
      'tokenizer_config.json': { tokenizer_class: 'BertTokenizer', model_max_length: 4096, do_lower_case: true, unk_token: '[UNK]' },
    };
    const model = await readModelFolder(writeDouble(join(path, 'long'), { files }), {});
    const sizes = `rows * length > 8192 && rows > 1 ? (() => { throw new Error(\`\${rows} texts of \${length}\`); })() : new Tensor('', new ` +
      `Float32Array(rows * length * 8).fill(rows), [rows, length, 8])`;
    const client = await WorkerClient.start({ ...model, head, threads: 1, batchSize: 16 }, { runtime: runtime(0, sizes) });
    open.push(client);
    const texts = [9, 4000, 2000, 300, 5, 2000, 2000, 2000, 2000, 3000, 3000].map((words) => 'spain '.repeat(words));
    assert.equal((await client.run({ texts }, undefined)).length, texts.length * dimensions);
  });

  it('closes without force: what waits is rejected, what comes later too, closing again is the same', async () => {
    const client = await start(runtime(100));
    const requests = [client.run({ texts: many(200) }, undefined), client.run({ texts: many(1) }, undefined)];
    const settled = Promise.allSettled(requests);
    await new Promise((resolve) => setTimeout(resolve, 30));
    const began = performance.now();
    const closing = client.close();
    for (const each of await settled) assert.ok(each.status === 'rejected' && failsWith('ERR_CLOSED', /closed/)(each.reason));
    await Promise.all([closing, client.close()]);
    assert.ok(performance.now() - began < 10000, 'one batch was waited for, not two hundred');
    await assert.rejects(client.run({ texts: ['a'] }, undefined), failsWith('ERR_CLOSED', /Open it again/));
  });

  it('names the model where a batch fails, and goes on', async () => {
    const client = await start(
      runtime(
        0,
        `runs === 2 ? (() => { throw new Error('no memory'); })() : new Tensor('', new Float32Array(rows * length * 8).fill(1), [rows, length, 8])`,
      ),
    );
    await assert.rejects(client.run({ texts: ['a'] }, undefined), failsWith('ERR_ENCODER_FAILED', /model\.onnx.*no memory.*batchSize/));
    assert.equal((await client.run({ texts: ['a'] }, undefined)).length, dimensions);
  });

  it('refuses a model that gives no vector for each token', async () => {
    const pooled = runtime(0, 'new Tensor("", new Float32Array(8), [rows, 8])');
    await assert.rejects(start(pooled), failsWith('ERR_INVALID_INPUT', /vector for each token.*\[1, 8\]/));
    await assert.rejects(
      start(runtime(0, 'new Tensor("", new Float32Array(rows * length * 4), [rows, length, 4])')),
      failsWith('ERR_INVALID_INPUT', /8 dimensions.*received 4/),
    );
  });

  it('rejects what waits where its thread ends by itself', async () => {
    const client = await start(
      runtime(0, 'process.exit(5)'.replace(/^/, 'runs === 1 ? new Tensor("", new Float32Array(rows * length * 8), [rows, length, 8]) : ')),
    );
    await assert.rejects(client.run({ texts: ['a'] }, undefined), failsWith('ERR_ENCODER_FAILED', /thread.*Open the encoder again/));
    await assert.rejects(client.run({ texts: ['a'] }, undefined), failsWith('ERR_ENCODER_FAILED', /thread/));
  });
});
