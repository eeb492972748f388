// Annotations by a model: the published fields of its answers, and what stands for unusable ones.
import assert from 'node:assert/strict';
import { modelAnnotator } from '../../lib/tempo/modelAnnotator.js';
import { toGuidanceRecord, toPassageRecord } from '../../lib/tempo/annotation.js';
import { scripted } from '../../../../test/reading/doubles.js';

const guidance = {
  is_temporal_query: true,
  temporal_intent: 'when',
  query_temporal_signals: ['in 1990'],
  query_temporal_events: [],
  query_summary: 'A fire.',
  temporal_reasoning_class_primary: 'causation_analysis',
  temporal_reasoning_class_secondary: [],
  retrieval_reasoning: 'Causes are needed.',
  retrieval_plan: ['the fire', 'its cause'],
  key_time_anchors: ['1990'],
  expected_granularity: 'year',
  quality_checks: ['dates'],
};
const scope = { start_iso: '1990', end_iso: '', granularity: 'year' };
const passage = {
  passage_temporal_signals: ['in 1990'],
  passage_temporal_events: ['the fire'],
  time_mentions: ['1990'],
  time_scope_guess: scope,
  tense_guess: 'past',
  confidence: 0.5,
};

describe('annotation by a model', () => {
  const [query, document] = [
    { id: 'q', text: 'Why did it burn in 1990?' },
    { id: 'd', text: 'It burnt in 1990.' },
  ];

  it('has the fields of its answers', async () => {
    const model = scripted(({ prompt }) =>
      JSON.stringify(prompt.includes('Document:') ? passage : guidance),
    );
    const annotator = modelAnnotator(model);
    assert.deepEqual(toGuidanceRecord(await annotator.query(query)), {
      ...guidance,
      retrieval_plan: guidance.retrieval_plan.map((action, at) => ({ step: at + 1, action })),
    });
    assert.deepEqual(toPassageRecord(await annotator.passage(query, document)), {
      doc_id: 'd',
      ...passage,
    });
  });

  it('is without time where an answer is unusable', async () => {
    let unusable = 0;
    const annotator = modelAnnotator(
      scripted(() => 'no JSON'),
      { onUnusable: () => (unusable += 1) },
    );
    const { isTemporal, intent, granularity, plan } = await annotator.query(query);
    const { tense, mentions } = await annotator.passage(query, document);
    assert.deepEqual(
      [isTemporal, intent, granularity, plan, tense, mentions, unusable],
      [false, 'none', 'unknown', [], 'unknown', [], 2],
    );
  });
});
