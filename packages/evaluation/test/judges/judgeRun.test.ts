// A run judged as a whole: depth, gate, progress, budget and resuming, abort, and the file that
// comes of it.
import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  budgetedModel,
  judgeRun,
  modelJudge,
  readJudgements,
  recordReplay,
  ruleJudge,
  writeJudgements,
  type Run,
} from '../../lib/index.js';
import { toTemporalJudgements } from '../../lib/judges/agreement.js';
import type { Progress } from '../../../../lib/index.js';
import { fares, faresQuestion, ranking, scripted } from './examples.js';

const source = (id: string) => fares[id];
const names = ['baseline', 'comparison', 'both', 'undated', 'elsewhere'];
const definition = { id: 'gate', text: 'What is a sluice gate?' };
const run: Run = new Map([...ranking('fares', ...names), ...ranking('gate', 'undated', 'both')]);

/** Answers every prompt of the judge's: change over time, verdict 1 and the first period. */
const willing = () =>
  scripted(({ system, prompt }) => {
    if (system!.startsWith('You sort'))
      return { keywords: [], focus: prompt.includes('sluice') ? 'none' : 'change_over_time' };
    return { reason: 'so', periods: [1], verdict: 1 };
  });

describe('a judged run', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'asof-judges-'))));
  after(() => rmSync(folder, { recursive: true }));

  it('judges the first documents of temporal questions only, and counts all', async () => {
    const seen: Progress[] = [];
    const { queries, left } = await judgeRun(
      ruleJudge(),
      [faresQuestion, definition],
      run,
      source,
      { depth: 3, onProgress: (p) => seen.push(p) },
    );
    assert.equal(left, 0);
    assert.deepEqual(
      queries.map(({ id, temporal, documents }) => [
        id,
        temporal,
        documents.map((each) => each.id),
      ]),
      [
        ['fares', true, names.slice(0, 3)],
        ['gate', false, []],
      ],
    );
    assert.deepEqual(seen.at(-1), { done: 5, total: 5 });
  });

  it('treats a question as temporal by its guidance, with the anchors as periods', async () => {
    const guidance = {
      isTemporal: true,
      reasoningClass: 'trends_changes_and_cross_period',
      keyTimeAnchors: ['2010', '2015', '2023'],
    };
    const asked = { id: 'gate', text: 'Rail fares in Norland?', guidance };
    const { queries } = await judgeRun(ruleJudge(), [asked], run, source);
    assert.deepEqual(queries[0]!.periods, ['2010', '2015', '2023']);
    assert.deepEqual(
      queries[0]!.documents.map(({ periods }) => periods),
      [[], ['2010', '2023']],
    );
    const coded = await judgeRun(ruleJudge(), [asked], run, source, { tempo: 'code' });
    assert.deepEqual(coded.queries[0]!.periods, ['2010', '2015']);
  });

  it('writes a file that reads back, in both forms', async () => {
    const path = join(folder, 'J.jsonl');
    for (const tempo of ['paper', 'code'] as const) {
      const { queries } = await judgeRun(ruleJudge(), [faresQuestion, definition], run, source, {
        tempo,
      });
      await writeJudgements(path, queries, { tempo });
      const text = readFileSync(path, 'utf8');
      assert.equal(text.includes('"covers_baseline"'), tempo === 'code');
      assert.equal(text.trim().split('\n').length, 2 + names.length);
      assert.deepEqual(await readJudgements(path), toTemporalJudgements(queries));
    }
  });

  it('ends without an error where the budget is spent, and goes on from the cache', async () => {
    const path = join(folder, 'cache.jsonl');
    const whole = await judgeRun(modelJudge(willing()), [faresQuestion, definition], run, source);
    const model = willing();
    const tries: [number, number][] = [];
    for (;;) {
      const limited = budgetedModel(model, 3);
      const judge = modelJudge(
        await recordReplay({ path, mode: 'replayOrRecord', model: limited }),
      );
      const { queries, left } = await judgeRun(judge, [faresQuestion, definition], run, source);
      tries.push([queries.length, left]);
      if (left > 0) continue;
      assert.deepEqual(queries, whole.queries);
      break;
    }
    assert.deepEqual(tries, [
      [0, 2],
      [1, 1],
      [2, 0],
    ]);
    assert.equal(model.asked.length, 1 + names.length + 1); // nothing was asked twice
  });

  it('skips corrupt and truncated cache entries, requests and writes them again', async () => {
    const path = join(folder, 'broken.jsonl');
    const judged = async () => {
      const model = willing();
      const faults: string[] = [];
      const cached = await recordReplay({
        path,
        mode: 'replayOrRecord',
        model,
        onFault: ({ message }) => faults.push(message),
      });
      const { queries } = await judgeRun(modelJudge(cached), [faresQuestion], run, source);
      return { queries, asked: model.asked.length, faults: faults.length };
    };
    const first = await judged();
    assert.deepEqual([first.asked, first.faults], [6, 0]);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    writeFileSync(
      path,
      `${lines.map((line, at) => (at === 1 ? line.replace('"text"', '"test"') : line)).join('\n')}\n`,
    );
    truncateSync(path, readFileSync(path).length - 20);
    const second = await judged();
    assert.deepEqual([second.asked, second.faults], [2, 2]);
    assert.deepEqual(second.queries, first.queries);
    const third = await judged();
    assert.deepEqual([third.asked, third.queries], [0, first.queries]);
    appendFileSync(path, '{"key":');
    assert.equal((await judged()).asked, 0);
  });

  it('keeps the order whatever the concurrency, and rejects when its signal fires', async () => {
    const questions = Array.from({ length: 7 }, (_, at) => ({ ...faresQuestion, id: `q${at}` }));
    const runs: Run = new Map(questions.flatMap(({ id }) => [...ranking(id, ...names)]));
    const slow = willing();
    let asked = 0;
    const outOfOrder = () => new Promise((go) => setTimeout(go, (3 * asked++) % 5));
    const judge = modelJudge({
      id: 'slow',
      generate: async (request) => (await outOfOrder(), slow.generate(request)),
    });
    const { queries } = await judgeRun(judge, questions, runs, source, { concurrency: 4 });
    assert.deepEqual(
      queries.map(({ id }) => id),
      questions.map(({ id }) => id),
    );
    const controller = new AbortController();
    const stopped = judgeRun(judge, questions, runs, source, {
      concurrency: 4,
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await assert.rejects(stopped, { code: 'ERR_ABORTED' });
  });

  it('refuses a document that is not there and a depth of nothing', async () => {
    await assert.rejects(judgeRun(ruleJudge(), [faresQuestion], ranking('fares', 'x'), source), {
      code: 'ERR_NOT_FOUND',
      message: /"x".*"fares"/,
    });
    await assert.rejects(judgeRun(ruleJudge(), [], run, source, { depth: 0 }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
  });
});
