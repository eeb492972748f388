// Several corpora in one server of tools: the argument that chooses one, by the names of folders on
// the command line and of a record in a program.
import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import { bm25, Corpus } from '../../../../lib/index.js';
import { asof } from '../../../../test/cli/spawn.js';
import { failsWith } from '../../../../test/failsWith.js';
import { mcpServer } from '../../lib/mcp/index.js';
import { call, connected, newClient, spawned, withMinisters } from './clients.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';

const question = 'Who was prime minister of the UK?';
const idsOf = ({ structured }: { structured: Record<string, unknown> }): string[] =>
  (structured['evidence'] as { id: string }[]).map(({ id }) => id);

describe('tools over several corpora', function () {
  this.timeout(60_000);
  const home = temporaryFolder();
  let path: string;
  let corpora: Record<'pm' | 'mills', Corpus>;
  let client: Client;
  withMinisters((folder) => (path = folder));
  before(async () => {
    const mills = await Corpus.open(home.path('mills.asof'), { fields: { wheels: 'number' } });
    await mills.add([{ id: 'mill', text: 'The mill at Varn burned on 4 May 1971.' }]);
    corpora = { pm: await Corpus.open(path), mills };
    client = await connected(corpora, { write: true });
  });
  after(async () => {
    await client.close();
    for (const corpus of Object.values(corpora)) await corpus.close();
  });

  it('say what each holds, and which fields it has', async () => {
    const text = client.getInstructions()!;
    assert.match(text, /^The corpus pm holds 3 dated passages, [^\n]*\nThe corpus mills holds 1 d/);
    assert.match(text, /Every tool takes the name of one corpus as corpus\./);
    assert.match(text, /asof:\/\/passage\/CORPUS\/ID/);
    const { tools } = await client.listTools();
    assert.equal(tools.length, 9);
    for (const { name, inputSchema } of tools) {
      const { corpus } = inputSchema.properties as {
        corpus: { enum: string[]; description: string };
      };
      assert.deepEqual(corpus.enum, ['pm', 'mills'], name);
      assert.match(
        corpus.description,
        /pm, with the fields country \(keyword\)[^;]*; mills, with the/,
      );
      assert.equal(inputSchema.required![0], 'corpus');
      assert.equal(inputSchema['additionalProperties'], false);
    }
  });

  it('are each called on the one that is named', async () => {
    const ask = (corpus: string, more = {}) =>
      call(client, 'search', { corpus, question, ...more });
    assert.deepEqual(idsOf(await ask('pm', { as_of: '2021' }))[0], 'johnson');
    assert.deepEqual(idsOf(await ask('mills')), ['mill']);
    assert.deepEqual(
      idsOf(await ask('pm', { where: { country: 'uk' }, system: 'bm25' })).length,
      2,
    );
    const id = { id: 'note', text: 'A note on mills.' };
    await call(client, 'add', { corpus: 'mills', passages: [id] });
    assert.deepEqual([corpora.mills.has('note'), corpora.pm.has('note')], [true, false]);
    const got = await call(client, 'get', { corpus: 'mills', ids: ['note', 'may'] });
    assert.deepEqual(got.structured['unknown'], ['may']);
    const listed = await call(client, 'list', { corpus: 'pm' });
    assert.equal(listed.structured['total'], 3);
    const altered = await call(client, 'alter_fields', { corpus: 'mills', drop: ['wheels'] });
    assert.deepEqual(altered.structured, { fields: {} });
    assert.deepEqual(corpora.pm.info().fields, { country: 'keyword' });
    await call(client, 'delete', { corpus: 'mills', ids: ['note'] });
    const read = await call(client, 'read_time', { corpus: 'pm', text: 'in May 1971' });
    assert.match(read.text, /May 1971/);
  });

  it('have passages as resources by the names of their corpora', async () => {
    const { contents } = await client.readResource({ uri: 'asof://passage/mills/mill' });
    assert.match((contents[0] as { text: string }).text, /Varn/);
    for (const uri of ['asof://passage/pm/mill', 'asof://passage/none/mill', 'asof://passage/mill'])
      await assert.rejects(client.readResource({ uri }));
  });

  it('refuse a call without a corpus, or with one that is none', async () => {
    for (const [given, message] of [
      [{ question }, /^Expected the arguments of search to have corpus, received question\. Give/],
      [
        { question, corpus: 'mils' },
        /^Expected corpus to be one of pm, mills, received the string "mils"/,
      ],
      [{ question, corpus: 7 }, /^Expected corpus to be/],
      [{ question, corpus: '__proto__' }, /^Expected corpus to be one of pm, mills/],
    ] as const) {
      const { isError, text } = await call(client, 'search', given);
      assert.ok(isError, text);
      assert.match(text, message);
    }
    const one = await connected(corpora.pm);
    const { text } = await call(one, 'search', { question, corpus: 'pm' });
    assert.match(text, /"corpus"/);
    await one.close();
  });

  it('are made of a record of one corpus as of the corpus itself', async () => {
    const [one, same] = [await connected({ pm: corpora.pm }), await connected(corpora.pm)];
    assert.deepEqual(await one.listTools(), await same.listTools());
    await one.close();
    await same.close();
  });

  it('are refused of names and systems that do not fit', async () => {
    const systems = [bm25({ corpus: corpora.pm })];
    for (const [given, options, message] of [
      [{}, {}, /corpora/],
      [{ 'a/b': corpora.pm }, {}, /name of a corpus/],
      [{ a: corpora.pm, b: 'mills.asof' }, {}, /a Corpus/],
      [corpora, { systems }, /systems to be a function of a corpus/],
      [corpora, { systems: () => [] }, /an array of systems/],
    ] as const)
      await assert.rejects(
        mcpServer(given as never, options),
        failsWith('ERR_INVALID_ARGUMENT', message),
      );
  });

  it('are those of every folder of the command line', async () => {
    const served = newClient();
    await served.connect(spawned(path, [`m=${home.path('mills.asof')}`, '--system', 'bm25']));
    const { tools } = await served.listTools();
    const { corpus } = tools[0]!.inputSchema.properties as unknown as {
      corpus: { enum: string[] };
    };
    assert.deepEqual(corpus.enum, ['ministers', 'm']);
    const burned = { corpus: 'm', question: 'When did the mill burn?' };
    assert.deepEqual(idsOf(await call(served, 'search', burned)), ['mill']);
    await served.close();
    const { code, stderr } = await asof(['mcp', path, path]);
    assert.equal(code, 2);
    assert.match(stderr, /Two corpora have the name ministers/);
  });
});
