// Prompt for a query-focused summary of one passage in one sentence with its dates (MRAG section 4,
// appendix Q). The paper's answer "None" is the field `answers`.
import type { JsonPrompt } from '../../../text/jsonPrompt.js';

export interface SummaryAnswer {
  /** Whether the passage answers the question. */
  answers: boolean;
  /** One sentence; empty if `answers` is false. */
  sentence: string;
}

const system = `You are given a passage and a question that names no time. Say what the passage \
answers, in one sentence that can be read alone.
Name whom and what it is about with the passage's own names, and give every date that the passage \
has for it, exactly as written there.
Add nothing that the passage does not say. If it does not answer, set "answers" to false and \
leave the sentence empty.
Reply with one JSON object: {"answers": true, "sentence": "..."}.

Passage: Varn Ferries | The line carried mail from the start. Its first steamer, the Aud, was \
launched on 3 May 1911. She sank in 1934.
Question: When did Varn Ferries have a steamer?
JSON: {"answers": true, "sentence": "Varn Ferries had the steamer Aud, launched on 3 May 1911, \
until she sank in 1934."}

Passage: Varn Ferries | The line's offices were painted by Ida Holm.
Question: When did Varn Ferries have a steamer?
JSON: {"answers": false, "sentence": ""}`;

/** Longest excerpt of a passage, in characters. */
const longestPassage = 6000;

/** `question` is the question without its time. */
export function summaryPrompt(
  question: string,
  { title, text }: { title?: string; text: string },
): JsonPrompt {
  const passage = text.length > longestPassage ? `${text.slice(0, longestPassage)} ...` : text;
  return {
    system,
    prompt: `Passage: ${title === undefined ? '' : `${title} | `}${passage.trim()}\nQuestion: ${question}\nJSON:`,
    schema: {
      type: 'object',
      properties: { answers: { type: 'boolean' }, sentence: { type: 'string' } },
      required: ['answers', 'sentence'],
    },
    maxTokens: 160,
  };
}
