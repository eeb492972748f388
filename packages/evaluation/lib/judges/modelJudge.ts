// Relevance judge by a language model (TEMPO appendices C.2, G.1 and G.3), by the templates of its
// prompts. Caching and budget are the model's (recordReplay, budgetedModel).
import { askTemplate, checkTextModel, invalidArgument, mustBeWhole } from 'asof/kit';
import type { TextModel } from 'asof';
import { tempoDefinitions, type TempoDefinition } from '../measures/temporal.js';
import type {
  IntentJudgement,
  RelevanceJudge,
  RelevanceJudgement,
  ScoreJudgement,
} from './judgement.js';
import { periodWindows, formatWindow } from './periods.js';
import {
  coverageRequest,
  documentLength,
  documentSlots,
  evidenceRequest,
  intentRequest,
  publishedEvidenceRequest,
  publishedIntentRequest,
  publishedRelevanceRequest,
  qualityRequest,
  relevanceRequest,
  type EvidenceAnswer,
  type IntentAnswer,
  type PublishedEvidence,
  type PublishedIntent,
  type PublishedRelevance,
  type RelevanceAnswer,
  type ScoreAnswer,
  type TemplateRequest,
} from './prompts.js';

/**
 * A judge by a model, at temperature 0. An answer that does not match the schema after one retry
 * counts as verdict 0 without periods, score 0, or no temporal intent, with the fault as its
 * reason; failures of the model are ERR_MODEL_FAILED.
 * @example const judge = modelJudge(await recordReplay({ path: 'judged.jsonl', mode:
 * 'replayOrRecord', model }));
 */
export function modelJudge(
  model: TextModel,
  options: {
    /**
     * Maximum length of a document in the prompt, in UTF-16 units, 100 or more. Default 2000, as in
     * the published code.
     */
    documentLength?: number | undefined;
    /**
     * Receives the reason of an unusable answer, after one retry. Such a judgement counts as
     * negative, as a failure does in the published code.
     */
    onUnusable?: ((why: string) => void) | undefined;
    /**
     * `code`: intent, relevance and evidence by prompts with the inputs and fields of TEMPO's
     * published code, without a retry. Default paper: with asking times, titles, dates and any
     * number of periods.
     */
    tempo?: TempoDefinition | undefined;
  } = {},
): RelevanceJudge {
  checkTextModel(model);
  const { documentLength: length = documentLength, onUnusable, tempo = 'paper' } = options;
  mustBeWhole({ documentLength: length }, 100);
  if (!tempoDefinitions.includes(tempo))
    throw invalidArgument('tempo', tempoDefinitions.join(' or '), tempo);
  const ask: Ask = async (name, request, { read, otherwise, signal }) => {
    const said = await askTemplate<Parameters<typeof read>[0]>(model, name, request, signal);
    if ('value' in said) return read(said.value);
    onUnusable?.(said.unusable);
    return otherwise(`no usable answer: ${said.unusable}`);
  };
  const score = (
    name: Name,
    request: TemplateRequest,
    signal: AbortSignal | undefined,
  ): Promise<ScoreJudgement> =>
    ask<ScoreAnswer, ScoreJudgement>(name, request, {
      read: ({ score: given, reason }) => ({ score: given, reason }),
      otherwise: (reason) => ({ score: 0, reason }),
      signal,
    });
  const judge: RelevanceJudge = {
    id: model.id,
    intent: (question, signal) =>
      ask<IntentAnswer, IntentJudgement>('judgeIntent', intentRequest(question), {
        read: ({ keywords, focus }) => ({ temporal: focus !== 'none', focus, keywords }),
        otherwise: noIntent,
        signal,
      }),
    relevance: (question, { focus }, document, signal) =>
      ask<RelevanceAnswer, RelevanceJudgement>(
        'judgeRelevance',
        relevanceRequest(question, focus, documentSlots(document, length)),
        { read: ({ verdict, reason }) => ({ verdict, reason }), otherwise: irrelevant, signal },
      ),
    evidence: (question, { focus }, periods, document, signal) => {
      const windows = periodWindows(periods, question).map(formatWindow);
      const dated = periods.map((period, at) =>
        windows[at] ? `${period} (${windows[at]})` : period,
      );
      return ask<EvidenceAnswer, Required<RelevanceJudgement>>(
        'judgeEvidence',
        evidenceRequest(question, focus, dated, documentSlots(document, length)),
        {
          read: ({ verdict, reason, periods: numbers }) => ({
            verdict,
            reason,
            periods: periods.filter((__, at) => numbers.includes(at + 1)),
          }),
          otherwise: unsupported,
          signal,
        },
      );
    },
    answerCoverage: (answer, signal) => score('judgeCoverage', coverageRequest(answer), signal),
    dataQuality: (instance, signal) =>
      score('judgeQuality', qualityRequest(instance, length), signal),
  };
  return tempo === 'code' ? { ...judge, ...publishedJudge(ask, length) } : judge;
}

type Name = Parameters<typeof askTemplate>[1];

/** Asks a model for an answer, reads it, or takes the reason of its absence. */
type Ask = <Answer, Judgement>(
  name: Name,
  request: TemplateRequest,
  how: {
    read: (answer: Answer) => Judgement;
    otherwise: (reason: string) => Judgement;
    signal: AbortSignal | undefined;
  },
) => Promise<Judgement>;

const noIntent = (fault: string): IntentJudgement => ({
  temporal: false,
  focus: 'none',
  keywords: [],
  fault,
});
const irrelevant = (reason: string) => ({ verdict: 0 as const, reason });
const unsupported = (reason: string) => ({ ...irrelevant(reason), periods: [] });

/** The judgements of the published code; an answer that does not fit is 0 without periods. */
function publishedJudge(
  ask: Ask,
  length: number,
): Pick<RelevanceJudge, 'intent' | 'relevance' | 'evidence'> {
  return {
    intent: ({ text }, signal) =>
      ask<PublishedIntent, IntentJudgement>('tempoIntent', publishedIntentRequest(text), {
        read: ({
          has_temporal_intent: temporal,
          temporal_focus: focus,
          temporal_keywords: keywords,
        }) => ({ temporal, focus, keywords }),
        otherwise: noIntent,
        signal,
      }),
    relevance: ({ text }, { focus }, document, signal) =>
      ask<PublishedRelevance, RelevanceJudgement>(
        'tempoRelevance',
        publishedRelevanceRequest(text, focus, firstCharacters(document.text, length)),
        { read: ({ verdict, reason }) => ({ verdict, reason }), otherwise: irrelevant, signal },
      ),
    evidence: ({ text }, { focus }, periods, document, signal) =>
      ask<PublishedEvidence, Required<RelevanceJudgement>>(
        'tempoEvidence',
        publishedEvidenceRequest(text, focus, periods, firstCharacters(document.text, length)),
        {
          read: ({
            verdict,
            reason,
            covers_baseline: baseline,
            covers_comparison: comparison,
          }) => ({
            verdict,
            reason,
            periods: periods.filter((_, at) => [baseline, comparison][at]),
          }),
          otherwise: unsupported,
          signal,
        },
      ),
  };
}

/** The first code points of a text, which Python counts. */
const firstCharacters = (text: string, count: number): string =>
  [...text.slice(0, 2 * count)].slice(0, count).join('');
