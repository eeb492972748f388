// The filter of a question: its own, what was published when, and what still holds.
import type { Question, TimeInput } from '../records.js';
import type { Where } from '../store/fields/where.js';
import { parseQuestion } from '../time/question/question.js';
import { timeInWords } from '../time/question/timeInWords.js';
import type { AskOptions } from './askOptions.js';

/** All conditions of the options in one; undefined without any. */
export function askFilter(
  question: Question,
  { where, since, until, only }: AskOptions,
): Where | undefined {
  if (since === undefined && until === undefined && only === undefined) return where;
  const { askedAt: now, constraint } = parseQuestion(question);
  const { timeZone } = question;
  const bound = (name: string, value: TimeInput, edge: 'start' | 'end'): number =>
    timeInWords(value, edge, { name, now, timeZone });
  const conditions: Where[] = where === undefined ? [] : [where];
  if (since !== undefined)
    conditions.push({ publishedAt: { gte: bound('since', since, 'start') } });
  if (until !== undefined) conditions.push({ publishedAt: { lte: bound('until', until, 'end') } });
  const at = constraint.interval?.start ?? now;
  if (only !== undefined)
    conditions.push({ or: [{ validTo: { gte: at } }, { validTo: { exists: false } }] });
  return { and: conditions };
}
