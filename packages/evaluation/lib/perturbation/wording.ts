// Wording of a perturbed question: the condition inserted into its content, the constraint in front
// or at the end; alternatives in the order of naturalness.
import type { Condition } from 'asof/time';

const adverbs: Readonly<Record<Exclude<Condition, 'none'>, string>> = {
  first: 'first',
  earliest: 'earliest',
  last: 'last',
  latest: 'most recently',
};

/**
 * A copula and a definite noun after the question word: "Who was the | keeper", "Who is Ann's |
 * neighbour".
 */
const definiteNoun =
  /^((?:who|what|which|where)\s+(?:(?:was|is|were|are)|(?:has|had|have) been)\s+(?:the|(?:[\p{L}.'-]+\s+){0,5}?[\p{L}.-]+['’]s)\s+)(?=\p{L})/iu;
/** A question about the subject of a full verb: "Who | owned the mill". */
const subjectVerb =
  /^(who)\s+(?!(?:was|is|were|are|did|does|do|has|had|have|will|would|can|could|should|may|might|be)\b)(?=\p{L})/iu;
const askedTime = /^when\s+(?:did|do|does|was|were|is|are|has|had|have)\b/i;

/**
 * The content with the order word of a condition, in each applicable wording; unchanged for `none`.
 */
export function withCondition(content: string, condition: Condition): string[] {
  if (condition === 'none') return [content];
  const wordings: string[] = [];
  const noun = definiteNoun.exec(content);
  if (noun) wordings.push(`${noun[1]}${condition} ${content.slice(noun[0].length)}`);
  const subject = subjectVerb.exec(content);
  if (subject)
    wordings.push(`${subject[1]} was the ${condition} one who ${content.slice(subject[0].length)}`);
  if (askedTime.test(content) && (condition === 'first' || condition === 'last'))
    wordings.push(atEnd(content, `for the ${condition} time`));
  wordings.push(atEnd(content, adverbs[condition]));
  return wordings;
}

/** Words capitalised only at the start of a sentence. */
const lowered =
  /^(?:who|whose|whom|what|which|when|where|how|why|did|does|do|was|is|were|are|in|at|on|by|for|to|from|with|the|an?)\b/i;

/** The question with its constraint in front ("As of 1970, who ...") or at the end. */
export function withConstraint(
  content: string,
  constraint: string,
  place: 'front' | 'end',
): string {
  if (place === 'end') return atEnd(content, constraint);
  const first = lowered.test(content) ? content.slice(0, 1).toLowerCase() : content.slice(0, 1);
  return `${constraint[0]!.toUpperCase()}${constraint.slice(1)}, ${first}${content.slice(1)}`;
}

function atEnd(content: string, words: string): string {
  const [closing] = /[\s?.!]*$/.exec(content)!;
  return `${content.slice(0, content.length - closing.length)} ${words}${closing.trim()}`;
}
