// Asks what of time a question asks for (TEMPO appendix C.2.1): whether it needs time at all, and which kind. The kinds are the
// paper's, the words our own.
import type { JsonPrompt } from '../../../text/prompts/ask.js';
import { temporalFocuses, type QuestionToJudge, type TemporalFocus } from '../judgement.js';
import { examples, questionLines } from './shown.js';

export interface IntentAnswer {
  keywords: string[];
  focus: TemporalFocus;
}

const system = `You sort questions by what they ask of time. Copy into "keywords" the words of the question that speak of time, then choose "focus":
"duration": how long something takes or lasted;
"change_over_time": how something developed, or how one time compares with another;
"recency": what is new, latest or holds at present;
"specific_time": when something happened, what came before or after, or what held at a time that is named;
"none": definitions, instructions and facts for which time does not matter.
Reply with one JSON object: {"keywords": [...], "focus": "..."}.

${examples(
  ['Question: How long did the ferry take to cross?', { keywords: ['How long'], focus: 'duration' }],
  ['Question: How has the price of herring moved from 1950 to now?', { keywords: ['from 1950 to now'], focus: 'change_over_time' }],
  ['Question: What are the newest rules for drones?', { keywords: ['newest'], focus: 'recency' }],
  ['Question: Who owned the mill before the fire of 1902?', { keywords: ['before the fire of 1902'], focus: 'specific_time' }],
  ['Question: What is a sluice gate?', { keywords: [], focus: 'none' }],
)}`;

export function intentPrompt(question: QuestionToJudge): JsonPrompt {
  return {
    system,
    prompt: `${questionLines(question)}\nJSON:`,
    schema: {
      type: 'object',
      properties: { keywords: { type: 'array', items: { type: 'string' } }, focus: { enum: [...temporalFocuses] } },
      required: ['keywords', 'focus'],
    },
    maxTokens: 160,
  };
}
