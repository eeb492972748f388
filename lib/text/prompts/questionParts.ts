// Prompt for the parts of a question: main content, time constraint, and order condition (MRAG
// section 4, question processing). Dates are copied, never computed: the tagger reads them.
import type { JsonPrompt } from './jsonPrompt.js';

export interface QuestionPartsAnswer {
  mainContent: string;
  /** As written in the question; empty if there is none. */
  constraint: string;
  condition: 'none' | 'first' | 'earliest' | 'last' | 'latest';
}

const system = `You take a question apart. "constraint" is the stretch of its words that says at \
what time the answer must hold, with its \
preposition, copied exactly;
it is empty where no time is asked for, and it is never a date that only describes somebody or \
something in the question.
"mainContent" is the question without that stretch, otherwise word for word.
"condition" is "first", "earliest", "last" or "latest" where the question asks for the first or \
last of several in time, else "none".
Reply with one JSON object: {"mainContent": "...", "constraint": "...", "condition": "..."}.

Question: Who was the last owner of the mill built in 1790 before the fire of 1902?
JSON: {"mainContent": "Who was the last owner of the mill built in 1790?", "constraint": "before \
the fire of 1902", "condition": "last"}

Question: Between March 2001 and 2004, which club did Ola Brenn coach?
JSON: {"mainContent": "Which club did Ola Brenn coach?", "constraint": "Between March 2001 and \
2004", "condition": "none"}

Question: Who painted the ceiling?
JSON: {"mainContent": "Who painted the ceiling?", "constraint": "", "condition": "none"}`;

export function questionPartsPrompt(question: string): JsonPrompt {
  return {
    system,
    prompt: `Question: ${question}\nJSON:`,
    schema: {
      type: 'object',
      properties: {
        mainContent: { type: 'string' },
        constraint: { type: 'string' },
        condition: { enum: ['none', 'first', 'earliest', 'last', 'latest'] },
      },
      required: ['mainContent', 'constraint', 'condition'],
    },
    maxTokens: 200,
  };
}
