// Every route: that its answers are those of the library and of the command line, that each is
// described, and that what it answers fits the description.
import assert from 'node:assert/strict';
import { hybrid, joinCorpora, timeline } from '../../../../lib/index.js';
import { toJson } from '../../../../lib/systems/json.js';
import { routes } from '../../lib/http/routes/index.js';
import { toTimeQuestionRecord, toTimeTagRecord } from '../../../../lib/time/records.js';
import { parseQuestion, tagText } from '../../../../lib/time/index.js';
import { linesOf, question, start, type Answer, type Started } from './started.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';
import { assertEach } from '../../../../test/assertEach.js';

const askedAt = '2024-01-01';

/** Without what differs from run to run. */
function timeless<Value>(result: Value): Value {
  const { trace: _, ...others } = result as Record<string, unknown>;
  return JSON.parse(JSON.stringify(others)) as Value;
}

describe('the routes of a server', () => {
  const folder = temporaryFolder();
  let started: Started;
  before(async () => {
    const options = { write: true, folder: { path: folder.path() } };
    started = await start(options, { fields: { tenant: 'keyword' }, history: true });
  });
  after(() => started.stop());

  it('search and ask as the library does', async () => {
    const { call, corpus } = started;
    const system = hybrid({ corpus });
    const body = { question, asked_at: askedAt, k: 2 };
    const asked = { text: question, askedAt };
    const ask = await call('POST', '/v1/corpora/pm/ask', body);
    const expected = toJson.result(await system.run(asked, { k: 2 }), 'hybrid');
    assert.deepEqual(timeless(ask.json), timeless(expected));
    assert.equal(ask.json['answer'], 'Boris Johnson');
    const search = await call('POST', '/v1/corpora/pm/search', body);
    const found = toJson.result(await system.run(asked, { k: 2, read: false }), 'hybrid');
    assert.deepEqual(timeless(search.json), timeless(found));
    assert.ok(!('answer' in search.json));
  });

  it('stream a line for each passage, then the rest', async () => {
    const { call } = started;
    const body = { question, asked_at: askedAt };
    const whole = await call('POST', '/v1/corpora/pm/ask', body);
    const { headers, text } = await call('POST', '/v1/corpora/pm/ask', body, {
      accept: 'application/x-ndjson',
    });
    assert.match(headers.get('content-type')!, /^application\/x-ndjson/);
    const lines = linesOf(text);
    assert.deepEqual(lines.at(-2), { type: 'writing', text: whole.json['answer'] });
    const evidence = lines
      .slice(0, -2)
      .map(({ type, ...each }) => (assert.equal(type, 'evidence'), each));
    const { type, ...rest } = lines.at(-1)!;
    assert.equal(type, 'result');
    assert.deepEqual(timeless({ ...rest, evidence }), timeless(whole.json));
  });

  it('use the options of a question', async () => {
    const { call } = started;
    const ids = async (options: object): Promise<string[]> => {
      const body = { question, asked_at: askedAt, ...options };
      const { status, json } = await call('POST', '/v1/corpora/pm/search', body);
      assert.equal(status, 200, JSON.stringify(json));
      return (json['evidence'] as { id: string }[]).map(({ id }) => id);
    };
    assert.deepEqual(await ids({ k: 1, system: 'bm25' }), ['may']);
    assert.deepEqual(await ids({ where: { tenant: 'b' } }), ['uk/truss']);
    assert.deepEqual(await ids({ candidate_ids: ['may'] }), ['may']);
    assert.deepEqual(await ids({ as_recorded: '2001-01-01' }), []);
    assert.deepEqual(await ids({ since: '2100' }), []);
    assert.deepEqual(await ids({ until: 'July 2016', only: 'current' }), ['may']);
    const decay = { shape: 'exponential', halfLife: '30d' };
    const relevance = { semantic: 1, lexical: 0 };
    assert.equal((await ids({ decay, relevance })).length, 3);
    const refused = { question, decay: { shape: 'none', halfLife: '30d' } };
    assert.equal((await call('POST', '/v1/corpora/pm/search', refused)).status, 400);
    const dated = { question, as_of: 'last May', asked_at: '2021-06-01' };
    const { json } = await call('POST', '/v1/corpora/pm/search', dated);
    assert.match(json['question'] as string, / as of 2021-05-31\?$/);
    assert.deepEqual(await ids({ system: 'dense+mask', asked_at: '2016-12-31' }), ['may']);
    assert.equal((await ids({ per_document: true, neighbours: 1 })).length, 3);
  });

  it('give pages, a least score, highlights and counts by value', async () => {
    const { call } = started;
    const search = async (options: object): Promise<Answer['json']> => {
      const body = { question, asked_at: askedAt, ...options };
      const { status, json } = await call('POST', '/v1/corpora/pm/search', body);
      assert.equal(status, 200, JSON.stringify(json));
      return json;
    };
    const { evidence: all } = await search({});
    assert.equal(all.length, 3);
    assert.deepEqual((await search({ k: 1, offset: 1 }))['evidence'], [all[1]]);
    const [{ score }] = all as [{ score: number }];
    assert.deepEqual((await search({ min_score: score }))['evidence'], [all[0]]);
    const marked = await search({ highlights: true, facets: ['tenant'], k: 1 });
    const [{ text, highlights }] = marked['evidence'];
    assert.ok(highlights.length > 0);
    for (const { start, end } of highlights) assert.match(text.slice(start, end), /^\S.*\S$/);
    const tenants = [
      { value: 'a', count: 2 },
      { value: 'b', count: 1 },
    ];
    assert.deepEqual(marked['facets'], { tenant: tenants });
    for (const wrong of [{ offset: 10_000 }, { min_score: 'high' }, { facets: ['text'] }]) {
      const refused = await call('POST', '/v1/corpora/pm/search', { question, ...wrong });
      assert.equal(refused.status, 400, JSON.stringify(wrong));
    }
  });

  it('give timelines', async () => {
    const { call, corpus } = started;
    const name = 'prime minister of the UK';
    const { json } = await call('POST', '/v1/corpora/pm/timeline', { question: name });
    assert.deepEqual(json, toJson.timeline(name, await timeline(corpus, { text: name }), 'UTC'));
    assert.equal((json['entries'] as unknown[]).length, 3);
    const filtered = await call('POST', '/v1/corpora/pm/timeline', {
      question: name,
      where: { tenant: 'a' },
      passages: 10,
    });
    assert.equal((filtered.json['entries'] as unknown[]).length, 2);
    const since = await call('POST', '/v1/corpora/pm/timeline', { question: name, since: '2019' });
    assert.equal((since.json['entries'] as unknown[]).length, 2);
  });

  it('read times of texts and questions', async () => {
    const { call } = started;
    const text = 'Born last May.';
    const tagged = await call('POST', '/v1/time/tag', {
      texts: [{ id: 7, text, ref: '2021-06-01' }, { text: 'none' }],
      mode: 'news',
    });
    const expected = tagText(text, { reference: '2021-06-01', mode: 'news' });
    const record = JSON.parse(JSON.stringify(toTimeTagRecord(7, text, expected))) as unknown;
    assert.deepEqual(tagged.json['records'][0], record);
    assert.deepEqual(tagged.json['records'][1].mentions, []);
    const read = await call('POST', '/v1/time/question', {
      questions: [{ id: 'q', question, asked_at: askedAt }],
      time_zone: 'Europe/London',
    });
    const parsed = parseQuestion({ text: question, askedAt, timeZone: 'Europe/London' });
    assert.deepEqual(read.json['records'], [toTimeQuestionRecord('q', parsed)]);
  });

  it('list, page and get passages, whose ids may hold slashes', async () => {
    const { call, corpus } = started;
    const first = await call(
      'GET',
      '/v1/corpora/pm/passages?order_by=published_at&descending=true&limit=2',
    );
    assert.deepEqual(
      first.json['passages'],
      ['uk/truss', 'johnson'].map((id) => toJson.passage(corpus.get(id)!, 'UTC')),
    );
    const after = encodeURIComponent(first.json['next'] as string);
    const last = await call(
      'GET',
      `/v1/corpora/pm/passages?order_by=published_at&descending=true&limit=2&after=${after}`,
    );
    assertEach(last.json['passages'], (each: { id: string }) => each.id, ['may']);
    assert.ok(!('next' in last.json));
    const where = encodeURIComponent('{"tenant":"b"}');
    const filtered = await call('GET', `/v1/corpora/pm/passages?where=${where}`);
    assert.equal(filtered.json['passages'].length, 1);
    const got = await call('GET', '/v1/corpora/pm/passages/uk%2Ftruss');
    assert.deepEqual(got.json, toJson.passage(corpus.get('uk/truss')!, 'UTC'));
    const versions = await call('GET', '/v1/corpora/pm/passages/may?versions=true');
    assert.equal(versions.json['versions'].length, 1);
    const early = await call('GET', '/v1/corpora/pm/passages/may?as_recorded=2001-01-01');
    assert.equal(early.status, 404);
  });

  it('say what there is', async () => {
    const { call, corpus } = started;
    assert.equal((await call('GET', '/v1/info')).json['write'], true);
    const { json } = await call('GET', '/v1/corpora');
    const { spans, systems, ...listed } = json['corpora'][0];
    assert.deepEqual([systems[0], systems.includes('bm25')], ['hybrid', true]);
    assert.deepEqual(listed, { name: 'pm', passages: 3, time_zone: 'UTC', writable: true });
    assert.deepEqual(spans, toJson.info(corpus.info())['spans']);
    const info = await call('GET', '/v1/corpora/pm');
    assert.equal(info.json['passages'], 3);
    assert.ok(!info.text.includes(corpus.path), 'names a path of the machine');
    assert.equal((await call('GET', '/health')).json['status'], 'ok');
    assert.match((await call('GET', '/')).text, /^<!doctype html>/);
    const counts = (await call('GET', '/metrics')).text;
    assert.match(counts, /^asof_corpus_passages\{corpus="pm"\} 3$/m);
    assert.match(
      counts,
      /^asof_http_requests_total\{method="GET",route="\/v1\/corpora\/\{corpus\}",status="200"\} 1$/m,
    );
    assert.match(counts, /^asof_questions_total\{corpus="pm"\} \d+$/m);
    const buckets = [...counts.matchAll(/_bucket\{route="\/health",le="([^"]+)"\} (\d+)/g)];
    assert.deepEqual(buckets.at(-1)!.slice(1), ['+Inf', '1']);
  });

  it('write, change, and delete what was written', async () => {
    const { call } = started;
    const passage = { id: 'sunak', text: 'Rishi Sunak became prime minister on 25 October 2022.' };
    const added = await call('POST', '/v1/corpora/pm/passages', { passages: [passage] });
    assert.deepEqual(added.json, { added: 1, replaced: 0, unchanged: 0, rejected: 0, faults: [] });
    const patch = { published_at: '2022-10-25' };
    const updated = await call('PATCH', '/v1/corpora/pm/passages/sunak', patch);
    assert.deepEqual(updated.json, { updated: 1, unchanged: 0 });
    const all = await call('PATCH', '/v1/corpora/pm/passages', { ids: ['sunak'], patch });
    assert.deepEqual(all.json, { updated: 0, unchanged: 1 });
    assert.equal((await call('DELETE', '/v1/corpora/pm/passages/sunak')).json['deleted'], 1);
    const again = await call('POST', '/v1/corpora/pm/delete', { ids: ['sunak', 'nobody'] });
    assert.deepEqual(again.json, { deleted: 0, unknown: 2 });
    const fields = await call('PATCH', '/v1/corpora/pm/fields', { add: { kind: 'keyword' } });
    assert.deepEqual(fields.json, { fields: { tenant: 'keyword', kind: 'keyword' } });
    const type = { 'content-type': 'text/plain' };
    const document = await call('POST', '/v1/corpora/pm/documents/note', 'A note.', type);
    assert.equal(document.json['added'], 1);
    assert.equal((await call('DELETE', '/v1/corpora/pm/passages/note%230')).json['deleted'], 1);
  });

  it('create and drop corpora', async () => {
    const { call } = started;
    const { status, json } = await call('POST', '/v1/corpora', { name: 'notes' });
    assert.deepEqual([status, json['passages']], [201, 0]);
    const dropped = await call('DELETE', '/v1/corpora/notes');
    assert.deepEqual(dropped.json, { dropped: 'notes' });
  });

  it('are all described, and all of them have answered here', async () => {
    const { json } = await started.call('GET', '/openapi.json');
    const described = Object.values(json['paths'] as object).flatMap((operations: object) =>
      Object.values(operations).map(({ operationId }: { operationId: string }) => operationId),
    );
    assert.deepEqual(described.sort(), routes.map(({ id }) => id).sort());
    assert.deepEqual([...started.answered].sort(), described);
    const references = JSON.stringify(json).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g);
    for (const [, name] of references) assert.ok(json['components'].schemas[name!], name);
  });

  it('take several corpora as one, which has no passages to list', async () => {
    const { corpus, stop, call } = await start({
      corpora: { all: joinCorpora([started.corpus]) },
    });
    try {
      const found = await call('POST', '/v1/corpora/all/ask', { question, asked_at: askedAt });
      assert.equal(found.json['answer'], 'Boris Johnson');
      assert.equal((await call('GET', '/v1/corpora')).json['corpora'][0].passages, null);
      const listed = await call('GET', '/v1/corpora/all/passages');
      assert.equal(listed.status, 400);
      assert.match(listed.json['error'].message, /several searched as one/);
    } finally {
      await corpus.close();
      await stop();
    }
  });
});
