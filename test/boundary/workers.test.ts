// The addon in worker threads: several environments at once, each with its own error class; workers
// that end while their tasks run; one level and one pool for the process.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { addonPath, binding } from '../../lib/binding.js';
import { addon } from '../addon.js';
import { normals } from '../kernels/levels.js';

const prelude = `const { parentPort, workerData } = require('node:worker_threads');
const binding = require(workerData.addonPath);`;

const startWorker = (code: string, data: object = {}) =>
  new Worker(prelude + code, { eval: true, workerData: { addonPath, ...data } });

async function messageOf(worker: Worker): Promise<unknown> {
  const [message] = (await once(worker, 'message')) as [unknown];
  await worker.terminate();
  return message;
}

describe('worker threads', () => {
  const queries = normals(4 * 96, 1);
  const rows = normals(2000 * 96, 2);

  it('compute the same bits as the main thread, side by side', async () => {
    const code = `binding.innerProduct(workerData.queries, workerData.rows, 96).then((out) => parentPort.postMessage(out));`;
    const expected = await binding.innerProduct(queries, rows, 96);
    const found = await Promise.all(
      [1, 2, 3, 4].map(() => messageOf(startWorker(code, { queries, rows }))),
    );
    for (const each of found) assert.deepEqual(each, expected);
  });

  it('have their own error class', async () => {
    const code = `
      class Mine extends Error { constructor(code, message) { super(message); this.code = code; this.mine = true; } }
      binding.setErrorClass(Mine);
      try { binding.topK(1, 1); } catch (error) { parentPort.postMessage({ mine: error.mine, code: error.code }); }`;
    assert.deepEqual(await messageOf(startWorker(code)), {
      mine: true,
      code: 'ERR_INVALID_ARGUMENT',
    });
    assert.throws(() => addon.topK(1 as never, 1), {
      name: 'AsOfError',
      code: 'ERR_INVALID_ARGUMENT',
    });
  });

  it('raise errors with a code even before an error class is set', async () => {
    const code = `
      try { binding.topK(1, 1); } catch (error) {
        binding.topK(new Float32Array(1), 1, cancelled()).catch((later) => parentPort.postMessage([error instanceof Error, error.code, later.code]));
      }
      function cancelled() { const cancellation = new binding.Cancellation(); cancellation.cancel(); return cancellation; }`;
    assert.deepEqual(await messageOf(startWorker(code)), [
      true,
      'ERR_INVALID_ARGUMENT',
      'ERR_ABORTED',
    ]);
  });

  it(
    'may be terminated while the addon throws: nobody takes the exception, and the process ' +
      'lives on',
    async () => {
      const code = `
      parentPort.postMessage('started');
      for (;;) try { binding.topK(1, 1); } catch {}`;
      for (let round = 0; round < 12; round += 1) {
        const worker = startWorker(code);
        await once(worker, 'message');
        await new Promise((resolve) => setTimeout(resolve, round));
        await worker.terminate();
      }
    },
  );

  it('may be terminated while their tasks run, again and again', async () => {
    const code = `
      const rows = new Float32Array(20000 * 96).fill(0.5);
      for (let i = 0; i < 4; i += 1) binding.innerProduct(new Float32Array(32 * 96), rows, 96);
      parentPort.postMessage('started');`;
    for (let round = 0; round < 6; round += 1) {
      const worker = startWorker(code);
      await once(worker, 'message');
      await worker.terminate();
    }
    assert.equal((await addon.topK(Float32Array.of(1, 2), 1)).indices[0], 1);
  });

  it('may end by themselves with tasks unfinished and handles open', async () => {
    const code = `
      new binding.MemoryRows({ passages: 1, multiSentence: 0, dimensions: 2, vectors: new Float32Array(2), rowPassage: new Uint32Array(1) });
      binding.innerProduct(new Float32Array(96 * 64), new Float32Array(20000 * 96), 96);
      process.exit(0);`;
    const worker = startWorker(code);
    const [exitCode] = (await once(worker, 'exit')) as [number];
    assert.equal(exitCode, 0);
  });
});
