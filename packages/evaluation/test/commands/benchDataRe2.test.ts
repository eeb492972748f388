// asof bench-data re2: a folder from records, that the other commands read; faulty lines said by
// number; nothing half written.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inventedCrashes as crashes } from '../../lib/papers/data/inventedCrashes.js';
import { rows, weatherSchema } from '../re2/records.js';
import { asof, argv } from '../../../../test/cli/spawn.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';
import { assertEach } from '../../../../test/assertEach.js';

const files = [
  'facts.tsv',
  'future.tsv',
  'outdated.tsv',
  'passages.jsonl',
  'qrels.tsv',
  'queries-dev.jsonl',
  'queries-test.jsonl',
  'queries-train.jsonl',
  'triplets-dev.jsonl',
  'triplets-test.jsonl',
  'triplets-train.jsonl',
  'truth.jsonl',
];

describe('asof bench-data re2', () => {
  const folder = temporaryFolder();
  let schema: string;
  before(() => {
    schema = folder.path('schema.json');
    writeFileSync(schema, JSON.stringify(weatherSchema));
  });

  const jsonLines = (out: string, name: string): Record<string, unknown>[] =>
    readFileSync(join(out, name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const csv = (table: Record<string, string>[]): string => {
    const names = Object.keys(table[0]!);
    return `${names.join(',')}\r\n${table.map((row) => names.map((name) => `"${row[name]!.replaceAll('"', '""')}"`).join(',')).join('\r\n')}\r\n`;
  };

  it('writes files whose ids are of one another, and that asof indexes and evaluates', async () => {
    const [records, out] = [folder.path('records.csv'), folder.path('out')];
    writeFileSync(records, csv(rows(1, 20)));
    const { code, stdout, stderr } = await asof(argv`
      bench-data re2 --records ${records} --schema ${schema} --out ${out} --seed 4 --json
    `);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(readdirSync(out).sort(), files);
    const passages = new Set(jsonLines(out, 'passages.jsonl').map(({ id }) => id));
    const ids = [...passages];
    assert.deepEqual(ids, [...ids].sort());
    assertEach(jsonLines(out, 'truth.jsonl'), ({ id }) => id, ids);
    const queries = new Set<unknown>();
    for (const split of ['train', 'dev', 'test']) {
      const asked = jsonLines(out, `queries-${split}.jsonl`);
      const triplets = jsonLines(out, `triplets-${split}.jsonl`);
      assert.ok(asked.length > 0);
      assert.deepEqual(
        triplets.map(({ id, query, asked_at }) => [id, query, asked_at]),
        asked.map(({ id, text, asked_at }) => [id, text, asked_at]),
      );
      for (const { id } of asked) assert.ok(!queries.has(id) && queries.add(id));
      for (const { positive, negatives } of triplets) {
        assert.ok(passages.has(positive));
        for (const { id } of negatives as { id: string }[]) assert.ok(passages.has(id));
      }
    }
    for (const name of ['qrels.tsv', 'outdated.tsv', 'future.tsv']) {
      for (const line of readFileSync(join(out, name), 'utf8').trim().split('\n')) {
        const [query, zero, passage, one] = line.split('\t');
        assert.ok(queries.has(query) && passages.has(passage) && zero === '0' && one === '1', line);
      }
    }
    const told = JSON.parse(stdout) as {
      passages: number;
      rejected: number;
      questions: Record<string, { explicit: number; latest: number }>;
    };
    assert.deepEqual([told.passages, told.rejected], [passages.size, 0]);
    assert.equal(
      Object.values(told.questions).reduce(
        (sum, { explicit, latest }) => sum + explicit + latest,
        0,
      ),
      queries.size,
    );
    const corpus = folder.path('corpus');
    assert.equal((await asof(['index', corpus, join(out, 'passages.jsonl')])).code, 0);
    const measured = await asof(argv`
      eval ${corpus} --queries ${join(out, 'queries-dev.jsonl')} --qrels ${join(out, 'qrels.tsv')}
      --system bm25 --json
    `);
    assert.equal(measured.code, 0, measured.stderr);
  });

  it('reports invalid lines by number, and the result is the same as without them', async () => {
    const good = rows(1, 8);
    const faulty = [
      '{"place":"Arvik"}',
      JSON.stringify({ ...good[0], day: '2021-02-30' }),
      JSON.stringify({ ...good[0], place: ' ' }),
      '{',
      JSON.stringify({ ...good[0], issued: '2021' }),
      JSON.stringify({ ...good[0], high: { f: 1 } }),
    ];
    const lines = good.map((row) => JSON.stringify(row));
    const paths = ['a.jsonl', 'b.jsonl'].map((name) => folder.path(name)) as [string, string];
    writeFileSync(paths[0], lines.join('\n'));
    writeFileSync(
      paths[1],
      Buffer.concat([
        Buffer.from([...faulty, ''].join('\n')),
        Buffer.from([0x7b, 0xff, 0x0a]),
        Buffer.from(lines.join('\n')),
      ]),
    );
    const outs = paths.map((path) => `${path}.out`);
    const clean = await asof(argv`
      bench-data re2 --records ${paths[0]} --schema ${schema} --out ${outs[0]!}
    `);
    assert.deepEqual([clean.code, clean.stderr], [0, '']);
    const { code, stderr, stdout } = await asof(argv`
      bench-data re2 --records ${paths[1]} --schema ${schema} --out ${outs[1]!}
    `);
    assert.equal(code, 1);
    assert.deepEqual(
      [...stderr.matchAll(/b\.jsonl:(\d+): Expected/g)].map((match) => match[1]),
      ['1', '2', '3', '4', '5', '6', '7'],
    );
    assert.match(
      stderr,
      /:1: Expected the column "day" that the schema names, received a record with place/,
    );
    assert.match(stderr, /:2: Expected a date, received "2021-02-30"/);
    assert.match(stdout, /7 invalid lines skipped/);
    for (const name of files)
      assert.deepEqual(
        readFileSync(join(outs[1]!, name)),
        readFileSync(join(outs[0]!, name)),
        name,
      );
  });

  it('refuses bad usage before it writes, and leaves no half of a benchmark', async () => {
    const records = folder.path('few.jsonl');
    writeFileSync(
      records,
      rows(1, 2)
        .map((row) => JSON.stringify(row))
        .join('\n'),
    );
    const given = (extra: string[], schemaFile = schema): string[] => argv`
      bench-data re2 --records ${records} --schema ${schemaFile} --out ${folder.path('never')}
      ${extra}
    `;
    const wrong: [string[], RegExp, number][] = [
      [['bench-data', 're2', '--schema', schema, '--out', 'x'], /--records FILE is needed/, 2],
      [given(['--masked', '2']), /--masked must be a share from 0 to 1/, 2],
      [given(['--seed', 'x']), /--seed must be a whole number/, 2],
      [given([], records), /few\.jsonl to be a JSON file with a schema/, 1],
      [
        argv`
          bench-data re2 --records ${folder.path('none.csv')} --schema ${schema}
          --out ${folder.path('never')}
        `,
        /none\.csv, found none/,
        1,
      ],
      [
        argv`
          bench-data re2 --records ${records} --schema ${schema} --out ${join(records, 'x')}
        `,
        /Expected to write a benchmark to/,
        1,
      ],
    ];
    for (const [args, message, expected] of wrong) {
      const { code, stderr } = await asof(args);
      assert.match(stderr, message);
      assert.equal(code, expected, stderr);
    }
    assert.ok(!readdirSync(folder.path()).includes('never'));
  });

  it("takes New York's table of collisions by name", async () => {
    const [records, out] = [folder.path('crashes.csv'), folder.path('crashes')];
    const faulty = { ...crashes(1)[0]!, 'CRASH DATE': '' };
    writeFileSync(records, csvOf([faulty, ...crashes(6)]));
    const given = ['--records', records, '--schema', 'nyc-crashes', '--out', out, '--json'];
    const { code, stdout, stderr } = await asof(['bench-data', 're2', ...given]);
    assert.equal(code, 1);
    assert.match(stderr, /crashes\.csv:2/);
    const { rejected, clusters } = JSON.parse(stdout) as {
      rejected: number;
      clusters: { all: number };
    };
    assert.deepEqual([rejected, clusters.all], [1, 6 * 6 * 8]);
    assert.match(
      JSON.stringify(jsonLines(out, 'passages.jsonl')),
      /Tanner Street and Quince Avenue/,
    );
  });

  it('takes answers of the National Weather Service, a folder a city', async () => {
    const [records, out] = [folder.path('forecasts'), folder.path('nws')];
    const day = (at: number): string => new Date(Date.UTC(2025, 10, at)).toISOString().slice(0, 10);
    for (const [place, city] of ['Pontiac, IL', 'Pocatello, ID', 'Pawtucket, RI'].entries()) {
      mkdirSync(join(records, city), { recursive: true });
      for (let issued = 1; issued <= 8; issued += 1) {
        const periods = Array.from({ length: 14 }, (_, at) => ({
          number: at + 1,
          startTime: `${day(issued + (at >> 1))}T${at % 2 === 0 ? '06' : '18'}:00:00-06:00`,
          isDaytime: at % 2 === 0,
          temperature: 50 + place + at + (issued % 2),
          temperatureUnit: 'F',
          shortForecast: 'Chance Light Rain',
        }));
        const properties = { updateTime: `${day(issued)}T11:58:10+00:00`, periods };
        writeFileSync(join(records, city, `${day(issued)}.json`), JSON.stringify({ properties }));
      }
    }
    writeFileSync(join(records, 'Pontiac, IL', 'z.json'), '{"title":"Unexpected Problem"}');
    const given = ['--records', records, '--schema', 'nws-forecasts', '--out', out, '--json'];
    const { code, stdout, stderr } = await asof(['bench-data', 're2', ...given]);
    assert.equal(code, 1);
    assert.match(stderr, /z\.json:1: Expected an answer \{"properties".*Unexpected Problem/);
    const { rejected, clusters } = JSON.parse(stdout) as Record<string, Record<string, number>>;
    // Seven days from each of eight, of three cities; the first and the last have one issue.
    assert.deepEqual([rejected, clusters!['all'], clusters!['versioned']], [1, 3 * 14, 3 * 12]);
    const truth = jsonLines(out, 'truth.jsonl');
    const text = JSON.stringify(truth);
    assert.match(text, /Pontiac, IL/);
    assert.match(text, /Chance Light Rain/);
    const published = jsonLines(out, 'passages.jsonl').map((each) => each['published_at']);
    assert.ok(published.includes('2025-11-04T11:58:10Z'), String(published[0]));
    const none = await asof([
      ...['bench-data', 're2', '--records', out, '--schema', 'nws-forecasts', '--out', records],
    ]);
    assert.equal(none.code, 1);
    assert.match(none.stderr, /Expected answers of forecasts, CITY\/NAME\.json/);
  });
});

function csvOf(rows: readonly Readonly<Record<string, string>>[]): string {
  const names = Object.keys(rows[0]!);
  const quoted = (text: string): string => (/[",]/.test(text) ? `"${text}"` : text);
  return [names, ...rows.map((row) => names.map((name) => quoted(row[name]!)))]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('');
}
