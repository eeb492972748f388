// docs/guide/agents.md: its configuration starts a server with the tools that it lists.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { commandLine } from '../../../../test/cli/spawn.js';
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
    assert.deepEqual(
      [...shown.keys()],
      [...tools.map(({ name }) => name), 'add', 'update', 'delete', 'alter_fields'],
    );
    for (const { name, inputSchema } of tools)
      assert.deepEqual(
        [...shown.get(name)!.matchAll(/`(\w+)`/g)].map(([, argument]) => argument),
        Object.keys(inputSchema.properties!),
      );
    await client.close();
  });
});
