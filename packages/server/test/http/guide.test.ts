// The console sessions of docs/guide/server.md against the real command line, with curl: each line
// of JSON that is shown is part of the line that is printed.
import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asof, commandLine } from '../../../../test/cli/spawn.js';
import { shippedEnvironment } from '../../../../test/selectAddon.js';
import { linesOf } from './started.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';

const root = join(import.meta.dirname, '../../../..');
const page = readFileSync(join(root, 'docs/guide/server.md'), 'utf8');
const steps = [...page.matchAll(/```console\n([^]*?)```/g)].flatMap(([, session]) =>
  session!
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command, ...shown] = step.trimEnd().split('\n');
      return { command: command!, shown };
    }),
);
const passages = [
  '{"id":"may","text":"Theresa May became prime minister of the UK on 13 July 2016."}',
  '{"id":"johnson","text":"Boris Johnson became prime minister of the UK on 24 July 2019."}',
];

/** What is shown is there, whatever else there is. */
function assertPart(actual: unknown, shown: unknown, at: string): void {
  if (typeof shown !== 'object' || shown === null) return assert.equal(actual, shown, at);
  if (Array.isArray(shown)) assert.equal((actual as unknown[]).length, shown.length, at);
  for (const [name, value] of Object.entries(shown))
    assertPart((actual as Record<string, unknown>)[name], value, `${at}.${name}`);
}

describe('the guide of the server', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let child: ChildProcess | undefined;
  let url = '';
  before(() => {
    writeFileSync(folder.path('ministers.jsonl'), passages.join('\n'));
    const more = '{"id":"truss","text":"Liz Truss led from 6 September 2022."}\n{"id":"none"}\n';
    writeFileSync(folder.path('more.jsonl'), more);
  });
  after(() => stop());

  async function stop(): Promise<void> {
    child?.kill('SIGTERM');
    if (child) await once(child, 'exit');
  }

  async function serve(args: readonly string[], shown: string): Promise<void> {
    await stop();
    child = spawn(process.execPath, [...commandLine, ...args, '--port', '0'], {
      cwd: root,
      env: { ...shippedEnvironment(), ASOF_TOKEN: '' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(child.stdout!, 'data')) as [Buffer];
    [url = ''] = line.toString().split(' ');
    const printed = line.toString().trim().replace(folder.path('/'), '');
    assert.equal(printed, shown.replace('http://127.0.0.1:8080', url));
  }

  assert.ok(steps.length > 8);
  for (const { command, shown } of steps)
    it(`shows: ${command.slice(0, 80)}`, async () => {
      if (command.startsWith('asof ')) {
        const args = command
          .split(' ')
          .slice(1)
          .map((each) => (/^ministers\.|^corpora$/.test(each) ? folder.path(each) : each));
        if (args[0] === 'serve') return serve(args, shown[0]!);
        return assert.equal((await asof(args)).code, 0);
      }
      assert.match(command, /^curl /);
      const own = command.replaceAll('http://127.0.0.1:8080', url);
      const printed = execFileSync('sh', ['-c', own], { cwd: folder.path(), encoding: 'utf8' });
      const lines = linesOf(printed);
      assert.equal(lines.length, shown.length, printed);
      for (const [at, each] of shown.entries()) assertPart(lines[at], JSON.parse(each), command);
    });
});
