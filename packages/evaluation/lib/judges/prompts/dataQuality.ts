// Prompt for the quality of an instance, 0 to 100: how well plan and annotated documents serve the
// question, by the paper's five criteria (TEMPO appendix G.1).
import type { JudgeInstance } from '../judgement.js';
import { scoreSchema } from './answerCoverage.js';
import { documentLines, questionLines } from './format.js';

const system = `You examine one entry of a data set for search: a question, the steps planned to find its evidence, and the documents that \
are marked as evidence. Weigh five things: do the documents tell the times that the question needs; do they fit the steps; do they tell of every \
period that is asked for; is the question answered fully by them together; are they sources that can be relied on.
"score" is 90 or more for an entry without a fault, from 70 where small things are missing, from 50 where much is, less where the \
documents hardly help. Write "reason" first, in one or two sentences.
Reply with one JSON object: {"reason": "...", "score": 0 to 100}.`;

/** `length` limits the documents together, in UTF-16 units. */
export function dataQualityPrompt({ question, plan, documents }: JudgeInstance, length: number) {
  const steps =
    plan.length === 0 ? 'none' : plan.map((step, at) => `\n${at + 1}. ${step}`).join('');
  const each = Math.max(200, Math.floor(length / Math.max(1, documents.length)));
  const shown = documents.map((document) => documentLines(document, each)).join('\n\n');
  return {
    system,
    prompt: `${questionLines(question)}\nSteps: ${steps}\n\n${shown === '' ? 'Document: none' : shown}\nJSON:`,
    schema: scoreSchema,
    maxTokens: 240,
  };
}
