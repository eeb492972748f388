// Who did what a question asks of: "Who opened the bridge?" by "was opened by Ada Brandt" and "Ada
// Brandt opened". By the place of the verb, its stem and what stands right next to it; no grammar,
// and no verb that the sentence has in other words.
import { isIrregular } from '../text/inflections.js';
import type { TextSpan } from './spans.js';

const helping = /^(?:has|had|have|been|currently|now|first|last|also|once)$/;
/** A verb of which these stand before asks for whom or what it was done to. */
const notAgent = /^(?:is|was|are|were|did|does|do|will|would|be)$/;

/** "opened" of "Which minister opened the bridge in Lund?"; undefined otherwise. */
export function verbAsked(question: string): string | undefined {
  const asked = /\b(who|which|what)\s/i.exec(question);
  if (!asked) return undefined;
  const words = question.slice(asked.index + asked[0].length).match(/[\p{L}\p{M}'’-]+/gu) ?? [];
  const who = asked[1]!.toLowerCase() === 'who';
  for (const word of words.slice(0, 6)) {
    if (helping.test(word)) continue;
    if (notAgent.test(word)) return undefined;
    if (/^\p{Ll}+$/u.test(word) && (who || /[a-z]ed$/.test(word) || isIrregular(word))) return word;
    if (who) return undefined;
  }
  return undefined;
}

const behindBy =
  /^\s(?:\p{Ll}+ly\s)?by\s(?:(?:the|an?|its|his|her|their|\p{Ll}[\p{L}-]*)\s){0,3}$/u;
const before =
  /^(?:,\s(?:who|which))?(?:\s(?:has|had|have|also|then|first|later|again|who|which))*\s$/;
const passive = /^\s(?:\p{Ll}+ly\s)?by\s/u;

/** Whether a span is who does one of the verbs, which stand at these offsets of the sentence. */
export function isAgent(
  sentence: string,
  verbs: readonly { start: number; end: number }[],
  span: TextSpan,
): boolean {
  return verbs.some(({ start, end }) => {
    if (span.start >= end)
      return span.start - end < 60 && behindBy.test(sentence.slice(end, span.start));
    if (span.end > start || start - span.end > 40 || sentence.slice(start, end).endsWith('ing'))
      return false;
    const between = sentence.slice(span.end, start);
    return before.test(between) && !passive.test(sentence.slice(end, end + 30));
  });
}
