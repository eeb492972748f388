// Fields and filters on the command line: declared by asof index, named by ask, list and delete.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { asof } from './spawn.js';
import { temporaryFolder } from '../store/fixtures.js';

const fieldOptions = ['tenant=keyword', 'tags=keyword[]', 'price=number', 'draft=boolean'].flatMap(
  (each) => ['--field', each],
);
const passages = Array.from({ length: 12 }, (_, i) => ({
  id: `p${String(i).padStart(2, '0')}`,
  text: `In ${1950 + i} the mayor of Varn was Anna Number${i}.`,
  published_at: `${1990 - i}-05-06`,
  metadata: { tenant: i % 3 === 0 ? 'a' : 'b', price: i / 2 },
}));

interface Span {
  start: number;
  end: number;
  kind: string;
}

describe('filters on the command line', () => {
  const folder = temporaryFolder();
  const corpus = folder.path('corpus');
  const ids = (stdout: string): string[] =>
    stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { id: string }).id);
  before(async () => {
    const input = passages.map((each) => `${JSON.stringify(each)}\n`).join('');
    const { code, stderr } = await asof(['index', corpus, '-', ...fieldOptions], { input });
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('list prints what passes, in an order', async () => {
    const where = ['--where', '{"tenant": "a"}'];
    assert.deepEqual(ids((await asof(['list', corpus, ...where])).stdout), [
      'p00',
      'p03',
      'p06',
      'p09',
    ]);
    const order = ['--order-by', 'published_at', '--limit', '2'];
    assert.deepEqual(ids((await asof(['list', corpus, ...where, ...order])).stdout), [
      'p09',
      'p06',
    ]);
    const descending = ['--order-by', 'price', '--descending', '--limit', '1'];
    const { stdout } = await asof(['list', corpus, ...descending]);
    assert.equal(ids(stdout)[0], 'p11');
    assert.deepEqual(JSON.parse(stdout), {
      ...passages[11],
      published_at: '1979-05-06',
    });
    assert.equal((await asof(['list', corpus, '--count', ...where])).stdout, '4\n');
    const json = await asof(['list', corpus, '--count', '--json']);
    assert.deepEqual(JSON.parse(json.stdout), { corpus, passages: 12 });
  });

  it('ask answers from what passes', async () => {
    const question = 'Who was mayor of Varn in 1951?';
    const ask = async (tenant: string): Promise<string[]> => {
      const where = JSON.stringify({ tenant });
      const { stdout } = await asof(['ask', corpus, question, '--json', '--where', where]);
      const { evidence } = JSON.parse(stdout) as { evidence: { id: string }[] };
      return evidence.map(({ id }) => id);
    };
    assert.equal((await ask('b'))[0], 'p01');
    assert.ok(!(await ask('a')).includes('p01'));
  });

  it('ask prints pages, a least score, counts by value and highlights', async () => {
    const question = 'Who was mayor of Varn in 1951?';
    const ask = async (...options: string[]) => {
      const { code, stdout, stderr } = await asof(['ask', corpus, question, '--json', ...options]);
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout) as {
        answer: string;
        facets?: Record<string, { value: string; count: number }[]>;
        evidence: { id: string; score: number; text: string; highlights?: Span[] }[];
      };
    };
    const all = await ask('-k', '12');
    const page = await ask('-k', '3', '--offset', '2');
    assert.deepEqual(page.evidence, all.evidence.slice(2, 5));
    assert.equal(page.answer, all.answer);
    const sure = await ask('-k', '12', '--min-score', '0.5');
    assert.deepEqual(
      sure.evidence,
      all.evidence.filter(({ score }) => score >= 0.5),
    );
    assert.ok(sure.evidence.length > 0 && sure.evidence.length < 12);
    const where = ['--where', '{"price": {"lt": 2.5}}'];
    const { facets } = await ask('--facets', 'tenant,tags', '--facets', 'draft', ...where);
    const tenants = [
      { value: 'b', count: 3 },
      { value: 'a', count: 2 },
    ];
    assert.deepEqual(facets, { tenant: tenants, tags: [], draft: [] });
    const marked = await ask('-k', '1', '--highlights');
    const [{ text, highlights }] = marked.evidence as [(typeof marked.evidence)[0]];
    assert.deepEqual(
      highlights!.map(({ start, end, kind }) => [kind, text.slice(start, end)]),
      [
        ['time', 'In 1951'],
        ['term', 'mayor'],
        ['term', 'Varn'],
      ],
    );
    const printed = await asof(['ask', corpus, question, '--facets', 'tenant']);
    assert.match(printed.stdout, /\ntenant: b 8, a 4\n/);
    for (const [option, value, words] of [
      ['--min-score', 'high', /--min-score to be a number, received/],
      ['--offset', '-1', /--offset must be a whole number from 0 to 10,000/],
      ['--facets', 'price', /facets to be fields of keywords or booleans: tenant, tags, draft/],
    ] as const) {
      const outcome = await asof(['ask', corpus, question, option, value]);
      assert.equal(outcome.code, 2, outcome.stderr);
      assert.match(outcome.stderr, words);
    }
  });

  it('ask marks highlights in a terminal', async () => {
    const node = { NODE_OPTIONS: '--import data:text/javascript,process.stdout.isTTY=true' };
    const args = ['ask', corpus, 'Who was mayor of Varn in 1951?', '--highlights', '-k', '1'];
    const { stdout } = await asof(args, { env: node });
    const marked =
      '\u001b[33mIn\u001b[39m \u001b[33m1951\u001b[39m the \u001b[1mmayor\u001b[22m of ' +
      '\u001b[1mVarn\u001b[22m was Anna Number1.';
    assert.ok(stdout.includes(marked), stdout);
  });

  it('delete deletes what passes, and index takes columns of a table by their types', async () => {
    const table = folder.path('more.csv');
    const rows = [
      'id,text,tenant,tags,price,draft',
      'c1,The bridge opened.,c,new; big,12.5,true',
      'c2,The bridge closed.,c,old,dear,false',
    ];
    writeFileSync(table, `${rows.join('\n')}\n`);
    const indexed = await asof(['index', corpus, table]);
    assert.equal(indexed.code, 1);
    assert.match(indexed.stderr, /more\.csv:3: Expected metadata\.price to be a finite number/);
    const where = '{"tags": ["big", "new"], "price": {"gt": 12}, "draft": true}';
    const contains = where.replace('["big", "new"]', '{"contains": ["big", "new"]}');
    const found = await asof(['list', corpus, '--where', contains]);
    assert.deepEqual(ids(found.stdout), ['c1']);
    const deleted = await asof(['delete', corpus, '--where', '{"tenant": "c"}', '--json']);
    assert.deepEqual(JSON.parse(deleted.stdout), { corpus, deleted: 1 });
    assert.equal((await asof(['list', corpus, '--count'])).stdout, '12\n');
  });

  it('fields adds, renames and drops them, and update fills them', async () => {
    const own = folder.path('own');
    const input = passages.map((each) => `${JSON.stringify(each)}\n`).join('');
    assert.equal((await asof(['index', own, '-'], { input })).code, 0);
    assert.equal((await asof(['fields', own])).stdout, `${own}: no fields\n`);
    const add = ['--add', 'price=number', '--add', 'state=keyword'];
    const { stdout } = await asof(['fields', own, ...add, '--json']);
    const fields = { price: 'number', state: 'keyword' };
    assert.deepEqual(JSON.parse(stdout), { corpus: own, fields });
    const patch = JSON.stringify({ valid_to: '1990-05-31', metadata: { state: 'old' } });
    const cheap = ['--where', '{"price": {"lt": 1}}'];
    const updated = await asof(['update', own, ...cheap, '--patch', patch]);
    assert.equal(updated.stdout, `${own}: 2 passages updated\n`);
    const again = await asof(['update', own, 'p01', '-', '--patch', patch, '--json'], {
      input: '{"id":"p02"}\n',
    });
    assert.deepEqual(JSON.parse(again.stdout), { corpus: own, updated: 1, unchanged: 1 });
    const old = await asof(['list', own, '--where', '{"state": "old"}']);
    assert.deepEqual(ids(old.stdout), ['p00', 'p01', 'p02']);
    assert.match(old.stdout, /"valid_to":"1990-05-31"/);
    await asof(['fields', own, '--rename', 'price=cost', '--drop', 'state']);
    const shown = await asof(['get', own, 'p02']);
    assert.deepEqual((JSON.parse(shown.stdout) as { metadata: object }).metadata, {
      tenant: 'b',
      cost: 1,
      state: 'old',
    });
    assert.equal((await asof(['fields', own])).stdout, `${own}: cost (number)\n`);
  });

  it('refuses what is no filter, field or patch', async () => {
    const patch = (text: string) => ['update', corpus, 'p00', '--patch', text];
    for (const [args, code, words] of [
      [['list', corpus, '--where', '{x'], 2, /Expected --where to be JSON/],
      [['list', corpus, '--where', '{"owner": 1}'], 2, /tenant, tags, price, draft/],
      [['list', corpus, '--order-by', 'tenant'], 2, /orderBy/],
      [['delete', corpus], 2, /needs ids, - or --where/],
      [['delete', corpus, 'p01', '--where', '{}'], 2, /ids or --where, received both/],
      [['index', folder.path('new'), '-', '--field', 'tenant'], 2, /NAME=TYPE/],
      [['index', folder.path('new'), '-', '--field', 'tenant=text'], 2, /one of keyword/],
      [['index', corpus, '-', '--field', 'tenant=number'], 2, /those of the corpus/],
      [['fields', corpus, '--rename', 'tenant'], 2, /NAME=NEW/],
      [['fields', corpus, '--drop', 'owner'], 2, /tenant, tags, price, draft.*owner/],
      [['fields', 'postgres://u@h/d', '--drop', 'owner'], 2, /needs the folder/],
      [['update', corpus, 'p00'], 2, /--patch JSON is needed/],
      [['update', corpus, '--patch', '{}'], 2, /needs ids, - or --where/],
      [[...patch('{}'), '--where', '{}'], 2, /received both/],
      [patch('{}'), 2, /a patch to have some of published_at.*received none/],
      [patch('7'), 2, /--patch to be an object/],
      [patch('{"validTo": "2001"}'), 2, /Did you mean valid_to\?/],
      [patch('{"text": "New."}'), 2, /Index the passage again/],
      [patch('{"valid_to": 2001}'), 2, /Write "2021-05-06"/],
      [patch('{"metadata": {"price": "dear"}}'), 2, /metadata\.price to be a finite number/],
      [['update', corpus, 'none', '--patch', '{"valid_to": null}'], 1, /found none of "none"/],
    ] as [string[], number, RegExp][]) {
      const outcome = await asof(args, { input: '' });
      assert.equal(outcome.code, code, args.join(' '));
      assert.match(outcome.stderr, words);
    }
  });
});
