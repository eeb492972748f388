// What fills the templates of TEMPO's annotations (appendices B.2 and B.3), and the fields of the
// answers, which are the paper's.
import type { TemporalIntent } from 'asof/time';
import type { JudgeDocument } from '../judges/judgement.js';
import { documentSlots, objectSchema, type TemplateRequest } from '../judges/prompts.js';
import { scopeGranularities, tenses } from './annotation.js';
import { annotatedClasses } from './names.js';

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

const list = (maxItems: number, maxLength = 120) => ({
  type: 'array',
  items: { type: 'string', maxLength },
  maxItems,
});
const text = { type: 'string', maxLength: 500 };
/** 1914, 1914-08 or 1914-08-04, years before Christ with a minus, or nothing. */
const iso = { type: 'string', pattern: '^(-?\\d{1,4}(-\\d{2}(-\\d{2})?)?)?$' };
const granularity = { enum: [...scopeGranularities] };

const querySchema = objectSchema({
  is_temporal_query: { type: 'boolean' },
  temporal_intent: { enum: [...temporalIntents] },
  query_temporal_signals: list(12),
  query_temporal_events: list(8),
  query_summary: text,
  temporal_reasoning_class_primary: { enum: [...annotatedClasses] },
  temporal_reasoning_class_secondary: {
    type: 'array',
    items: { enum: [...annotatedClasses] },
    maxItems: 3,
  },
  retrieval_reasoning: text,
  retrieval_plan: list(5, 300),
  key_time_anchors: list(8),
  expected_granularity: granularity,
  quality_checks: list(3, 200),
});

const passageSchema = objectSchema({
  passage_temporal_signals: list(20),
  passage_temporal_events: list(12),
  time_mentions: list(30),
  time_scope_guess: objectSchema({ start_iso: iso, end_iso: iso, granularity }),
  tense_guess: { enum: [...tenses] },
  confidence: { type: 'number', minimum: 0, maximum: 1 },
});

export const queryRequest = (query: string): TemplateRequest => ({
  slots: { question: query.trim() },
  schema: querySchema,
  maxTokens: 900,
});

/** `length` limits the passage, in UTF-16 units. */
export const passageRequest = (
  query: string,
  passage: JudgeDocument,
  length: number,
): TemplateRequest => ({
  slots: { question: query.trim(), ...documentSlots(passage, length) },
  schema: passageSchema,
  maxTokens: 900,
});
