// Questions that ask for a time: "when did", "in which year", "launch date of". A subordinate
// "when" ("who led it when the war began") asks for none.

const unit =
  '(?:years?|months?|days?|dates?|decades?|centur(?:y|ies)|time|season|quarter|weeks?|hour|' +
  'moment|weekday|era|epoch|period|point(?: in time)?|stage)';
const auxiliary =
  '(?:did|was|were|is|are|has|have|had|will|would|does|do|can|could|must|should|shall|may|might|' +
  'exactly|precisely|approximately|roughly)';
const reporting =
  '(?:know|tell (?:me|us)|say|remember|recall|find out|find|check|wonder(?:ing)?|ask|establish|' +
  'determine|see|sure|confirm|learn|specify|state|figure out|work out|show|remind me|explain|look up)';

const patterns: readonly RegExp[] = [
  new RegExp(String.raw`\b(?:since|until|till|by|as of|from|up to|and|but|so|or)\s+when\b`, 'i'),
  new RegExp(
    String.raw`(?:^|[:;,.?!]\s*)\W*when(?:['’]s|['’]d|\s+(?:(?:in|on)\s+[\w\s]+?\s)?${auxiliary})\b`,
    'i',
  ),
  new RegExp(String.raw`\b${reporting}(?:\s+(?:exactly|precisely))?\s+when\b`, 'i'),
  new RegExp(
    String.raw`\b(?:what|which)(?:\s+(?:calendar|exact|precise|specific|financial|fiscal|particular))?\s+${unit}\b(?!\s*(?:zone|table|line|format|trips?|picker|range|library|type|old|of the week)|-|['’]s)`,
    'i',
  ),
  new RegExp(
    String.raw`\bwhat(?:['’]s|\s+(?:is|was|were|are|will be))\s+(?:the|its|his|her|their|your|\S+['’]s)\s+(?:[\w-]+\s+){0,2}?(?:dates?|year|day|time|moment|month|birthday|deadline)\b(?!\s*(?:zone|table|line|format|complexity|signature))`,
    'i',
  ),
  /\bhow (?:long ago|recently|soon|early|late)\b|\bhow long (?:has|have|had|since)\b/i,
  /\b(?:year|day|date|month|time|moment)\s+(?:on|in|at)\s+which\b/i,
  /\b(?:name|give(?: me| us)?|state|tell (?:me|us)|need|find|know|want|provide|specify|recall|remember|look up)\s+(?:the|its|his|her|their)\s+(?:[\w’'-]+\s+){0,2}(?:date|year|day|month|time)\b(?!\s*(?:zone|table|format|s\b))/i,
  /\b(?:date|dates|dating) (?:from|back to)\s*\?|\bhow far back\b/i,
  /\bhow many (?:years|months|weeks|days|decades|centuries) (?:ago|has it been|have (?:passed|elapsed)|since)\b/i,
];
/** Noun phrases without an interrogative: "launch date of Sputnik 1", "the year the Vikings came". */
const fragment = new RegExp(
  String.raw`^\W*(?:(?:please|give|tell|show|find|state|name|look up|i need|i want|me|us|the|exact|precise)\s+)*` +
    String.raw`(?:(?:[\w’'-]+\s+){0,4}?dates?\s+(?:of|for|when|on)\b|` +
    String.raw`(?:[\w’'-]+\s+){1,5}?(?:date|year|deadline)\s*[?.]?$|` +
    String.raw`(?:year|day|date|month|century|decade|time)\s+(?:of|that|when|in which|the|[A-Z]))`,
  'i',
);
const interrogative = /\b(?:who|whom|whose|what|which|where|why|how)\b/i;

/** A clause of time at the start, before another question: "When 2011 ended, who coached it?" */
const openingClause = new RegExp(
  String.raw`^\W*when\s+(?!${auxiliary}\b)[^,]*,?\s.*\b(?:who|whom|whose|what|which|where|how|did|was|were|is|are)\b`,
  'i',
);

export function asksForTime(skeleton: string): boolean {
  if (openingClause.test(skeleton) && !/^\W*when['’]s/i.test(skeleton)) return false;
  if (patterns.some((pattern) => pattern.test(skeleton))) return true;
  if (/^\W*when\b/i.test(skeleton)) return true;
  return (
    fragment.test(skeleton) && !interrogative.test(skeleton.replace(/\b(?:in|on|at) which\b/g, ''))
  );
}
