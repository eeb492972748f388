// New York's table of collisions as records: columns of every version, places in words, what is
// dropped and what is a fault; and a benchmark of an invented table.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { re2Benchmark } from '../../lib/re2/benchmark.js';
import { crashRow, crashSchema } from '../../lib/re2/crashes.js';
import { readRe2Records } from '../../lib/re2/records.js';
import { failsWith } from '../../../../test/failsWith.js';
import { crashes, csvOf } from './crashTable.js';

const where = { file: 'crashes.csv', line: 2 };
const [entry] = crashes();

describe('collisions of New York', () => {
  let folder: string;
  before(() => void (folder = mkdtempSync(join(tmpdir(), 'asof-crashes-'))));
  after(() => rmSync(folder, { recursive: true }));

  it('are read under the column names of any version, in any form of the file', () => {
    const expected = crashRow(entry!, where);
    assert.equal(expected?.['location'], 'Tanner Street and Quince Avenue, Brooklyn');
    assert.equal(expected['date'], '2021-01-03');
    assert.deepEqual(
      [expected['cyclists_injured'], expected['cyclists_killed']],
      ['0', '0'],
      'missing counts are zeros',
    );
    const renamed = (name: (column: string) => string): Record<string, string> =>
      Object.fromEntries(Object.entries(entry!).map(([column, value]) => [name(column), value]));
    const api = renamed((column) => column.toLowerCase().replaceAll(' ', '_'));
    assert.deepEqual(
      crashRow({ ...api, crash_date: '2021-01-03T00:00:00.000', collision_id: 7 }, where),
      expected,
    );
    const former: Record<string, string> = {
      'CRASH DATE': 'DATE',
      'CRASH TIME': 'TIME',
      COLLISION_ID: 'UNIQUE KEY',
    };
    assert.deepEqual(
      crashRow(
        renamed((column) => former[column] ?? column),
        where,
      ),
      expected,
    );
  });

  it('are placed at a corner, else at a street or an address, else nowhere', () => {
    const placed = (street: string, cross: string, address: string): string | undefined =>
      crashRow(
        {
          ...entry,
          BOROUGH: 'STATEN ISLAND',
          'ON STREET NAME': street,
          'CROSS STREET NAME': cross,
          'OFF STREET NAME': address,
        },
        where,
      )?.['location'];
    assert.equal(
      placed('3RD AVENUE', "O'HARA PLACE", ''),
      "3rd Avenue and O'hara Place, Staten Island",
    );
    assert.equal(placed('MILL LANE', '', ''), 'Mill Lane, Staten Island');
    assert.equal(placed('', '', '12      MILL LANE'), '12 Mill Lane, Staten Island');
    assert.equal(placed('', 'MILL LANE', ''), undefined);
    assert.equal(
      crashRow({ ...entry, BOROUGH: '' }, where)?.['location'],
      'Tanner Street and Quince Avenue',
    );
  });

  it('are refused without identifier, date or columns, and with counts that are none', async () => {
    const wrong = (changes: Record<string, string>, message: RegExp): void =>
      assert.throws(
        () => crashRow({ ...entry, ...changes }, where),
        failsWith('ERR_INVALID_INPUT', message),
      );
    wrong({ COLLISION_ID: '' }, /crashes\.csv.*collision_id/);
    wrong({ 'NUMBER OF CYCLIST KILLED': 'two' }, /"number_of_cyclist_killed".*whole number/);
    const { 'NUMBER OF MOTORIST KILLED': _, ...fewer } = entry!;
    assert.throws(
      () => crashRow(fewer, where),
      failsWith('ERR_INVALID_INPUT', /a column number_of_motorist_killed/),
    );
    const file = join(folder, 'faulty.csv');
    const dates = ['13/40/2021', '', '07/04/2021'];
    writeFileSync(file, csvOf(dates.map((date) => ({ ...entry!, 'CRASH DATE': date }))));
    const faults: string[] = [];
    const read = readRe2Records(file, crashSchema, {
      row: crashRow,
      onFault: ({ message }) => void faults.push(message),
    });
    const found = [];
    for await (const fact of read) found.push(fact);
    assert.equal(found.length, 8, 'a fact per count');
    assert.equal(faults.length, 2);
    assert.match(faults.join('\n'), /faulty\.csv.*2.*\n.*faulty\.csv.*3/);
  });

  it('make a benchmark that asks for counts of people by place and day', async () => {
    const file = join(folder, 'crashes.csv');
    const entries = crashes();
    writeFileSync(file, csvOf([...entries, entries[0]!]));
    const records = readRe2Records(file, crashSchema, { row: crashRow });
    const benchmark = await re2Benchmark(records, crashSchema, { seed: 3 });
    assert.equal(benchmark.facts.size, 8 * entries.length, 'an entry that is repeated counts once');
    assert.equal(benchmark.facts.entities.length, 6);
    const texts = new Map([...benchmark.texts()].map((each) => [each.passage.id, each]));
    const kinds = new Set<string>();
    const questions = [...benchmark.questions()];
    assert.ok(questions.length > 800);
    for (const { text, asks, answers, positive, negatives } of questions) {
      const { passage, truth } = texts.get(positive)!;
      assert.ok(text.includes(asks.entity) && passage.text.includes(asks.entity));
      const [[column, value]] = Object.entries(truth.values) as [[string, string]];
      assert.deepEqual(answers, [value]);
      const [people, state] = column.split('_') as [string, string];
      assert.ok(text.includes(people) && text.includes(state), `${column} in ${text}`);
      assert.ok(passage.text.includes(value));
      assert.match(passage.text, new RegExp(people.replace(/s$/, ''), 'i'));
      assert.match(passage.text, state === 'killed' ? /killed|fatally/ : /injured|hurt/);
      assert.doesNotMatch(
        passage.text,
        /\b1 \w+s (?:were|injured|hurt|killed)\b|\b[02-9] \w+ was\b/,
      );
      for (const { kind } of negatives) kinds.add(kind);
    }
    assert.deepEqual([...kinds].sort(), ['attribute', 'entity', 'time']);
    const said = new Set(questions.map(({ text, asks }) => text.replace(asks.entity, '')));
    assert.ok(said.size > questions.length / 2, 'wordings vary');
  });
});
