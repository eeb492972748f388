// Asks for what one passage says to a question, with the dates beside it (MRAG appendix Q,
// independent reading): every answer that it has for any time, since only the readings together
// show which of them the question's time admits.
import type { ReadablePassage } from '../answer.js';
import { answerSchema, examples, passagesBlock, textField, type AnswerPrompt } from './prompt.js';

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
