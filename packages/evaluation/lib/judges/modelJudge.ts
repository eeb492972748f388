// Relevance judge by a language model (TEMPO appendices C.2, G.1 and G.3), with our own prompts and
// JSON schemas. Caching and budget are the model's (recordReplay, budgetedModel).
import { checkTextModel, invalidArgument, mustBeWhole, askJson } from 'asof/kit';
import type { TextModel } from 'asof';
import { tempoDefinitions, type TempoDefinition } from '../measures/temporal.js';
import type {
  IntentJudgement,
  RelevanceJudge,
  RelevanceJudgement,
  ScoreJudgement,
} from './judgement.js';
import { periodWindows, formatWindow } from './periods.js';
import { answerCoveragePrompt, type ScoreAnswer } from './prompts/answerCoverage.js';
import { dataQualityPrompt } from './prompts/dataQuality.js';
import { evidencePrompt, type EvidenceAnswer } from './prompts/evidence.js';
import { intentPrompt, type IntentAnswer } from './prompts/intent.js';
import {
  publishedEvidencePrompt,
  publishedIntentPrompt,
  publishedRelevancePrompt,
  type PublishedEvidence,
  type PublishedIntent,
  type PublishedRelevance,
} from './prompts/published.js';
import { relevancePrompt, type RelevanceAnswer } from './prompts/relevance.js';
import { documentLength } from './prompts/format.js';

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
  const ask: Ask = async (prompt, read, otherwise, signal) => {
    const said = await askJson<Parameters<typeof read>[0]>(model, prompt, signal);
    if ('value' in said) return read(said.value);
    onUnusable?.(said.unusable);
    return otherwise(`no usable answer: ${said.unusable}`);
  };
  const score = (prompt: JsonPrompt, signal: AbortSignal | undefined): Promise<ScoreJudgement> =>
    ask<ScoreAnswer, ScoreJudgement>(
      prompt,
      ({ score: given, reason }) => ({ score: given, reason }),
      (reason) => ({ score: 0, reason }),
      signal,
    );
  const judge: RelevanceJudge = {
    id: model.id,
    intent: (question, signal) =>
      ask<IntentAnswer, IntentJudgement>(
        intentPrompt(question),
        ({ keywords, focus }) => ({ temporal: focus !== 'none', focus, keywords }),
        (fault) => ({ temporal: false, focus: 'none', keywords: [], fault }),
        signal,
      ),
    relevance: (question, { focus }, document, signal) =>
      ask<RelevanceAnswer, RelevanceJudgement>(
        relevancePrompt(question, focus, document, length),
        ({ verdict, reason }) => ({ verdict, reason }),
        (reason) => ({ verdict: 0, reason }),
        signal,
      ),
    evidence: (question, _, periods, document, signal) =>
      ask<EvidenceAnswer, Required<RelevanceJudgement>>(
        evidencePrompt(
          question,
          periods,
          periodWindows(periods, question).map(formatWindow),
          document,
          length,
        ),
        ({ verdict, reason, periods: numbers }) => ({
          verdict,
          reason,
          periods: periods.filter((__, at) => numbers.includes(at + 1)),
        }),
        (reason) => ({ verdict: 0, reason, periods: [] }),
        signal,
      ),
    answerCoverage: (answer, signal) => score(answerCoveragePrompt(answer), signal),
    dataQuality: (instance, signal) => score(dataQualityPrompt(instance, length), signal),
  };
  return tempo === 'code' ? { ...judge, ...publishedJudge(ask, length) } : judge;
}

type JsonPrompt = Parameters<typeof askJson>[1];

/** Asks a model for an answer, reads it, or takes the reason of its absence. */
type Ask = <Answer, Judgement>(
  prompt: JsonPrompt,
  read: (answer: Answer) => Judgement,
  otherwise: (reason: string) => Judgement,
  signal: AbortSignal | undefined,
) => Promise<Judgement>;

/** The judgements of the published code; an answer that does not fit is 0 without periods. */
function publishedJudge(
  ask: Ask,
  length: number,
): Pick<RelevanceJudge, 'intent' | 'relevance' | 'evidence'> {
  return {
    intent: ({ text }, signal) =>
      ask<PublishedIntent, IntentJudgement>(
        publishedIntentPrompt(text),
        ({
          has_temporal_intent: temporal,
          temporal_focus: focus,
          temporal_keywords: keywords,
        }) => ({
          temporal,
          focus,
          keywords,
        }),
        (fault) => ({ temporal: false, focus: 'none', keywords: [], fault }),
        signal,
      ),
    relevance: ({ text }, { focus }, document, signal) =>
      ask<PublishedRelevance, RelevanceJudgement>(
        publishedRelevancePrompt(text, focus, firstCharacters(document.text, length)),
        ({ verdict, reason }) => ({ verdict, reason }),
        (reason) => ({ verdict: 0, reason }),
        signal,
      ),
    evidence: ({ text }, { focus }, periods, document, signal) =>
      ask<PublishedEvidence, Required<RelevanceJudgement>>(
        publishedEvidencePrompt(text, focus, periods, firstCharacters(document.text, length)),
        ({ verdict, reason, covers_baseline: baseline, covers_comparison: comparison }) => ({
          verdict,
          reason,
          periods: periods.filter((_, at) => [baseline, comparison][at]),
        }),
        (reason) => ({ verdict: 0, reason, periods: [] }),
        signal,
      ),
  };
}

/** The first code points of a text, which Python counts. */
const firstCharacters = (text: string, count: number): string =>
  [...text.slice(0, 2 * count)].slice(0, count).join('');
