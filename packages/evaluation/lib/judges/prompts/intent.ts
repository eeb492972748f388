// Prompt for the temporal intent of a question (TEMPO appendix C.2.1), with the paper's kinds in
// our own words.
import { type JudgeQuestion, type TemporalFocus, temporalFocuses } from '../judgement.js';
import { formatExamples, questionLines } from './format.js';

export interface IntentAnswer {
  focus: TemporalFocus;
  keywords: string[];
}

const system = `You sort questions by what they ask of time. Choose "focus":
"duration": how long something takes or lasted;
"change_over_time": how something developed, or how one time compares with another;
"recency": what is new, latest or holds at present;
"specific_time": when something happened, what came before or after, or what held at a time that is named;
"none": definitions, instructions and facts for which time does not matter.
Then copy into "keywords" the words of the question that speak of time, at most six pieces.
Reply with one JSON object: {"focus": "...", "keywords": [...]}.

${formatExamples(
  [
    'Question: How long did the ferry take to cross?',
    { focus: 'duration', keywords: ['How long'] },
  ],
  [
    'Question: How has the price of herring moved from 1950 to now?',
    { focus: 'change_over_time', keywords: ['from 1950 to now'] },
  ],
  ['Question: What are the newest rules for drones?', { focus: 'recency', keywords: ['newest'] }],
  [
    'Question: Who owned the mill before the fire of 1902?',
    { focus: 'specific_time', keywords: ['before the fire of 1902'] },
  ],
  ['Question: What is a sluice gate?', { focus: 'none', keywords: [] }],
)}`;

export function intentPrompt(question: JudgeQuestion) {
  return {
    system,
    prompt: `${questionLines(question)}\nJSON:`,
    schema: {
      type: 'object',
      properties: {
        focus: { enum: [...temporalFocuses] },
        // Bounds stop repetitions of small models.
        keywords: { type: 'array', items: { type: 'string', maxLength: 80 }, maxItems: 6 },
      },
      required: ['focus', 'keywords'],
    },
    maxTokens: 200,
  };
}
