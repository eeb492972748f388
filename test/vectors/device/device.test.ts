// Reasons for an unavailable device: a missing, invalid or incompatible library, a missing driver
// or device, a full one. No device needed; test/retrieval/onDevice.test.ts covers searches.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addonPath } from '../../../lib/binding.js';
import { Corpus, VectorIndex } from '../../../lib/index.js';
import { devices, type Device } from '../../../lib/models/index.js';
import { spawned } from '../../cli/spawn.js';
import { fails } from '../../store/fixtures.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'asof-device-'));
const missing = join(folder, 'asof_cuda.so');

/** The error of every door to a device while the library at `path` is the one there is. */
async function atEveryDoor(path: string, words: RegExp): Promise<void> {
  process.env['ASOF_CUDA_LIBRARY'] = path;
  const unavailable = fails('ERR_DEVICE_UNAVAILABLE', words);
  const [cpu, cuda, ...others] = await devices();
  assert.deepEqual(
    [cpu!.device, cpu!.available, cuda!.device, others.length],
    ['cpu', true, 'cuda', 0],
  );
  if (!cuda!.available) assert.match(cuda!.reason!, words);
  using index = new VectorIndex({
    dimensions: 2,
    vectors: Float32Array.of(1, 0, 0, 1),
    device: 'cuda',
  });
  await assert.rejects(index.searchBatch(Float32Array.of(1, 1), 1), unavailable);
  await assert.rejects(index.searchBatch(new Float32Array(0), 1), unavailable, 'with no query');
  await assert.rejects(
    index.searchBatch(Float32Array.of(1, 1), 0),
    unavailable,
    'with nothing to find',
  );
  const corpusAt = join(folder, 'corpus.asof');
  const searched = async (): Promise<void> => {
    await using corpus = await Corpus.open(corpusAt, { device: 'cuda' });
    corpus.info();
  };
  if (cuda!.available) await searched();
  else await assert.rejects(searched(), unavailable);
}

describe('an unavailable device', () => {
  before(function () {
    if (process.platform !== 'linux') this.skip(); // the CUDA library is for Linux
  });
  const given = { ...process.env };
  afterEach(() => {
    for (const name of ['ASOF_CUDA_LIBRARY', 'ASOF_FAKE_CUDA']) {
      if (given[name] === undefined) delete process.env[name];
      else process.env[name] = given[name];
    }
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('without the library', () =>
    atEveryDoor(
      missing,
      /^Expected asof's CUDA library at .*asof_cuda\.so, found no such file\. .* omit device\.$/,
    ));

  it('with a file that is no library', async () => {
    const path = join(folder, 'text.so');
    writeFileSync(path, 'no library');
    await atEveryDoor(path, /^Expected asof's CUDA library to load, received: .*text\.so/);
  });

  it('with another library', async () => {
    await atEveryDoor(addonPath, /found no asof_cuda_interface in it/); // the addon itself
  });

  it('with the library of the package next to the addon', () => {
    const addon = join(folder, 'linux-x64', 'prebuilds', 'linux-x64', 'asof.glibc.node');
    const library = join(folder, 'linux-x64-cuda');
    for (const parent of [join(addon, '..'), library]) mkdirSync(parent, { recursive: true });
    copyFileSync(addonPath, addon);
    writeFileSync(join(library, 'asof_cuda.so'), 'no library');
    const code = `require(${JSON.stringify(addon)}).listDevices().then(({ library }) => console.log(library))`;
    const { ASOF_CUDA_LIBRARY: _, ...env } = process.env;
    const found = execFileSync(process.execPath, ['-e', code], { env, encoding: 'utf8' });
    assert.equal(found.trim(), join(library, 'asof_cuda.so'));
  });

  describe('with the library', function () {
    const fake = join(folder, 'fake.so');
    before(function () {
      try {
        const options = ['-std=c++20', '-shared', '-fPIC', '-I', join(root, 'native'), '-o', fake];
        execFileSync(
          process.env['CXX'] ?? 'c++',
          [...options, join(root, 'test/vectors/device/fakeLibrary.cpp')],
          { stdio: 'pipe' },
        );
      } catch (fault) {
        if ((fault as NodeJS.ErrnoException).code !== 'ENOENT') throw fault;
        console.log('      skipped: no C++ compiler to make the stand-in with');
        this.skip();
      }
    });
    const refused = (what: string, words: RegExp) =>
      it(what, async () => {
        process.env['ASOF_FAKE_CUDA'] = what;
        await atEveryDoor(fake, words);
      });

    // A library that was opened once stays open in a process, so that the version comes first.
    refused(
      'other version',
      /^Expected asof's CUDA library of interface \d+ \(\d+ bytes\), received one of \d+ .*another version of asof/,
    );
    refused('no driver', /^Expected an NVIDIA driver, found none\. Use a machine/);
    refused('no device', /^Expected a CUDA device, found none\./);
    refused('busy', /^The device refused to be opened/);
    refused('full', /^Expected room for 16777216 bytes .* omit device\.$/);
  });
});

describe('device', () => {
  const wrong = fails('ERR_INVALID_ARGUMENT', /Expected device to be one of cpu, cuda, received/);

  it('is one of the listed devices', async () => {
    for (const device of ['gpu', 'CUDA', '', 1, null, ['cuda']] as unknown as Device[]) {
      assert.throws(
        () => new VectorIndex({ dimensions: 1, vectors: Float32Array.of(1), device }),
        wrong,
      );
      await assert.rejects(
        Corpus.open(join(folder, 'none.asof'), { device, create: false }),
        wrong,
      );
    }
  });

  it('is the CPU by default', async () => {
    using index = new VectorIndex({ dimensions: 1, vectors: Float32Array.of(1) });
    assert.equal(index.device, 'cpu');
    assert.deepEqual((await index.searchBatch(Float32Array.of(1), 1)).scans, [
      { storage: 'f32', rescored: 0, exact: true, device: 'cpu' },
    ]);
  });

  it('is selected and listed on the command line', async () => {
    const env = { ASOF_CUDA_LIBRARY: missing };
    const [listed, asJson, wrongWord, there] = await Promise.all([
      spawned(['devices'], { env }),
      spawned(['devices', '--json'], { env }),
      spawned(['ask', folder, 'Who?', '--device', 'gpu'], { env }),
      spawned(['ask', folder, 'Who?', '--device', 'cuda'], { env }),
    ]);
    assert.match(listed.stdout, /^cpu .*\ncuda +not available: Expected asof's CUDA library at /);
    const [cpu, cuda] = JSON.parse(asJson.stdout) as [
      Record<string, unknown>,
      Record<string, unknown>,
    ];
    assert.deepEqual(
      [cpu['available'], cuda['available'], typeof cuda['reason']],
      [true, false, 'string'],
    );
    assert.deepEqual([wrongWord.code, there.code], [2, 1]);
    assert.match(wrongWord.stderr, /--device must be one of cpu, cuda, received "gpu"/);
    assert.match(there.stderr, /^asof: Expected asof's CUDA library at .*found no such file/);
  });
});
