// Annotations as TEMPO's: by rules in addition to those of the corpus, by a scripted model through
// its schemas and its cache, and answers scored.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { budgetedModel, readTempo, ruleJudge } from '../../lib/index.js';
import { annotatePassages, annotateQueries } from '../../lib/tempo/annotator.js';
import { modelAnnotator } from '../../lib/tempo/modelAnnotator.js';
import { ruleAnnotator } from '../../lib/tempo/ruleAnnotator.js';
import { annotatedClasses } from '../../lib/tempo/names.js';
import { reformulate } from '../../lib/tempo/reformulate.js';
import { scoreAnswers } from '../../lib/tempo/rag.js';
import {
  guidanceField,
  passageAnnotations,
  toGuidanceRecord,
  toPassageRecord,
} from '../../lib/tempo/annotation.js';
import type { TempoQuery } from '../../lib/tempo/data.js';
import { recordReplay } from '../../../../lib/models/index.js';
import type { Passage } from '../../../../lib/index.js';
import { scripted } from '../judges/examples.js';
import { corpusFolder, domainOf, query } from './data.js';

const answer = {
  is_temporal_query: true,
  temporal_intent: 'when',
  query_temporal_signals: ['in 1862'],
  query_temporal_events: [],
  query_summary: 'Ferries.',
  temporal_reasoning_class_primary: 'event_analysis_and_localization',
  temporal_reasoning_class_secondary: [],
  retrieval_reasoning: 'Look up ferries.',
  retrieval_plan: ['Find the first', 'Find the last'],
  key_time_anchors: ['1862'],
  expected_granularity: 'year',
  quality_checks: [],
};
const passage = {
  passage_temporal_signals: ['in 1862'],
  passage_temporal_events: [],
  time_mentions: ['1862'],
  time_scope_guess: { start_iso: '1862', end_iso: '1862', granularity: 'year' },
  tense_guess: 'past',
  confidence: 0.8,
};
const where = { file: 'f', line: 1 };

async function documentsOf(name: string): Promise<Map<string, Passage>> {
  const documents = new Map<string, Passage>();
  for await (const each of (await domainOf(name)).documents()) documents.set(each.id, each);
  return documents;
}

