// TEMPO's evaluation whole: the defaults of the paper and of its published code.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluateTempo, parseMetrics, readTempo, type Run } from '../../lib/index.js';
import type { TempoOptions } from '../../lib/tempo/options.js';
import { Corpus } from '../../../../lib/index.js';
import { corpusFolder } from './data.js';

describe('evaluateTempo', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'asof-tempo-suite-'))));
  after(() => rmSync(folder, { recursive: true }));

  async function run(options: Partial<TempoOptions>) {
    const data = await readTempo(corpusFolder, { domains: ['history', 'law'] });
    const runs = new Map<string, Run>();
    const result = await evaluateTempo(data, {
      systems: ['bm25'],
      metrics: parseMetrics('ndcg@10'),
      strategies: ['query+step'],
      askedAt: '2024-01-01',
      onRun: (each, { domain, variant, strategy }) =>
        void runs.set(`${domain} ${variant ?? strategy}`, each),
      open: async (domain) => {
        const corpus = await Corpus.open(join(folder, domain.name));
        if (corpus.info().passages === 0) await corpus.add(domain.documents());
        return corpus;
      },
      ...options,
    });
    const negatives = (of: string): number =>
      data.domains
        .flatMap(({ queries }) => queries)
        .flatMap(({ id, negatives: ids, steps }) =>
          [id, ...steps.map((step) => step.id)].flatMap(
            (topic) =>
              runs
                .get(of)
                ?.get(topic)
                ?.filter((each) => ids.includes(each.id)) ?? [],
          ),
        ).length;
    return { result, runs, negatives };
  }
  const row = ({ result }: Awaited<ReturnType<typeof run>>, task: string, over = 'queries') =>
    result.rows.find((each) => each.task === task && each.over === over)!;
  const digits = (value: number): number => (String(value).split('.')[1] ?? '').length;

  it('takes exclusions, depth and rounding from the code by its definition', async () => {
    const [paper, code] = [await run({}), await run({ tempo: 'code' })];
    assert.ok(paper.negatives('law baseline') > 0);
    assert.equal(code.negatives('law baseline'), 0);
    // run_step.py has excluded_ids alone
    assert.ok(code.negatives('law query+step') > 0);
    assert.deepEqual(
      [paper.result.options, code.result.options].map(
        ({ k, tempo, excluded, excluded_of_steps: ofSteps }) => [k, tempo, excluded, ofSteps],
      ),
      [
        [10, 'paper', 'listed', undefined],
        [1000, 'code', 'negatives', 'listed'],
      ],
    );
    assert.ok(
      row(code, 'documents').macro['ndcg@10']!.mean >=
        row(paper, 'documents').macro['ndcg@10']!.mean,
    );
    for (const of of ['domains', 'classes'] as const)
      for (const means of Object.values(row(code, 'steps', 'steps')[of]))
        assert.ok(digits(means['ndcg@10']!.mean) <= 5);
    assert.ok(digits(row(code, 'steps', 'steps').micro['ndcg@10']!.mean) <= 5);
    assert.ok(digits(row(paper, 'steps', 'steps').micro['ndcg@10']!.mean) > 5);
  });

  it('leaves explicit options as they are', async () => {
    const given = await run({ tempo: 'code', excluded: 'none', k: 3 });
    assert.deepEqual(
      ['k', 'excluded', 'excluded_of_steps'].map((name) => given.result.options[name]),
      [3, 'none', undefined],
    );
    assert.ok(given.negatives('law baseline') > 0);
    assert.ok([...given.runs.get('law baseline')!.values()].every(({ length }) => length <= 3));
    // 9000_0 excludes a document of the domain
    const ids = (of: Run): string[] => of.get('9000_0')!.map(({ id }) => id);
    const whole = await run({ tempo: 'code', excluded: 'none' });
    assert.ok(ids(whole.runs.get('history baseline')!).includes('history/ferry_song.txt'));
    const listed = await run({ tempo: 'code', excluded: 'listed' });
    assert.ok(!ids(listed.runs.get('history baseline')!).includes('history/ferry_song.txt'));
  });

  it('gives the rankings of every step by its id, also where a text has several', async () => {
    const { runs, result } = await run({ variants: [], strategies: ['query+all', 'step-only'] });
    const steps = result.domains.find(({ name }) => name === 'law')!.steps;
    for (const strategy of ['query+all', 'step-only']) {
      const ranked = runs.get(`law ${strategy}`)!;
      assert.equal(ranked.size, steps);
      assert.ok([...ranked.keys()].every((id) => /^900\d_\d_step\d$/.test(id)));
    }
    const all = runs.get('law query+all')!;
    assert.deepEqual(all.get('9003_0_step1'), all.get('9003_0_step2'));
  });
});
