// Relevance judge by a language model (TEMPO appendices C.2, G.1 and G.3), with our own prompts and
// JSON schemas. Caching and budget are the model's (recordReplay, budgetedModel).
import { checkTextModel, type TextModel } from '../../text/textModel.js';
import { mustBeWhole } from '../../errors.js';
import { askJson, type JsonPrompt } from '../../text/prompts/jsonPrompt.js';
import type { RelevanceJudge, RelevanceJudgement, ScoreJudgement } from './judgement.js';
import { periodWindows, formatWindow } from './periods.js';
import { answerCoveragePrompt, type ScoreAnswer } from './prompts/answerCoverage.js';
import { dataQualityPrompt } from './prompts/dataQuality.js';
import { evidencePrompt, type EvidenceAnswer } from './prompts/evidence.js';
import { intentPrompt, type IntentAnswer } from './prompts/intent.js';
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
    documentLength?: number;
    /**
     * Receives the reason of an unusable answer, after one retry. Such a judgement counts as
     * negative, as a failure does in the published code.
     */
    onUnusable?: (why: string) => void;
  } = {},
): RelevanceJudge {
  checkTextModel(model);
  const { documentLength: length = documentLength, onUnusable } = options;
  mustBeWhole({ documentLength: length }, 100);
  const ask = async <Answer, Judgement>(
    prompt: JsonPrompt,
    read: (answer: Answer) => Judgement,
    otherwise: (reason: string) => Judgement,
    signal: AbortSignal | undefined,
  ): Promise<Judgement> => {
    const said = await askJson<Answer>(model, prompt, signal);
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
  return {
    id: model.id,
    intent: (question, signal) =>
      ask<IntentAnswer, Awaited<ReturnType<RelevanceJudge['intent']>>>(
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
}
