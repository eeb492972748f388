// Focus of a question: the noun phrase that names what is asked for, "Electron 12 beta" of "Which
// Electron 12 beta came out in May?". By the place of words; no grammar.

const skipped =
  '(?:(?:is|was|were|are|did|does|the|a|an|current|latest|last|first|newest|next)\\s+)*';
const openings = [
  new RegExp(String.raw`\b(?:which|what|whose)\s+${skipped}`, 'i'),
  new RegExp(
    String.raw`\b(?:tell|give|show|name|need|want|find|know|list|get)\b(?:\s+me)?\s+(?:all\s+|every\s+)?${skipped}`,
    'i',
  ),
  new RegExp(String.raw`(?<=:\s)${skipped}(?=\p{L}[^:]*$)`, 'iu'),
  new RegExp(`^${skipped}`, 'i'),
];
/** What ends a noun phrase: verbs, prepositions, marks. */
const end = new RegExp(
  String.raw`[?,;:]|\s(?:is|was|were|are|did|does|do|has|have|had|will|would|can|could|in|on|at|` +
    String.raw`from|to|for|by|with|as|who|that|which|during|between|before|after|until|since|when|` +
    String.raw`while|been|prior|behind|under|came|held)\b`,
  'i',
);

/** "" where a question only asks who, when or where. */
export function focusOf(question: string): string {
  if (/^\W*(?:who|whom|when|where|how)\b/i.test(question)) return '';
  for (const opening of openings) {
    const match = opening.exec(question);
    if (!match) continue;
    const rest = question.slice(match.index + match[0].length);
    const stop = end.exec(` ${rest}`);
    // "the Chromium of Electron 12": what is asked for stands before "of".
    const phrase = (stop ? rest.slice(0, Math.max(0, stop.index - 1)) : rest).split(/\sof\s/)[0]!;
    if (/[\p{L}\p{N}]/u.test(phrase)) return phrase.trim();
  }
  return '';
}
