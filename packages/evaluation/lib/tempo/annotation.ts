// TEMPO's annotations of queries and passages (section 3.1, appendices B.2 and B.3): types,
// published field names, and their reader.
import { invalidLine, stringField, type LineLocation } from 'asof/kit';
import type { JudgeQuestion } from '../judges/judgement.js';
import { pythonList } from './pythonList.js';
import { shown } from '../files/fields.js';

/** Annotation of a query. Missing texts are '', missing lists empty. */
export interface QueryAnnotation {
  isTemporal: boolean;
  /** One of `temporalIntents`; data may have others. */
  intent: string;
  signals: readonly string[];
  events: readonly string[];
  summary: string;
  /** One of `annotatedClasses`; data may have others and ''. */
  primaryClass: string;
  secondaryClasses: readonly string[];
  reasoning: string;
  /** Steps of retrieval, from 1; the published data maps each to the documents that satisfy it. */
  plan: readonly { step: number; action: string; relevant: readonly string[] }[];
  anchors: readonly string[];
  granularity: string;
  checks: readonly string[];
}

export const scopeGranularities = [
  'date',
  'month',
  'year',
  'decade',
  'century',
  'multicentury',
  'unknown',
] as const;
export const tenses = ['past', 'present', 'future', 'mixed', 'unknown'] as const;

/** Annotation of a passage. */
export interface PassageAnnotation {
  document: string;
  signals: readonly string[];
  events: readonly string[];
  mentions: readonly string[];
  /** ISO dates of any granularity (1914, 1914-08, 1914-08-04), else ''. */
  scope: { start: string; end: string; granularity: (typeof scopeGranularities)[number] };
  tense: (typeof tenses)[number];
  /** 0 to 1. */
  confidence: number;
}

/** An annotation as guidance for judges. */
export function guidanceOf(annotation: QueryAnnotation): NonNullable<JudgeQuestion['guidance']> {
  const { isTemporal, primaryClass, anchors } = annotation;
  return {
    isTemporal,
    keyTimeAnchors: anchors,
    ...(primaryClass === '' ? {} : { reasoningClass: primaryClass }),
  };
}

/** The published form of a query's annotation. */
export function toGuidanceRecord(annotation: QueryAnnotation): Record<string, unknown> {
  const { plan } = annotation;
  return {
    is_temporal_query: annotation.isTemporal,
    temporal_intent: annotation.intent,
    query_temporal_signals: annotation.signals,
    query_temporal_events: annotation.events,
    query_summary: annotation.summary,
    temporal_reasoning_class_primary: annotation.primaryClass,
    temporal_reasoning_class_secondary: annotation.secondaryClasses,
    retrieval_reasoning: annotation.reasoning,
    retrieval_plan: plan.map(({ step, action, relevant }) => ({
      step,
      action,
      ...(relevant.length > 0 ? { gold_ids: relevant } : {}),
    })),
    key_time_anchors: annotation.anchors,
    expected_granularity: annotation.granularity,
    quality_checks: annotation.checks,
  };
}

/** The published form of a passage's annotation. */
export function toPassageRecord(annotation: PassageAnnotation): Record<string, unknown> {
  const { document, signals, events, mentions, scope, tense, confidence } = annotation;
  return {
    doc_id: document,
    passage_temporal_signals: signals,
    passage_temporal_events: events,
    time_mentions: mentions,
    time_scope_guess: {
      start_iso: scope.start,
      end_iso: scope.end,
      granularity: scope.granularity,
    },
    tense_guess: tense,
    confidence,
  };
}

/** `query_guidance` of a row, if any. Errors: ERR_INVALID_INPUT by row. */
export function guidanceField(
  record: Record<string, unknown>,
  where: LineLocation,
): QueryAnnotation | undefined {
  const given = record['query_guidance'] ?? undefined;
  return given === undefined
    ? undefined
    : queryAnnotation(objectOf(given, 'query_guidance', where), where);
}

