// Prompt for the periods that a document has evidence of (TEMPO appendix C.2.3), any number of
// periods at once.
import type { JudgeDocument, JudgeQuestion } from '../judgement.js';
import { documentLines, formatExamples, questionLines, reasonField } from './format.js';

export interface EvidenceAnswer {
  reason: string;
  /** Numbers of the periods, from 1. */
  periods: number[];
  verdict: 0 | 1;
}

const system = `You judge documents that a search found for a question that needs evidence of several periods. Write "reason" first, in a few words: \
the times that the document tells of what is asked. Then "periods": the numbers of those periods that it tells of. Its date need not be \
the period's own, but must lie in it; words such as "currently" or "in recent years" count for a present period if the document is not \
old; a date that belongs to something else counts for none. Last "verdict": 1 where the document helps with the question's time, else 0.
Reply with one JSON object: {"reason": "...", "periods": [...], "verdict": 0 or 1}.

${formatExamples(
  [
    'Question: How did the price of herring differ between 1950 and 1990?\nPeriod 1: ' +
      '1950\nPeriod 2: 1990\n' +
      'Document: Fish markets\nIn 1950 a crate of herring cost nine crowns.',
    { reason: 'the price in 1950', periods: [1], verdict: 1 },
  ],
  [
    'Question: How did the price of herring differ between 1950 and 1990?\nPeriod 1: ' +
      '1950\nPeriod 2: 1990\n' +
      'Document: Herring\nHerring swim in large shoals.',
    { reason: 'tells no time', periods: [], verdict: 0 },
  ],
)}`;

/** `windows` are the days of each period as text, empty if unknown. */
export function evidencePrompt(
  question: JudgeQuestion,
  periods: readonly string[],
  windows: readonly string[],
  document: JudgeDocument,
  length: number,
) {
  const listed = periods
    .map((period, at) => `Period ${at + 1}: ${period}${windows[at] ? ` (${windows[at]})` : ''}`)
    .join('\n');
  return {
    system,
    prompt: `${questionLines(question)}\n${listed}\n${documentLines(document, length)}\nJSON:`,
    schema: {
      type: 'object',
      properties: {
        reason: reasonField,
        periods: { type: 'array', items: { enum: periods.map((_, at) => at + 1) } },
        verdict: { enum: [0, 1] },
      },
      required: ['reason', 'periods', 'verdict'],
    },
    maxTokens: 200 + 4 * periods.length,
  };
}
