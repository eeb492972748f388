// Answers without documents, from gold documents and from retrieved ones (TEMPO section 6, appendix
// G.3), scored by judged coverage, exact match and token F1.
import {
  askTemplateText,
  checkTextModel,
  passagesBlock,
  readPassages,
  throwIfAborted,
} from 'asof/kit';
import type { Question, RunOptions, TimeInput, TextModel } from 'asof';
import { isBudgetExhausted } from '../judges/budget.js';
import type { RelevanceJudge } from '../judges/judgement.js';
import type { QueryScores } from '../measures/averages.js';
import { exactMatch, tokenF1 } from '../measures/answers.js';
import type { TempoQuery } from './data.js';

type Passages = Parameters<typeof readPassages>[1];

/** Context of an answer. */
export const answerContexts = ['none', 'oracle', 'retrieved'] as const;
export type AnswerContext = (typeof answerContexts)[number];

/** The measures of answers: coverage in percent, the others from 0 to 1. */
export const answerMeasures = ['answer_coverage', 'em', 'f1', 'abstained'] as const;

export interface AnswerOptions extends RunOptions {
  judge: RelevanceJudge;
  /**
   * Generates the answers. Default: extraction by rules, which abstains without documents.
   */
  model?: TextModel;
  /** Asking time for extraction by rules. Default now. */
  askedAt?: TimeInput;
}

/** Characters of documents in one prompt. */
const promptCharacters = 12_000;

/**
 * Answers queries from the passages of `contextOf`, best first, and scores the answers. Queries
 * without expected answers are excluded; a missing answer covers 0 percent. Errors: those of model
 * and judge, except an exhausted budget (`budgetedModel`); ERR_ABORTED.
 */
export async function scoreAnswers(
  queries: readonly TempoQuery[],
  contextOf: (query: TempoQuery) => Promise<Passages>,
  options: AnswerOptions,
): Promise<{ queries: QueryScores[] /** Queries beyond a model's budget. */; left: number }> {
  const { judge, model, askedAt, signal, onProgress } = options;
  if (model) checkTextModel(model);
  const asked = queries.filter(({ answers }) => answers.length > 0);
  const scored: QueryScores[] = [];
  const answer = async (query: TempoQuery): Promise<void> => {
    const passages = await contextOf(query);
    const said = await (model
      ? written(model, query.text, passages, signal)
      : extracted(
          askedAt === undefined ? { text: query.text } : { text: query.text, askedAt },
          passages,
          signal,
        ));
    const coverage =
      said === undefined
        ? 0
        : (
            await judge.answerCoverage(
              { question: query.text, answer: said, references: query.answers },
              signal,
            )
          ).score;
    const [em, f1] = [exactMatch(said ?? '', query.answers), tokenF1(said ?? '', query.answers)];
    scored.push({
      id: query.id,
      values: { answer_coverage: coverage, em, f1, abstained: said === undefined ? 1 : 0 },
    });
  };
  for (const query of asked) {
    throwIfAborted(signal);
    try {
      await answer(query);
    } catch (error) {
      if (!isBudgetExhausted(error)) throw error;
      break; // a repeated run continues from the model's cache
    }
    onProgress?.({ done: scored.length, total: asked.length });
  }
  return { queries: scored, left: asked.length - scored.length };
}

async function written(
  model: TextModel,
  question: string,
  passages: Passages,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const name = passages.length === 0 ? 'tempoAnswer' : 'tempoGrounded';
  const slots = {
    question: question.trim(),
    passages: passagesBlock(passages, promptCharacters),
  };
  const request = { slots, maxTokens: 400 };
  const answer = await askTemplateText(model, name, request, signal);
  return answer === '' ? undefined : answer;
}

async function extracted(
  question: Question,
  passages: Passages,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (passages.length === 0) return undefined;
  const read = {
    mode: 'extract',
    passages: Math.min(100, passages.length),
    signal,
  } as const;
  return (await readPassages(question, passages, read)).answer?.text;
}
