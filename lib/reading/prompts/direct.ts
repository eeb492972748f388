// Asks for a short answer from what the model knows, no passage shown (MRAG section 5.1, "direct
// prompt"): the measure of what retrieval adds.
import type { ParsedQuestion } from '../../time/constraint.js';
import type { ReaderExample } from '../answer.js';
import {
  answerSchema,
  answeringRequest,
  examples,
  textField,
  type AnswerPrompt,
} from './prompt.js';

const instructions = `You answer questions about facts that change with time. Say what was true at the \
time that counts, which need not be today.
Give the bare answer: a name, a place, a number or a date, and no sentence. Where you do not \
know, give an empty answer.
Reply with one JSON object: {"answer": "..."}.`;

const own = examples(
  [
    'Question: Who was the chancellor of Germany in 1999?\nAsked on: 2024-03-01\nTime: only ' +
      'what held or happened from 1999-01-01 to 1999-12-31 ' +
      'counts.',
    { answer: 'Gerhard Schröder' },
  ],
  [
    'Question: What was the last city to host the Summer Olympics before 2010?\nAsked on: ' +
      '2024-03-01\nTime: only what held or happened on ' +
      '2009-12-31 or before counts. Of several, the latest is wanted.',
    { answer: 'Beijing' },
  ],
);

export function directPrompt(
  question: ParsedQuestion,
  given?: readonly ReaderExample[],
): AnswerPrompt {
  const schema = answerSchema({ answer: textField }, ['answer']);
  const prompt = { instructions, examples: own, schema, maxTokens: 100 };
  return answeringRequest(prompt, question, undefined, given);
}
