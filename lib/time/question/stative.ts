// Aspect of a question's predicate: states ("who was captain", "what did it cost") hold at a point
// of time, events ("which bugs were fixed", "what did they announce") fall into it.

/** Irregular past tenses and participles; those equal to the present are excluded. */
const irregularPast =
  'was|were|did|had|been|beat|became|began|begun|born|bought|broke|broken|brought|built|' +
  'burst|came|caught|chose|chosen|drew|drove|driven|drawn|fell|fallen|flew|flown|fought|' +
  'found|gave|given|went|gone|grew|got|held|hired|kept|knew|known|laid|led|left|lost|made|' +
  'met|paid|ran|rose|said|sang|sank|sat|saw|sent|shot|sold|spent|spoke|stood|stole|stolen|' +
  'struck|sung|sunk|swam|swore|sworn|taken|taught|told|took|thought|won|wore|worn|wrote|' +
  'written';
const present = 'need|speed|feed|seed|breed|exceed|proceed|indeed|hundred|weed|bleed|shed';

/** A finite past tense or a past participle. */
export const past = new RegExp(
  String.raw`\b(?:${irregularPast}|used to|(?!(?:${present})\b)[a-z]{2,}ed)\b`,
  'i',
);

/** Whether the main clause is in the past; "is computed" and "does it need" are not. */
export const isPast = (text: string): boolean =>
  /\b(?:was|were|did|had|used to)\b/i.test(text) ||
  (past.test(text) && !/\b(?:is|are|do|does|can|should|must)\b|\w['’]s (?:an?|the)\b/i.test(text));

/** A word for predictions. */
export const prediction = new RegExp(
  String.raw`\b(?:forecast(?:s|ed)?|predict(?:s|ed|ions?)|project(?:ed|ions?)|expected|` +
    String.raw`anticipated|outlook|supposed to|likely to|chances? of)\b`,
  'i',
);
/** The future tense. */
export const future = /\b(?:will|going to)\b|['’]ll\b/i;

/** Verbs of states, of habits and of offices. */
const stativeVerbs =
  'allow amount anchor apply believe belong captain carry chair charge circulate coach command ' +
  'conduct consider consist contain control cost cover define drive edit employ enrol equal ' +
  'exceed exist feature follow govern have head hold host include know lead lie live look manage ' +
  'mean measure need number occupy offer operate own pay permit play practise preside provide ' +
  'quote rank rate read recognise recognize recommend regulate reign remain represent require ' +
  'reside rule run serve sit speak sponsor stand staff stay stock study supply support teach ' +
  'think top total use value wear weigh work yield';
/** Verbs of habits after "did"; their passives are events. */
const habits = 'say sell trade';
/** Pasts of states that no rule forms. */
const irregular = 'had held known led paid ran read run spoke stood sat taught wore cost';
/** Participles of a change whose result lasts: "which roads were closed on 3 May?" */
const results =
  'accredited affected assigned authorised authorized banned based blocked called certified ' +
  'closed composed connected contracted deployed displayed divided docked engaged entitled ' +
  'frozen ' +
  'headed hung imprisoned injured installed insured kept licensed listed located locked made up ' +
  'married named parked pegged populated priced registered restricted set stationed stored ' +
  'suspended';
/** Words in "ed" that are no verb forms, and participles that are adjectives before a noun. */
const nouns = 'bed fed limited need red related recorded seed speed united';

const pastOf = (verb: string): string =>
  `${verb}${/e$/.test(verb) ? 'd' : 'l?ed'}`.replace('yl?ed', 'ied');
const oneOf = (words: string): string => words.replaceAll(' ', '|');
const stativePast = `${stativeVerbs.split(' ').map(pastOf).join('|')}|${oneOf(irregular)}`;
const event = `(?:[a-z]{2,}ed|${irregularPast}|put|cut|hit|shut|come out)`;
const auxiliary = 'was|were|is|are|had|has|have|did|been|used to';

const passive = new RegExp(
  String.raw`\b(?:was|were|been|got)\s+(?:(?:\w+ly|not|first|last|next|just)\s+)*` +
    String.raw`(?!(?:${stativePast}|${oneOf(results)}|${oneOf(nouns)}|${auxiliary})\b)${event}\b`,
  'i',
);
/** A past tense after its subject: "which papers appeared", "who died". */
const active = new RegExp(
  String.raw`\b(?:who|which|what|how many)\b(?:\s+(?!(?:${auxiliary})\b)[\w’'-]+){0,4}?\s+` +
    String.raw`(?!(?:${stativePast}|${oneOf(nouns)}|named|called|${auxiliary})\b)${event}\b`,
  'i',
);
const statedByDid = new RegExp(
  String.raw`\bdid\b.*\b(?:${oneOf(`${stativeVerbs} ${habits}`)})\b`,
  'i',
);
const happened = /\b(?:happen(?:ed|s)?|occur(?:red|s)?|(?:took|take) place|went on|came about)\b/i;

const perfect = new RegExp(
  String.raw`\b(?:had|has|have)\s+(?:\w+ly\s+)?(?!(?:${stativePast}|been)\b)${event}\b`,
  'i',
);

/** Whether the predicate is a perfect: "which lines had closed". */
export const isPerfect = (skeleton: string): boolean => perfect.test(skeleton);

/** Whether the predicate is a state; a phrase without a verb counts as one. */
export function isState(skeleton: string): boolean {
  if (happened.test(skeleton)) return false;
  if (/\bdid\b/i.test(skeleton)) return statedByDid.test(skeleton);
  return !passive.test(skeleton) && !active.test(skeleton);
}
