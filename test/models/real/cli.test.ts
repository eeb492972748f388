// The whole way with a real small model, as a user goes it: a corpus, `asof ask` and `asof eval`,
// the model behind llama.cpp's server on loopback.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { argv, asof } from '../../cli/spawn.js';
import { needsModels, passage, startServer, type RealServer } from './real.js';
import { temporaryFolder } from '../../store/fixtures.js';

describe('models: asof ask and eval', function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  let corpus: string;
  let server: RealServer;
  before(async function () {
    needsModels(this);
    corpus = folder.path('keepers.asof');
    const passages = [
      { id: 'merrow', text: passage },
      {
        id: 'oland',
        text:
          'The lighthouse on Oland was built in 1785. It has been run without a keeper ' +
          'since 1980.',
      },
    ];
    assert.equal(
      (
        await asof(['index', corpus, '-'], {
          input: passages.map((each) => JSON.stringify(each)).join('\n'),
        })
      ).code,
      0,
    );
    server = await startServer();
  });
  after(() => server?.close());

  it('reads an answer with the model, and the trace says so', async () => {
    const { code, stdout, stderr } = await asof(argv`
      ask ${corpus} ${'Who kept the lighthouse at Cape Merrow in 1910?'} --read concatenated
      --passages 1 --model smollm2 --base-url ${server.baseURL} --json
    `);
    assert.deepEqual([code, stderr], [0, '']);
    const { evidence, trace } = JSON.parse(stdout) as {
      evidence: { id: string }[];
      trace: { stage: string; notes?: { by?: string; calls?: number } }[];
    };
    assert.equal(evidence[0]!.id, 'merrow');
    assert.equal(trace.at(-1)!.notes!.by, 'openai-compatible:smollm2');
    assert.ok(trace.at(-1)!.notes!.calls! >= 1);
  });

  it('measures exact match and F1 of what the model reads', async () => {
    const queries = folder.path('queries.jsonl');
    writeFileSync(
      queries,
      '{"id":"q1","text":"Who kept the lighthouse at Cape Merrow in 1910?","answers":["Agnes ' +
        'Dorn"]}\n',
    );
    const { code, stdout } = await asof(argv`
      eval ${corpus} --queries ${queries} --metrics em,f1 --read concatenated --passages 1
      --model smollm2 --base-url ${server.baseURL} --json
    `);
    assert.equal(code, 0);
    const { metrics } = JSON.parse(stdout) as { metrics: { em: number; f1: number } };
    assert.ok(metrics.f1 >= 0 && metrics.f1 <= 1 && metrics.em <= metrics.f1);
  });
});
