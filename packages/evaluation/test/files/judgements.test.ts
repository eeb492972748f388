// Judgements of time in files: both forms of periods, what queries without a line of their own are
// taken for, and what is refused.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { readJudgements, temporalRanking } from '../../lib/files/judgements.js';
import { scoreRun } from '../../lib/measures/averages.js';
import { parseMetrics } from '../../lib/measures/metricNames.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';

describe('judgements of time', () => {
  const folder = temporaryFolder();

  function file(...records: unknown[]): string {
    const path = folder.path('judgements.jsonl');
    writeFileSync(
      path,
      records
        .map((record) => (typeof record === 'string' ? record : `${JSON.stringify(record)}\n`))
        .join(''),
    );
    return path;
  }

  it('reads periods by name, and the two flags as the first two required periods', async () => {
    const read = await readJudgements(
      file(
        { query_id: 'q', temporal: true, cross_period: true, periods: ['2008', '2015'] },
        {
          query_id: 'q',
          doc_id: 'a',
          verdict: 1,
          covers_baseline: true,
          covers_comparison: false,
          by: 'rules',
          reason: 'names 2008',
        },
        { query_id: 'q', doc_id: 'b', verdict: 0, periods: ['2015', '1999'] },
        { query_id: 'r', doc_id: 7, verdict: 1, covers_baseline: false, covers_comparison: true },
        { query_id: 's', doc_id: 'a', verdict: 1, periods: ['2008'], answer_coverage: 40 },
        { query_id: 't', temporal: false },
      ),
    );
    const q = temporalRanking(['b', 'x', 'a'], read.get('q'));
    assert.deepEqual(q, {
      verdicts: [false, false, true],
      covered: [['2015', '1999'], [], ['2008']],
      required: ['2008', '2015'],
    });
    assert.deepEqual(temporalRanking(['7'], read.get('r')), {
      verdicts: [true],
      covered: [['comparison']],
      required: ['baseline', 'comparison'],
    });
    assert.deepEqual(
      temporalRanking(['a'], read.get('s')),
      { verdicts: [true], covered: [['2008']] },
      'nothing says which periods are asked for',
    );
    assert.equal(temporalRanking(['a'], read.get('t')), undefined);
    assert.equal(temporalRanking(['a'], read.get('u')), undefined);
  });

  it('measures queries about time only, each metric over those it has a value for', async () => {
    const judged = await readJudgements(
      file(
        { query_id: 'q', temporal: true, periods: ['p', 'q', 'r'] },
        { query_id: 'q', doc_id: 'a', verdict: 1, periods: ['p'] },
        { query_id: 'q', doc_id: 'b', verdict: 1, periods: ['q', 'r'] },
        { query_id: 'none', temporal: true, cross_period: false },
        { query_id: 'other', temporal: false },
      ),
    );
    const run = new Map(
      [
        ['q', ['x', 'a', 'b']],
        ['none', ['x']],
        ['other', ['a']],
      ].map(([id, ids]) => [
        id as string,
        (ids as string[]).map((each, at) => ({ id: each, score: -at })),
      ]),
    );
    const qrels = new Map([
      ['q', new Map([['b', 1]])],
      ['other', new Map([['a', 1]])],
    ]);
    const names = 'tp@5,tr@5,tc@2,tc@3,ndcg_fc@2,ndcg_fc@3,temporal_recall@2';
    const paper = scoreRun(run, qrels, parseMetrics(names), { temporal: judged });
    assert.deepEqual(paper.averages, {
      'tp@5': { mean: (1 / 2 + 2 / 3) / 2, queries: 1 },
      'tr@5': { mean: (2 / 5 + 0) / 2, queries: 2 },
      'tc@2': { mean: 1 / 3, queries: 1 },
      'tc@3': { mean: 1, queries: 1 },
      'ndcg_fc@3': { mean: 0.5, queries: 1 },
      'temporal_recall@2': { mean: 0.5, queries: 2 },
    });
    const code = scoreRun(run, qrels, parseMetrics(names, { tempo: 'code' }), { temporal: judged });
    assert.deepEqual(code.averages, {
      'tp@5': { mean: 0.29167, queries: 2 },
      'tr@5': { mean: 0.33333, queries: 2 },
      'tc@2': { mean: 0.5, queries: 1 },
      'tc@3': { mean: 1, queries: 1 },
      'ndcg_fc@3': { mean: 0.5, queries: 1 },
      'temporal_recall@2': { mean: 0.5, queries: 2 },
    });
    assert.deepEqual(scoreRun(run, qrels, parseMetrics(names)).inapplicable, [
      'tp@5',
      'tr@5',
      'tc@2',
      'tc@3',
      'ndcg_fc@2',
      'ndcg_fc@3',
    ]);
  });

  it('reads one judge of several', async () => {
    const path = file(
      { query_id: 'q', doc_id: 'a', verdict: 1, by: 'model' },
      { query_id: 'q', doc_id: 'a', verdict: 0, by: 'rules' },
    );
    assert.equal(
      (await readJudgements(path, { by: 'rules' })).get('q')!.documents.get('a')!.relevant,
      false,
    );
    await assert.rejects(readJudgements(path), {
      code: 'ERR_INVALID_INPUT',
      message: /jsonl:2: Expected one verdict on a document.*Name the judge/,
    });
  });

  it('refuses any other line, by file and line', async () => {
    const good = { query_id: 'q', doc_id: 'a', verdict: 1 };
    for (const [line, message] of [
      ['{"query_id":\n', /:2: Expected a JSON object on one line/],
      [{ doc_id: 'a', verdict: 1 }, /:2: Expected a string "query_id"/],
      [
        { query_id: 'q', doc_id: 'b', verdict: 2 },
        /:2: Expected "verdict" to be 0 or 1, received 2/,
      ],
      [{ query_id: 'q', doc_id: 'b' }, /:2: Expected "verdict" to be 0 or 1, received none/],
      [
        { query_id: 'q', doc_id: 'b', verdict: 1, covers_baseline: 1 },
        /"covers_baseline" to be true or false/,
      ],
      [{ query_id: 'q', doc_id: 'b', verdict: 1, periods: 'p' }, /"periods" to be a list of names/],
      [
        { query_id: 'q', doc_id: 'b', verdict: 1, answer_coverage: 101 },
        /"answer_coverage" to be a number from 0 to 100/,
      ],
      [
        { query_id: 'q', verdict: 1 },
        /Expected a "doc_id" with its "verdict", or "temporal" of the query/,
      ],
    ] as [unknown, RegExp][])
      await assert.rejects(readJudgements(file(good, line)), {
        code: 'ERR_INVALID_INPUT',
        message,
      });
    const query = { query_id: 'q', temporal: true };
    await assert.rejects(readJudgements(file(query, query)), /:2: Expected one line for a query/);
  });
});
