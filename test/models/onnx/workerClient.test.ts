// The encoder's thread in every state, with stand-ins for the runtime that wait or fail: turns,
// aborts, closing, a missing runtime. It needs no onnxruntime-node.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setEnvironmentData } from 'node:worker_threads';
import type { Head } from '../../../lib/models/onnx/messages.js';
import { readModelFolder } from '../../../lib/models/onnx/modelFolder.js';
import { WorkerClient } from '../../../lib/models/onnx/workerClient.js';
import { dimensions, writeDouble } from './double.js';
import { failsWith } from '../../failsWith.js';

const whole = `new Tensor('float32', new Float32Array(rows * length * ${dimensions}).fill(1), [rows, length, ${dimensions}])`;

/**
 * A runtime whose model gives `give`; a thread that is opened behind a gate waits there for each
 * run after the first, blocked as the real one is.
 */
const runtime = (give = whole): string =>
  `data:text/javascript,${encodeURIComponent(`
    import { getEnvironmentData } from 'node:worker_threads';
    export class Tensor { constructor(type, data, dims) { this.data = data; this.dims = dims; } }
    const gate = getEnvironmentData('gate');
    let runs = 0;
    const run = async (feeds) => {
      await new Promise(setImmediate);
      runs += 1;
      const [rows, length] = feeds.input_ids.dims;
      if (gate && runs > 1) {
        Atomics.add(gate, 0, 1);
        Atomics.wait(gate, 1, 0);
      }
      return { last_hidden_state: ${give} };
    };
    export const InferenceSession = {
      create: async () => ({ inputNames: ['input_ids', 'attention_mask'], outputNames: ['last_hidden_state'], run, release: async () => {} }),
    };
  `)}`;

/**
 * What the next thread's runs wait at: how many have come to it, and a way to let them all through.
 */
