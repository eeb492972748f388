// The learned temporal extractor that comes with asof, run by the real runtime: goldens, what it
// refuses, states of its thread. How often it is right is bench/quality/time/extractor.ts' to say.
// Skipped where onnxruntime-node is not installed; only its absence is tested there.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { heads, headsWidth } from '../../../lib/models/onnx/timeHeads.js';
import { timeTuples, type TextKind } from '../../../lib/time/timeExtractor.js';
import type { TimeTuple } from '../../../lib/time/tuple.js';
import {
  learnedTimeExtractor,
  type LearnedTimeExtractor,
} from '../../../lib/models/onnx/learnedTimeExtractor.js';
import { readModelFolder } from '../../../lib/models/onnx/modelFolder.js';
import { WorkerClient } from '../../../lib/models/onnx/workerClient.js';
import { runtimeIsInstalled, writeDouble } from './double.js';
import { failsWith } from '../../failsWith.js';
import { temporaryFolder } from '../../store/fixtures.js';

const shipped = fileURLToPath(new URL('../../../models/time-extractor', import.meta.url));
const show = ({ year, month, dayOfMonth }: TimeTuple): string =>
  [year, month, dayOfMonth].filter(Boolean).join('-') || 'none';

describe('vectors: the learned time extractor', () => {
  const root = mkdtempSync(join(tmpdir(), 'asof-extractor-'));
  let extractor: LearnedTimeExtractor;

  before(async function () {
    if (runtimeIsInstalled()) return void (extractor = await learnedTimeExtractor());
    console.log(
      '      onnxruntime-node is not installed: the learned time extractor is not tested',
    );
    this.skip();
  });
  after(async () => {
    await extractor?.close();
    rmSync(root, { recursive: true, force: true });
  });

  const read = async (
    kind: TextKind,
    references: string | undefined,
    ...texts: string[]
  ): Promise<string[]> =>
    (
      await timeTuples(texts, {
        kind,
        extractor,
        ...(references === undefined ? {} : { references }),
      })
    ).map(show);

  it('reads dates in words and figures, months, years and decades', async () => {
    const texts = [
      'Who was the mayor of Tarvo on 5 March 2019?',
      'What was the price of bread in Belmora on 2014-11-30?',
      'How many people were injured in Orvane in May 2021?',
      'Who owned the Lantern Club in 1987?',
      'Who was the keeper of the light in the 1990s?',
    ];
    assert.deepEqual(await read('query', '2026-11-22', ...texts), [
      '2019-3-5',
      '2014-11-30',
      '2021-5',
      '1987',
      '1995',
    ]);
  });

  it('takes the date of what is told before that of its publication', async () => {
    const text =
      'Guidance released on January 3, 2022 promises a low near 37 degrees for Orvane on ' +
      'January 4, 2022.';
    assert.deepEqual(await read('passage', '2022-01-03', text), ['2022-1-4']);
  });

  it('counts relative words from the reference, and knows none without it', async () => {
    const text = 'Rain is expected in Orvane tomorrow.';
    assert.deepEqual(await read('passage', '2023-12-31', text), ['2024-1-1']);
    assert.deepEqual(await read('passage', undefined, text), ['none']);
  });

  it('finds no time where there is none', async () => {
    assert.deepEqual(
      await read('query', '2026-11-22', 'Who wrote Orvane?', 'How far is Orvane from Tarvo?'),
      ['none', 'none'],
    );
  });

  it('takes texts of any kind and length, each on its own whatever shares its batch', async () => {
    const date = 'Who led Orvane in 1987?';
    const odd = [
      '',
      ' \n',
      date,
      '\ud800 in 1987 \udc00',
      '\0',
      date.padEnd(300_000, ' and then'),
      '日本 2021年',
      '1'.repeat(5000),
      '😀'.repeat(4000),
      date,
    ];
    const found = await read('query', '2026-11-22', ...odd);
    assert.equal(found.length, odd.length);
    assert.deepEqual([found[0], found[1], found[2], found[9]], ['none', 'none', '1987', '1987']);
    assert.deepEqual(await read('query', '2026-11-22'), []);
    const many = Array.from(
      { length: 500 },
      (_, at) => `Who led Orvane in ${1900 + (at % 100)}${' or so'.repeat(at % 7)}?`,
    );
    const [together, [alone]] = await Promise.all([
      read('query', '2026-11-22', ...many),
      read('query', '2026-11-22', many[77]!),
    ]);
    assert.equal(together[77], alone);
  });

  it('has its heads where the library reads them', () => {
    const config = JSON.parse(readFileSync(join(shipped, 'config.json'), 'utf8')) as {
      heads: unknown;
    };
    assert.deepEqual(config.heads, heads);
  });

  it('names its weights, and gives one name to one model', async () => {
    assert.match(extractor.id, /^onnx-time-extractor-2x96-[0-9a-f]{16}$/);
    await using again = await learnedTimeExtractor();
    assert.equal(again.id, extractor.id);
  });

  it('refuses what it cannot open or read', async () => {
    await assert.rejects(
      learnedTimeExtractor({ path: join(root, 'none') }),
      failsWith('ERR_NOT_FOUND', /model folder/),
    );
    await assert.rejects(
      learnedTimeExtractor({ path: 7 as never }),
      failsWith('ERR_INVALID_ARGUMENT', /path/),
    );
    await assert.rejects(
      learnedTimeExtractor({ batchSize: 0 }),
      failsWith('ERR_INVALID_ARGUMENT', /batchSize/),
    );
    await assert.rejects(
      learnedTimeExtractor(null as never),
      failsWith('ERR_INVALID_ARGUMENT', /options/),
    );
    const encoder = writeDouble(join(root, 'encoder'));
    await assert.rejects(
      learnedTimeExtractor({ path: encoder }),
      failsWith('ERR_INVALID_INPUT', /logits for a text/),
    );
    await assert.rejects(
      extractor.extract([7 as never], { kind: 'query', references: [undefined] }),
      failsWith('ERR_INVALID_ARGUMENT', /texts/),
    );
    await assert.rejects(
      read('query', 'some day', 'In 1987?'),
      failsWith('ERR_INVALID_ARGUMENT', /reference/),
    );
  });

  it('ends at once when it is aborted or closed', async () => {
    const texts = Array.from({ length: 2000 }, (_, at) => `In ${1000 + at}.`);
    const references = texts.map(() => undefined);
    await assert.rejects(
      learnedTimeExtractor({ signal: AbortSignal.abort() }),
      failsWith('ERR_ABORTED', /abort/i),
    );
    await assert.rejects(
      extractor.extract(texts, { kind: 'passage', references, signal: AbortSignal.abort() }),
      failsWith('ERR_ABORTED', /abort/i),
    );
    const stop = new AbortController();
    const running = extractor.extract(texts, { kind: 'passage', references, signal: stop.signal });
    stop.abort();
    await assert.rejects(running, failsWith('ERR_ABORTED', /abort/i));
    const other = await learnedTimeExtractor();
    const waiting = other.extract(texts, { kind: 'passage', references });
    const closing = other.close();
    await assert.rejects(waiting, failsWith('ERR_CLOSED', /learnedTimeExtractor/));
    await closing;
    await assert.rejects(
      other.extract(['In 1987.'], { kind: 'passage', references: [undefined] }),
      failsWith('ERR_CLOSED', /open time extractor/),
    );
    assert.deepEqual(await read('passage', undefined, 'It burned down in 1987.'), ['1987']);
  });
});

describe('vectors: the learned time extractor without onnxruntime-node', () => {
  const root = temporaryFolder();
  it('says what to install', async () => {
    const folder = await readModelFolder(writeDouble(root.path()), {});
    const settings = {
      ...folder,
      head: { kind: 'logits', width: headsWidth } as const,
      threads: 1,
      batchSize: 1,
    };
    const absent = WorkerClient.start(settings, { runtime: 'onnxruntime-that-is-absent' });
    await assert.rejects(
      absent,
      failsWith('ERR_NATIVE_UNAVAILABLE', /not installed.*npm install onnxruntime-node/),
    );
  });
});
