// The tools in this process: what they list, answer and refuse, and that nothing crashes them.
import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import { Ajv, AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import fc from 'fast-check';
import { bm25, Corpus } from '../../../../lib/index.js';
import { toJson } from '../../../../lib/systems/json.js';
import { mcpServer } from '../../lib/mcp/index.js';
import { failsWith } from '../../../../test/failsWith.js';
import { call, connected, endless, withMinisters } from './clients.js';
import { assertEach } from '../../../../test/assertEach.js';

describe('tools of agents', () => {
  let corpus: Corpus;
  let client: Client;
  withMinisters((folder) => void (path = folder));
  let path: string;
  before(async () => {
    corpus = await Corpus.open(path);
    client = await connected(corpus, { write: true });
  });
  after(async () => {
    await client.close();
    await corpus.close();
  });

  const question = 'Who was prime minister of the UK?';
  const idsOf = ({ evidence }: Record<string, unknown>): string[] =>
    (evidence as { id: string }[]).map(({ id }) => id);

  it('tell a model what the corpus holds and which clocks a question has', () => {
    const text = client.getInstructions()!;
    assert.match(
      text,
      /^The corpus ministers holds 3 dated passages, published from 2016-07-14 to/,
    );
    assert.match(text, /days are of UTC/);
    assert.match(text, /as_of is the time in the world[^]*asked_at is the moment of asking/);
  });

  it('have schemas that are valid and closed, and say what writes', async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
      [
        ['search', true],
        ['timeline', true],
        ['read_time', true],
        ['get', true],
        ['list', true],
        ['add', false],
        ['update', false],
        ['delete', false],
        ['alter_fields', false],
      ],
    );
    const strict = new Ajv({ strict: true, allowUnionTypes: true });
    for (const { inputSchema, outputSchema } of tools) {
      assert.equal(inputSchema['additionalProperties'], false);
      for (const schema of [inputSchema, outputSchema!]) strict.compile(schema);
    }
    const [search] = tools;
    const { where, system } = search!.inputSchema.properties as {
      where: { description: string };
      system: { enum: string[] };
    };
    assert.match(where.description, /country \(keyword\)/);
    assert.deepEqual(system.enum, ['hybrid', 'bm25', 'dense']);
  });

  it('answer with content that fits their own schemas', async () => {
    const { tools } = await client.listTools();
    const validator = new AjvJsonSchemaValidator();
    const calls: [string, Record<string, unknown>][] = [
      ['search', { question, as_of: '2021-05-06' }],
      ['search', { question: 'Who won the regatta of 1911?', k: 1, system: 'dense' }],
      ['timeline', { question: 'prime minister of the UK' }],
      ['timeline', { question: 'the tides of Saturn' }],
      ['read_time', { text: 'between May 1970 and last week, or daily' }],
      ['get', { ids: ['may', 'nobody'] }],
      ['list', { limit: 1, order_by: 'published_at', descending: true }],
      ['delete', { ids: ['nobody'] }],
      ['add', { passages: [{ id: 'may', text: 'The mill shut in May 1971.' }] }],
      ['add', { passages: [] }],
      ['update', { ids: ['may'], patch: { valid_to: '2019-07-24' } }],
      ['search', { question, highlights: true, facets: ['country'] }],
      ['alter_fields', { add: { why: 'keyword' } }],
      ['alter_fields', { drop: ['why'] }],
    ];
    for (const [name, given] of calls) {
      const { structured, isError } = await call(client, name, given);
      if (isError) continue;
      const schema = tools.find((each) => each.name === name)!.outputSchema!;
      const { valid, errorMessage } = validator.getValidator(schema)(structured);
      assert.ok(valid, `${name}: ${errorMessage}`);
    }
    await corpus.add([
      {
        id: 'may',
        text: 'Theresa May became prime minister of the UK on 13 July 2016.',
        publishedAt: '2016-07-14',
        series: 'prime minister',
        metadata: { country: 'uk' },
      },
    ]);
  });

  it('search by the time that is asked about', async () => {
    const { structured, text } = await call(client, 'search', { question, as_of: '2021-05-06' });
    assert.equal(idsOf(structured)[0], 'johnson');
    assert.equal(structured['answer'], 'Boris Johnson');
    assert.equal(structured['question'], `${question.slice(0, -1)} as of 2021-05-06?`);
    assert.match(
      text,
      /^Read as: as of 2021-05-06; asked at 20\d\d-.*; days of UTC\.\nAnswer: Boris.* \(confidence 0\.\d\d\)\n/,
    );
    assert.match(text, /superseded by \[sunak\] from 2022-10-26/);
    for (const left of ['trace', 'scan', 'dropped']) assert.ok(!(left in structured), left);
  });

  it('search by the time of asking, and hide what was not known then', async () => {
    const { structured, text } = await call(client, 'search', { question, asked_at: '2017' });
    assert.deepEqual(idsOf(structured), ['may']);
    const [may] = structured['evidence'] as Record<string, unknown>[];
    assert.ok(!('superseded_by' in may!) && !('valid_to' in may!), JSON.stringify(may));
    assert.doesNotMatch(text, /2019|johnson/);
  });

  it('search what a filter lets pass, and as many as are asked for', async () => {
    const where = { country: 'uk' };
    const filtered = await call(client, 'search', { question, where });
    assert.deepEqual(idsOf(filtered.structured).sort(), ['johnson', 'may']);
    const one = await call(client, 'search', { question, k: 1, system: 'bm25' });
    assert.equal(idsOf(one.structured).length, 1);
    assert.equal(one.structured['system'], 'bm25');
  });

  it('search what holds, what was published when, and with a decay', async () => {
    const first = async (options: object): Promise<string[]> => {
      const given = { question, as_of: '2021-05-06', k: 50, ...options };
      const { structured } = await call(client, 'search', given);
      return (structured['evidence'] as { id: string }[]).map(({ id }) => id);
    };
    const all = await first({});
    assert.ok((await first({ only: 'current' })).length <= all.length);
    assert.deepEqual(await first({ since: '2100' }), []);
    const decay = { shape: 'exponential', halfLife: '30d' };
    assert.deepEqual((await first({ decay, system: 'dense' })).sort(), all.sort());
    const { structured } = await call(client, 'search', { question, as_of: 'yesterday' });
    assert.match(structured['question'] as string, / as of 20\d\d-\d\d-\d\d\?$/);
  });

  it('page through passages, and count them by value', async () => {
    const ids = ({ structured }: { structured: Record<string, unknown> }): string[] =>
      (structured['evidence'] as { id: string }[]).map(({ id }) => id);
    const all = await call(client, 'search', { question });
    const page = await call(client, 'search', { question, offset: 1, k: 1 });
    assert.deepEqual(ids(page), ids(all).slice(1, 2));
    const none = await call(client, 'search', { question, min_score: 1 });
    assert.deepEqual(ids(none), []);
    const { structured, text } = await call(client, 'search', { question, facets: ['country'] });
    const { country } = structured['facets'] as { country: { value: string; count: number }[] };
    assert.ok(country.length > 0);
    assert.match(text, new RegExp(`^country: ${country[0]!.value} ${country[0]!.count}`, 'm'));
  });

  it('mark the words and times that are searched for', async () => {
    const given = { question, as_of: '2020', highlights: true, k: 1 };
    const { structured, text } = await call(client, 'search', given);
    const [{ text: whole, highlights }] = structured['evidence'] as [
      { text: string; highlights: { start: number; end: number; kind: string }[] },
    ];
    const marked = highlights.map(({ start, end, kind }) => [kind, whole.slice(start, end)]);
    assert.deepEqual(marked, [
      ['term', 'prime'],
      ['term', 'minister'],
      ['term', 'UK'],
      ['time', 'on 24 July 2019'],
    ]);
    assert.match(text, /^ {3}matches prime, minister, UK, on 24 July 2019$/m);
    await corpus.add([{ id: 'long', text: `The mill shut. ${'x '.repeat(4990)}The mill shut.` }]);
    const mill = { question: 'Which mill shut?', highlights: true, k: 1, system: 'bm25' };
    const long = await call(client, 'search', mill);
    const [cut] = long.structured['evidence'] as [{ cut: true; highlights: { end: number }[] }];
    assert.equal(cut.cut, true);
    assert.ok(cut.highlights.length > 0 && cut.highlights.every(({ end }) => end <= 8000));
    await corpus.delete(['long']);
  });

  it('change fields, which filters and counts name from then on', async () => {
    await call(client, 'update', { ids: ['may'], patch: { metadata: { party: 'tory' } } });
    const added = await call(client, 'alter_fields', {
      add: { party: 'keyword' },
      rename: { country: 'state' },
    });
    assert.deepEqual(added.structured, { fields: { state: 'keyword', party: 'keyword' } });
    assert.equal(added.text, 'Fields: state (keyword), party (keyword).');
    const where = { state: 'uk', party: 'tory' };
    const { structured } = await call(client, 'search', { question, where, facets: ['party'] });
    assert.deepEqual(idsOf(structured), ['may']);
    assert.deepEqual(structured['facets'], { party: [{ value: 'tory', count: 1 }] });
    const other = await connected(corpus);
    const { tools } = await other.listTools();
    await other.close();
    const { description } = tools[0]!.inputSchema.properties!['where'] as { description: string };
    assert.match(description, /state \(keyword\), party \(keyword\)/);
    for (const [given, message] of [
      [{ drop: ['town'] }, /town/],
      [{ add: { size: 'big' } }, /^Expected add\.size to be one of keyword, keyword\[\], number/],
      [{ add: { state: 'number' } }, /state/],
      [{}, /add|some/],
    ] as const) {
      const { isError, text } = await call(client, 'alter_fields', given);
      assert.ok(isError, text);
      assert.match(text, message);
    }
    await call(client, 'update', { ids: ['may'], patch: { metadata: { party: null } } });
    await call(client, 'alter_fields', { drop: ['party'], rename: { state: 'country' } });
  });

  it('get whole passages by their ids', async () => {
    const { structured, text } = await call(client, 'get', { ids: ['nobody', 'may'] });
    const stored = toJson.passage(corpus.get('may')!, 'UTC');
    assert.deepEqual(structured, { passages: [stored], unknown: ['nobody'] });
    assert.match(text, /^Passages: 1\. No passage has: nobody\.\n\[may\]\nTheresa May/);
  });

  it('list what passes a filter, in an order, page by page', async () => {
    const ids = ({ structured }: { structured: Record<string, unknown> }): string[] =>
      (structured['passages'] as { id: string }[]).map(({ id }) => id);
    const order = { order_by: 'published_at', descending: true, limit: 2 };
    const first = await call(client, 'list', order);
    const rest = await call(client, 'list', { ...order, after: first.structured['next'] });
    assert.deepEqual([...ids(first), ...ids(rest)], ['sunak', 'johnson', 'may']);
    assert.ok(!('next' in rest.structured));
    const filtered = await call(client, 'list', { where: { country: 'uk' } });
    assert.deepEqual([ids(filtered), filtered.structured['total']], [['johnson', 'may'], 2]);
    assert.match(filtered.text, /^2 of 2 passages\n\[johnson\] 2019-07-25T/);
  });

  it('delete what was added', async () => {
    const note = { id: 'note', text: `A note. ${'It is long. '.repeat(100)}` };
    await call(client, 'add', { passages: [note] });
    const listed = await call(client, 'list', { order_by: 'id', limit: 100 });
    const { passages } = listed.structured as { passages: { id: string; cut?: boolean }[] };
    assertEach(
      passages.filter(({ cut }) => cut),
      ({ id }) => id,
      ['note'],
    );
    const deleted = await call(client, 'delete', { ids: ['note', 'note', 'nobody'] });
    assert.deepEqual(deleted.structured, { deleted: 1, unknown: 1 });
    assert.equal(corpus.get('note'), undefined);
  });

  it('list states, the latest ones, up to a time', async () => {
    const name = { question: 'prime minister of the UK' };
    const first = ({ structured }: { structured: Record<string, unknown> }): string[] =>
      (structured['entries'] as { evidence: string[] }[]).map(({ evidence }) => evidence[0]!);
    assert.deepEqual(first(await call(client, 'timeline', name)), ['may', 'johnson', 'sunak']);
    const until = await call(client, 'timeline', { ...name, as_of: '2020' });
    assert.deepEqual(first(until), ['may', 'johnson']);
    const known = await call(client, 'timeline', { ...name, asked_at: '2020' });
    assert.deepEqual(first(known), ['may', 'johnson']);
    const since = await call(client, 'timeline', { ...name, since: '2019-07', until: '2020' });
    assert.deepEqual(first(since), ['johnson']);
    const latest = await call(client, 'timeline', { ...name, k: 1 });
    assert.deepEqual([first(latest), latest.structured['omitted']], [['sunak'], 2]);
    assert.match(latest.text, /2 earlier ones are omitted:\n- from 2022-10-26: Rishi Sunak/);
  });

  it('read times without a search', async () => {
    const given = { text: 'The mill shut again last May.', asked_at: '1950-03-01' };
    const { structured, text } = await call(client, 'read_time', given);
    const [mention] = structured['mentions'] as Record<string, unknown>[];
    assert.deepEqual([mention!['start_iso'], mention!['end_iso']], ['1949-05-01', '1949-05-31']);
    assert.match(text, /Times in it: 1\.\n- "last May": 1949-05-01 to 1949-05-31/);
  });

  it('refuse what does not fit, in words from which a model can correct itself', async () => {
    const add = (passage: object): [string, object] => ['add', { passages: [passage] }];
    const cases: [string, object, RegExp][] = [
      ['search', {}, /^Expected the arguments of search to have question, received none\. Give/],
      ['search', { question: 5 }, /^Expected question to be a string of 1 to 20,000 characters/],
      ['search', { question: ' ' }, /^Expected the question to be a question in words/],
      ['search', { question, k: 99 }, /^Expected k to be a whole number from 1 to 50, received/],
      ['search', { question, asof: 'x' }, /received the string "asof"\. Did you mean as_of\?/],
      ['search', { question, as_of: '2021-13' }, /^Expected as_of to be an ISO 8601 date/],
      ['search', { question, as_of: '-0043' }, /^Expected as_of [^]*name the time in the words/],
      ['search', { question, asked_at: 'soon' }, /^Expected asked_at to be an ISO 8601 date/],
      ['search', { question, where: { tenant: 1 } }, /^Expected where to be a field of the corpus/],
      ['search', { question, facets: ['town'] }, /^Expected facets to be fields of [^]*country/],
      ['search', { question, system: 'mrag' }, /^Expected system to be one of hybrid, bm25, dense/],
      ['timeline', { question, k: 0 }, /^Expected k to be a whole number from 1 to 400/],
      ['read_time', { text: '' }, /^Expected text to be a string of 1 to 20,000/],
      [...add({ id: 'x' }), /^Expected passages\[0\] to have text, received id/],
      [...add({ id: 'x', text: 'y', publishedAt: '1' }), /Did you mean published_at\?/],
      [
        ...add({ id: 'x', text: 'y', valid_to: 'z' }),
        /^Passage 0 [^]*Expected valid_to to be an ISO/,
      ],
      [
        ...add({ id: 'x', text: 'y', supersedes: 'no', published_at: '2020' }),
        /^Passage 0 [^]*no such passage|^Passage 0 [^]*supersedes/,
      ],
      [...add({ id: 'x', text: '\ud800' }), /^Passage 0: Expected "text" to be Unicode text/],
      ...(
        [
          [{ ids: ['may'] }, /to have patch, received ids/],
          [{ patch: { valid_to: '2020' } }, /^Expected ids or where, received neither\. Give/],
          [{ ids: ['may'], where: {}, patch: { valid_to: '2020' } }, /received both/],
          [
            { ids: ['may'], patch: {} },
            /^Expected patch to be an object with some of published_at/,
          ],
          [{ ids: ['may'], patch: { validTo: '1' } }, /Did you mean valid_to\?/],
          [{ ids: ['may', 'no'], patch: { valid_to: '2020' } }, /found none of "no"\. Nothing/],
          [{ ids: ['may'], patch: { valid_to: '2010' } }, /^Passage 0 [^]*valid_from/],
        ] as const
      ).map(([given, message]): [string, object, RegExp] => ['update', given, message]),
    ];
    for (const [name, given, message] of cases) {
      const { isError, text } = await call(client, name, given as Record<string, unknown>);
      assert.ok(isError, text);
      assert.match(text, message);
    }
    assert.equal(corpus.has('x'), false);
  });

  it('change times and metadata of passages', async () => {
    await corpus.add([{ id: 'x', text: 'The mill shut.', metadata: { country: 'xx' } }]);
    const patch = { valid_to: '1971-05-31', metadata: { country: null, why: 'floods' } };
    const given = { where: { country: 'xx' }, patch };
    const { structured, text } = await call(client, 'update', given);
    assert.deepEqual(structured, { updated: 1, unchanged: 0 });
    assert.equal(text, '1 updated, 0 unchanged.');
    const { validTo, metadata } = corpus.get('x')!;
    assert.deepEqual([validTo, metadata], [Date.UTC(1971, 5, 1), { why: 'floods' }]);
    await corpus.delete(['x']);
  });

  it('give a passage as a resource by its id', async () => {
    await corpus.add([{ id: 'docs/a b.md#1', text: 'The mill shut in 1971.' }]);
    const uri = `asof://passage/${encodeURIComponent('docs/a b.md#1')}`;
    const { contents } = await client.readResource({ uri });
    const [content] = contents as { text: string }[];
    assert.deepEqual(JSON.parse(content!.text), {
      id: 'docs/a b.md#1',
      text: 'The mill shut in 1971.',
    });
    await assert.rejects(client.readResource({ uri: 'asof://passage/none' }), /not found/);
    await assert.rejects(client.readResource({ uri: 'asof://passage/%' }), /percent-encoded/);
    await corpus.delete(['docs/a b.md#1']);
  });

  it('shorten long texts, and say so', async () => {
    const text = 'The lighthouse of Varn burned in 1903.';
    const stone = ' It was rebuilt of stone'.repeat(40);
    const ids = Array.from({ length: 40 }, (_, i) => `long${i}`);
    await corpus.add(ids.map((id, i) => ({ id, text: text + stone.repeat(i === 0 ? 10 : 1) })));
    const asked = { question: 'When did the lighthouse of Varn burn?', k: 50, system: 'dense' };
    const found = await call(client, 'search', asked);
    const evidence = found.structured['evidence'] as { id: string; text: string; cut?: boolean }[];
    const long = evidence.find(({ id }) => id === 'long0')!;
    assert.deepEqual([long.text.length, long.cut], [8001, true]);
    assert.ok(found.text.length < 20_000, String(found.text.length));
    assert.match(found.text, /more passages, which the structured content has\.$/);
    await corpus.delete(ids);
  });

  it('report progress of what is added', async () => {
    const passages = Array.from({ length: 250 }, (_, i) => ({ id: `p${i}`, text: `Event ${i}.` }));
    const seen: [number, number | undefined][] = [];
    const onprogress = ({ progress, total }: { progress: number; total?: number }): void =>
      void seen.push([progress, total]);
    const { structured } = await call(client, 'add', { passages }, { onprogress });
    assert.deepEqual(structured, { added: 250, replaced: 0, unchanged: 0 });
    assert.deepEqual(seen, [
      [100, 250],
      [200, 250],
      [250, 250],
    ]);
    await corpus.delete(passages.map(({ id }) => id));
  });

  it('abort a question that the client cancels', async () => {
    const { system, started, aborted } = endless(corpus);
    const other = await connected(corpus, { systems: [system] });
    const controller = new AbortController();
    const asked = call(other, 'search', { question }, { signal: controller.signal });
    await started;
    controller.abort();
    await assert.rejects(asked);
    await aborted;
    await other.close();
  });

  it('survive arguments of every kind, and answer each', async () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
      fc.constant('2021-05-06'),
    );
    const names = [
      'question',
      'as_of',
      'asked_at',
      'where',
      'k',
      'system',
      'text',
      'passages',
      'x',
    ];
    const given = fc.oneof(
      fc.dictionary(fc.constantFrom(...names, '__proto__', 'toString'), value, { maxKeys: 5 }),
      fc.record({ question: fc.string(), where: fc.dictionary(fc.string(), value) }),
      fc.record({ question: fc.string({ maxLength: 80 }), as_of: fc.string({ maxLength: 12 }) }),
      fc.record({
        passages: fc.array(fc.dictionary(fc.constantFrom('id', 'text', 'title'), value)),
      }),
    );
    const tool = fc.constantFrom(
      ...['search', 'timeline', 'read_time', 'get', 'list', 'add', 'update', 'delete'],
    );
    await fc.assert(
      fc.asyncProperty(tool, given, async (name, each) => {
        const { text, isError } = await call(client, name, each);
        assert.ok(text.length > 0);
        if (isError) assert.match(text, /^(?:Passage \d+ .*)?Expected /);
      }),
      { numRuns: 100 },
    );
    const { structured } = await call(client, 'search', { question });
    assert.ok(idsOf(structured).length > 0);
  });

  it('are refused of what is no corpus, and with options that are none', async () => {
    const invalid = failsWith('ERR_INVALID_ARGUMENT');
    await assert.rejects(mcpServer({}), invalid);
    await assert.rejects(mcpServer(corpus, { write: 'yes' as never }), invalid);
    await assert.rejects(mcpServer(corpus, { systems: [] }), invalid);
    await assert.rejects(mcpServer(corpus, { systems: [{} as never] }), invalid);
    const twice = [bm25({ corpus }), bm25({ corpus })];
    await assert.rejects(mcpServer(corpus, { systems: twice }), invalid);
    await assert.rejects(mcpServer(corpus, { read: true } as never), invalid);
  });
});