describe("TEMPO's annotation", () => {
  it('by rules agrees with our own corpus on time, mostly on classes and scopes', async () => {
    let [queries, temporal, classes, passages, scopes] = [0, 0, 0, 0, 0];
    for (const domain of (await readTempo(corpusFolder)).domains) {
      const documents = await documentsOf(domain.name);
      const annotated = await annotateQueries(ruleAnnotator(), domain.queries);
      const marked = await annotatePassages(
        ruleAnnotator(),
        domain.queries,
        (id) => documents.get(id),
        { negatives: true },
      );
      assert.deepEqual([annotated.left, marked.left], [0, 0]);
      domain.queries.forEach(({ annotation, passageAnnotations: given }, at) => {
        const ours = annotated.queries[at]!.annotation;
        queries += 1;
        if (ours.isTemporal === annotation!.isTemporal) temporal += 1;
        if (ours.primaryClass === annotation!.primaryClass) classes += 1;
        assert.ok(
          ours.primaryClass === '' ||
            annotatedClasses.includes(ours.primaryClass as 'causation_analysis'),
        );
        for (const { document, scope } of marked.queries[at]!.annotation) {
          passages += 1;
          const theirs = given.find((each) => each.document === document)!.scope;
          if (
            scope.start.slice(0, 4) === theirs.start.slice(0, 4) &&
            scope.end.slice(0, 4) === theirs.end.slice(0, 4)
          )
            scopes += 1;
        }
      });
    }
    assert.deepEqual([queries, temporal], [14, 14]);
    assert.ok(classes >= 8, `${classes} of ${queries} classes`);
    assert.ok(scopes >= 0.9 * passages, `${scopes} of ${passages} scopes`);
  });

  it('by rules reads scope, tense and signals of a passage', async () => {
    const of = async (text: string) => await ruleAnnotator().passage(query('1'), { id: 'd', text });
    assert.deepEqual((await of('The bridge was built on 3 May 1871.')).scope, {
      start: '1871-05-03',
      end: '1871-05-03',
      granularity: 'date',
    });
    assert.deepEqual((await of('It was built in 1871 and fell in June 1902.')).scope, {
      start: '1871',
      end: '1902',
      granularity: 'year',
    });
    assert.deepEqual((await of('In the 1790s millers belonged to a guild.')).scope, {
      start: '1790',
      end: '1799',
      granularity: 'decade',
    });
    assert.equal(
      (await of('Trade began in 1402 and ended in 1811.')).scope.granularity,
      'multicentury',
    );
    assert.deepEqual((await of('Herring is salted.')).scope, {
      start: '',
      end: '',
      granularity: 'unknown',
    });
    const tenses = [
      'The hut serves soup and is open.',
      'It was built.',
      'It will open.',
      'Soup.',
    ].map(async (text) => (await of(text)).tense);
    assert.deepEqual(await Promise.all(tenses), ['present', 'past', 'future', 'unknown']);
    assert.deepEqual((await of('After the Treaty of Varn of 1871 it closed.')).events, [
      'Treaty of Varn',
    ]);
  });

  it('is written and read in the published form', async () => {
    const {
      queries: [first],
    } = await annotateQueries(ruleAnnotator(), (await domainOf('law')).queries);
    const record = {
      query_guidance: toGuidanceRecord(first!.annotation),
      gold_passage_annotations: [] as unknown[],
    };
    assert.deepEqual(guidanceField(record, where), first!.annotation);
    const one = await ruleAnnotator().passage(query('1'), {
      id: 'd',
      text: 'It was built in 1871.',
    });
    record.gold_passage_annotations = [toPassageRecord(one)];
    assert.deepEqual(passageAnnotations(record, where), [one]);
  });

  it('by a model goes through a schema, and what does not fit says nothing of time', async () => {
    const model = scripted(({ system }) =>
      system!.includes('what a passage says') ? passage : answer,
    );
    const annotator = modelAnnotator(model);
    const annotation = await annotator.query(query('1', { text: 'When did ferries cross?' }));
    assert.deepEqual(
      [annotation.isTemporal, annotation.primaryClass, annotation.plan],
      [
        true,
        'event_analysis_and_localization',
        [
          { step: 1, action: 'Find the first', relevant: [] },
          { step: 2, action: 'Find the last', relevant: [] },
        ],
      ],
    );
    assert.match(model.asked[0]!.prompt, /^Query: When did ferries cross\?\nJSON:$/);
    // the eleven of the prompt
    for (const name of annotatedClasses) assert.ok(model.asked[0]!.system!.includes(name));
    const marked = await annotator.passage(query('1'), { id: 'd', text: `${'x'.repeat(7000)}` });
    assert.deepEqual([marked.document, marked.scope.start, marked.tense], ['d', '1862', 'past']);
    assert.match(model.asked[1]!.prompt, /Document:\nx{6000} \[cut\]\nJSON:$/);
    const faults: string[] = [];
    const wrong = modelAnnotator(
      scripted(() => ({
        ...answer,
        temporal_reasoning_class_primary: 'guessing',
        ...passage,
        confidence: 3,
      })),
      {
        onUnusable: (why) => faults.push(why),
      },
    );
    const [unfit, unread] = [
      await wrong.query(query('1')),
      await wrong.passage(query('1'), { id: 'd', text: 't' }),
    ];
    assert.deepEqual([unfit.isTemporal, unread.scope.granularity], [false, 'unknown']);
    assert.equal(faults.length, 2);
    assert.throws(() => modelAnnotator(model, { passageLength: 5 }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
  });

  it('goes on from a cache where a budget ended it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'asof-tempo-'));
    const { queries } = await domainOf('law');
    const model = scripted(() => answer);
    const run = async (calls: number) => {
      const asked = budgetedModel(model, calls);
      const kept = await recordReplay({
        path: join(folder, 'kept.jsonl'),
        mode: 'replayOrRecord',
        model: asked,
      });
      return annotateQueries(modelAnnotator(kept), queries);
    };
    try {
      assert.deepEqual([(await run(2)).left, (await run(1)).left, model.asked.length], [1, 0, 3]);
      assert.deepEqual((await run(0)).queries.length, 3);
    } finally {
      rmSync(folder, { recursive: true });
    }
    await assert.rejects(
      annotateQueries(ruleAnnotator(), queries, { signal: AbortSignal.abort() }),
      { code: 'ERR_ABORTED' },
    );
  });

  it('reformulates queries by a model, its thoughts left out', async () => {
    const model = scripted(({ prompt }) =>
      prompt.includes('first') ? '<think>hm</think> Years of ferries.' : ' ',
    );
    const texts = await reformulate(model, [query('1', { text: 'The first?\n' }), query('2')]);
    assert.deepEqual(
      [...texts],
      [
        ['1', 'The first?\n\nYears of ferries.'],
        ['2', 'What of 2?'],
      ],
    );
    assert.equal(model.asked[0]!.temperature, 0);
  });

  describe('answers', () => {
    const expected = 'Elias Brandt, a merchant of Skarn, in 1702.';
    const asked = query('1', {
      text: 'Who first issued paper money in Norland, and when?',
      answers: [expected],
    });
    const contextOf = async ({ relevant }: TempoQuery) => {
      const documents = await documentsOf('economics');
      return relevant
        .filter((id) => documents.has(id))
        .map((id) => ({ id, text: documents.get(id)!.text }));
    };

    it('are read off documents by rules, which know nothing without any', async () => {
      const gold = { ...asked, relevant: ['economics/coin_first.txt'] };
      const { queries, answers } = await scoreAnswers([gold, query('2')], contextOf, {
        judge: ruleJudge(),
      });
      assert.equal(queries.length, 1); // of the other no answer is expected
      assert.ok(
        queries[0]!.values['answer_coverage']! > 0 && queries[0]!.values['answer_coverage']! <= 100,
        answers.get('1'),
      );
      const none = await scoreAnswers([gold], async () => [], { judge: ruleJudge() });
      assert.deepEqual(none.queries[0]!.values, { answer_coverage: 0, em: 0, f1: 0, abstained: 1 });
    });

    it('are written by a model from what it is shown', async () => {
      const model = scripted(({ prompt }) =>
        prompt.includes('[1]') ? expected : 'I think it was the crown.',
      );
      const options = { judge: ruleJudge(), model };
      const oracle = await scoreAnswers(
        [{ ...asked, relevant: ['economics/coin_first.txt'] }],
        contextOf,
        options,
      );
      assert.deepEqual(oracle.queries[0]!.values, {
        answer_coverage: 100,
        em: 1,
        f1: 1,
        abstained: 0,
      });
      const none = await scoreAnswers([asked], async () => [], options);
      assert.ok(none.queries[0]!.values['answer_coverage']! < 50);
      assert.match(
        model.asked[0]!.prompt,
        /^\[1\]\nPaper money was first issued[^]*Question:\nWho first/,
      );
      const budgeted = await scoreAnswers([asked, { ...asked, id: '2' }], async () => [], {
        ...options,
        model: budgetedModel(model, 1),
      });
      assert.deepEqual([budgeted.queries.length, budgeted.left], [1, 1]);
      await assert.rejects(scoreAnswers([asked], contextOf, { ...options, characters: 3 }), {
        code: 'ERR_INVALID_ARGUMENT',
      });
    });
  });
});
