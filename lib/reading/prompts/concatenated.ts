// Asks for a short answer from passages that stand in one prompt, each with its title, publication
// and validity (MRAG section 5.1, passages concatenated). Unlike the paper's it wants no answer
// where the passages have none: an answer without evidence is a guess.
import type { ParsedQuestion } from '../../time/constraint.js';
import type { ReadablePassage, ReaderExample } from '../answer.js';
import {
  answerSchema,
  answeringRequest,
  examples,
  numbersField,
  textField,
  type AnswerPrompt,
  passagesBlock,
} from './prompt.js';

const instructions = `You answer a question from numbered passages, and from nothing else. Facts change \
with time: find the dates beside each \
fact, and take the one
that held at the time that counts. What began earlier and is not said to have ended still holds. \
Where passages disagree about the same \
time, the later published is right.
Give the answer in the passages' own words, as short as it can be: a name, a place, a title, a \
number or a date, and no sentence. Name the \
numbers of the passages that say it.
Where the passages do not tell, give an empty answer. Reply with one JSON object: {"answer": \
"...", "evidence": [numbers]}.`;

const own = examples(
  [
    '[1] Port of Varn (published 2016-02-01)\nThe port was run by the city until 1998. In ' +
      '1998 it was sold to Norhav, which sold it to Belmar ' +
      'Lines in 2007.\n\n' +
      '[2] Norhav (published 2016-02-01)\nNorhav is a shipping company founded in 1951.\n\n' +
      'Question: Who owned the Port of Varn in 2003?\nAsked on: 2020-05-04\nTime: only what ' +
      'held or happened from 2003-01-01 to 2003-12-31 counts.',
    { answer: 'Norhav', evidence: [1] },
  ],
  [
    '[1] Ostrel (published 2011-06-30)\nOstrel has 41,200 inhabitants (2010).\n\nQuestion: ' +
      'Who was the mayor of Ostrel in 2010?\nAsked on: ' +
      '2020-05-04\nTime: only what held or happened from 2010-01-01 to 2010-12-31 counts.',
    { answer: '', evidence: [] },
  ],
);

export function concatenatedPrompt(
  question: ParsedQuestion,
  passages: readonly ReadablePassage[],
  given?: readonly ReaderExample[],
): AnswerPrompt {
  const schema = answerSchema({ answer: textField, evidence: numbersField }, ['answer']);
  const prompt = { instructions, examples: own, schema, maxTokens: 150 };
  return answeringRequest(prompt, question, passages, given);
}

export interface PassageReading {
  /** One or two sentences; empty where the passage has no answer. */
  statement: string;
}

const system = `You note what a passage says to a question. The question has lost its date on \
purpose: note every answer that the passage \
has, each with the dates
beside it, in one or two short sentences. Use the passage's own names and dates, and add nothing. \
Where it has no answer, give an empty statement.
Reply with one JSON object: {"statement": "..."}.

${examples(
  [
    '[1] Port of Varn (published 2016-02-01)\nThe port was run by the city until 1998. In ' +
      '1998 it was sold to Norhav, which sold it to Belmar ' +
      'Lines in 2007.\n\nQuestion: Who owned the Port of Varn?',
    {
      statement:
        'The city owned the Port of Varn until 1998, Norhav from 1998 to 2007, and Belmar ' +
        'Lines from 2007.',
    },
  ],
  [
    '[1] Norhav\nNorhav is a shipping company founded in 1951.\n\nQuestion: Who owned the ' +
      'Port of Varn?',
    { statement: '' },
  ],
)}`;

/** `content` is the question without its time. */
export function independentReadingPrompt(content: string, passage: ReadablePassage): AnswerPrompt {
  return {
    system,
    prompt: `${passagesBlock([passage])}\n\nQuestion: ${content}\nJSON:`,
    schema: answerSchema({ statement: textField }, ['statement']),
    maxTokens: 200,
  };
}
