// TEMPO's tables as text: which are printed for which tasks, and whose mean each cell is.
import assert from 'node:assert/strict';
import type { TempoResult } from '../../lib/index.js';
import type { TempoRow } from '../../lib/tempo/result.js';
import { renderTempo } from '../../lib/commands/tables/tempoTables.js';
import { createTerminal } from '../../../../lib/cli/terminal.js';

type Values = Record<string, number>;

/** A row with a query each of law and travel, and another mean over queries. */
function row(
  key: Pick<TempoRow, 'task' | 'system' | 'setting'> & { over?: TempoRow['over'] },
  law: Values,
  travel: Values,
): TempoRow {
  const means = (of: (name: string) => number): TempoRow['macro'] =>
    Object.fromEntries(Object.keys(law).map((name) => [name, { mean: of(name), n: 2 }]));
  const macro = means((name) => (law[name]! + travel[name]!) / 2);
  return {
    over: 'queries',
    ...key,
    n: 2,
    domains: { law: means((name) => law[name]!), travel: means((name) => travel[name]!) },
    macro,
    micro: means(() => 0.111),
    classes: { EAL: macro },
    class_macro: macro,
  };
}

const resultOf = (rows: TempoRow[], options: TempoResult['options'] = {}): TempoResult => ({
  format: 'asof tempo 1',
  folder: 'f',
  domains: ['law', 'travel'].map((name) => ({ name, queries: 1, steps: 2, documents: 3 })),
  classes: { EAL: 2 },
  metrics: ['ndcg@10', 'tp@10'],
  answer_measures: [],
  options,
  systems: [],
  rows,
});

describe("TEMPO's tables", () => {
  const terminal = createTerminal({ json: false });
  const printed = (result: TempoResult, tables: string[]): string =>
    renderTempo(result, tables, terminal);
  /** The lines of a table, without its title, columns apart by one blank. */
  const section = (text: string, title: string): string[] => {
    const [, body] = text.split(`\n${title}\n`);
    assert.ok(body !== undefined, title);
    return body
      .split('\n\n')[0]!
      .split('\n')
      .map((line) => line.trim().replace(/\s+/g, ' '));
  };
  const documents = (system: string, setting: string, ndcg: number): TempoRow =>
    row(
      { task: 'documents', system, setting },
      { 'ndcg@10': ndcg, 'tp@10': 0.5 },
      { 'ndcg@10': ndcg / 2, 'tp@10': 0.7 },
    );

  it('have a row a domain and a column a system, of every metric that is named', () => {
    const result = resultOf([
      documents('bm25', 'baseline', 0.4),
      documents('dense', 'baseline', 0.8),
    ]);
    const text = printed(result, ['ndcg@10', 'tp@10']);
    assert.deepEqual(section(text, 'ndcg@10 by domain'), [
      'n bm25 dense',
      'law 2 0.4000 0.8000',
      'travel 2 0.2000 0.4000',
      'mean over domains (macro) 0.3000 0.6000',
      'mean over queries (micro) 2 0.1110 0.1110',
    ]);
    assert.deepEqual(section(text, 'tp@10 by domain')[2], 'travel 2 0.7000 0.7000');
    assert.ok(text.includes('ndcg@10 by class') && !text.includes('tp@10 by class'));
    assert.ok(!printed(result, ['ndcg@10']).includes('tp@10 by domain'));
  });

  it('have each variant by domain, and what stripped signals cost', () => {
    const result = resultOf([
      documents('bm25', 'baseline', 0.4),
      documents('bm25', 'strip', 0.3),
      documents('dense', 'baseline', 0.8),
      documents('dense', 'strip', 0.9),
    ]);
    const text = printed(result, ['ndcg@10', 'tp@10']);
    assert.deepEqual(section(text, 'ndcg@10 by domain')[0], 'n bm25 dense');
    assert.deepEqual(section(text, 'ndcg@10 by domain, strip')[1], 'law 2 0.3000 0.9000');
    assert.deepEqual(
      section(text, 'ndcg@10 lost without signals (baseline - strip), by domain').slice(1, 4),
      [
        'law 2 0.1000 -0.1000',
        'travel 2 0.0500 -0.0500',
        'mean over domains (macro) 0.0750 -0.0750',
      ],
    );
    assert.ok(!text.includes('tp@10 by domain, strip'));
  });

  it('have each strategy by domain, from the means over the steps of a query', () => {
    const steps = (setting: string, over: TempoRow['over'], value: number): TempoRow =>
      row(
        { task: 'steps', system: 'bm25', setting, over },
        { 'ndcg@10': value },
        { 'ndcg@10': value },
      );
    const rows = [
      steps('step-only', 'queries', 0.2),
      steps('step-only', 'steps', 0.9),
      steps('query+step', 'queries', 0.6),
      steps('query+step', 'steps', 0.9),
    ];
    const text = printed(resultOf(rows), ['ndcg@10']);
    const title = 'query -> step -> documents, ndcg@10';
    for (const [strategy, value] of [
      ['step-only', '0.2000'],
      ['query+step', '0.6000'],
    ])
      assert.deepEqual(section(text, `${title} by domain, ${strategy}`)[2], `travel 2 ${value}`);
    assert.ok(!text.includes('lost without signals'));
    assert.deepEqual(section(text, `${title}: mean over all steps of a domain, domains`), [
      'step-only query+step',
      'bm25 0.9000 0.9000',
    ]);
    const code = printed(resultOf(rows, { tempo: 'code' }), ['ndcg@10']);
    assert.deepEqual(section(code, `${title} by domain, query+step`)[2], 'travel 2 0.9000');
  });

  it("have TEMPO's measures over queries and the others over domains by the code", () => {
    const rows = [documents('bm25', 'baseline', 0.4)];
    const title = 'query -> documents: mean over domains';
    assert.deepEqual(section(printed(resultOf(rows), ['ndcg@10']), title)[1], 'bm25 0.3000 0.6000');
    assert.deepEqual(
      section(
        printed(resultOf(rows, { tempo: 'code' }), ['ndcg@10']),
        `${title}, of TEMPO's measures over queries`,
      )[1],
      'bm25 0.3000 0.1110',
    );
  });
});
