// The tables of papers: that the files hold what tables are, that the worked examples come out as
// printed, and how a cell is judged.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { paperCells, paperTables } from '../../../../bench/quality/papers.js';
import { readArguments } from '../../../../lib/cli/command.js';
import { entries } from '../../../../lib/cli/registry.js';
import type { Comparison } from '../../lib/index.js';
import type { Corpus } from '../../../../lib/index.js';
import { createSystem, type Settings } from '../../../../lib/papers/index.js';
import { withCorpus } from '../../../../test/corpus.js';
import { scripted } from '../../../../test/reading/doubles.js';
import { needed } from '../../../../test/reranker.js';

const folder = new URL('../../../../bench/quality/papers/settings/', import.meta.url);

function withTennis(
  hit1: number,
  hit5: number,
  queries: number,
): Pick<Comparison, 'sets' | 'cells'> {
  const metrics = Object.fromEntries(
    [
      ['hit@1', hit1],
      ['hit@5', hit5],
    ].map(([name, mean]) => [name, { mean, n: queries, low: 0, high: 1 }]),
  );
  const set = { name: 'tennis same-year', queries, queries_in_set: 128, passages: 9, sha256: '' };
  return {
    sets: [set],
    cells: [{ set: set.name, system: 'tempralm', metrics, latency_ms: { p50: 1, p99: 1 } }],
  };
}

describe('tables of papers', () => {
  let corpus: Corpus;
  withCorpus([{ id: 'a', text: 'The fair opens in May.' }], (made) => (corpus = made));

  it('have a number or nothing in every cell, and a reason or a way for each row', () => {
    for (const { paper, tables } of paperTables()) {
      for (const {
        table,
        columns,
        rows,
        why,
        why_rows: reasons,
        ours,
        computed,
        command,
        tolerance,
      } of tables) {
        for (const [row, values] of Object.entries(rows)) {
          const place = `${paper} ${table} ${row}`;
          assert.equal(values.length, columns.length, place);
          assert.ok(
            values.every((value) => value === null || Number.isFinite(value)),
            place,
          );
          assert.ok(ours?.[row] ?? computed?.[row] ?? reasons?.[row] ?? why, place);
        }
        assert.ok(command !== '' && tolerance >= 0);
      }
    }
  });

  it('have a settings file for each row that is a system, and no other files', async () => {
    const used = new Set<string>();
    for (const { paper, tables } of paperTables())
      for (const { table, rows, settings = {} } of tables)
        for (const [row, name] of Object.entries(settings)) {
          assert.ok(row in rows, `${paper} ${table} has no row ${row}`);
          used.add(`${name}.json`);
        }
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.json'),
    );
    assert.deepEqual(files.sort(), [...used].sort());
    for (const name of files) {
      const { system, settings } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as {
        system: string;
        settings: Settings;
      };
      const model = scripted(() => '');
      const made = createSystem(system, { corpus, settings, model, ...needed(system) });
      assert.equal(JSON.stringify({ ...made.options, ...settings }), JSON.stringify(made.options));
    }
  });

  it('name commands that exist, with options that these take', async () => {
    const commands = paperTables().flatMap(({ tables }) => tables.map(({ command }) => command));
    for (const written of new Set(commands)) {
      const [program, ...words] = written.split(' ');
      if (program !== 'asof') continue;
      const entry = entries.find(({ name }) => `${words.join(' ')} `.startsWith(`${name} `));
      assert.ok(entry, written);
      const { command } = await entry.load();
      const { positionals } = readArguments(command, words.slice(entry.name.split(' ').length));
      assert.equal(positionals.length, command.positionals.length, written);
    }
  });

  it('of TEMPO are all that have numbers', () => {
    const tempo = paperTables().find(({ paper }) => paper === 'TEMPO')!.tables;
    // 1 compares benchmarks in words, 44 to 47 are example documents.
    assert.deepEqual(
      tempo.map(({ table }) => Number(table)),
      Array.from({ length: 42 }, (_, at) => at + 2),
    );
    const detailed = tempo.find(({ table }) => table === '40')!;
    const means = Object.values(detailed.rows).slice(0, -1);
    detailed.rows['Average']!.forEach((average, column) => {
      const mean = means.reduce((sum, row) => sum + row[column]!, 0) / means.length;
      assert.ok(Math.abs(mean - average!) < 0.06, detailed.columns[column]);
    });
  });

  it('match where a paper prints worked examples of its measures', async () => {
    const cells = (await paperCells(undefined)).filter(({ ours }) => ours !== undefined);
    assert.deepEqual(
      [...new Set(cells.map(({ paper, table }) => `${paper} ${table}`))],
      ['TEMPO 11', 'TEMPO 12', 'TEMPO 13'],
    );
    assert.deepEqual(
      cells.filter(({ verdict }) => verdict !== 'match'),
      [],
    );
  });

  it('are judged by their tolerance, and say what was not run and what is a sample', async () => {
    const cellsOf = async (result: Parameters<typeof paperCells>[0]) =>
      (await paperCells(result)).filter(
        ({ paper, row }) => paper === 'TempRALM' && row === 'TempRALM',
      );
    const verdicts = async (hit1: number, hit5: number) =>
      (await cellsOf(withTennis(hit1, hit5, 128)))
        .filter(({ ours }) => ours !== undefined)
        .map(({ verdict }) => verdict);
    // the paper has 0.63 and 0.75, tolerance 0.05
    assert.deepEqual(await verdicts(0.63 + 0.05, 0.75 - 0.06), ['match', 'close']);
    assert.deepEqual(await verdicts(0.63 - 0.15, 0.75 + 0.16), ['close', 'differ']);
    const cells = await cellsOf(withTennis(0.63, 0.75, 20));
    assert.match(cells[0]!.why!, /^a sample of 20 of 128 questions; /);
    assert.deepEqual(
      [cells[2]!.verdict, cells[2]!.why],
      ['not run', 'the comparison has no hit@1 of tempralm on tennis next-year'],
    );
  });
});
