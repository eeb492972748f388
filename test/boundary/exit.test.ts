// The process ends properly while native tasks run: at the end of its code, by process.exit, by an
// uncaught error, by a signal. No crash, no hang, and the expected exit code.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { addonPath } from '../../lib/binding.js';

const root = join(fileURLToPath(import.meta.url), '../../..');
const start = `
  const binding = require(${JSON.stringify(addonPath)});
  const rows = new Float32Array(40000 * 128).fill(0.5);
  const tasks = Array.from({ length: 6 }, () => binding.innerProduct(new Float32Array(64 * 128).fill(1), rows, 128));
`;

interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
}

function run(
  code: string,
  whileRunning?: (child: ReturnType<typeof spawn>) => void,
): Promise<Ending> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['-e', start + code], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += String(chunk);
        if (output.includes('ready')) whileRunning?.(child);
      });
    }
    child.on('close', (exitCode, signal) => resolve({ code: exitCode, signal, output }));
  });
}

describe('the end of the process', () => {
  it('waits for tasks that nothing interrupts', async () => {
    const ending = await run(
      `Promise.all(tasks).then((all) => console.log(all.length, all[5][7]));`,
    );
    assert.deepEqual([ending.code, ending.output.trim()], [0, '6 64']);
  });

  it('comes at once by process.exit, with its code', async () => {
    for (const code of [0, 3])
      assert.deepEqual(await run(`setTimeout(() => process.exit(${code}), ${code});`), {
        code,
        signal: null,
        output: '',
      });
  });

  it('comes by an uncaught error, with code 1 and the error', async () => {
    const ending = await run(`throw new Error('on purpose');`);
    assert.equal(ending.code, 1);
    assert.match(ending.output, /on purpose/);
  });

  it('comes by a rejection that nobody handles, with its code', async () => {
    const ending = await run(
      `const stop = new binding.Cancellation(); stop.cancel(); binding.topK(new Float32Array(1), 1, stop);`,
    );
    assert.equal(ending.code, 1);
    assert.match(ending.output, /ERR_ABORTED|aborted/);
  });

  it('comes by a signal', async () => {
    const ending = await run(`console.log('ready');`, (child) => child.kill('SIGTERM'));
    assert.equal(ending.signal, 'SIGTERM');
  });
});
