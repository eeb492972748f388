// Corpora that requests create and drop in the folder of a server: names, states, what else lies
// there, and many requests at a time.
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Corpus } from '../../../../lib/index.js';
import { asof } from '../../../../test/cli/spawn.js';
import { failsWith } from '../../../../test/failsWith.js';
import { corpusServer, type CorpusServerOptions } from '../../lib/index.js';
import { ministers, start, type Answer, type Started } from './started.js';

const corpora = '/v1/corpora';
const question = { question: 'Who was UK prime minister as of 6 May 2021?' };
const at = (name: string): string => `${corpora}/${encodeURIComponent(name)}`;

describe('a server with a folder of corpora', function () {
  this.timeout(120_000);
  let home: string;
  let path: string;
  let started: Started;
  const restart = async (options: Partial<CorpusServerOptions> = {}): Promise<void> => {
    await started?.stop();
    started = await start({ write: true, folder: { path }, ...options });
  };
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'asof-folder-'));
    path = join(home, 'corpora');
    await restart();
  });
  afterEach(async () => {
    await started.stop();
    rmSync(home, { recursive: true, force: true });
  });
  const create = (name: unknown, more: object = {}): Promise<Answer> =>
    started.call('POST', corpora, { name, ...more });
  const drop = (name: string): Promise<Answer> => started.call('DELETE', at(name));
  const names = async (): Promise<string[]> => {
    const { json } = await started.call('GET', corpora);
    return (json['corpora'] as { name: string }[]).map(({ name }) => name).sort();
  };

  it('creates a corpus, which takes passages and answers, and drops it', async () => {
    const { call } = started;
    const made = await create('wiki', {
      fields: { tenant: 'keyword' },
      time_zone: 'Europe/London',
      history: true,
      sentences: false,
      storage: 'int8',
    });
    assert.equal(made.status, 201);
    assert.deepEqual(made.json, (await call('GET', at('wiki'))).json);
    const { name, fields, time_zone: zone, passages, storage, history, sentenceRows } = made.json;
    assert.deepEqual(
      { name, fields, zone, passages, storage, sentenceRows },
      {
        name: 'wiki',
        fields: { tenant: 'keyword' },
        zone: 'Europe/London',
        passages: 0,
        storage: 'int8',
        sentenceRows: false,
      },
    );
    assert.ok(history);
    assert.ok(!made.text.includes(home), 'names a path of the machine');
    assert.deepEqual(await names(), ['pm', 'wiki']);
    const { json } = await call('GET', corpora);
    assert.deepEqual(
      (json['corpora'] as { droppable?: boolean }[]).map(({ droppable }) => droppable),
      [undefined, true],
    );
    const sent = ministers.map(({ publishedAt, ...each }) => ({
      ...each,
      published_at: publishedAt,
    }));
    assert.equal((await call('POST', `${at('wiki')}/passages`, { passages: sent })).status, 200);
    const { json: answered } = await call('POST', `${at('wiki')}/ask`, question);
    assert.equal(answered['answer'], 'Boris Johnson');
    assert.deepEqual(readdirSync(path), ['wiki.asof']);
    assert.deepEqual((await drop('wiki')).json, { dropped: 'wiki' });
    assert.deepEqual(readdirSync(path), []);
    assert.equal((await drop('wiki')).status, 404);
    assert.equal((await call('POST', `${at('wiki')}/ask`, question)).status, 404);
    assert.doesNotMatch((await call('GET', '/metrics')).text, /wiki/);
    assert.equal((await create('wiki', { fields: { tenant: 'number' } })).status, 201);
  });

  it('takes no name that leads out of the folder, or that some systems do not have', async () => {
    const before = readdirSync(home);
    for (const name of [
      '',
      '.',
      '..',
      '../x',
      '..\\x',
      'a/b',
      'a/../../x',
      '/x/y',
      'c:x',
      '.x',
      'x.asof',
      'Wiki',
      'wiki ',
      'wiki\n',
      'w\0iki',
      'wíki',
      '-x',
      '_x',
      'nul',
      'com1',
      'x'.repeat(65),
      7,
      null,
      ['a'],
    ]) {
      const { status, json } = await create(name);
      assert.equal(status, 400, JSON.stringify(name));
      assert.match(json['error'].message, /^Expected name to be/, JSON.stringify(name));
    }
    for (const name of ['..', '../x', '%2e%2e', 'pm/..', '.', 'wiki\0'])
      assert.ok([400, 403, 404, 405].includes((await drop(name)).status), name);
    assert.deepEqual(readdirSync(home), before);
    assert.deepEqual(readdirSync(path), []);
    assert.equal((await create('x'.repeat(64))).status, 201);
  });

  it('refuses what is no description of a corpus, and creates nothing of it', async () => {
    for (const [more, message] of [
      [{ fields: { a: 'text' } }, /fields\.a to be one of keyword/],
      [{ fields: { and: 'keyword' } }, /name of a field/],
      [{ fields: ['a'] }, /fields/],
      [{ time_zone: 'Mars' }, /zone/],
      [{ history: 'yes' }, /history/],
      [{ storage: 'int2' }, /storage to be one of int4/],
      [{ encoder: 'x' }, /"encoder"/],
      [{ path: 'x' }, /"path"/],
      [{ create: false }, /"create"/],
    ] as const) {
      const { status, json } = await create('wiki', more);
      assert.equal(status, 400, JSON.stringify(more));
      assert.match(json['error'].message, message);
    }
    assert.deepEqual(readdirSync(path), []);
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (name, fields) => {
        const { status } = await started.call('POST', corpora, { name, fields });
        assert.ok(status < 500, String(status));
      }),
      { numRuns: 100 },
    );
    assert.deepEqual(readdirSync(home), ['corpora']);
  });

  it('leaves alone what it was given, and writes where it may alone', async () => {
    assert.equal((await create('pm')).status, 409);
    const elsewhere = await drop('pm');
    assert.equal(elsewhere.status, 403);
    assert.match(elsewhere.json['error'].message, /lies elsewhere/);
    await create('wiki');
    await restart({ write: false });
    assert.deepEqual(await names(), ['pm', 'wiki']);
    assert.deepEqual([(await create('new')).status, (await drop('wiki')).status], [403, 403]);
    await restart({ folder: undefined });
    const without = await create('new');
    assert.equal(without.status, 403);
    assert.match(without.json['error'].message, /--folder DIR/);
    assert.equal((await drop('pm')).status, 403);
    await restart({ token: 'a-token-of-this-test' });
    const bare = await fetch(started.url + at('wiki'), { method: 'DELETE' });
    assert.equal(bare.status, 401);
    assert.equal((await drop('wiki')).status, 200);
  });

  it('creates no more than its limit', async () => {
    await restart({ limits: { corpora: 3 } });
    const made = await Promise.all(['a', 'b', 'c', 'd'].map((name) => create(name)));
    assert.deepEqual(made.map(({ status }) => status).sort(), [201, 201, 409, 409]);
    const { json } = made.find(({ status }) => status === 409)!;
    assert.match(json['error'].message, /at most 3 corpora/);
    assert.match((await started.call('GET', '/metrics')).text, /limit="corpora"\} 2/);
    assert.equal((await started.call('GET', '/v1/info')).json['limits'].corpora, 3);
    assert.equal(readdirSync(path).length, 2);
  });

  it('serves after a start what was created before, and removes what is dropped', async () => {
    await create('wiki');
    await create('constructor');
    await started.call('POST', `${at('wiki')}/passages`, { passages: [{ id: 'a', text: 'A.' }] });
    mkdirSync(join(path, '.dropped-1', 'segments'), { recursive: true });
    mkdirSync(join(path, '.new-1'));
    mkdirSync(join(path, 'other'));
    writeFileSync(join(path, 'a.asof'), 'a file');
    const outside = join(home, 'outside.asof');
    await (await Corpus.open(outside)).close();
    symlinkSync(outside, join(path, 'link.asof'), 'junction');
    await restart();
    assert.deepEqual(await names(), ['constructor', 'pm', 'wiki']);
    assert.equal((await drop('constructor')).status, 200);
    assert.equal((await started.call('GET', `${at('wiki')}/passages/a`)).status, 200);
    assert.deepEqual(readdirSync(path).sort(), ['a.asof', 'link.asof', 'other', 'wiki.asof']);
    // Names of files and links are taken.
    assert.deepEqual([(await create('a')).status, (await create('link')).status], [409, 409]);
    assert.equal((await drop('link')).status, 404);
    assert.ok(existsSync(join(outside, 'manifest')));
    await assert.rejects(
      corpusServer({ corpora: { wiki: started.corpus }, folder: { path } }),
      failsWith('ERR_INVALID_ARGUMENT', /other names than those of the folder/),
    );
  });

  it('never takes a corpus of others for a new one', async () => {
    await using other = await Corpus.open(join(path, 'wiki.asof'));
    await other.add([{ id: 'a', text: 'A.' }]);
    assert.equal((await create('wiki')).status, 409);
    assert.equal(other.has('a'), true);
    assert.deepEqual(readdirSync(path), ['wiki.asof']);
  });

  it('drops a corpus that others read, write, or have removed', async () => {
    await create('wiki');
    const other = await Corpus.open(join(path, 'wiki.asof'));
    await other.add(ministers.map(({ metadata: _, ...each }) => each));
    assert.equal((await drop('wiki')).status, 200);
    await other.add([{ id: 'x', text: 'X.' }]).catch(() => undefined);
    await other.close();
    await create('gone');
    rmSync(join(path, 'gone.asof'), { recursive: true });
    assert.equal((await drop('gone')).status, 200);
    assert.deepEqual(await names(), ['pm']);
  });

  it('ends what reads a corpus that is dropped, or lets it end', async () => {
    await create('wiki');
    const passages = Array.from({ length: 3000 }, (_, n) => `{"id":"${n}","text":"Event ${n}."}`);
    const lines = { 'content-type': 'application/x-ndjson' };
    const body = passages.join('\n');
    await started.call('POST', `${at('wiki')}/passages`, body, lines);
    const running = [
      ...Array.from({ length: 12 }, () => started.call('POST', `${at('wiki')}/ask`, question)),
      started.call('GET', `${at('wiki')}/passages?limit=1000`),
      started.call('POST', `${at('wiki')}/passages`, body.replaceAll('Event', 'Feast'), lines),
    ];
    await started.call('POST', `${at('wiki')}/search`, question);
    assert.equal((await drop('wiki')).status, 200);
    for (const { status } of await Promise.all(running))
      assert.ok([200, 404, 503].includes(status), String(status));
    assert.deepEqual(readdirSync(path), []);
    assert.equal((await started.call('GET', '/metrics')).status, 200);
  });

  it('gives a name to one of many requests at a time', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => create('wiki')));
    assert.deepEqual(made.map(({ status }) => status).sort(), [
      201,
      ...Array.from({ length: 7 }, () => 409),
    ]);
    const dropped = await Promise.all(Array.from({ length: 8 }, () => drop('wiki')));
    assert.equal(dropped.filter(({ status }) => status === 200).length, 1);
    for (const { status } of dropped) assert.ok([200, 404, 409].includes(status), String(status));
    const mixed = await Promise.all(
      Array.from({ length: 60 }, (_, n) => [create, drop][n % 2]!(`c${n % 3}`)),
    );
    for (const { status } of mixed)
      assert.ok([200, 201, 404, 409].includes(status), String(status));
    const listed = (await names()).filter((name) => name !== 'pm');
    assert.deepEqual(
      readdirSync(path).sort(),
      listed.map((name) => `${name}.asof`),
    );
  });

  it('closes while corpora are created, and leaves whole ones', async () => {
    const making = ['a', 'b', 'c'].map((name) => create(name).catch(() => undefined));
    await new Promise(setImmediate);
    await started.server.close();
    await Promise.all(making);
    await restart();
    const listed = (await names()).filter((name) => name !== 'pm');
    const folders = readdirSync(path).filter((name) => !name.startsWith('.new-'));
    assert.deepEqual(
      folders.sort(),
      listed.map((name) => `${name}.asof`),
    );
  });

  it('is one with a folder alone, whose options are checked', async () => {
    await using server = await corpusServer({ folder: { path } });
    const { url } = await server.listen({ port: 0 });
    const asked = await fetch(`${url}${at('wiki')}`);
    assert.equal(asked.status, 404);
    const { error } = (await asked.json()) as { error: { message: string } };
    assert.match(error.message, /which has none yet/);
    const none = join(home, 'none');
    for (const [options, message] of [
      [{}, /corpora/],
      [{ corpora: {}, folder: { path } }, /corpora/],
      [{ folder: path }, /folder to be an object/],
      [{ folder: {} }, /folder\.path/],
      [{ folder: { path, create: true } }, /"create"/],
    ] as const)
      await assert.rejects(
        corpusServer(options as never),
        failsWith('ERR_INVALID_ARGUMENT', message),
      );
    await assert.rejects(
      corpusServer({ folder: { path: none } }),
      failsWith('ERR_STORAGE', /read the folder [^]*ENOENT/),
    );
  });
});

describe('asof serve --folder', function () {
  this.timeout(60_000);
  it('needs a folder or corpora', async () => {
    const { code, stderr } = await asof(['serve']);
    assert.equal(code, 2);
    assert.match(stderr, /asof serve needs DIR or --folder\./);
  });
});
