// Asks whether one passage tells what a question asks, whatever the time (MRAG appendix Q,
// relevance check): the time is judged later, when the readings of all passages stand beside each
// other.
import type { ReadablePassage } from '../answer.js';
import { answerSchema, examples, passagesBlock, textField, type AnswerPrompt } from './prompt.js';

export interface Relevance {
  reasoning?: string;
  relevant: boolean;
}

const system = `You judge whether a passage tells what a question asks. The question has lost its \
date on purpose: a passage that answers it \
for any time is relevant,
and one that only speaks of the same subject is not. Think in one short sentence, then decide. \
Reply with one JSON object: {"reasoning": \
"...", "relevant": true or false}.

${examples(
  [
    '[1] Port of Varn\nIn 1998 the port was sold to Norhav.\n\nQuestion: Who owned the Port ' +
      'of Varn?',
    { reasoning: 'It names an owner, Norhav from 1998.', relevant: true },
  ],
  [
    '[1] Norhav\nNorhav is a shipping company founded in 1951.\n\nQuestion: Who owned the ' +
      'Port of Varn?',
    { reasoning: 'It does not speak of the port.', relevant: false },
  ],
)}`;

/** `content` is the question without its time. */
export function relevancePrompt(content: string, passage: ReadablePassage): AnswerPrompt {
  return {
    system,
    prompt: `${passagesBlock([passage])}\n\nQuestion: ${content}\nJSON:`,
    schema: answerSchema({ reasoning: textField, relevant: { type: 'boolean' } }, ['relevant']),
    maxTokens: 150,
  };
}
