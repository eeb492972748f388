// Prompt for a query's temporal annotation (TEMPO appendix B.2): intent, signals, events, class,
// anchors, plan. Fields are the paper's, the words our own.
import type { TemporalIntent } from 'asof/time';
import { formatExamples } from '../../judges/prompts/format.js';
import { scopeGranularities } from '../annotation.js';
import { annotatedClasses, type AnnotatedClass } from '../names.js';

const temporalIntents = [
  'when',
  'duration',
  'order',
  'before_after',
  'ongoing_status',
  'period_definition',
  'timeline',
  'none',
] as const satisfies readonly TemporalIntent[];

const meanings: Record<AnnotatedClass, string> = {
  event_analysis_and_localization: 'when something happened, and around what',
  time_period_contextualization: 'how things were in a period',
  event_verification_and_authenticity: 'whether something happened as is told',
  sources_methods_and_documentation: 'how things were recorded or studied at a time',
  materials_artifacts_and_provenance: 'the age and origin of an object or document',
  trends_changes_and_cross_period: 'how one time compares with another, or what changed',
  origins_evolution_comparative_analysis: 'how something came about and developed',
  historical_misinterpretation_or_reenactment:
    'a legend, a misreading or a re-enactment of the past',
  causation_analysis: 'what led to what',
  artifact_verification: 'whether an object is what it is said to be',
  historical_attribution_and_context: 'who is to be credited, and in which circumstances',
};

const list = (maxItems: number, maxLength = 120): object => ({
  type: 'array',
  items: { type: 'string', maxLength },
  maxItems,
});

const system = `You annotate a query for a search engine that knows about time. Use the query alone, and copy its words where words are asked for.
"is_temporal_query": whether time matters for the answer. "temporal_intent": ${temporalIntents.join(', ')}.
"query_temporal_signals": its words that speak of time. "query_temporal_events": events in it that have a date.
"query_summary": at most 50 words.
"temporal_reasoning_class_primary": one of
${annotatedClasses.map((name) => `${name}: ${meanings[name]}`).join('\n')}
"temporal_reasoning_class_secondary": others of these that fit, usually none. "retrieval_reasoning": one sentence on how to find evidence.
"retrieval_plan": the steps of finding it, one period or aspect each, at most four.
"key_time_anchors": the times that evidence is needed of, earliest first.
"expected_granularity": ${scopeGranularities.join(', ')}. "quality_checks": what to check in the evidence, at most two.
Reply with one JSON object that has all of these fields; lists may be empty.

${formatExamples([
  'Query: How have ferry fares in Norland changed since the reform of 1998?',
  {
    is_temporal_query: true,
    temporal_intent: 'ongoing_status',
    query_temporal_signals: ['since the reform of 1998'],
    query_temporal_events: ['reform of 1998'],
    query_summary: 'Change of ferry fares in Norland from 1998 on.',
    temporal_reasoning_class_primary: 'trends_changes_and_cross_period',
    temporal_reasoning_class_secondary: [],
    retrieval_reasoning: 'Fares before and after the reform are needed, and those of today.',
    retrieval_plan: [
      'Find ferry fares in Norland before 1998',
      'Find ferry fares in Norland today',
    ],
    key_time_anchors: ['1998', 'today'],
    expected_granularity: 'year',
    quality_checks: ['prices of the same route'],
  },
])}`;

export function queryAnnotationPrompt(query: string) {
  const fields = {
    is_temporal_query: { type: 'boolean' },
    temporal_intent: { enum: [...temporalIntents] },
    query_temporal_signals: list(12),
    query_temporal_events: list(8),
    query_summary: { type: 'string', maxLength: 500 },
    temporal_reasoning_class_primary: { enum: [...annotatedClasses] },
    temporal_reasoning_class_secondary: {
      type: 'array',
      items: { enum: [...annotatedClasses] },
      maxItems: 3,
    },
    retrieval_reasoning: { type: 'string', maxLength: 500 },
    retrieval_plan: list(5, 300),
    key_time_anchors: list(8),
    expected_granularity: { enum: [...scopeGranularities] },
    quality_checks: list(3, 200),
  };
  return {
    system,
    prompt: `Query: ${query.trim()}\nJSON:`,
    schema: { type: 'object', properties: fields, required: Object.keys(fields) },
    maxTokens: 900,
  };
}
