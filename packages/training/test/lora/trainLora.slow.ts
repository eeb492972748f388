// LoRA fine-tuning with torch over a tiny BERT, where a Python with torch is at hand: ASOF_PYTHON,
// else python3.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onnxEncoder, readTimeEncoder, timeEncoder } from '../../../../lib/models/index.js';
import { asof, argv } from '../../../../test/cli/spawn.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';
import { world, writeWorld } from '../timeEncoder/data.js';

const python = process.env['ASOF_PYTHON'] ?? 'python3';

describe('asof train lora with torch', () => {
  const folder = temporaryFolder();
  let given: string[];
  before(function () {
    const { status } = spawnSync(python, ['-c', 'import torch, transformers, numpy, onnx']);
    if (status !== 0) this.skip();
    const script = new URL('../../python/bert_to_onnx.py', import.meta.url);
    spawnSync(python, [fileURLToPath(script), '--double', folder.path('.')]);
    given = ['train', 'lora', folder.path('encoder'), ...writeWorld(folder.path('.'), 25)];
    given.push('--python', python, '--rate', '0.003', '--json');
  });

  it('trains encoder and time network jointly, by two seeds', async () => {
    const out = folder.path('joint');
    const { code, stdout, stderr } = await asof(argv`
      ${given} --out ${out} --film --epochs 4 --time-rate 0.01 --seeds 1,2
    `);
    assert.deepEqual([code, stderr], [0, '']);
    const { models, spread } = JSON.parse(stdout) as {
      models: { folder: string; found: Record<'before' | 'after', { recall: number }> }[];
      spread: { recall: { mean: number } };
    };
    assert.equal(models.length, 2);
    for (const { found } of models) assert.ok(found.after.recall > found.before.recall + 0.3);
    assert.ok(spread.recall.mean > 0.7);
    const [first] = models;
    await using encoder = await onnxEncoder({ path: first!.folder });
    const weights = await readTimeEncoder(`${first!.folder}/times.bin`);
    assert.equal((await timeEncoder(encoder, weights)).dimensions, 32);
    assert.equal(existsSync(`${first!.folder}/sample.f32`), false);
    const corpus = folder.path('gauges.asof');
    const of = ['--encoder', `onnx:${first!.folder}`];
    const passages = folder.path('passages.jsonl');
    assert.equal((await asof(['index', corpus, passages, ...of])).code, 0);
    const { query, positive } = world(25).dev[0]!;
    const answered = await asof(argv`
      ask ${corpus} ${query} --system re3 ${of} --weights ${first!.folder}/times.bin --json
    `);
    assert.equal(answered.code, 0, answered.stderr);
    assert.ok(answered.stdout.includes(`"id":"${positive}"`), answered.stdout.slice(0, 300));
    const [a, b] = await Promise.all(
      models.map(({ folder: each }) => readTimeEncoder(`${each}/times.bin`)),
    );
    assert.notDeepEqual(a!.parameters, b!.parameters);
  });

  it('trains the encoder alone, for train re3 over it', async () => {
    const out = folder.path('alone');
    const alone = await asof([...given, '--out', out, '--negatives', 'random,time']);
    assert.equal(alone.code, 0, alone.stderr);
    assert.equal(existsSync(`${out}/times.bin`), false);
    const { models } = JSON.parse(alone.stdout) as {
      models: { found: Record<'before' | 'after', { reciprocalRank: number }> }[];
    };
    const { before: source, after: tuned } = models[0]!.found;
    assert.ok(tuned.reciprocalRank > source.reciprocalRank);
    const over = await asof(argv`
      train re3 ${writeWorld(folder.path('.'), 25)} --encoder onnx:${out} --seeds 1,2
      --out ${folder.path('times.bin')} --validate-every 10 --batch 16 --rate 0.01
    `);
    assert.equal(over.code, 0, over.stderr);
    assert.match(over.stdout, /mean \+- deviation/);
  });
});
