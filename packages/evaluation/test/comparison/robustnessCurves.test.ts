// Curves of degradation: their points from scores that are known, and of a comparison whose
// questions say how long their answers hold.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  compare,
  parseMetrics,
  perturbQuestions,
  readComparison,
  type TestCollection,
} from '../../lib/index.js';
import { isPerturbable } from '../../lib/perturbation/perturbQuestions.js';
import { Corpus } from '../../../../lib/index.js';
import { robustnessCurves } from '../../lib/comparison/robustnessCurves.js';

describe('curves of degradation', () => {
  it(
    'are means over questions of the means of their forms, with the same questions as they ' +
      'were asked',
    () => {
      const yearsOff = new Map([
        ['a~1', 1],
        ['a~2', 4],
        ['b~1', 25],
      ]);
      const set = {
        forms: [],
        qrels: new Map(),
        originalOf: (id: string) => id.split('~')[0],
        yearsOff,
      };
      const scores = (values: Record<string, number>) =>
        Object.entries(values).map(([id, hit]) => ({ id, values: { 'hit@1': hit } }));
      const points = robustnessCurves(
        { set: 's', system: 'x' },
        ['hit@1', 'em'],
        scores({ a: 1, b: 0.5, c: 0 }),
        scores({ 'a~1': 1, 'a~2': 0, 'b~1': 0.25 }),
        set,
      );
      const common = { set: 's', system: 'x', metric: 'hit@1' };
      assert.deepEqual(points, [
        { ...common, kind: 'constraint', share: 0, mean: 0.75, original: 0.75, n: 2, forms: 0 },
        { ...common, kind: 'constraint', share: 1, mean: 0.375, original: 0.75, n: 2, forms: 3 },
        { ...common, kind: 'distance', step: 1, mean: 1, original: 1, n: 1, forms: 1 },
        { ...common, kind: 'distance', step: 3, mean: 0, original: 1, n: 1, forms: 1 },
        { ...common, kind: 'distance', step: 20, mean: 0.25, original: 0.5, n: 1, forms: 1 },
      ]);
    },
  );

  it('are of questions that say when their answers hold, and of no others', async () => {
    const dated = {
      id: 'q',
      text: 'Who kept the lock of Ardenholt from 1931 to 1950?',
      answers: ['Ines'],
    };
    assert.deepEqual(
      [
        dated,
        { ...dated, answers: [] },
        { ...dated, text: 'Who kept the lock of Ardenholt in 1931?' },
        { id: 'q', text: 'Who kept the lock of Ardenholt?', validFrom: '1931', validTo: '1950' },
      ].map(isPerturbable),
      [true, false, false, true],
    );
    const qrels = new Map([['q', new Map([['p', 1]])]]);
    const {
      forms,
      qrels: judged,
      originalOf,
      yearsOff,
    } = await perturbQuestions([dated, { id: 'other', text: 'Who?' }], { perQuestion: 5, qrels });
    assert.equal(forms.length, 5);
    for (const { id, text, answers } of forms) {
      assert.deepEqual([originalOf(id), judged.get(id), answers], ['q', qrels.get('q'), ['Ines']]);
      assert.doesNotMatch(text, /1931|1950/);
      const years = [...text.matchAll(/\d{4}/g)].map(([year]) => Number(year));
      assert.equal(
        yearsOff.get(id),
        Math.min(...years.flatMap((year) => [Math.abs(year - 1931), Math.abs(year - 1950)])),
      );
    }
    await assert.rejects(
      perturbQuestions(
        Array.from({ length: 500 }, () => dated),
        { signal: AbortSignal.abort() },
      ),
      { code: 'ERR_ABORTED' },
    );
  });

  it('are part of a comparison that asks for them, and are read back or refused', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'asof-degradation-test-'));
    try {
      const path = join(folder, 'locks.asof');
      const spans = [
        [1901, 1915],
        [1915, 1930],
        [1930, 1951],
      ] as const;
      const corpus = await Corpus.open(path);
      const textOf = (from: number, to: number): string =>
        `From ${from} to ${to} the lock of Ardenholt was kept by Ines the ${from - 1900}th.`;
      await corpus.add(spans.map(([from, to]) => ({ id: `${from}`, text: textOf(from, to) })));
      await corpus.close();
      const queries = spans.map(([from, to]) => ({
        id: `q${from}`,
        text: `Who kept the lock of Ardenholt from ${from} to ${to}?`,
        answers: [`Ines the ${from - 1900}th`],
      }));
      const qrels = new Map(spans.map(([from]) => [`q${from}`, new Map([[`${from}`, 1]])]));
      const set: TestCollection = {
        name: 'locks',
        queries,
        qrels,
        sha256: 'one',
        open: () => Corpus.open(path),
      };
      const done: number[] = [];
      const onProgress = (each: { done: number }): unknown => done.push(each.done);
      const options = {
        systems: ['bm25', 'hybrid'],
        metrics: parseMetrics('hit@1'),
        rounds: 100,
        onProgress,
      };
      const result = await compare([set], { ...options, perturb: { perQuestion: 3 } });
      assert.deepEqual(
        [result.perturb, result.sets[0]!.perturbed],
        [
          { seed: 1, per_question: 3 },
          { questions: 3, forms: 9 },
        ],
      );
      assert.equal(done.at(-1), 24); // three questions and nine forms of two systems
      const shares = result
        .perturbation!.filter(({ kind }) => kind === 'constraint')
        .map(({ system, share, n, forms }) => [system, share, n, forms]);
      assert.deepEqual(shares, [
        ['bm25', 0, 3, 0],
        ['bm25', 1, 3, 9],
        ['hybrid', 0, 3, 0],
        ['hybrid', 1, 3, 9],
      ]);
      for (const { mean, share, system } of result.perturbation!) {
        if (share === 0)
          assert.equal(
            mean,
            result.cells.find((cell) => cell.system === system)!.metrics['hit@1']!.mean,
          );
      }
      assert.equal((await compare([set], options)).perturbation, undefined);
      const file = join(folder, 'result.json');
      writeFileSync(file, JSON.stringify(result));
      assert.deepEqual(await readComparison(file), result);
      for (const perturbation of [
        'none',
        [{ ...result.perturbation![0], share: undefined }],
        [{ ...result.perturbation![0], mean: null }],
        [null],
      ]) {
        writeFileSync(file, JSON.stringify({ ...result, perturbation }));
        await assert.rejects(readComparison(file), /Expected "perturbation" to /);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('are in the sample that reports are tested with', async () => {
    const sample = await readComparison(new URL('sample.json', import.meta.url).pathname);
    assert.ok(sample.perturbation!.some(({ kind }) => kind === 'distance'));
  });
});
