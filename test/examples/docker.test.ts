// The image of examples/docker, as far as it can be checked without Docker: the commands of its
// file run, its parts agree with each other and with this version.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../publicApi.js';
import { example, runContainer, said } from './container.js';
import { temporaryFolder } from '../store/fixtures.js';

const read = (path: string): string => readFileSync(join(example, path), 'utf8');

describe('the container', function () {
  this.timeout(60_000);
  const app = temporaryFolder();
  before(() => {
    mkdirSync(app.path('node_modules', '@asof'), { recursive: true });
    symlinkSync(root, app.path('node_modules', 'asof'), 'junction');
    const server = join(root, 'packages', 'server');
    symlinkSync(server, app.path('node_modules', '@asof', 'server'), 'junction');
  });

  it('is healthy while it serves, ends by SIGTERM, and keeps what it was given', async function () {
    if (process.platform === 'win32') this.skip(); // has no signals, and no sh
    await runContainer(app.path(), app.path('data'));
  });

  it('does not start without a token', function () {
    const [program, ...args] = [...said('ENTRYPOINT'), ...said('CMD')].flatMap(
      (each) => JSON.parse(each) as string[],
    );
    const own = args.map((each) => (each === '/data' ? app.path('data') : each));
    const env = { ...process.env, ASOF_TOKEN: '' };
    const { status, stderr } = spawnSync(program!, own, { cwd: app.path(), env, encoding: 'utf8' });
    assert.equal(status, 2);
    assert.match(stderr, /ASOF_TOKEN/);
  });

  it('has the packages of this version, and no root', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    const { dependencies } = JSON.parse(read('package.json')) as {
      dependencies: Record<string, string>;
    };
    assert.deepEqual(dependencies, { '@asof/server': version, 'asof': version });
    assert.deepEqual(said('USER'), ['node']);
    assert.deepEqual(said('EXPOSE'), ['8080']);
    assert.deepEqual(said('VOLUME'), ['/data']);
    assert.match(said('RUN')[0]!, /^npm install .*--ignore-scripts/);
  });

  it('is composed with the port and the volume of its image', () => {
    const lines = read('compose.yaml')
      .split('\n')
      .map((line) => line.trim());
    assert.ok(lines.includes('- 127.0.0.1:8080:8080'));
    assert.ok(lines.includes('- corpora:/data'));
    assert.ok(lines.some((line) => line.startsWith('ASOF_TOKEN: ${ASOF_TOKEN:?')));
    const [seconds] = /\d+/.exec(lines.find((line) => line.startsWith('stop_grace_period'))!)!;
    assert.ok(Number(seconds) > 10, 'longer than the server waits for what runs');
  });
});
