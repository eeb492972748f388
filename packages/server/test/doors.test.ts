// What every door takes: times in words are the same time in the library, on the command line, over
// HTTP and in the tools of agents; and docs/guide/doors.md says which door has what.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import * as library from '../../../lib/index.js';
import { bm25, Corpus, hybrid, timeline, type System } from '../../../lib/index.js';
import { command as askCommand } from '../../../lib/cli/commands/ask.js';
import { entries } from '../../../lib/cli/registry.js';
import { agentFields, separated } from '../../../lib/systems/askOptions.js';
import * as time from '../../../lib/time/index.js';
import { asof } from '../../../test/cli/spawn.js';
import { asofTool } from '../../ai-sdk/lib/index.js';
import * as documents from '../../documents/lib/index.js';
import { langchainRetriever } from '../../langchain/lib/index.js';
import { PostgresCorpus } from '../../postgres/lib/index.js';
import * as server from '../lib/index.js';
import { routes } from '../lib/http/routes/index.js';
import { start, type Started } from './http/started.js';
import { call, connected, root } from './mcp/clients.js';

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
      const askedAt = time.formatInstant(question.askedAt);
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
      const { question: asOf } = await hybrid({ corpus }).run({ text }, { asOf: words });
      const dating = ['ask', corpus.path, text, '--as-of', words, '--json'];
      const shown = JSON.parse((await asof(dating)).stdout) as Record<string, unknown>;
      assert.equal(shown['question'], asOf.text);
      assert.equal((await tool.execute(asked, {})).asked_at, askedAt);

      const dated = { question: text, as_of: words };
      const { question: worded } = (await call(client, 'search', dated)).structured;
      assert.match(String(worded), / as of \d{4}-\d\d(?:-\d\d)?\?$/);
      assert.equal(worded, asOf.text);
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

describe('the page on doors', function () {
  this.timeout(60_000);
  const guide = readFileSync(join(root, 'docs', 'guide', 'doors.md'), 'utf8');
  const [options, operations] = guide.split(/^## /m).slice(1).map(rowsOf) as [
    string[][],
    string[][],
  ];
  let started: Started;
  let client: Client;
  before(async () => {
    started = await start({ write: true });
    client = await connected({ pm: started.corpus, same: started.corpus }, { write: true });
  });
  after(async () => {
    await client.close();
    await started.stop();
  });

  /** Cells of the rows of a section's table. */
  function rowsOf(section: string): string[][] {
    const rows = section.split('\n').filter((line) => line.startsWith('| '));
    return rows.slice(2).map((row) =>
      row
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
  }
  const spansOf = (cell = ''): string[] =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, span]) => span!);

  it('says of every option of a question which doors have it', async () => {
    const { tools } = await client.listTools();
    const search = tools.find(({ name }) => name === 'search')!.inputSchema.properties!;
    const { inputSchema } = asofTool(started.corpus);
    const tool = inputSchema['~standard'].jsonSchema.input({ target: 'draft-07' })['properties'];
    const [ask] = routes.filter(({ id }) => id === 'ask');
    // What reaches a system from the options of a retriever.
    const isRetrieved = async (name: string): Promise<boolean> => {
      let received: object = {};
      const run: System['run'] = (question, given) => {
        received = { ...question, ...given };
        return bm25({ corpus: started.corpus }).run({ text: 'Who?' });
      };
      const system = { ...bm25({ corpus: started.corpus }), run };
      const value = name === 'k' ? 3 : '2020';
      await langchainRetriever(system, { [name]: value }).invoke('Who?');
      return (received as Record<string, unknown>)[name] === value;
    };
    const isRun = async (name: string): Promise<boolean> => {
      if (['askedAt', 'timeZone'].includes(name)) return true; // of the question
      const run = bm25({ corpus: started.corpus }).run({ text: 'Who?' }, { [name]: null });
      const { message = '' } = (await run.catch((fault: Error) => fault)) as Partial<Error>;
      return !/options of bm25\.run/.test(message);
    };
    const expected = await Promise.all(
      options.map(async ([cell, what]) => {
        const [name] = spansOf(cell) as [string];
        const has = [
          await isRun(name),
          // There --read says how an answer is read.
          name !== 'read' && separated(name, '-') in askCommand.options,
          separated(name, '_') in ask!.body!.properties,
          separated(name, '_') in search,
          separated(name, '_') in (tool as object),
          await isRetrieved(name),
        ];
        return [cell, what, ...has.map((each) => (each ? 'yes' : 'no'))];
      }),
    );
    assert.deepEqual(options, expected);
    const all = Object.keys(agentFields).filter((name) => !['question', 'passages'].includes(name));
    assert.deepEqual(options.map(([cell]) => spansOf(cell)[0]).sort(), all.sort());
  });

  it('names functions, commands, routes and tools that there are, and all of them', async () => {
    const functions = { ...library, ...time, ...documents, ...server, run: true };
    const methods = [Corpus, Corpus.prototype];
    const commands = entries.map(({ name }) => name);
    const { tools } = await client.listTools();
    const named = new Set([...tools.map(({ name }) => name), 'corpus']);
    const paths = routes.map(({ method, path }) => `${method} ${path}`);
    for (const [what, own, typed, route, tool, postgres] of operations) {
      for (const name of spansOf(own))
        assert.ok(name in functions || methods.some((each) => name in each), `${what}: ${name}`);
      for (const name of spansOf(typed)) assert.ok(commands.includes(name), `${what}: ${name}`);
      for (const name of spansOf(route).filter((each) => each.includes('/')))
        assert.ok(paths.includes(name), `${what}: ${name}`);
      for (const name of spansOf(tool)) assert.ok(named.has(name), `${what}: ${name}`);
      const ofCorpus = spansOf(own).filter((name) => name in Corpus.prototype);
      if (ofCorpus.length === 0 || what === 'earlier versions') continue; // which it refuses
      const isThere = ofCorpus.every((name) => name in PostgresCorpus.prototype);
      assert.equal(postgres, isThere ? 'yes' : 'no', what);
    }
    const shown = operations.flatMap(([, , , route]) => spansOf(route));
    const others = /^GET \/(?:$|health|metrics|openapi|v1\/info)/;
    assert.deepEqual(
      paths.filter((each) => !shown.includes(each) && !others.test(each)),
      [],
    );
    const ofTools = new Set(operations.flatMap((row) => spansOf(row[4])));
    assert.deepEqual(
      [...named].filter((each) => !ofTools.has(each)),
      [],
    );
  });
});
