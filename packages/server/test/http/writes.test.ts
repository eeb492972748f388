// Writing over HTTP: lists and streams of passages, faults by their line, what breaks off.
import assert from 'node:assert/strict';
import type { Corpus } from '../../../../lib/index.js';
import { start, type Started } from './started.js';
import { assertEach } from '../../../../test/assertEach.js';

const path = '/v1/corpora/pm/passages';
const lines = { 'content-type': 'application/x-ndjson' };

/** A body that is sent as the test says. */
function openBody(): { stream: ReadableStream<Uint8Array>; send(text: string): void; end(): void } {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const stream = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  return {
    stream,
    send: (text) => controller.enqueue(Buffer.from(text)),
    end: () => controller.close(),
  };
}

describe('a server that writes', () => {
  let started: Started;
  before(async () => {
    started = await start({ write: true, limits: { bodyBytes: 2048, seconds: 5 } });
  });
  after(() => started.stop());

  const upload = (stream: ReadableStream<Uint8Array>, signal?: AbortSignal): Promise<Response> =>
    fetch(started.url + path, {
      method: 'POST',
      headers: lines,
      body: stream,
      duplex: 'half',
      ...(signal ? { signal } : {}),
    });

  it('adds, renames and drops fields, which filters name at once', async () => {
    const { call, corpus } = started;
    const alter = (body: unknown) => call('PATCH', '/v1/corpora/pm/fields', body);
    const renamed = await alter({ rename: { tenant: 'owner' }, add: { size: 'number' } });
    assert.deepEqual(renamed.json, { fields: { owner: 'keyword', size: 'number' } });
    const body = { question: 'Who was prime minister?', where: { owner: 'b' }, facets: ['owner'] };
    const { json } = await call('POST', '/v1/corpora/pm/search', body);
    assert.deepEqual(json['facets'], { owner: [{ value: 'b', count: 1 }] });
    for (const [wrong, message] of [
      [{}, /alterFields|add/],
      [{ drop: ['town'] }, /town/],
      [{ add: { a: 'text' } }, /Expected add\.a to be one of keyword/],
      [{ add: { 'a b': 'keyword' } }, /name of a field/],
      [{ rename: { owner: 'size' } }, /size/],
      [{ drop: 'size' }, /Expected drop to be a list/],
      [{ dropped: ['size'] }, /an object of add, rename, drop/],
      [{ add: { owner: 'number' } }, /owner/],
    ] as const) {
      const refused = await alter(wrong);
      assert.equal(refused.status, 400, JSON.stringify(wrong));
      assert.match(refused.json['error'].message, message);
    }
    const at = await Promise.all([alter({ drop: ['size'] }), alter({ drop: ['size'] })]);
    assert.deepEqual(at.map(({ status }) => status).sort(), [200, 400]);
    await alter({ rename: { owner: 'tenant' } });
    assert.deepEqual(corpus.info().fields, { tenant: 'keyword' });
  });

  it('says of a corpus whose fields stay that they do', async () => {
    const fixed = Object.create(started.corpus, { alterFields: { value: undefined } }) as Corpus;
    const { call, stop } = await start({ write: true }, fixed);
    const refused = await call('PATCH', '/v1/corpora/pm/fields', { drop: ['tenant'] });
    assert.equal(refused.status, 400);
    assert.match(refused.json['error'].message, /in PostgreSQL keeps the fields/);
    await stop();
  });

  it('adds lines, and reports faults by their line', async () => {
    const body = [
      '{"id":"a","text":"First of all.","published_at":"2021-05-06","metadata":{"tenant":"c"}}',
      '',
      '{"id":"b"}',
      '{"id":"c","text":"A line with a field of none.","publishedAt":"2021"}',
      '{"id":"d","text":"Wrong tenant.","metadata":{"tenant":7}}',
      'not json',
      '{"id":"e","text":"Last of all."}',
    ].join('\n');
    const { status, json } = await started.call('POST', path, body, lines);
    assert.equal(status, 200);
    const { faults, ...counts } = json as { faults: { line: number; message: string }[] };
    assert.deepEqual(counts, { added: 2, replaced: 0, unchanged: 0, rejected: 4 });
    assertEach(faults, ({ line }) => line, [3, 4, 5, 6]);
    assert.match(faults[0]!.message, /^body:3: Expected a string "text"/);
    assert.match(faults[1]!.message, /Did you mean published_at\?/);
    const again = await started.call('POST', path, body, lines);
    assert.equal(again.json['unchanged'], 2);
    assert.equal(started.corpus.get('a')!.metadata!['tenant'], 'c');
  });

  it('adds a list, and reports faults by their number', async () => {
    const passages = [{ id: 'may', text: 'Changed.' }, { id: '', text: 'x' }, 7];
    const { json } = await started.call('POST', path, { passages: passages.slice(0, 2) });
    assert.deepEqual([json['replaced'], json['rejected'], json['faults'][0].line], [1, 1, 2]);
    assert.equal((await started.call('POST', path, { passages })).status, 400);
    assert.equal((await started.call('POST', path, { passages: [] })).status, 400);
    assert.equal((await started.call('POST', path, {})).status, 400);
  });

  it('takes more lines than a body may have bytes, but no line that is too long', async () => {
    const many = Array.from({ length: 200 }, (_, at) => `{"id":"m${at}","text":"Line ${at}."}`);
    const long = `{"id":"long","text":"${'x'.repeat(3000)}"}`;
    const { json } = await started.call('POST', path, [...many, long].join('\n'), lines);
    assert.deepEqual([json['added'], json['rejected'], json['faults'][0].line], [200, 1, 201]);
    assert.match(json['faults'][0].message, /lines of at most 2048 bytes/);
  });

  it('stops at a hundred faults', async () => {
    const body = Array.from({ length: 150 }, () => '{}').join('\n');
    const { status, json } = await started.call('POST', path, body, lines);
    assert.equal(status, 400);
    assert.match(json['error'].message, /100 invalid ones.*body:100/);
  });

  it('refuses other types, and compressed lines', async () => {
    for (const headers of [
      { 'content-type': 'text/csv' },
      { ...lines, 'content-encoding': 'gzip' },
    ])
      assert.equal((await started.call('POST', path, 'x', headers)).status, 415);
  });

  it('ends an upload that stops coming by 408', async () => {
    const own = await start({ write: true, limits: { seconds: 0.5 } });
    const { stream, send } = openBody();
    try {
      send('{"id":"p1","text":"Sent."}\n');
      const response = await fetch(own.url + path, {
        method: 'POST',
        headers: lines,
        body: stream,
        duplex: 'half',
      });
      assert.equal(response.status, 408);
    } finally {
      await own.stop();
    }
  });

  it('ends with a client that goes: nothing of it runs on', async () => {
    const { stream, send } = openBody();
    const client = new AbortController();
    const answer = upload(stream, client.signal);
    send('{"id":"gone","text":"Sent before it went."}\n');
    answer.catch(() => undefined);
    const running = async (): Promise<number> => {
      const { text } = await started.call('GET', '/metrics');
      return Number(/^asof_http_requests_in_flight (\d+)$/m.exec(text)![1]);
    };
    while ((await running()) < 2) await new Promise(setImmediate);
    client.abort();
    while ((await running()) > 1) await new Promise(setImmediate);
    assert.equal(started.corpus.has('gone'), false);
  });

  it('changes passages by id or by a filter, in one commit or none', async () => {
    const passages = ['u/1', 'u2'].map((id) => ({
      id,
      text: 'Updated.',
      published_at: '2021-05-06',
      metadata: { tenant: 'u', note: 'x' },
    }));
    await started.call('POST', path, { passages });
    const patch = { valid_to: '2022-05-31', metadata: { note: null } };
    const one = await started.call('PATCH', `${path}/u%2F1`, patch);
    assert.deepEqual([one.status, one.json], [200, { updated: 1, unchanged: 0 }]);
    assert.deepEqual(started.corpus.get('u/1'), {
      id: 'u/1',
      text: 'Updated.',
      publishedAt: Date.UTC(2021, 4, 6),
      validTo: Date.UTC(2022, 5, 1),
      metadata: { tenant: 'u' },
    });
    const where = { tenant: 'u' };
    const many = await started.call('PATCH', path, { where, patch });
    assert.deepEqual(many.json, { updated: 1, unchanged: 1 });
    const unknown = await started.call('PATCH', path, { ids: ['u2', 'nobody'], patch });
    assert.deepEqual([unknown.status, unknown.json['error'].code], [404, 'ERR_NOT_FOUND']);
    assert.match(unknown.json['error'].message, /found none of "nobody"/);
    assert.equal((await started.call('PATCH', `${path}/nobody`, patch)).status, 404);
    const late = await started.call('PATCH', `${path}/u2`, { valid_from: '2023' });
    assert.match(late.json['error'].message, /id "u2".*valid_from to be no later than valid_to/);
    for (const body of [
      { patch },
      { where, ids: ['u2'], patch },
      { where },
      { where, patch: {} },
      { where, patch: { text: 'New.' } },
      { where, patch: { metadata: { tenant: 7 } } },
      { where, patch: { valid_to: 2021 } },
    ])
      assert.equal((await started.call('PATCH', path, body)).status, 400, JSON.stringify(body));
    await started.call('POST', '/v1/corpora/pm/delete', { where });
  });

  it('deletes by a filter', async () => {
    const { json } = await started.call('POST', '/v1/corpora/pm/delete', {
      where: { tenant: 'c' },
    });
    assert.deepEqual(json, { deleted: 1 });
    for (const body of [{}, { ids: ['a'], where: {} }, { ids: [] }])
      assert.equal((await started.call('POST', '/v1/corpora/pm/delete', body)).status, 400);
    assert.equal((await started.call('DELETE', `${path}/nobody`)).status, 404);
  });
});
