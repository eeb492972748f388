// Whether a question asks for what is known last: by a word ("the latest count", "how many now"),
// or in the present tense and without a time. A question that names a time, or asks for the first,
// does not. It knows nothing of passages: what there is a latest of is theirs to say.
import type { ParsedQuestion } from '../constraint.js';
import { isCountQuery } from './fusionTimes.js';
import { isCurrentQuery } from './jointConstraint.js';

const present =
  /\b(?:is|are|am|does|do|has|have|stands?)\b|\b(?:what|who|where|how|that|it)['’]s\b/i;
const past = /\b(?:was|were|did|had|would|used to)\b/i;
/**
 * "The present forecast", "as things stand": an order, like "latest"; "the present in the box" is a
 * thing.
 */
const presently =
  /\b(?:(?:present|up-to-date)\s+(?!(?:in|of|from|for|at|is|was|day|tense)\b)[a-z]|as things stand\b)/i;
const today = /^(?:as of )?today$/i;

/**
 * Whether it says so: "latest", "last", "now", "current"; and a count of today is the last one
 * taken, where the weather of today is of this day.
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

/**
 * The same, and where it only stands in the present tense and names no time: "How warm is it
 * supposed to get?"
 */
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
