// The judge by a model with the inputs and fields of TEMPO's published code, and what becomes of
// failures there.
import assert from 'node:assert/strict';
import { judgeRun, modelJudge } from '../../lib/index.js';
import { fares, faresQuestion, ranking, scripted } from './examples.js';

const asIntent = { temporal: true, focus: 'recency' as const, keywords: ['now'] };

describe("the judge of TEMPO's published code", () => {
  it('asks in one message of the query alone, and reads intent and focus apart', async () => {
    const said = {
      has_temporal_intent: true,
      temporal_keywords: ['since 2010'],
      temporal_focus: 'none',
    };
    const model = scripted(() => said);
    const judge = modelJudge(model, { tempo: 'code' });
    assert.deepEqual(await judge.intent(faresQuestion), {
      temporal: true,
      focus: 'none',
      keywords: ['since 2010'],
    });
    const [{ system, prompt, temperature }] = model.asked as [(typeof model.asked)[0]];
    assert.deepEqual([system, temperature], [undefined, 0]);
    assert.equal(prompt.split(`"${faresQuestion.text}"`).length, 3); // at its start and its end
    assert.ok(!prompt.includes('2024')); // when it was asked is not said
    for (const field of Object.keys(said)) assert.ok(prompt.includes(`"${field}"`), field);
  });

  it('shows focus and document without title and date, by code points', async () => {
    const said = { verdict: 1, reason: 'dated', temporal_contribution: '2023' };
    const model = scripted(() => said);
    const text = '𝄞'.repeat(2500);
    const document = { id: 'd', title: 'Fares', text, publishedAt: '2023-04-01' };
    const judge = modelJudge(model, { tempo: 'code' });
    assert.deepEqual(await judge.relevance(faresQuestion, asIntent, document), {
      verdict: 1,
      reason: 'dated',
    });
    const { prompt } = model.asked[0]!;
    assert.match(prompt, /\nSide of time: recency\n\nDocument:\n𝄞{2000}\n\n/u);
    assert.ok(!prompt.includes('Fares') && !prompt.includes('2023'));
    for (const field of Object.keys(said)) assert.ok(prompt.includes(`"${field}"`), field);
  });

  it('asks of a baseline and a comparison, and reads one flag of each', async () => {
    const said = {
      verdict: 0,
      reason: 'later only',
      temporal_contribution: 'none',
      covers_baseline: false,
      covers_comparison: true,
    };
    const model = scripted(() => said);
    const judge = modelJudge(model, { tempo: 'code' });
    const judged = await judge.evidence(faresQuestion, asIntent, ['2010', 'now'], fares['both']!);
    assert.deepEqual(judged, { verdict: 0, reason: 'later only', periods: ['now'] });
    assert.match(
      model.asked[0]!.prompt,
      /\nEarlier period \(baseline\): 2010\nLater period \(comparison\): now\n\nDocument:\n/,
    );
    for (const field of Object.keys(said))
      assert.ok(model.asked[0]!.prompt.includes(`"${field}"`), field);
  });

  it('counts an answer that does not fit for nothing, without a second request', async () => {
    const model = scripted(() => ({ verdict: 1 }));
    const judge = modelJudge(model, { tempo: 'code' });
    const document = fares['both']!;
    assert.match((await judge.intent(faresQuestion)).fault!, /no usable answer/);
    assert.equal((await judge.relevance(faresQuestion, asIntent, document)).verdict, 0);
    const { verdict, periods } = await judge.evidence(
      faresQuestion,
      asIntent,
      ['a', 'b'],
      document,
    );
    assert.deepEqual([verdict, periods], [0, []]);
    assert.equal(model.asked.length, 3); // once each
    assert.throws(
      () =>
        modelJudge(
          scripted(() => ''),
          { tempo: 'tempo' as 'code' },
        ),
      {
        code: 'ERR_INVALID_ARGUMENT',
      },
    );
  });

  it('ends a query at a failed intent, and takes an unknown document as empty', async () => {
    const guided = { ...faresQuestion, guidance: { isTemporal: true } };
    const run = ranking('fares', 'both', 'lost');
    const source = (id: string) => fares[id];
    const failing = scripted(() => 'no');
    const ended = await judgeRun(modelJudge(failing), [guided], run, source, { tempo: 'code' });
    assert.deepEqual(
      ended.queries.map(({ temporal, documents }) => [temporal, documents]),
      [[false, []]],
    );
    const model = scripted(({ prompt }) =>
      prompt.includes('covers_baseline')
        ? {
            verdict: prompt.includes('crowns') ? 1 : 0,
            reason: '',
            temporal_contribution: '',
            covers_baseline: prompt.includes('crowns'),
            covers_comparison: false,
          }
        : { has_temporal_intent: false, temporal_keywords: [], temporal_focus: 'none' },
    );
    const judge = modelJudge(model, { tempo: 'code' });
    const { queries } = await judgeRun(judge, [guided], run, source, { tempo: 'code' });
    assert.deepEqual(
      queries[0]!.documents.map(({ id, verdict, periods }) => [id, verdict, periods]),
      [
        ['both', 1, ['2010']],
        ['lost', 0, []],
      ],
    );
    assert.match(model.asked.at(-1)!.prompt, /\nDocument:\n\n\n/);
    await assert.rejects(judgeRun(judge, [guided], run, source), { code: 'ERR_NOT_FOUND' });
  });
});
