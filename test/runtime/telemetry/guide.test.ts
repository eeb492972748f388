// The tables of docs/guide/telemetry.md: every attribute and metric that the library records, and
// no others.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dense, type Corpus } from '../../../lib/index.js';
import { generateText } from '../../../lib/text/textModel.js';
import { withCorpus } from '../../corpus.js';
import { failsWith } from '../../failsWith.js';
import { root } from '../../publicApi.js';
import { ministers, model, question, registerSdk, type RegisteredSdk } from './sdk.js';

const capture = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT';
const metrics = ['gen_ai.client.operation.duration', 'gen_ai.client.token.usage'];

describe('the guide to OpenTelemetry', () => {
  let corpus: Corpus;
  let sdk: RegisteredSdk;
  const before = process.env[capture];

  withCorpus(ministers, (opened) => (corpus = opened));
  beforeEach(() => {
    process.env[capture] = 'true';
    sdk = registerSdk();
  });
  afterEach(async () => {
    if (before === undefined) delete process.env[capture];
    else process.env[capture] = before;
    await sdk.shutdown();
  });

  it('lists every attribute and every metric with its dimensions, and no others', async () => {
    await dense({ corpus, model, read: { mode: 'concatenated' } }).run(question);
    await generateText(model, { system: 'Be brief.', prompt: 'Who?', seed: 1 });
    const broken = { id: 'mine', generate: () => Promise.reject(new Error('gone')) };
    await assert.rejects(generateText(broken, { prompt: 'Who?' }), failsWith('ERR_MODEL_FAILED'));
    await corpus.add([{ id: 'truss', text: 'Liz Truss became prime minister.' }]);
    await corpus.update(['truss'], { validTo: '2022-10-25' });
    await corpus.delete(['truss']);
    await corpus.compact();
    const recorded = new Set(sdk.spans().flatMap(({ attributes }) => Object.keys(attributes)));
    const page = readFileSync(join(root, 'docs', 'guide', 'telemetry.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `((?:gen_ai|asof|error)\.[\w.]+)` \|(.*)\|$/gm)];
    const listed = rows.map((match) => match[1]!);
    assert.equal(new Set(listed).size, listed.length, 'a name is in two rows');
    assert.deepEqual([...recorded, ...metrics].sort(), [...listed].sort());
    for (const metric of metrics) {
      const dimensions = new Set(
        (await sdk.points(metric)).points.flatMap(({ attributes }) => Object.keys(attributes)),
      );
      assert.ok(dimensions.size > 0, metric);
      const text = rows.find((match) => match[1] === metric)![2]!;
      const missing = [...dimensions].filter((name) => !text.includes(`\`${name}\``));
      assert.deepEqual(missing, [], metric);
    }
  });
});
