// What fills the templates of the judges' prompts (TEMPO appendices C.2, G.1 and G.3), and the
// answers that they ask for: judge* in our form, tempo* with the inputs, order and fields of the
// published code.
import { parseAskedAt, type askTemplate } from 'asof/kit';
import type { JsonSchema } from 'asof/models';
import { formatDay, parseInstant } from 'asof/time';
import {
  temporalFocuses,
  type JudgeAnswer,
  type JudgeDocument,
  type JudgeInstance,
  type JudgeQuestion,
  type TemporalFocus,
} from './judgement.js';

export type TemplateRequest = Parameters<typeof askTemplate>[2];

/** Maximum length of a document in the published code, in UTF-16 units. */
export const documentLength = 2000;

/** The slots of a question: its text, and with the day on which it is asked. */
function questionSlots({
  text,
  askedAt,
}: JudgeQuestion): Record<'question' | 'asked' | 'shown', string> {
  const question = text.trim();
  const asked = askedAt === undefined ? '' : formatDay(parseAskedAt(askedAt));
  const shown = `Question: ${question}${asked === '' ? '' : `\nAsked on: ${asked}`}`;
  return { question, asked, shown };
}

/** The slots of a document: `Title (published 2021-05-06)` over its text, which is cut. */
export function documentSlots(
  { title, text, publishedAt }: JudgeDocument,
  length: number,
): Record<'document' | 'text', string> {
  const dated =
    publishedAt === undefined
      ? ''
      : ` (published ${formatDay(parseInstant(publishedAt, 'start'))})`;
  const whole = text.trim();
  const shown = whole.length > length ? `${whole.slice(0, length)} [cut]` : whole;
  const heading = `Document:${title === undefined ? '' : ` ${title}`}${dated}`;
  return { document: `${heading}\n${shown}`, text: shown };
}

/** An object that has every property. */
export const objectSchema = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});
/** Bounded, so that a small model reaches its verdict. */
const reason = { type: 'string', maxLength: 400 };
const verdict = { enum: [0, 1] };
const focus = { enum: [...temporalFocuses] };

export interface IntentAnswer {
  focus: TemporalFocus;
  keywords: string[];
}

export const intentRequest = (question: JudgeQuestion): TemplateRequest => ({
  slots: questionSlots(question),
  schema: objectSchema({
    focus,
    // Bounds stop repetitions of small models.
    keywords: { type: 'array', items: { type: 'string', maxLength: 80 }, maxItems: 6 },
  }),
  maxTokens: 200,
});

/** Required content of a document, by temporal focus. */
const wantedOf: Record<TemporalFocus, string> = {
  duration: 'how long something takes or lasted',
  specific_time: 'the time asked for: a date, a period, or what came before or after',
  recency: 'what is recent or holds at present, with its date or with words such as "currently"',
  change_over_time: 'how things stood at one or more of the times that are compared',
  none: 'a date, a period or an order of events',
};

export interface RelevanceAnswer {
  reason: string;
  verdict: 0 | 1;
}

export const relevanceRequest = (
  question: JudgeQuestion,
  side: TemporalFocus,
  document: Record<string, string>,
): TemplateRequest => ({
  slots: { ...questionSlots(question), focus: side, wanted: wantedOf[side], ...document },
  schema: objectSchema({ reason, verdict }),
  maxTokens: 180,
});

export interface EvidenceAnswer extends RelevanceAnswer {
  /** Numbers of the periods, from 1. */
  periods: number[];
}

/** `periods` may have their days in brackets. */
export const evidenceRequest = (
  question: JudgeQuestion,
  side: TemporalFocus,
  periods: readonly string[],
  document: Record<string, string>,
): TemplateRequest => ({
  slots: {
    ...questionSlots(question),
    focus: side,
    periods: periods.map((period, at) => `Period ${at + 1}: ${period}`).join('\n'),
    ...document,
  },
  schema: objectSchema({
    reason,
    periods: { type: 'array', items: { enum: periods.map((_, at) => at + 1) } },
    verdict,
  }),
  maxTokens: 200 + 4 * periods.length,
});

export interface ScoreAnswer {
  reason: string;
  score: number;
}

const score = objectSchema({ reason, score: { type: 'integer', minimum: 0, maximum: 100 } });

/** The share of a reference that an answer covers. */
export const coverageRequest = ({
  question,
  answer,
  references,
}: JudgeAnswer): TemplateRequest => ({
  slots: {
    question: question.trim(),
    answer: answer.trim(),
    reference: references.length === 1 ? references[0]! : references.join(' or '),
  },
  schema: score,
  maxTokens: 200,
});

/** How well plan and documents serve a question; `length` limits the documents together. */
export function qualityRequest(
  { question, plan, documents }: JudgeInstance,
  length: number,
): TemplateRequest {
  const each = Math.max(200, Math.floor(length / Math.max(1, documents.length)));
  const shown = documents.map((document) => documentSlots(document, each).document).join('\n\n');
  return {
    slots: {
      ...questionSlots(question),
      plan: plan.length === 0 ? 'none' : plan.map((step, at) => `\n${at + 1}. ${step}`).join(''),
      documents: shown === '' ? 'Document: none' : shown,
    },
    schema: score,
    maxTokens: 240,
  };
}

export interface PublishedIntent {
  has_temporal_intent: boolean;
  temporal_keywords: string[];
  temporal_focus: TemporalFocus;
}

export interface PublishedRelevance extends RelevanceAnswer {
  temporal_contribution: string;
}

export interface PublishedEvidence extends PublishedRelevance {
  covers_baseline: boolean;
  covers_comparison: boolean;
}

const string = { type: 'string' };
const published = { maxTokens: 1024, once: true };
const publishedFields = { verdict, reason: string, temporal_contribution: string };

export const publishedIntentRequest = (question: string): TemplateRequest => ({
  slots: { question },
  schema: objectSchema({
    has_temporal_intent: { type: 'boolean' },
    temporal_keywords: { type: 'array', items: string },
    temporal_focus: focus,
  }),
  ...published,
});

export const publishedRelevanceRequest = (
  question: string,
  side: TemporalFocus,
  text: string,
): TemplateRequest => ({
  slots: { question, focus: side, text },
  schema: objectSchema(publishedFields),
  ...published,
});

export const publishedEvidenceRequest = (
  question: string,
  side: TemporalFocus,
  [baseline, comparison]: readonly string[],
  text: string,
): TemplateRequest => ({
  slots: { question, focus: side, baseline: baseline!, comparison: comparison!, text },
  schema: objectSchema({
    ...publishedFields,
    covers_baseline: { type: 'boolean' },
    covers_comparison: { type: 'boolean' },
  }),
  ...published,
});
