// Annotator by a language model, with our own prompts and JSON schemas. Caching and budget are the
// model's.
import { mustBeWhole, askJson, checkTextModel } from 'asof/kit';
import type { TextModel } from 'asof';
import type { PassageAnnotation, QueryAnnotation } from './annotation.js';
import type { Annotator } from './annotator.js';
import {
  passageAnnotationPrompt,
  type PassageAnnotationAnswer,
} from './prompts/passageAnnotation.js';
import { queryAnnotationPrompt, type QueryAnnotationAnswer } from './prompts/queryAnnotation.js';

export interface ModelAnnotatorOptions {
  /** Maximum length of a passage in the prompt, in UTF-16 units, 100 or more. Default 6000. */
  passageLength?: number;
  /** Receives the reason of an unusable answer, after one retry. Its annotation is not temporal. */
  onUnusable?: (why: string) => void;
}

/**
 * An annotator by a model, at temperature 0. An answer that does not match the schema after one
 * retry gives an annotation without time; failures of the model are ERR_MODEL_FAILED.
 * @example const annotator = modelAnnotator(await recordReplay({ path: 'annotated.jsonl', mode:
 * 'replayOrRecord', model }));
 */
export function modelAnnotator(model: TextModel, options: ModelAnnotatorOptions = {}): Annotator {
  checkTextModel(model);
  const { passageLength = 6000, onUnusable } = options;
  mustBeWhole({ passageLength }, 100);
  return {
    id: model.id,
    async query({ text }, signal) {
      const said = await askJson<QueryAnnotationAnswer>(model, queryAnnotationPrompt(text), signal);
      if ('value' in said) return queryOf(said.value);
      onUnusable?.(said.unusable);
      return withoutTime;
    },
    async passage({ text }, passage, signal) {
      const said = await askJson<PassageAnnotationAnswer>(
        model,
        passageAnnotationPrompt(text, passage, passageLength),
        signal,
      );
      if ('value' in said) return passageOf(passage.id, said.value);
      onUnusable?.(said.unusable);
      return passageOf(passage.id, nothing);
    },
  };
}

const withoutTime: QueryAnnotation = {
  isTemporal: false,
  intent: 'none',
  signals: [],
  events: [],
  summary: '',
  primaryClass: '',
  secondaryClasses: [],
  reasoning: '',
  plan: [],
  anchors: [],
  granularity: 'unknown',
  checks: [],
};

const nothing: PassageAnnotationAnswer = {
  passage_temporal_signals: [],
  passage_temporal_events: [],
  time_mentions: [],
  time_scope_guess: { start_iso: '', end_iso: '', granularity: 'unknown' },
  tense_guess: 'unknown',
  confidence: 0,
};

function queryOf(said: QueryAnnotationAnswer): QueryAnnotation {
  return {
    isTemporal: said.is_temporal_query,
    intent: said.temporal_intent,
    signals: said.query_temporal_signals,
    events: said.query_temporal_events,
    summary: said.query_summary,
    primaryClass: said.temporal_reasoning_class_primary,
    secondaryClasses: said.temporal_reasoning_class_secondary,
    reasoning: said.retrieval_reasoning,
    plan: said.retrieval_plan.map((action, at) => ({ step: at + 1, action, relevant: [] })),
    anchors: said.key_time_anchors,
    granularity: said.expected_granularity,
    checks: said.quality_checks,
  };
}

function passageOf(document: string, said: PassageAnnotationAnswer): PassageAnnotation {
  const { start_iso: start, end_iso: end, granularity } = said.time_scope_guess;
  return {
    document,
    signals: said.passage_temporal_signals,
    events: said.passage_temporal_events,
    mentions: said.time_mentions,
    scope: { start, end, granularity },
    tense: said.tense_guess,
    confidence: said.confidence,
  };
}
