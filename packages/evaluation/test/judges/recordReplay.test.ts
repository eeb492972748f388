// Recording and replaying a model: by content, across processes that are killed, with damaged and
// torn files.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AsOfError, TextModel } from '../../../../lib/index.js';
import { generateText } from '../../../../lib/text/textModel.js';
import { recordReplay, type RecordReplayOptions } from '../../lib/index.js';

describe('adapters: recordReplay', () => {
  let folder: string;
  let path: string;
  let count = 0;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'asof-replay-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(() => (path = join(folder, `${(count += 1)}.jsonl`)));

  /** Answers with how often it was asked. */
  const counting = (id = 'counter') => {
    let calls = 0;
    const model: TextModel = {
      id,
      generate: async ({ prompt }) => ({
        text: `${prompt} ${(calls += 1)}`,
        usage: { outputTokens: 2 },
      }),
    };
    return { model, calls: () => calls };
  };
  const lines = () => readFileSync(path, 'utf8').split('\n');
  const replay = (more: Partial<RecordReplayOptions> = {}) =>
    recordReplay({ path, mode: 'replay', ...more });

  it('records and replays, without the model', async () => {
    const { model, calls } = counting();
    const recording = await recordReplay({ path, mode: 'record', model });
    assert.equal(recording.id, 'counter');
    await generateText(recording, {
      prompt: 'Zoë\n"x" \ud83d\ude00',
      system: 's',
      jsonSchema: { type: 'object', title: 't' },
      stop: ['a', 'b'],
      signal: new AbortController().signal,
    });
    const replaying = await replay();
    assert.equal(replaying.id, 'counter');
    const same = {
      stop: ['a', 'b'],
      jsonSchema: { title: 't', type: 'object' },
      system: 's',
      prompt: 'Zoë\n"x" \ud83d\ude00',
    };
    assert.deepEqual(await generateText(replaying, same), {
      text: 'Zoë\n"x" \ud83d\ude00 1',
      usage: { outputTokens: 2 },
    });
    assert.equal(calls(), 1);
    assert.equal(lines().length, 2);
  });

  it('refuses what is not recorded: any other content', async () => {
    const recording = await recordReplay({ path, mode: 'record', model: counting().model });
    const request = { prompt: 'p', maxTokens: 5, temperature: 0, seed: 1, stop: ['x'] };
    await recording.generate(request);
    const replaying = await replay();
    const before = readFileSync(path, 'utf8');
    for (const other of [
      { prompt: 'q' },
      { maxTokens: 6 },
      { temperature: 0.5 },
      { seed: 2 },
      { stop: ['y'] },
      { system: '' },
      { jsonSchema: {} },
    ]) {
      await assert.rejects(
        generateText(replaying, { ...request, ...other }),
        { code: 'ERR_NOT_FOUND', message: /replayOrRecord/ },
        JSON.stringify(other),
      );
    }
    assert.equal(readFileSync(path, 'utf8'), before);
    await assert.rejects(recordReplay({ path: join(folder, 'none.jsonl'), mode: 'replay' }), {
      code: 'ERR_NOT_FOUND',
    });
    assert.ok(!existsSync(join(folder, 'none.jsonl')));
  });

  it('asks for what is missing only, or for all, the newest answer counting', async () => {
    const { model, calls } = counting();
    const first = await recordReplay({ path, mode: 'replayOrRecord', model });
    await first.generate({ prompt: 'a' });
    await first.generate({ prompt: 'a' });
    assert.equal(calls(), 1);
    const second = await recordReplay({ path, mode: 'replayOrRecord', model });
    assert.equal((await second.generate({ prompt: 'a' })).text, 'a 1');
    await second.generate({ prompt: 'b' });
    assert.equal(calls(), 2);
    const anew = await recordReplay({ path, mode: 'record', model });
    assert.equal((await anew.generate({ prompt: 'a' })).text, 'a 3');
    assert.equal((await (await replay()).generate({ prompt: 'a' })).text, 'a 3');
  });

  it('gives copies: what a caller does to an answer stays with the caller', async () => {
    const recording = await recordReplay({ path, mode: 'replayOrRecord', model: counting().model });
    for (let i = 0; i < 2; i += 1) {
      const answer = await recording.generate({ prompt: 'a' });
      assert.deepEqual(answer, { text: 'a 1', usage: { outputTokens: 2 } });
      answer.text = 'spoilt';
      answer.usage.outputTokens = 99;
    }
  });

  it('keeps whole lines of many answers at once, and no failure', async () => {
    const model: TextModel = {
      id: 'some',
      generate: async ({ prompt }) => {
        if (prompt === '7') throw new Error('seven');
        return { text: prompt.repeat(5000) };
      },
    };
    const recording = await recordReplay({ path, mode: 'record', model });
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, i) => recording.generate({ prompt: String(i) })),
    );
    assert.deepEqual(
      results.flatMap(({ status }, i) => (status === 'rejected' ? [i] : [])),
      [7],
    );
    assert.match((results[7] as PromiseRejectedResult).reason.message, /seven/);
    const replaying = await replay();
    for (let i = 0; i < 40; i += 1)
      if (i !== 7)
        assert.equal(
          (await replaying.generate({ prompt: String(i) })).text,
          String(i).repeat(5000),
        );
    await assert.rejects(replaying.generate({ prompt: '7' }), { code: 'ERR_NOT_FOUND' });
  });

  it('reports damaged lines by number, and reads the others where asked to', async () => {
    const recording = await recordReplay({ path, mode: 'record', model: counting().model });
    for (const prompt of ['a', 'b', 'c', 'd', 'e']) await recording.generate({ prompt });
    const damaged = lines();
    damaged[1] = damaged[1]!.slice(0, 40);
    damaged[2] = damaged[2]!.replace('"prompt":"c"', '"prompt":"C"');
    damaged[3] = damaged[3]!.replace('"text":"d 4"', '"text":4');
    writeFileSync(path, damaged.join('\n'));
    for (const mode of ['replay', 'record', 'replayOrRecord'] as const) {
      await assert.rejects(recordReplay({ path, mode, model: counting().model }), {
        code: 'ERR_INVALID_INPUT',
        message: /:2: /,
      });
    }
    const faults: AsOfError[] = [];
    const replaying = await replay({ onFault: (fault) => faults.push(fault) });
    assert.deepEqual(
      faults.map(({ details }) => details.line),
      [2, 3, 4],
    );
    for (const prompt of ['a', 'e']) await replaying.generate({ prompt });
    for (const prompt of ['b', 'c', 'C', 'd'])
      await assert.rejects(replaying.generate({ prompt }), { code: 'ERR_NOT_FOUND' });
  });

  it('passes over a torn last line, and cuts it off before writing', async () => {
    const { model } = counting();
    await (await recordReplay({ path, mode: 'record', model })).generate({ prompt: 'a' });
    const whole = readFileSync(path);
    for (let cut = 1; cut < whole.length - 1; cut += 7) {
      writeFileSync(path, Buffer.concat([whole, whole.subarray(0, cut)]));
      const faults: AsOfError[] = [];
      await (await replay({ onFault: (fault) => faults.push(fault) })).generate({ prompt: 'a' });
      assert.deepEqual(
        faults.map(({ details }) => details.line),
        [2],
      );
      assert.equal((await (await replay()).generate({ prompt: 'a' })).text, 'a 1');
      assert.equal(readFileSync(path).length, whole.length + cut, 'replay does not write');
      await recordReplay({ path, mode: 'replayOrRecord', model });
      assert.deepEqual(readFileSync(path), whole);
    }
    writeFileSync(path, whole.subarray(0, -1)); // an editor took the line end
    await (await recordReplay({ path, mode: 'replayOrRecord', model })).generate({ prompt: 'b' });
    await (await replay()).generate({ prompt: 'a' });
    assert.equal(lines().length, 3);
  });

  it('keeps every acknowledged answer and no partial one after a kill', async function () {
    this.timeout(120_000);
    const program = `
      import { recordReplay } from ${JSON.stringify(fileURLToPath(new URL('../../lib/index.ts', import.meta.url)))};
      const long = { id: 'long', generate: async ({ prompt }) => ({ text: prompt.repeat(20000) }) };
      const model = await recordReplay({ path: ${JSON.stringify(path)}, mode: 'record', model: long });
      for (let i = 0; ; i += 1) { await model.generate({ prompt: String(i) }); process.stdout.write(i + '\\n'); }`;
    const script = join(folder, 'endless.mts');
    writeFileSync(script, program);
    const child = spawn(process.execPath, ['--import', 'tsx', script], {
      cwd: fileURLToPath(new URL('../../../..', import.meta.url)),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    await new Promise<void>((done) => {
      child.stdout.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        if (printed.split('\n').length > 20) child.kill('SIGKILL');
      });
      child.on('close', () => done());
    });
    const acknowledged = printed.split('\n').slice(0, -1);
    assert.ok(acknowledged.length >= 20);
    const replaying = await replay({
      onFault: (fault) => assert.ok(fault.details.line === lines().length, fault.message),
    });
    for (const prompt of acknowledged)
      assert.equal((await replaying.generate({ prompt })).text, prompt.repeat(20000));
  });

  it('refuses the file of another model, and two models in one', async () => {
    await (await recordReplay({ path, mode: 'record', model: counting('one').model })).generate({
      prompt: 'a',
    });
    for (const mode of ['replay', 'record', 'replayOrRecord'] as const) {
      await assert.rejects(recordReplay({ path, mode, model: counting('two').model }), {
        code: 'ERR_INVALID_INPUT',
        message: /of two, received one of one/,
      });
    }
    appendFileSync(path, readFileSync(path, 'utf8').replace('"model":"one"', '"model":"two"'));
    await assert.rejects(replay(), { code: 'ERR_INVALID_INPUT' });
  });

  it('refuses options and files that cannot do, before a model is asked', async () => {
    const { model } = counting();
    const wrong = [
      undefined,
      {},
      { path: '', mode: 'replay' },
      { path: '-', mode: 'replay' },
      { path, mode: 'play' },
      { path, mode: 'record' },
      { path, mode: 'replay', model: {} },
      { path, mode: 'replay', onFault: 1 },
    ];
    for (const each of wrong)
      await assert.rejects(
        recordReplay(each as RecordReplayOptions),
        { code: 'ERR_INVALID_ARGUMENT' },
        JSON.stringify(each),
      );
    assert.ok(!existsSync(path));
    await assert.rejects(
      recordReplay({ path: join(folder, 'no', 'such', 'x.jsonl'), mode: 'record', model }),
      { code: 'ERR_STORAGE' },
    );
    mkdirSync(path);
    await assert.rejects(recordReplay({ path, mode: 'record', model }), { code: 'ERR_STORAGE' });
    await assert.rejects(replay(), { code: 'ERR_INVALID_INPUT' });
    await assert.rejects(
      recordReplay({ path: `${path}x`, mode: 'record', model, signal: AbortSignal.abort() }),
      { code: 'ERR_ABORTED' },
    );
  });

  it('stops asking when the signal fires, and keeps nothing of it', async () => {
    const recording = await recordReplay({
      path,
      mode: 'record',
      model: { id: 'slow', generate: () => new Promise(() => undefined) },
    });
    await assert.rejects(recording.generate({ prompt: 'a', signal: AbortSignal.timeout(20) }), {
      code: 'ERR_ABORTED',
    });
    assert.equal(readFileSync(path, 'utf8'), '');
  });
});
