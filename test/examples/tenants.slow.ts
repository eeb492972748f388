// The service of examples/tenants.ts as a process: two tenants write and ask while it is ended and
// killed, and started again. What was acknowledged is there, and nobody sees another's passages.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Passage } from '../../lib/records.js';
import { temporaryFolder } from '../store/fixtures.js';
import { assertEach } from '../assertEach.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tenants = ['north', 'a/b'] as const;

interface Page {
  passages: { id: string; text: string; metadata: { tenant: string } }[];
  next?: string;
}
interface Answered {
  evidence: { id: string; metadata: { tenant: string } }[];
  answer?: { text: string };
}

describe('a service of two tenants', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let service: { child: ChildProcess; base: string };

  async function start(): Promise<void> {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', join('examples', 'tenants.ts'), folder.path('corpus')],
      {
        cwd: root,
        env: { ...process.env, TSX_TSCONFIG_PATH: 'tsconfig.test.json' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    service = { child, base: `http://127.0.0.1:${/\d+/.exec(line.toString())![0]}` };
  }

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const { child } = service;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const ended = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    return (await ended)[0];
  }

  before(start);
  after(() => end('SIGKILL'));

  async function call<Body>(
    tenant: string,
    path: string,
    init: { method?: string; passages?: Passage[] } = {},
  ): Promise<{ status: number; body: Body }> {
    const { method = 'GET', passages } = init;
    const response = await fetch(`${service.base}/${encodeURIComponent(tenant)}${path}`, {
      method,
      signal: AbortSignal.timeout(20_000),
      ...(passages
        ? { body: JSON.stringify(passages), headers: { 'content-type': 'application/json' } }
        : {}),
    });
    return { status: response.status, body: (await response.json()) as Body };
  }

  async function listed(tenant: string): Promise<Map<string, string>> {
    const all = new Map<string, string>();
    for (let after: string | undefined; ; ) {
      const query = after === undefined ? '' : `?after=${after}`;
      const { body } = await call<Page>(tenant, `/passages${query}`);
      for (const { id, text, metadata } of body.passages) {
        assert.equal(metadata.tenant, tenant);
        all.set(id.slice(id.indexOf('/') + 1), text);
      }
      after = body.next;
      if (after === undefined) return all;
    }
  }

  const mayor = (tenant: string, n: number): Passage => ({
    id: `p${n}`,
    text: `In ${1900 + n} the mayor of Varn was Anna ${tenant === 'north' ? 'Norde' : 'Abbe'}.`,
    publishedAt: `${1900 + n}-12-01`,
  });

  it('answers each from its own passages, as of a time', async () => {
    for (const tenant of tenants)
      await call(tenant, '/passages', { method: 'PUT', passages: [mayor(tenant, 50)] });
    for (const [tenant, name] of [
      ['north', 'Anna Norde'],
      ['a/b', 'Anna Abbe'],
    ] as const) {
      const query = '/ask?q=Who was mayor of Varn in 1950?';
      const { body } = await call<Answered>(tenant, `${query}&at=1960-01-01`);
      assertEach(body.evidence, ({ metadata }) => metadata.tenant, [tenant]);
      assert.equal(body.answer?.text, name);
      const earlier = await call<Answered>(tenant, `${query}&at=1940-01-01`);
      assert.deepEqual(earlier.body.evidence, []);
    }
    assert.equal((await call('north', '/ask?q=Who?&at=someday')).status, 400);
    assert.equal(
      (await call('north', '/passages', { method: 'PUT', passages: [{} as never] })).status,
      400,
    );
  });

  it('keeps what it acknowledged when it is ended or killed under load', async () => {
    const acknowledged = new Map(tenants.map((tenant) => [tenant, new Map<string, string>()]));
    for (const tenant of tenants) acknowledged.set(tenant, await listed(tenant));
    let isRunning = true;
    const load = async (tenant: (typeof tenants)[number]): Promise<void> => {
      const known = acknowledged.get(tenant)!;
      for (let n = 1; isRunning; n += 1) {
        const passage = mayor(tenant, n % 90);
        try {
          if (n % 7 === 0) {
            const id = `p${(n - 3) % 90}`;
            const { status } = await call(tenant, `/passages/${id}`, { method: 'DELETE' });
            if (status === 200) known.delete(id);
          } else {
            const { status } = await call(tenant, '/passages', {
              method: 'PUT',
              passages: [passage],
            });
            if (status === 200) known.set(passage.id, passage.text);
          }
          await call(tenant, `/ask?q=Who was mayor of Varn in ${1900 + (n % 90)}?`);
        } catch {
          known.delete(passage.id); // it may be stored or not
          known.delete(`p${(n - 3) % 90}`);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    };
    for (const signal of ['SIGTERM', 'SIGKILL', 'SIGKILL', 'SIGTERM'] as const) {
      isRunning = true;
      const loads = tenants.map(load);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      const code = await end(signal);
      if (signal === 'SIGTERM') assert.equal(code, 0, 'an orderly end');
      isRunning = false;
      await Promise.all(loads);
      await start();
      for (const tenant of tenants) {
        const there = await listed(tenant);
        for (const [id, text] of acknowledged.get(tenant)!)
          assert.equal(there.get(id), text, `${tenant} ${id} after ${signal}`);
      }
    }
    assert.ok([...acknowledged.values()].every(({ size }) => size > 0));
  });

  it('deletes one tenant and leaves the other', async () => {
    const others = await listed('a/b');
    await call('north', '', { method: 'DELETE' });
    assert.equal((await listed('north')).size, 0);
    assert.deepEqual(await listed('a/b'), others);
  });
});
