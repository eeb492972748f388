// Questions that ask for a time: "when did", "in which year", "launch date of". A subordinate
// "when" ("who led it when the war began") asks for none.

const units =
  'years?|months?|days?|dates?|decades?|centur(?:y|ies)|time|season|quarter|weeks?|hour|moment|' +
  'weekday|era|epoch|period|point(?: in time)?|stage';
const nouns = 'dates?|year|day|time|moment|month|birthday|deadline';
/** Nouns and suffixes after a unit that make it a kind of something else. */
const compound =
  String.raw`(?!\s*(?:zone|table|line|format|signature|slot|limit|stamp|palm|trips?|picker|range|library|type|complexity|old|` +
  String.raw`of the week)\b|-|['’]s)`;
const auxiliary =
  '(?:did|was|were|is|are|has|have|had|will|would|does|do|can|could|must|should|shall|may|might|' +
  'exactly|precisely|approximately|roughly)';
/** Verbs with an embedded question: "Do you know when". */
const reporting =
  '(?:know|tell (?:me|us)|say|remember|recall|find out|find|check|wonder(?:ing)?|ask|establish|' +
  'determine|see|sure|confirm|learn|specify|state|figure out|work out|show|remind me|explain|' +
  'look up|idea|clue)';
const requesting =
  '(?:name|give(?: me| us)?|state|tell (?:me|us)|need|find|know|want|provide|specify|recall|' +
  'remember|look up)';
const adjectives = '(?:calendar|exact|precise|specific|financial|fiscal|particular)';
const counted = '(?:years|months|weeks|days|decades|centuries)';

const patterns: readonly RegExp[] = [
  String.raw`\b(?:since|until|till|by|as of|from|up to|and|but|so|or)\s+when\b`,
  String.raw`(?:^|[:;,.?!]\s*)\W*when(?:['’][sd]|\s+(?:(?:in|on)\s+[\w\s]+?\s)?${auxiliary})\b`,
  String.raw`\b${reporting}(?:\s+(?:exactly|precisely))?\s+when\b`,
  String.raw`\b(?:what|which)(?:\s+${adjectives})?\s+(?:${units})\b${compound}`,
  String.raw`\bwhat(?:['’]s|\s+(?:is|was|were|are|will be))\s+` +
    String.raw`(?:the|its|his|her|their|your|\S+['’]s)\s+(?:[\w-]+\s+){0,2}?(?:${nouns})\b${compound}`,
  String.raw`\b(?:${nouns})\s+(?:on|in|at)\s+which\b`,
  String.raw`\b${requesting}\s+(?:the|its|his|her|their)\s+(?:[\w’'-]+\s+){0,2}(?:${nouns})\b${compound}`,
  String.raw`\bhow (?:long ago|recently|soon|early|late|far back)\b|\bhow long (?:has|have|had|since)\b`,
  String.raw`\bhow many ${counted} (?:ago|has it been|have (?:passed|elapsed)|since)\b`,
  String.raw`\bdat(?:es?|ing) (?:from|back to)\s*\?`,
].map((pattern) => new RegExp(pattern, 'i'));

/** Noun phrases without an interrogative: "launch date of Sputnik 1", "the year they came". */
const fragment = new RegExp(
  String.raw`^\W*(?:(?:please|give|tell|show|find|state|name|look up|i need|i want|me|us|the|` +
    String.raw`exact|precise)\s+)*(?:(?:[\w’'-]+\s+){0,4}?dates?\s+(?:of|for|when|on)\b|` +
    String.raw`(?:[\w’'-]+\s+){1,5}?(?:date|year|deadline)\s*[?.]?$|` +
    String.raw`(?:year|day|date|month|century|decade|time)\s+(?:of|that|when|in which|the|[A-Z]))`,
  'i',
);
const interrogative = /\b(?:who|whom|whose|what|(?<!\b(?:in|on|at) )which|where|why|how)\b/i;

/** A clause of time at the start, before another question: "When 2011 ended, who coached it?" */
const openingClause = new RegExp(
  String.raw`^\W*when\s+(?!${auxiliary}\b)[^,]*,?\s.*` +
    String.raw`\b(?:who|whom|whose|what|which|where|how|did|was|were|is|are)\b`,
  'i',
);

/** Whether a time answers the question. */
export function asksForTime(skeleton: string): boolean {
  if (/^\W*when\b/i.test(skeleton)) return !openingClause.test(skeleton);
  return (
    patterns.some((pattern) => pattern.test(skeleton)) ||
    (fragment.test(skeleton) && !interrogative.test(skeleton))
  );
}
