// The tables of papers on file: that they hold what tables are, that every run is one that exists,
// which cells run by what is there, and how a figure is judged.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import {
  componentCounts,
  componentStates,
  paperNames,
  plannedCells,
  readPaper,
  type Paper,
} from '../../lib/papers/tables.js';
import { paperSystems } from '../../lib/papers/paperSystems.js';
import { resolveCells, type Provisions } from '../../lib/papers/provisions.js';
import { paperData, verdictOf } from '../../lib/papers/papers.js';
import { parseMetrics } from '../../lib/measures/metricNames.js';
import type { Corpus, Encoder } from '../../../../lib/index.js';
import { createSystem } from '../../../../lib/papers/index.js';
import { withCorpus } from '../../../../test/corpus.js';
import { scripted } from '../../../../test/reading/doubles.js';
import { needed } from '../../../../test/reranker.js';

describe('tables of papers', () => {
  let papers: Paper[];
  let corpus: Corpus;
  withCorpus([{ id: 'a', text: 'The fair opens in May.' }], (made) => (corpus = made));
  before(async () => (papers = await Promise.all(paperNames.map(readPaper))));
  const cellsOf = (paper: Paper) => paper.tables.flatMap((table) => plannedCells(paper, table));

  it('are 62 with 5,877 cells, a number or nothing in each', () => {
    const tables = papers.flatMap((paper) => paper.tables);
    assert.deepEqual([tables.length, papers.flatMap(cellsOf).length], [62, 5877]);
    for (const { table, of, columns, rows, tolerance } of tables) {
      assert.ok(of !== '' && tolerance >= 0, table);
      for (const values of Object.values(rows)) {
        assert.equal(values.length, columns.length, `${table} ${of}`);
        assert.ok(values.every((value) => value === null || Number.isFinite(value)));
      }
    }
  });

  it('name runs that exist: a system with its settings, a metric, a set', () => {
    const sets = new Set(paperData.map(({ name }) => name));
    const made = new Set<string>();
    for (const paper of papers)
      for (const { row, column, run } of cellsOf(paper)) {
        const place = `${paper.name}: ${row}, ${column}: ${JSON.stringify(run)}`;
        if (run.cannot !== undefined || run.example || run.count) continue;
        if (run.set !== undefined) assert.ok(sets.has(run.set.split(' ')[0]!), place);
        else assert.ok(run.task, place);
        assert.ok(run.metric, place);
        if (run.metric !== 'seconds' && run.metric !== 'answer_coverage')
          assert.doesNotThrow(() => parseMetrics(run.metric!), place);
        const { system, settings = {} } = run;
        const key = JSON.stringify([system, settings]);
        if (system === undefined) assert.match(run.context ?? '', /none|oracle/, place);
        if (system === undefined || system in paperSystems || made.has(key)) continue;
        made.add(key);
        const model = scripted(() => '');
        const built = createSystem(system, { corpus, settings, model, ...needed(system) });
        const shown = JSON.stringify({ ...built.options, ...settings });
        assert.equal(shown, JSON.stringify(built.options), place);
      }
    assert.ok(made.size > 8);
  });

  it('of TEMPO have averages that are those of their rows', () => {
    const detailed = papers
      .find(({ name }) => name === 'tempo')!
      .tables.find(({ table }) => table === '40')!;
    const means = Object.values(detailed.rows).slice(0, -1);
    detailed.rows['Average']!.forEach((average, column) => {
      const mean = means.reduce((sum, row) => sum + row[column]!, 0) / means.length;
      assert.ok(Math.abs(mean - average!) < 0.06, detailed.columns[column]);
    });
  });

  it('run a cell by what is there: one of those that a stand-in would run alike', () => {
    const paper = papers.find(({ name }) => name === 'tempo')!;
    const table = paper.tables.find((each) => each.table === '3')!;
    const located = { folder: 'tempo', label: 'as published', comparable: true };
    const provisions = (encoder?: string): Provisions => ({
      data: new Map(),
      tempo: { tempo: located, missing: { tempo: 'TEMPO', reteco: 'RETECO' } },
      encoder: encoder === undefined ? undefined : ({ id: encoder } as Encoder),
      reranker: undefined,
      model: undefined,
      weights: undefined,
      wiki: undefined,
      views: undefined,
    });
    const columnsOf = (encoder?: string): string[] => [
      ...new Set(
        resolveCells(plannedCells(paper, table), provisions(encoder))
          .filter(({ why }) => why === undefined)
          .map(({ column }) => column),
      ),
    ];
    assert.deepEqual(columnsOf(), ['BM25', 'Contriever']);
    assert.deepEqual(columnsOf('onnx:BAAI/bge-large-en-v1.5'), ['BM25', 'BGE']);
    const [cell] = resolveCells(plannedCells(paper, table), {
      ...provisions(),
      tempo: { missing: { tempo: 'TEMPO', reteco: 'RETECO' } },
    });
    assert.equal(cell!.why, 'needs its data: TEMPO');
  });

  it('stand next to components whose files are there, and whose page has their counts', () => {
    const root = new URL('../../../../', import.meta.url);
    for (const { name, components } of papers) {
      assert.ok(components.length > 20, name);
      for (const { section, of, where, status } of components) {
        assert.ok(section !== '' && of !== '' && componentStates.includes(status), of);
        for (const [path] of where.matchAll(/(?<![\w`-])(?:lib|packages|bench|docs)\/[\w./-]+/g))
          assert.ok(existsSync(new URL(path, root)), path);
      }
      const page = readFileSync(new URL(`docs/papers/${name}.md`, root), 'utf8');
      assert.ok(page.includes(`${componentCounts({ components })}.`), `docs/papers/${name}.md`);
    }
  });

  it('judge a figure by the tolerance', () => {
    assert.deepEqual(
      [0.63 + 0.05, 0.63 - 0.15, 0.63 + 0.16].map((ours) => verdictOf(ours, 0.63, 0.05)),
      ['match', 'close', 'differ'],
    );
  });
});
