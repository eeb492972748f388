// asof mcp on standard input and output, as clients start it: a process of its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import { asof, commandLine } from '../../../../test/cli/spawn.js';
import { shippedEnvironment } from '../../../../test/selectAddon.js';
import { call, eras, newClient, root, spawned, withMinisters } from './clients.js';
import { assertEach } from '../../../../test/assertEach.js';

const question = 'Who was prime minister of the UK?';
const first = ({ structured }: { structured: Record<string, unknown> }): string =>
  (structured['evidence'] as { id: string }[])[0]!.id;

describe('asof mcp on standard input', function () {
  this.timeout(60_000);
  let folder: string;
  withMinisters((made) => (folder = made));

  for (const [era, mode] of Object.entries(eras)) {
    it(`answers a client of the protocol of ${era}`, async () => {
      const client = newClient(mode);
      await client.connect(spawned(folder));
      const { tools } = await client.listTools();
      assertEach(tools, ({ name }) => name, ['search', 'timeline', 'read_time', 'get', 'list']);
      assert.match(client.getInstructions()!, /holds 3 dated passages/);
      assert.equal(first(await call(client, 'search', { question, as_of: '2018' })), 'may');
      const unfit = await call(client, 'search', { question, k: 'two' });
      assert.match(unfit.text, /^Expected k to be a whole number/);
      await assert.rejects(call(client, 'add', { passages: [] }), /add not found/);
      await client.close();
    });
  }

  it('sees what other processes add, two servers and the command line alike', async () => {
    const [writer, reader] = [newClient(), newClient()];
    await Promise.all([
      writer.connect(spawned(folder, ['--write'])),
      reader.connect(spawned(folder, ['--system', 'bm25,hybrid'])),
    ]);
    const passages = [{ id: 'mill', text: 'The mill at Varn burned on 4 May 1971.' }];
    const added = await call(writer, 'add', { passages });
    assert.deepEqual(added.structured, { added: 1, replaced: 0, unchanged: 0 });
    const asked = { question: 'When did the mill at Varn burn?' };
    assert.equal(first(await call(reader, 'search', asked)), 'mill');
    const { code } = await asof(['delete', folder, 'mill']);
    assert.equal(code, 0);
    const [one, two] = await Promise.all([
      call(reader, 'search', { question, as_of: '2021' }),
      call(writer, 'search', { question, as_of: '2017' }),
    ]);
    assert.deepEqual([first(one), first(two)], ['johnson', 'may']);
    assert.doesNotMatch(JSON.stringify(one.structured), /mill/);
    await Promise.all([writer.close(), reader.close()]);
  });

  it('goes on after calls that are cancelled, and after any line', async () => {
    const client = newClient();
    const transport = spawned(folder);
    await client.connect(transport);
    for (let i = 0; i < 5; i += 1) {
      const controller = new AbortController();
      const asked = call(client, 'search', { question }, { signal: controller.signal });
      controller.abort();
      await assert.rejects(asked);
    }
    const { pid } = transport;
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const message = { jsonrpc: '2.0', method: 'tools/call', params: value } as const;
        await transport.send(message as never);
      }),
      { numRuns: 50 },
    );
    assert.equal(first(await call(client, 'search', { question, as_of: '2021' })), 'johnson');
    assert.equal(transport.pid, pid);
    await client.close();
  });

  /** A bare process, which gets one request: what it prints, and how it ends. */
  async function served(end: (child: ReturnType<typeof spawn>) => void) {
    const child = spawn(process.execPath, [...commandLine, 'mcp', folder], {
      cwd: root,
      env: shippedEnvironment(),
    });
    let printed = '';
    const initialize = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize };
    const exit = once(child, 'exit');
    child.stdin.write(`no JSON\n${JSON.stringify(request)}\n`);
    child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    while (!printed.includes('\n')) await once(child.stdout, 'data');
    end(child);
    const [code] = (await exit) as [number | null];
    return { code, lines: printed.trimEnd().split('\n') };
  }

  for (const [how, end] of [
    ['its input ends', (child: ReturnType<typeof spawn>) => child.stdin!.end()],
    ['SIGTERM comes', (child: ReturnType<typeof spawn>) => child.kill('SIGTERM')],
    ['SIGINT comes', (child: ReturnType<typeof spawn>) => child.kill('SIGINT')],
  ] as const) {
    it(`prints the protocol alone, and ends with 0 when ${how}`, async function () {
      if (process.platform === 'win32' && how.startsWith('SIG')) this.skip(); // has no signals
      const { code, lines } = await served(end);
      assert.equal(code, 0);
      assertEach(lines, (line) => (JSON.parse(line) as { id: number }).id, [1]);
    });
  }

  it('ends when a message is longer than it takes', async () => {
    const child = spawn(process.execPath, [...commandLine, 'mcp', folder], {
      cwd: root,
      env: shippedEnvironment(),
    });
    const exit = once(child, 'exit');
    child.stdin.on('error', () => undefined); // it reads no more
    child.stdin.write('x'.repeat(11 << 20));
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    assert.equal(((await exit) as [number])[0], 0);
    assert.match(said, /exceeded maximum size/);
  });

  it('says how to install the SDK where there is none', async () => {
    const hook = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
    const resolve =
      "export const resolve = (name, context, next) => { if (name.startsWith('@modelcontext')) " +
      "throw Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' }); " +
      'return next(name, context); }';
    const register = `import { register } from 'node:module'; register(${JSON.stringify(hook(resolve))});`;
    const NODE_OPTIONS = `--import=${hook(register)}`;
    const { code, stdout, stderr } = await asof(['mcp', folder], { env: { NODE_OPTIONS } });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /it is not installed\. Install it next to asof: npm install @model/);
  });

  it('refuses what it cannot serve before it answers', async () => {
    const none = await asof(['mcp', `${folder}.none`]);
    assert.deepEqual([none.code, none.stdout], [1, '']);
    const unknown = await asof(['mcp', folder, '--system', 'best']);
    assert.match(unknown.stderr, /Expected system to be one of /);
    const stray = await asof(['mcp', folder, '--port', '80']);
    assert.deepEqual([stray.code, stray.stdout], [2, '']);
    assert.match(stray.stderr, /--port is an option of --http/);
  });
});
