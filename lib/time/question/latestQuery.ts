// Detection of questions for the latest value: by a word ("the latest count", "how many now"), or
// by the present tense without a time. Questions that name a time or ask for the first are none.
import type { ParsedQuestion } from '../constraint.js';
import { isCurrentQuery } from './jointConstraint.js';
import { readOperator } from './operator.js';

const present =
  /\b(?:is|are|am|does|do|has|have|stands?)\b|\b(?:what|who|where|how|that|it)['’]s\b/i;
const past = /\b(?:was|were|did|had|would|used to)\b/i;

/** Whether a word says so: "latest", "final", "now", "current", "as things stand". */
export function isExplicitLatestQuery(parsed: ParsedQuestion): boolean {
  const { kind, time } = readOperator(parsed);
  return kind === 'current' || (kind === 'latest' && time === undefined);
}

/** As above, or in the present tense without a time: "How warm is it supposed to get?" */
export function isLatestQuery(parsed: ParsedQuestion): boolean {
  const { text, constraint } = parsed;
  return (
    isExplicitLatestQuery(parsed) ||
    (constraint.condition === 'none' &&
      isCurrentQuery(parsed) &&
      present.test(text) &&
      !past.test(text))
  );
}
