// What connecting says when it fails: no user and no password in any part of an error, and how to
// get the client where it is absent.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { AsOfError } from '../../../lib/errors.js';
import { PostgresCorpus } from '../lib/index.js';
import { skipWithoutPostgres } from './binaries.js';
import { PostgresServers } from './servers.js';

/** All that a program can print of an error. */
function shown(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const names = Object.getOwnPropertyNames(error);
  return names.map((name) => shown((error as Record<string, unknown>)[name])).join('\n');
}

describe('an error of connecting to PostgreSQL', function () {
  this.timeout(60_000);
  let servers: PostgresServers;
  before(async function () {
    skipWithoutPostgres(this);
    servers = await PostgresServers.start();
  });
  after(() => servers?.stop());

  it('has neither the user nor the password in it', async () => {
    const real = new URL(servers.urls[0]!);
    const secret = fc.stringMatching(/^Q[A-Za-z0-9 :/@%"'\\?#]{6,12}Z$/);
    const change = fc.constantFrom<(url: URL) => void>(
      (url) => (url.username = real.username), // with another password
      () => {}, // another user
      (url) => Object.assign(url, { username: real.username, password: real.password }),
      (url) => (url.pathname = '/absent'),
      (url) => (url.pathname = ''),
      (url) => (url.password = ''),
      (url) => (url.hostname = 'absent.invalid'),
      (url) => (url.port = '1'),
      (url) => url.searchParams.set('sslmode', 'require'),
      (url) => url.searchParams.set('sslrootcert', 'absent.pem'),
      (url) => url.searchParams.set('sslmode', 'of no kind'),
    );
    await fc.assert(
      fc.asyncProperty(
        secret,
        secret,
        fc.array(change, { maxLength: 3 }),
        async (user, password, changes) => {
          const url = new URL(real);
          Object.assign(url, {
            username: encodeURIComponent(user),
            password: encodeURIComponent(password),
          });
          for (const each of changes) each(url);
          const { username, password: used } = url;
          if (username === real.username && used === real.password) url.pathname = '/absent';
          const error = await PostgresCorpus.connect({ shards: [url.href] }).then(
            async (corpus) => corpus.close(),
            (fault: unknown) => fault,
          );
          assert.ok(AsOfError.is(error), String(error));
          assert.ok(['ERR_STORAGE', 'ERR_INVALID_ARGUMENT'].includes(error.code), error.code);
          const all = shown(error);
          for (const text of [user, password, real.password])
            for (const form of [text, encodeURIComponent(text)])
              assert.ok(!all.includes(form), `${form} in ${all}`);
          assert.doesNotMatch(all, /(?:user|role) "/);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('repeats no URL that cannot be read', async () => {
    for (const url of ['postgres://u:QsecretZ@host:port/db', 'postgres://u:QsecretZ%ff@host/db'])
      await assert.rejects(PostgresCorpus.connect({ shards: [url] }), (error: unknown) => {
        assert.ok(AsOfError.is(error) && error.code === 'ERR_INVALID_ARGUMENT');
        assert.doesNotMatch(shown(error), /Qsecret/);
        return true;
      });
  });
});

describe('@asof/postgres without the package pg', () => {
  it('is imported, and says how to install it once it connects', async () => {
    const entry = join(import.meta.dirname, '../lib/index.ts');
    const hook = `export const resolve = (name, context, next) => {
      if (name !== 'pg') return next(name, context);
      throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
    };`;
    const script = `
      import { register } from 'node:module';
      register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)});
      const { PostgresCorpus } = await import(${JSON.stringify(entry)});
      await PostgresCorpus.connect({ shards: ['postgres://127.0.0.1:1/none'] }).catch((error) =>
        console.log(error.code, error.message));`;
    const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    assert.match(
      stdout,
      /^ERR_NATIVE_UNAVAILABLE Expected pg to reach PostgreSQL, it is not installed\. .*npm install pg@8/,
    );
  });
});
