// Prompt for a passage's temporal annotation (TEMPO appendix B.3): signals, events, mentions,
// scope, tense. Fields are the paper's, the words our own.
import type { JudgeDocument } from '../../judges/judgement.js';
import { documentLines, formatExamples } from '../../judges/prompts/format.js';
import { scopeGranularities, tenses } from '../annotation.js';

const list = (maxItems: number): object => ({
  type: 'array',
  items: { type: 'string', maxLength: 120 },
  maxItems,
});
/** 1914, 1914-08 or 1914-08-04, years before Christ with a minus, or nothing. */
const iso = { type: 'string', pattern: '^(-?\\d{1,4}(-\\d{2}(-\\d{2})?)?)?$' };

const system = `You annotate what a passage says of time. Use the passage alone; the query only tells what it was found for.
"passage_temporal_signals": its words of time with their prepositions. "passage_temporal_events": events in it that have a date, such as battles, \
treaties, elections and foundings, and no others. "time_mentions": its dates, years, periods and relative times, as written.
"time_scope_guess": from when to when it speaks of: "start_iso" and "end_iso" as YYYY, YYYY-MM or YYYY-MM-DD, "" where it does not tell, and \
"granularity", one of ${scopeGranularities.join(', ')}. "tense_guess": ${tenses.join(', ')}. "confidence": 0 to 1.
Reply with one JSON object that has all of these fields; lists may be empty.

${formatExamples([
  'Query: When did the mill burn?\nDocument:\nThe mill was built in 1790. It burnt down ' +
    'after the harvest of August 1902.',
  {
    passage_temporal_signals: ['in 1790', 'after the harvest of August 1902'],
    passage_temporal_events: [],
    time_mentions: ['1790', 'August 1902'],
    time_scope_guess: { start_iso: '1790', end_iso: '1902', granularity: 'year' },
    tense_guess: 'past',
    confidence: 0.9,
  },
])}`;

/** `length` limits the passage, in UTF-16 units. */
export function passageAnnotationPrompt(query: string, passage: JudgeDocument, length: number) {
  const fields = {
    passage_temporal_signals: list(20),
    passage_temporal_events: list(12),
    time_mentions: list(30),
    time_scope_guess: {
      type: 'object',
      properties: { start_iso: iso, end_iso: iso, granularity: { enum: [...scopeGranularities] } },
      required: ['start_iso', 'end_iso', 'granularity'],
    },
    tense_guess: { enum: [...tenses] },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
  };
  return {
    system,
    prompt: `Query: ${query.trim()}\n${documentLines(passage, length)}\nJSON:`,
    schema: { type: 'object', properties: fields, required: Object.keys(fields) },
    maxTokens: 900,
  };
}
