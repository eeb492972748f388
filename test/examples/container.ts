// What examples/docker/Dockerfile says, and its server as a process here: the image itself needs
// Docker, which tests do not have.
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../installs/ports.js';
import { root } from '../publicApi.js';

export const example = join(root, 'examples', 'docker');
const instructions = readFileSync(join(example, 'Dockerfile'), 'utf8')
  .split('\n')
  .filter((line) => /^[A-Z]/.test(line))
  .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const);

/** What follows the instructions of a name, in their order. */
export const said = (name: string): string[] =>
  instructions.filter(([each]) => each === name).map(([, rest]) => rest);

export const token = 'a-token-of-this-container';

/** Runs the server of the image in a folder that has its node_modules, over a folder of corpora. */
export async function runContainer(app: string, data: string): Promise<void> {
  const port = await freePort();
  const here = (text: string): string => text.replaceAll('8080', String(port));
  const [entry, command] = ['ENTRYPOINT', 'CMD'].map(
    (name) => JSON.parse(said(name)[0]!) as string[],
  );
  const [program, ...args] = [...entry!, ...command!].map((each) =>
    each === '/data' ? data : each === '0.0.0.0' ? '127.0.0.1' : here(each),
  );
  const [, check] = / CMD (.*)$/.exec(said('HEALTHCHECK')[0]!)!;
  const health = (): number | null => spawnSync('sh', ['-c', here(check!)], { cwd: app }).status;
  const started = async (): Promise<ChildProcess> => {
    const env = { ...process.env, ASOF_TOKEN: token, NODE_ENV: 'production' };
    const child = spawn(program!, args, { cwd: app, env, stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
    return child;
  };
  const stopped = async (child: ChildProcess): Promise<void> => {
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  };
  const request = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });

  assert.equal(health(), 1);
  let child = await started();
  assert.equal(health(), 0);
  assert.equal((await request('POST', '/v1/corpora', { name: 'notes' })).status, 201);
  const passages = [{ id: 'n1', text: 'The office moved to Varn on 3 May 2021.' }];
  const added = await request('POST', '/v1/corpora/notes/passages', { passages });
  assert.equal(added.status, 200);
  await stopped(child);
  assert.equal(health(), 1);

  child = await started();
  const asked = await request('POST', '/v1/corpora/notes/ask', {
    question: 'Where did the office move in 2021?',
  });
  const { evidence } = (await asked.json()) as { evidence: { id: string }[] };
  assert.equal(evidence[0]!.id, 'n1');
  await stopped(child);
}
