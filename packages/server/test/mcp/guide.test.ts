// docs/guide/agents.md: its configuration starts a server, and its program prints what it shows.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { commandLine } from '../../../../test/cli/spawn.js';
import { shippedEnvironment } from '../../../../test/selectAddon.js';
import { newClient, root, withMinisters } from './clients.js';

const guide = readFileSync(join(root, 'docs', 'guide', 'agents.md'), 'utf8');
const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(guide)![1]!;

describe('the guide of agents', function () {
  this.timeout(60_000);
  let folder: string;
  withMinisters((made) => (folder = made));

  it('shows a configuration that starts a server', async () => {
    const { mcpServers } = JSON.parse(block('json')) as {
      mcpServers: Record<string, { command: string; args: string[] }>;
    };
    const { command, args } = mcpServers['ministers']!;
    assert.deepEqual([command, args[0], args.at(-1)], ['npx', 'asof', '/data/ministers.asof']);
    const client = newClient();
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [...commandLine, ...args.slice(1, -1), folder],
        cwd: root,
        stderr: 'pipe',
      }),
    );
    const { tools } = await client.listTools();
    const rows = [...guide.matchAll(/^\| `(\w+)` \| (.*?) \| /gm)];
    const shown = new Map(rows.map(([, name, given]) => [name!, given!]));
    assert.deepEqual([...shown.keys()], [...tools.map(({ name }) => name), 'add']);
    for (const { name, inputSchema } of tools)
      assert.deepEqual(
        [...shown.get(name)!.matchAll(/`(\w+)`/g)].map(([, argument]) => argument),
        Object.keys(inputSchema.properties!),
      );
    await client.close();
  });

  it('shows a program that prints what it says', () => {
    const code = block('ts');
    const [, expected] = /console\.log\(.*\); \/\/ (.*)/.exec(code)!;
    // inside the package, so that its own name resolves
    const home = mkdtempSync(join(root, 'build', 'agents-'));
    try {
      writeFileSync(join(home, 'example.mts'), code);
      const printed = execFileSync(process.execPath, ['--import', 'tsx', 'example.mts'], {
        cwd: home,
        encoding: 'utf8',
        env: shippedEnvironment(),
      });
      assert.equal(printed.trim(), expected);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});
