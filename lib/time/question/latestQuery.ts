// Detection of questions for the latest value: by a word ("the latest count", "how many now"), or
// by the present tense without a time. Questions that name a time or ask for the first are none.
import type { ParsedQuestion } from '../constraint.js';
import { isCountQuery } from './fusionTimes.js';
import { isCurrentQuery } from './jointConstraint.js';

const present =
  /\b(?:is|are|am|does|do|has|have|stands?)\b|\b(?:what|who|where|how|that|it)['’]s\b/i;
const past = /\b(?:was|were|did|had|would|used to)\b/i;
/**
 * "The present forecast", "as things stand": an order like "latest"; "the present in the box" is a
 * noun.
 */
const presently =
  /\b(?:(?:present|up-to-date)\s+(?!(?:in|of|from|for|at|is|was|day|tense)\b)[a-z]|as things stand\b)/i;
const today = /^(?:as of )?today$/i;

/**
 * Whether a word says so: "latest", "last", "now", "current"; also a count of today, which is the
 * last one taken, unlike the weather of today.
 */
export function isExplicitLatestQuery(parsed: ParsedQuestion): boolean {
  const {
    text,
    constraint: { condition, relation, text: words = '' },
  } = parsed;
  if (condition === 'first' || condition === 'earliest') return false;
  if (today.test(words.trim()))
    return (isCountQuery(parsed) || /\bhow far\b/i.test(text)) && !past.test(text);
  return (
    isCurrentQuery(parsed) && (condition !== 'none' || relation === 'as of' || presently.test(text))
  );
}

/** As above, or in the present tense without a time: "How warm is it supposed to get?" */
export function isLatestQuery(parsed: ParsedQuestion): boolean {
  const {
    text,
    constraint: { condition },
  } = parsed;
  return (
    isExplicitLatestQuery(parsed) ||
    (condition === 'none' && isCurrentQuery(parsed) && present.test(text) && !past.test(text))
  );
}