/** An annotation of its published form. Errors: ERR_INVALID_INPUT by row. */
export function queryAnnotation(
  guidance: Record<string, unknown>,
  where: LineLocation,
): QueryAnnotation {
  const temporal = guidance['is_temporal_query'] ?? false;
  if (typeof temporal !== 'boolean')
    throw invalidLine(where, '"is_temporal_query" to be true or false', shown(temporal));
  return {
    isTemporal: temporal,
    intent: text(guidance, 'temporal_intent', where),
    signals: stringList(guidance, 'query_temporal_signals', where),
    events: stringList(guidance, 'query_temporal_events', where),
    summary: text(guidance, 'query_summary', where),
    primaryClass: text(guidance, 'temporal_reasoning_class_primary', where),
    secondaryClasses: stringList(guidance, 'temporal_reasoning_class_secondary', where),
    reasoning: text(guidance, 'retrieval_reasoning', where),
    plan: planField(guidance['retrieval_plan'], where),
    anchors: stringList(guidance, 'key_time_anchors', where),
    granularity: text(guidance, 'expected_granularity', where),
    checks: stringList(guidance, 'quality_checks', where),
  };
}

function planField(value: unknown, where: LineLocation): QueryAnnotation['plan'][number][] {
  return objects(value, 'retrieval_plan', where).map((entry, at) => {
    const step = entry['step'] ?? at + 1;
    if (!Number.isInteger(Number(step)))
      throw invalidLine(where, '"step" of a retrieval plan to be a whole number', shown(step));
    return {
      step: Number(step),
      action: text(entry, 'action', where),
      relevant: stringList(entry, 'gold_ids', where),
    };
  });
}

/**
 * The annotations of a row's relevant and negative passages. Errors: ERR_INVALID_INPUT by row.
 */
export function passageAnnotations(
  record: Record<string, unknown>,
  where: LineLocation,
): PassageAnnotation[] {
  return ['gold_passage_annotations', 'negative_passage_annotations'].flatMap((field) =>
    objects(record[field], field, where).map((entry) => passageAnnotation(entry, where)),
  );
}

/** An annotation of its published form. Errors: ERR_INVALID_INPUT by row. */
export function passageAnnotation(
  entry: Record<string, unknown>,
  where: LineLocation,
): PassageAnnotation {
  const scope = objectOf(entry['time_scope_guess'] ?? {}, 'time_scope_guess', where);
  const confidence = entry['confidence'] ?? 0;
  if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1)) {
    throw invalidLine(where, '"confidence" to be a number from 0 to 1', shown(confidence));
  }
  const known = <T extends string>(value: string, names: readonly T[], otherwise: T): T =>
    names.includes(value as T) ? (value as T) : otherwise;
  return {
    document: text(entry, 'doc_id', where),
    signals: stringList(entry, 'passage_temporal_signals', where),
    events: stringList(entry, 'passage_temporal_events', where),
    mentions: stringList(entry, 'time_mentions', where),
    scope: {
      start: text(scope, 'start_iso', where),
      end: text(scope, 'end_iso', where),
      granularity: known(text(scope, 'granularity', where), scopeGranularities, 'unknown'),
    },
    tense: known(text(entry, 'tense_guess', where), tenses, 'unknown'),
    confidence,
  };
}

const text = (record: Record<string, unknown>, name: string, where: LineLocation): string =>
  stringField(record, name, where, 'allowed') ?? '';

/**
 * A list of texts: an array, with numbers as their digits, or a Python list as text, as in the gold
 * ids of published steps. Null and '' are empty lists. Errors: ERR_INVALID_INPUT by row.
 */
export function stringList(
  record: Record<string, unknown>,
  name: string,
  where: LineLocation,
): string[] {
  const value = record[name] ?? [];
  if (typeof value === 'string') {
    const list = value.trim() === '' ? [] : pythonList(value);
    if (list) return list;
    throw invalidLine(
      where,
      `"${name}" to be a list of texts`,
      shown(value),
      "Write it as ['a', 'b'].",
    );
  }
  if (
    !Array.isArray(value) ||
    !value.every((each) => typeof each === 'string' || typeof each === 'number')
  ) {
    throw invalidLine(where, `"${name}" to be a list of texts`, shown(value));
  }
  return value.map(String);
}

function objects(value: unknown, name: string, where: LineLocation): Record<string, unknown>[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value))
    throw invalidLine(where, `"${name}" to be a list of objects`, shown(value));
  return value.map((each) => objectOf(each, `an entry of ${name}`, where));
}

function objectOf(value: unknown, name: string, where: LineLocation): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidLine(where, `"${name}" to be an object`, shown(value));
  return value as Record<string, unknown>;
}
