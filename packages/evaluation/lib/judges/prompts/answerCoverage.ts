// Prompt for the share of a reference answer that an answer covers, 0 to 100 (TEMPO appendix G.3).
// Additional statements neither help nor harm; contradicted points count as missing.
import type { JudgeAnswer } from '../judgement.js';
import { formatExamples, reasonField } from './format.js';

export interface ScoreAnswer {
  reason: string;
  score: number;
}

/** A score of 0 to 100 after its reason. */
export const scoreSchema = {
  type: 'object',
  properties: { reason: reasonField, score: { type: 'integer', minimum: 0, maximum: 100 } },
  required: ['reason', 'score'],
};

const system = `You mark an answer against a reference. "score" is how much of what the reference says the answer says too, in percent: 0 where it \
says nothing of it or is empty, 50 for half, 100 for all of it, in whatever words. What the answer says beyond the reference does not \
count; a wrong date or number means that the point is missing. Write "reason" first, in a few words.
Reply with one JSON object: {"reason": "...", "score": 0 to 100}.

${formatExamples(
  [
    'Question: When was the mill built, and by whom?\nAnswer: It was put up in ' +
      '1790.\nReference: Built in 1790 by Anders Holt.',
    { reason: 'has the year, lacks the builder', score: 50 },
  ],
  [
    'Question: When was the mill built, and by whom?\nAnswer: I do not know.\nReference: ' +
      'Built in 1790 by Anders Holt.',
    { reason: 'says nothing of it', score: 0 },
  ],
)}`;

export function answerCoveragePrompt({ question, answer, references }: JudgeAnswer) {
  const reference = references.length === 1 ? references[0]! : references.join(' or ');
  return {
    system,
    prompt: `Question: ${question.trim()}\nAnswer: ${answer.trim()}\nReference: ${reference}\nJSON:`,
    schema: scoreSchema,
    maxTokens: 200,
  };
}