function newGate(): { came(): number; arrival(): Promise<void>; open(): void } {
  const words = new Int32Array(new SharedArrayBuffer(8));
  setEnvironmentData('gate', words);
  const came = (): number => Atomics.load(words, 0);
  return {
    came,
    async arrival() {
      while (came() === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    },
    open() {
      Atomics.store(words, 1, 1);
      Atomics.notify(words, 1);
    },
  };
}

describe('vectors: the thread of the ONNX encoder', () => {
  const path = writeDouble(mkdtempSync(join(tmpdir(), 'asof-onnx-')));
  const head: Head = { kind: 'vector', pooling: 'mean', dimensions };
  const open: WorkerClient[] = [];
  const start = async (module: string): Promise<WorkerClient> => {
    const client = await WorkerClient.start(
      { ...(await readModelFolder(path, {})), head, threads: 1, batchSize: 1 },
      { runtime: module },
    );
    open.push(client);
    return client;
  };
  const many = (count: number): string[] => new Array<string>(count).fill('spain');
  afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));
  afterEach(() => setEnvironmentData('gate', undefined));
  after(() => rmSync(path, { recursive: true, force: true }));

  it('says how to install a runtime that is not there', async () => {
    await assert.rejects(
      start('onnxruntime-that-is-absent'),
      failsWith('ERR_NATIVE_UNAVAILABLE', /not installed.*npm install onnxruntime-node/),
    );
    await assert.rejects(
      start('data:text/javascript,throw new Error("wrong libc")'),
      failsWith('ERR_NATIVE_UNAVAILABLE', /it does not load: wrong libc/),
    );
  });

  it('rejects immediately on abort, finishes the batch and serves the next request', async () => {
    const gate = newGate();
    const client = await start(runtime());
    const controller = new AbortController();
    const long = client.run({ texts: many(100) }, controller.signal);
    const waiting = client.run({ texts: many(100) }, controller.signal);
    const next = client.run({ texts: ['the king'] }, undefined);
    await gate.arrival();
    controller.abort();
    await assert.rejects(long, failsWith('ERR_ABORTED', /signal/));
    await assert.rejects(waiting, failsWith('ERR_ABORTED', /signal/));
    assert.equal(gate.came(), 1); // its batch still runs
    gate.open();
    assert.equal((await next).length, dimensions);
    assert.equal(gate.came(), 2, 'of the aborted requests no other batch was run');
  });

  it('gives a short request its turn while a long one runs', async () => {
    const client = await start(runtime());
    const ended: string[] = [];
    const long = client.run({ texts: many(40) }, undefined).then(() => ended.push('long'));
    const short = client.run({ texts: many(1) }, undefined).then(() => ended.push('short'));
    await Promise.all([long, short]);
    assert.deepEqual(ended, ['short', 'long']);
  });

  it('runs fewer texts at once where they are long', async () => {
    const files = {
      'config.json': { model_type: 'bert', hidden_size: dimensions, max_position_embeddings: 4096 },
      'tokenizer_config.json': {
        tokenizer_class: 'BertTokenizer',
        model_max_length: 4096,
        do_lower_case: true,
        unk_token: '[UNK]',
      },
    };
    const model = await readModelFolder(writeDouble(join(path, 'long'), { files }), {});
    const sizes = `rows * length > 8192 && rows > 1 ? (() => { throw new Error(\`\${rows} texts of \${length}\`); })() : ${whole}`;
    const client = await WorkerClient.start(
      { ...model, head, threads: 1, batchSize: 16 },
      { runtime: runtime(sizes) },
    );
    open.push(client);
    const texts = [9, 4000, 2000, 300, 5, 2000, 2000, 2000, 2000, 3000, 3000].map((words) =>
      'spain '.repeat(words),
    );
    assert.equal((await client.run({ texts }, undefined)).length, texts.length * dimensions);
  });

  it(
    'closes without force: what waits is rejected, what comes later too, closing again is ' +
      'the same',
    async () => {
      const gate = newGate();
      const client = await start(runtime());
      const settled = Promise.allSettled([
        client.run({ texts: many(200) }, undefined),
        client.run({ texts: many(1) }, undefined),
      ]);
      await gate.arrival();
      const closing = client.close();
      for (const each of await settled)
        assert.ok(each.status === 'rejected' && failsWith('ERR_CLOSED', /closed/)(each.reason));
      gate.open();
      await Promise.all([closing, client.close()]);
      assert.equal(gate.came(), 1, 'one batch was waited for, not two hundred');
      await assert.rejects(
        client.run({ texts: ['a'] }, undefined),
        failsWith('ERR_CLOSED', /Open it again/),
      );
    },
  );

  it('names the model where a batch fails, and goes on', async () => {
    const client = await start(
      runtime(`runs === 2 ? (() => { throw new Error('no memory'); })() : ${whole}`),
    );
    await assert.rejects(
      client.run({ texts: ['a'] }, undefined),
      failsWith('ERR_ENCODER_FAILED', /model\.onnx.*no memory.*batchSize/),
    );
    assert.equal((await client.run({ texts: ['a'] }, undefined)).length, dimensions);
  });

  it('refuses a model that gives no vector for each token', async () => {
    const pooled = runtime('new Tensor("", new Float32Array(8), [rows, 8])');
    await assert.rejects(
      start(pooled),
      failsWith('ERR_INVALID_INPUT', /vector for each token.*\[1, 8\]/),
    );
    await assert.rejects(
      start(runtime('new Tensor("", new Float32Array(rows * length * 4), [rows, length, 4])')),
      failsWith('ERR_INVALID_INPUT', /8 dimensions.*received 4/),
    );
  });

  it('rejects what waits where its thread ends by itself', async () => {
    const client = await start(runtime(`runs === 1 ? ${whole} : process.exit(5)`));
    await assert.rejects(
      client.run({ texts: ['a'] }, undefined),
      failsWith('ERR_ENCODER_FAILED', /thread.*Open the encoder again/),
    );
    await assert.rejects(
      client.run({ texts: ['a'] }, undefined),
      failsWith('ERR_ENCODER_FAILED', /thread/),
    );
  });
});
