// Models of a hub become folders: whole, checked, resumed, kept for use without the network, and
// every fault of hub, network and disk named. On the loopback only: what the real hub does beyond
// its published layout is not seen here.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fetchHubModel } from '../../../lib/models/hub/hub.js';
import type { HubOptions } from '../../../lib/models/hub/options.js';
import { HubDouble } from './hubDouble.js';
import { failsWith } from '../../failsWith.js';
import { temporaryFolder } from '../../store/fixtures.js';

const model = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 31 + (i >> 8)) & 255));
const files = {
  'config.json': '{"model_type":"bert"}',
  'tokenizer.json': '{}',
  '1_Pooling/config.json': '{"pooling_mode":"cls"}',
  'onnx/model.onnx': model,
};
const candidates = ['onnx/model.onnx', 'model.onnx'];

describe('vectors: models of a hub', () => {
  const root = temporaryFolder();
  let hub: HubDouble;
  let cache: string;
  let count = 0;
  const timing = { stallMs: 1000, firstWait: 5 };
  const fetched = (options: Partial<HubOptions> = {}) =>
    fetchHubModel(
      { hub: 'owner/some-model', baseUrl: hub.url, cache, ...options },
      candidates,
      timing,
    );
  const start = async (given: Record<string, Buffer | string> = files): Promise<void> => {
    await hub?.close();
    hub = await HubDouble.open(given);
  };
  const leftovers = (): string[] =>
    existsSync(cache)
      ? readdirSync(cache, { recursive: true })
          .map(String)
          .filter((name) => name.includes('.part'))
      : [];

  beforeEach(async () => {
    cache = root.path(String((count += 1)));
    await start();
  });
  after(() => hub.close());

  it('are complete with their optional files, and then usable offline', async () => {
    const seen: number[] = [];
    const first = await fetched({ onProgress: ({ done, total }) => seen.push(done / total) });
    assert.equal(first.file, 'onnx/model.onnx');
    assert.match(first.path, /hub.127\.0\.0\.1_\d+.owner.some-model.snapshots.1{40}$/);
    for (const [name, content] of Object.entries(files))
      assert.deepEqual(readFileSync(join(first.path, name)), Buffer.from(content), name);
    assert.ok(!existsSync(join(first.path, 'tokenizer_config.json')));
    assert.equal(seen.at(-1), 1);
    assert.ok(
      seen.some((share) => share > 0.05 && share < 0.95),
      'progress is told on the way',
    );
    assert.deepEqual(leftovers(), []);
    const asked = hub.asked.length;
    await hub.close();
    assert.deepEqual(await fetched(), first);
    assert.equal(hub.asked.length, asked);
    await start();
  });

  it('come again where a file of the cache is not as it was', async () => {
    const { path } = await fetched();
    truncateSync(join(path, 'onnx/model.onnx'), 1000);
    await fetched();
    assert.deepEqual(readFileSync(join(path, 'onnx/model.onnx')), model);
    for (const record of readdirSync(join(path, '../../records')))
      writeFileSync(join(path, '../../records', record), '{"format":1');
    hub.asked.length = 0;
    await fetched();
    assert.ok(
      !hub.asked.some(({ url }) => url.startsWith('/far/')),
      'what is whole is asked about, and not sent again',
    );
  });

  it('have files of one commit, even if the branch moves, and may be named by it', async () => {
    hub.fault = (file) => {
      if (file === 'tokenizer.json')
        hub.commits = { ...hub.commits, main: '2222222222222222222222222222222222222222' };
      return undefined;
    };
    assert.match((await fetched()).path, /1{40}$/);
    assert.ok(
      hub.asked
        .slice(1)
        .filter(({ url }) => url.includes('/resolve/'))
        .every(({ url }) => url.includes('/resolve/1111')),
    );
    hub.fault = () => undefined;
    assert.match((await fetched()).path, /1{40}$/, 'main is what was downloaded as main');
    assert.match(
      (await fetched({ revision: '2222222222222222222222222222222222222222' })).path,
      /2{40}$/,
    );
    hub.commits['refs/pr/1'] = '3333333333333333333333333333333333333333';
    assert.match((await fetched({ revision: 'refs/pr/1' })).path, /3{40}$/);
    assert.ok(hub.asked.some(({ url }) => url.includes('/resolve/refs%2Fpr%2F1/config.json')));
  });

  it('have their ONNX file where it is, or where they are told', async () => {
    await start({
      ...files,
      'onnx/model_quantized.onnx': 'another',
      'onnx/model_quantized.onnx_data': model,
      'onnx/model_quantized.onnx_data_1': 'more',
    });
    const told = await fetched({ file: 'onnx/model_quantized.onnx' });
    assert.equal(told.file, 'onnx/model_quantized.onnx');
    assert.deepEqual(readdirSync(join(told.path, 'onnx')).sort(), [
      'model_quantized.onnx',
      'model_quantized.onnx_data',
      'model_quantized.onnx_data_1',
    ]);
    assert.equal((await fetched()).file, 'onnx/model.onnx');
    assert.deepEqual(await fetched({ file: 'onnx/model_quantized.onnx' }), told);
    const { 'onnx/model.onnx': _, ...others } = files;
    cache = root.path(`${count}-flat`);
    await start({ ...others, 'model.onnx': 'flat' });
    assert.equal((await fetched()).file, 'model.onnx');
    cache = root.path(`${count}-none`);
    await start(others);
    await assert.rejects(
      fetched(),
      failsWith('ERR_NOT_FOUND', /onnx\/model\.onnx or model\.onnx.*exported/),
    );
    await start({ README: '' });
    await assert.rejects(fetched(), failsWith('ERR_NOT_FOUND', /to have config\.json/));
  });

  it('come from a server that says nothing of commits and checksums too', async () => {
    hub.manners = false;
    const { path } = await fetched();
    assert.match(path, /snapshots.main$/);
    assert.deepEqual(readFileSync(join(path, 'onnx/model.onnx')), model);
  });

  it('go on where the connection was cut, at once and in another run', async () => {
    let cuts = 2;
    hub.fault = (file) =>
      file === 'onnx/model.onnx' && !hub.asked.at(-1)!.url.includes('/resolve/') && (cuts -= 1) >= 0
        ? { cutAfter: 50_000 }
        : undefined;
    const { path } = await fetched();
    assert.deepEqual(readFileSync(join(path, 'onnx/model.onnx')), model);
    const ranges = hub.asked
      .filter(({ url, range }) => url.startsWith('/far/') && range)
      .map(({ range }) => Number(/\d+/.exec(range!)![0]));
    assert.equal(ranges.length, 2);
    assert.ok(ranges[0]! > 0 && ranges[1]! > ranges[0]!, String(ranges));
    cache = root.path(`${count}-later`);
    hub.fault = (file, range) =>
      file === 'onnx/model.onnx' && !hub.asked.at(-1)!.url.includes('/resolve/')
        ? { cutAfter: range ? 0 : 60_000 }
        : undefined;
    await assert.rejects(
      fetched(),
      failsWith(
        'ERR_DOWNLOAD_FAILED',
        /onnx\/model\.onnx.*(connection|broke|reached).*kept and resumed/,
      ),
    );
    assert.equal(leftovers().length, 1);
    hub.fault = () => undefined;
    hub.asked.length = 0;
    const later = await fetched();
    assert.deepEqual(readFileSync(join(later.path, 'onnx/model.onnx')), model);
    assert.ok(
      hub.asked.some(({ url, range }) => url.startsWith('/far/') && range !== undefined),
      'what was there was not sent again',
    );
    assert.deepEqual(leftovers(), []);
  });

  it('start over where the server does not go on', async () => {
    hub.manners = false;
    let cut = true;
    hub.fault = (file) => {
      const fault = file === 'onnx/model.onnx' && cut ? { cutAfter: 50_000 } : undefined;
      if (fault) cut = false;
      return fault;
    };
    assert.deepEqual(readFileSync(join((await fetched()).path, 'onnx/model.onnx')), model);
  });

  it('are refused where their bytes are not those that the hub names', async () => {
    const wrong = Buffer.from(model).fill(7, 100, 110);
    let times = 0;
    hub.fault = (file) =>
      file === 'onnx/model.onnx' &&
      !hub.asked.at(-1)!.url.includes('/resolve/') &&
      (times += 1) === 1
        ? { body: wrong }
        : undefined;
    assert.deepEqual(
      readFileSync(join((await fetched()).path, 'onnx/model.onnx')),
      model,
      'once may be chance',
    );
    cache = root.path(`${count}-again`);
    hub.fault = (file) =>
      file === 'onnx/model.onnx' && !hub.asked.at(-1)!.url.includes('/resolve/')
        ? { body: wrong }
        : undefined;
    await assert.rejects(fetched(), failsWith('ERR_DOWNLOAD_FAILED', /checksum/));
    assert.deepEqual(leftovers(), []);
    cache = root.path(`${count}-small`);
    hub.fault = (file) => (file === 'config.json' ? { body: '{"model_type":"bort"}' } : undefined);
    await assert.rejects(fetched(), failsWith('ERR_DOWNLOAD_FAILED', /config\.json.*checksum/));
  });

  it('are refused where a web page or a pointer comes instead', async () => {
    hub.fault = (file) =>
      file === 'config.json'
        ? {
            status: 200,
            headers: { 'content-type': 'text/html' },
            body: '<!doctype html><title>Please log in</title>',
          }
        : undefined;
    await assert.rejects(
      fetched(),
      failsWith('ERR_DOWNLOAD_FAILED', /config\.json.*a web page.*proxy/),
    );
    hub.large = Infinity;
    await start({
      ...files,
      'onnx/model.onnx': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n',
    });
    await assert.rejects(fetched(), failsWith('ERR_DOWNLOAD_FAILED', /git-lfs's pointer/));
    await start({ ...files, 'onnx/model.onnx': '' });
    await assert.rejects(fetched(), failsWith('ERR_DOWNLOAD_FAILED', /received nothing/));
  });

  it('that are not there are told apart: the model, the revision, the right to it', async () => {
    await assert.rejects(
      fetched({ hub: 'owner/other-model' }),
      failsWith(
        'ERR_NOT_FOUND',
        /config\.json of owner\/other-model.*404 RepoNotFound.*Check the name/,
      ),
    );
    await assert.rejects(
      fetched({ revision: 'v9' }),
      failsWith('ERR_NOT_FOUND', /owner\/some-model.*revision v9.*branch, tag or commit/),
    );
    hub.token = 'secret-token';
    await assert.rejects(
      fetched({ token: 'wrong-token' }),
      (error: unknown) =>
        failsWith('ERR_NOT_FOUND', /401 GatedRepo.*token of yours/)(error) &&
        !/wrong-token/.test(JSON.stringify(error) + String(error)),
    );
    await fetched({ token: 'secret-token' });
    const far = hub.asked.filter(({ url }) => url.startsWith('/far/'));
    assert.ok(
      far.length > 0 && far.every(({ authorization }) => authorization === undefined),
      'the token goes to the hub alone',
    );
  });

  it('wait for a server at its limit, and not for ever', async () => {
    let times = 0;
    hub.fault = (file) =>
      file === 'config.json' && (times += 1) <= 2
        ? { status: times === 1 ? 429 : 503, headers: { 'retry-after': '0' } }
        : undefined;
    await fetched();
    cache = root.path(`${count}-never`);
    hub.fault = () => ({ status: 503 });
    await assert.rejects(fetched(), failsWith('ERR_DOWNLOAD_FAILED', /it answers 503/));
    hub.fault = (file) => (file === 'tokenizer.json' ? { silentAfter: 0 } : undefined);
    await assert.rejects(
      fetched(),
      failsWith('ERR_DOWNLOAD_FAILED', /tokenizer\.json.*(silent|connection)/),
    );
    hub.fault = () => ({ status: 418 });
    await assert.rejects(fetched(), failsWith('ERR_DOWNLOAD_FAILED', /answers 418/));
    hub.fault = () => ({
      status: 302,
      headers: { location: '/loop/some-model/resolve/main/config.json' },
    });
    await assert.rejects(fetched(), failsWith('ERR_DOWNLOAD_FAILED', /redirects more than/));
  });

  it('wait as long as the server asks, and not where it asks for too long', async () => {
    let times = 0;
    const answered = (): number =>
      hub.asked.filter(({ url }) => url.endsWith('/resolve/main/config.json')).length;
    const moment = new Date(0).toUTCString(); // a date that is past asks for no wait
    hub.fault = (file) =>
      file === 'config.json' && (times += 1) === 1
        ? { status: 429, headers: { 'retry-after': moment } }
        : undefined;
    await fetched();
    assert.equal(answered(), 2);
    cache = root.path(`${count}-later`);
    hub.fault = () => ({ status: 429, headers: { 'retry-after': '7200' } });
    await assert.rejects(
      fetched(),
      failsWith('ERR_DOWNLOAD_FAILED', /it answers 429 and requests a delay of 7200 s/),
    );
    assert.equal(answered(), 3, 'not tried again');
    hub.fault = () => ({ status: 503, headers: { 'retry-after': '50' } });
    const controller = new AbortController();
    const waiting = fetched({ signal: controller.signal });
    while (answered() < 4) await new Promise((resolve) => setTimeout(resolve, 1));
    controller.abort();
    await assert.rejects(waiting, failsWith('ERR_ABORTED', /signal/));
    assert.equal(answered(), 4);
  });

  it('say what is missing where there is no network', async () => {
    const { url } = hub;
    await hub.close();
    await assert.rejects(
      fetched({ baseUrl: url }),
      failsWith('ERR_DOWNLOAD_FAILED', /could not be reached.*ECONNREFUSED.*given as path/),
    );
    await start();
  });

  it('stop at an abort and keep what came', async () => {
    hub.pace = 5;
    const controller = new AbortController();
    const onProgress = ({ done }: { done: number }): void =>
      void (done > 40_000 && controller.abort());
    await assert.rejects(
      fetched({ signal: controller.signal, onProgress }),
      failsWith('ERR_ABORTED', /signal/),
    );
    assert.equal(leftovers().length, 1);
    await assert.rejects(
      fetched({ signal: AbortSignal.abort() }),
      failsWith('ERR_ABORTED', /signal/),
    );
    hub.pace = 0;
    hub.asked.length = 0;
    await fetched();
    assert.ok(hub.asked.some(({ range }) => range !== undefined));
  });

  it('name the folder that cannot be written', async () => {
    mkdirSync(cache);
    writeFileSync(join(cache, 'hub'), 'a file where a folder must be');
    await assert.rejects(
      fetched(),
      failsWith('ERR_STORAGE', /to keep owner\/some-model in .*(ENOTDIR|EEXIST).*as cache/),
    );
  });

  it('are kept where the caller, the environment or the system says', async () => {
    const { ASOF_CACHE: own, XDG_CACHE_HOME: xdg, HF_ENDPOINT: endpoint } = process.env;
    try {
      process.env.XDG_CACHE_HOME = join(cache, 'xdg');
      process.env.HF_ENDPOINT = hub.url;
      const byDefault = () => fetchHubModel({ hub: 'owner/some-model' }, candidates, timing);
      delete process.env.ASOF_CACHE;
      assert.ok((await byDefault()).path.startsWith(join(cache, 'xdg', 'asof', 'hub')));
      process.env.ASOF_CACHE = join(cache, 'own');
      assert.ok((await byDefault()).path.startsWith(join(cache, 'own', 'hub')));
    } finally {
      for (const [name, value] of Object.entries({
        ASOF_CACHE: own,
        XDG_CACHE_HOME: xdg,
        HF_ENDPOINT: endpoint,
      })) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });

  const child = (): ReturnType<typeof spawn> => {
    const module = new URL('../../../lib/models/hub/hub.ts', import.meta.url).href;
    const source = `const { fetchHubModel } = await import(${JSON.stringify(module)});
      let told = false;
      const onProgress = ({ done }) => { if (done > 60000 && !told) { told = true; console.log('on its way'); } };
      const asked = { hub: 'owner/some-model', baseUrl: ${JSON.stringify(hub.url)}, cache: ${JSON.stringify(cache)}, onProgress };
      const found = await fetchHubModel(asked, ${JSON.stringify(candidates)});
      console.log(JSON.stringify(found));`;
    return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  };

  it('may be downloaded by concurrent processes, and resumed after a kill', async () => {
    hub.pace = 20;
    const killed = child();
    await once(killed.stdout!, 'data');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    assert.equal(leftovers().length, 1);
    hub.pace = 1;
    hub.asked.length = 0;
    const several = [child(), child(), child()];
    const codes = await Promise.all(
      several.map(
        async (each) =>
          (
            await once(each.stdout!.resume().on('data', () => undefined) && each, 'exit')
          )[0] as number,
      ),
    );
    assert.deepEqual(codes, [0, 0, 0]);
    assert.ok(
      hub.asked.some(({ range }) => range !== undefined),
      'the bytes of the killed one were used',
    );
    const { path } = await fetched();
    assert.deepEqual(readFileSync(join(path, 'onnx/model.onnx')), model);
    assert.deepEqual(leftovers(), []);
  });

  it('may be downloaded several times at once in one process', async () => {
    const found = await Promise.all([fetched(), fetched(), fetched(), fetched()]);
    for (const each of found) assert.deepEqual(each, found[0]);
    assert.deepEqual(readFileSync(join(found[0].path, 'onnx/model.onnx')), model);
    assert.deepEqual(leftovers(), []);
    assert.equal(readdirSync(join(found[0].path, '../../records')).length, 1);
  });

  it('stay in their folder, whatever the hub calls its commit', async () => {
    hub.commits.main = '..';
    assert.match((await fetched()).path, /snapshots.main$/);
  });

  it('refuse what is no name, revision, file, cache, hub or token', async () => {
    const wrong: [Partial<HubOptions>, RegExp][] = [
      [{ hub: 'name' }, /hub.*owner\/name/],
      [{ hub: '../name' }, /hub/],
      [{ hub: 'owner/na me' }, /hub/],
      [{ revision: '' }, /revision/],
      [{ revision: '../main' }, /revision/],
      [{ file: '../model.onnx' }, /file/],
      [{ file: 'model.bin' }, /file.*\.onnx/],
      [{ cache: '' }, /cache/],
      [{ baseUrl: 'ftp://hub' }, /baseUrl/],
      [{ baseUrl: 'https://me:secret@hub' }, /without user/],
      [{ token: 'a b' }, /token/],
    ];
    for (const [options, pattern] of wrong) {
      await assert.rejects(
        fetched(options),
        (error: unknown) =>
          failsWith('ERR_INVALID_ARGUMENT', pattern)(error) && !/secret/.test(String(error)),
      );
    }
    assert.equal(hub.asked.length, 0);
  });
});
