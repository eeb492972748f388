// Asks for the reasons first and the short answer after them, from what the model knows, no passage
// shown (MRAG section 5.1, "direct chain of thought").
import type { ParsedQuestion } from '../../time/constraint.js';
import type { ReaderExample } from '../answer.js';
import {
  answerSchema,
  answeringRequest,
  examples,
  textField,
  type AnswerPrompt,
} from './prompt.js';

const instructions = `You answer questions about facts that change with time. First think in two or \
three short sentences: which events are in \
question, when each
was, and which of them the time that counts admits. Then give the bare answer: a name, a place, a \
number or a date, and no sentence.
Where you do not know, give an empty answer. Reply with one JSON object: {"reasoning": "...", \
"answer": "..."}.`;

const own = examples(
  [
    'Question: Who was the chancellor of Germany in 1999?\nAsked on: 2024-03-01\nTime: only ' +
      'what held or happened from 1999-01-01 to 1999-12-31 ' +
      'counts.',
    {
      reasoning:
        'Helmut Kohl was chancellor until October 1998. Gerhard Schröder followed him and ' +
        'stayed until 2005, so 1999 is his.',
      answer: 'Gerhard Schröder',
    },
  ],
  [
    'Question: What was the last city to host the Summer Olympics before 2010?\nAsked on: ' +
      '2024-03-01\nTime: only what held or happened on ' +
      '2009-12-31 or before counts. Of several, the latest is wanted.',
    {
      reasoning:
        'Sydney hosted in 2000, Athens in 2004, Beijing in 2008 and London in 2012. The ' +
        'latest of them up to the end of 2009 is Beijing.',
      answer: 'Beijing',
    },
  ],
);

export function chainOfThoughtPrompt(
  question: ParsedQuestion,
  given?: readonly ReaderExample[],
): AnswerPrompt {
  const schema = answerSchema({ reasoning: textField, answer: textField }, ['answer']);
  const prompt = { instructions, examples: own, schema, maxTokens: 400 };
  return answeringRequest(prompt, question, undefined, given);
}
