// Asks for the short answer from what was noted of each passage, now with the question's time (MRAG
// appendix Q, combined reading).
import type { ParsedQuestion } from '../../time/constraint.js';
import type { ReadablePassage, ReaderExample } from '../answer.js';
import {
  answerSchema,
  answeringRequest,
  examples,
  numbersField,
  textField,
  type AnswerPrompt,
} from './prompt.js';

const instructions = `You answer a question from numbered notes, each taken from one passage. Think in \
one or two short sentences: which note's \
dates fit the time that counts?
What began earlier and is not said to have ended still holds. Where notes disagree about the same \
time, the later published is right.
Then give the bare answer: a name, a place, a title, a number or a date, and no sentence; and the \
numbers of the notes that say it. Where \
none does, give an empty answer.
Reply with one JSON object: {"reasoning": "...", "answer": "...", "evidence": [numbers]}.`;

const own = examples([
  '[1] Port of Varn (published 2016-02-01)\nThe city owned the Port of Varn until 1998, ' +
    'Norhav from 1998 to 2007, and Belmar Lines from ' +
    '2007.\n\n[2] Belmar Lines (published 2014-09-12)\nBelmar Lines bought the Port of Varn ' +
    'in 2007.\n\n' +
    'Question: Who owned the Port of Varn in 2003?\nAsked on: 2020-05-04\nTime: only what ' +
    'held or happened from 2003-01-01 to 2003-12-31 counts.',
  {
    reasoning: '2003 lies between 1998 and 2007, when Norhav had it.',
    answer: 'Norhav',
    evidence: [1],
  },
]);

/** Passages whose texts are what was noted of them. */
export function combinedReadingPrompt(
  question: ParsedQuestion,
  notes: readonly ReadablePassage[],
  given?: readonly ReaderExample[],
): AnswerPrompt {
  const schema = answerSchema({ reasoning: textField, answer: textField, evidence: numbersField }, [
    'answer',
  ]);
  const prompt = { instructions, examples: own, schema, maxTokens: 300 };
  return answeringRequest(prompt, question, notes, given);
}
