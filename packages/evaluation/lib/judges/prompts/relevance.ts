// Prompt for the temporal relevance of a document (TEMPO appendix C.2.2): a document on the topic
// without a time, or with an unrelated date, is not relevant.
import type { JudgeDocument, JudgeQuestion, TemporalFocus } from '../judgement.js';
import { documentLines, formatExamples, questionLines, reasonField } from './format.js';

export interface RelevanceAnswer {
  reason: string;
  verdict: 0 | 1;
}

/** Required content of a document, by temporal focus. */
const wantedOf: Record<TemporalFocus, string> = {
  duration: 'how long something takes or lasted',
  specific_time: 'the time asked for: a date, a period, or what came before or after',
  recency: 'what is recent or holds at present, with its date or with words such as "currently"',
  change_over_time: 'how things stood at one or more of the times that are compared',
  none: 'a date, a period or an order of events',
};

const system = `You judge documents that a search found for a question about time. "verdict" is 1 where the document itself tells, about what the \
question asks, something of the kind that is wanted, and 0 otherwise: a document on the subject that tells no time gets 0, and so does one \
whose dates belong to other things. Write "reason" first, in a few words: the time that it tells, or what it lacks.
Reply with one JSON object: {"reason": "...", "verdict": 0 or 1}.

${formatExamples(
  [
    'Question: Who owned the mill before the fire of 1902?\nWanted: the time asked for\n' +
      'Document: The mill\nAnders Holt bought the mill in 1884 and ran it until it burnt down.',
    { reason: 'an owner from 1884 to the fire', verdict: 1 },
  ],
  [
    'Question: Who owned the mill before the fire of 1902?\nWanted: the time asked for\n' +
      'Document: Grain\nThe mill grinds rye and barley for the whole valley.',
    { reason: 'tells no time', verdict: 0 },
  ],
)}`;

/** `length` limits the document, in UTF-16 units. */
export function relevancePrompt(
  question: JudgeQuestion,
  focus: TemporalFocus,
  document: JudgeDocument,
  length: number,
) {
  return {
    system,
    prompt: `${questionLines(question)}\nWanted: ${wantedOf[focus]}\n${documentLines(document, length)}\nJSON:`,
    schema: {
      type: 'object',
      properties: { reason: reasonField, verdict: { enum: [0, 1] } },
      required: ['reason', 'verdict'],
    },
    maxTokens: 180,
  };
}
