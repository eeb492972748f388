// What every door takes: times in words are the same time in the library, on the command line, over
// HTTP and in the tools of agents.
import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import { hybrid, timeline } from '../../../lib/index.js';
import { formatInstant } from '../../../lib/time/index.js';
import { asof } from '../../../test/cli/spawn.js';
import { asofTool } from '../../ai-sdk/lib/index.js';
import { start, type Started } from './http/started.js';
import { call, connected } from './mcp/clients.js';

const text = 'Who was UK prime minister?';

describe('every door', function () {
  this.timeout(120_000);
  let started: Started;
  let client: Client;
  before(async () => {
    started = await start();
    client = await connected(started.corpus);
  });
  after(async () => {
    await client.close();
    await started.stop();
  });

  for (const words of ['yesterday', 'end of 2020', 'last May', '6 May 2021', '2021-05'])
    it(`takes ${words} as the time of asking, and as that which is asked about`, async () => {
      const { corpus, call: http } = started;
      const { question } = await hybrid({ corpus }).run({ text, askedAt: words });
      const askedAt = formatInstant(question.askedAt);
      const args = ['ask', corpus.path, text, '--asked-at', words, '--json'];
      const printed = JSON.parse((await asof(args)).stdout) as Record<string, unknown>;
      assert.equal(printed['asked_at'], askedAt);
      const asked = { question: text, asked_at: words };
      const { json } = await http('POST', '/v1/corpora/pm/search', asked);
      assert.equal(json['asked_at'], askedAt);
      assert.equal((await call(client, 'search', asked)).structured['asked_at'], askedAt);
      const read = await call(client, 'read_time', { text, asked_at: words });
      assert.equal(read.structured['asked_at'], askedAt);
      const tool = asofTool(corpus);
      assert.equal((await tool.execute(asked, {})).asked_at, askedAt);

      const dated = { question: text, as_of: words };
      const { question: worded } = (await call(client, 'search', dated)).structured;
      assert.match(String(worded), / as of \d{4}-\d\d(?:-\d\d)?\?$/);
      const found = await http('POST', '/v1/corpora/pm/ask', dated);
      assert.equal(found.json['question'], worded);
      assert.equal((await tool.execute(dated, {})).question, worded);
    });

  it('takes words as the time up to which states of a timeline had begun', async () => {
    const { corpus, call: http } = started;
    const name = 'prime minister of the UK';
    const first = (entries: unknown): string[] =>
      (entries as { evidence: string[] }[]).map(({ evidence }) => evidence[0]!);
    for (const [asOf, ids] of [
      ['end of 2020', ['may', 'johnson']],
      ['2019-07-23', ['may']],
      ['July 2019', ['may', 'johnson']],
      ['yesterday', ['may', 'johnson', 'uk/truss']],
      ['now', ['may', 'johnson', 'uk/truss']],
    ] as const) {
      assert.deepEqual(first(await timeline(corpus, { text: name }, { asOf })), ids, asOf);
      const args = ['timeline', corpus.path, name, '--as-of', asOf, '--json'];
      const { stdout } = await asof(args);
      assert.deepEqual(first((JSON.parse(stdout) as { entries: unknown }).entries), ids, asOf);
      const asked = { question: name, as_of: asOf };
      const { json } = await http('POST', '/v1/corpora/pm/timeline', asked);
      assert.deepEqual(first(json['entries']), ids, asOf);
      const { structured } = await call(client, 'timeline', asked);
      assert.deepEqual(first(structured['entries']), ids, asOf);
    }
  });

  it('refuses words that are no time, by the name that they have there', async () => {
    const { corpus, call: http } = started;
    const message = (name: string): RegExp => new RegExp(`Expected ${name} to be an ISO 8601 date`);
    const asked = { question: text, as_of: 'soon' };
    await assert.rejects(timeline(corpus, { text }, { asOf: 'soon' }), {
      message: message('asOf'),
    });
    const { stderr } = await asof(['timeline', corpus.path, text, '--as-of', 'soon']);
    assert.match(stderr, message('--as-of'));
    for (const path of ['search', 'timeline']) {
      const { status, json } = await http('POST', `/v1/corpora/pm/${path}`, asked);
      assert.equal(status, 400);
      assert.match((json['error'] as { message: string }).message, message('as_of'));
      assert.match((await call(client, path, asked)).text, message('as_of'));
    }
  });
});
