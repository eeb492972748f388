// Dates that belong to the name of a thing ("the Companies Act 2006", "the 1954 film Godzilla",
// "Wonder Woman 1984") or recur ("before sunrise", "in October"). They bound no answer.
import type { Instant } from '../interval.js';
import type { QuestionDate } from './questionDate.js';
import { eventNoun } from './questionDates.js';
import { isPast } from './stative.js';

/** Enactments and upheavals, which their year identifies. */
const enactment =
  '(?:acts?|laws?|statutes?|code|treaty|treaties|bill|convention|directive|regulations?|' +
  'protocol|constitution|charter|edict|standard|war|revolution|panic|crash|fire)';
/** Works, whose title or description a year is part of; "the best film of 1954" is of its year. */
const work =
  '(?:films?|movies?|novels?|books?|songs?|albums?|singles?|paintings?|pictures?|poems?|plays?|' +
  'musicals?|opera|model|paper|study|classic|remake|version|game)';
const name = String.raw`[A-Z][\w’'-]*`;
/** Editions of an event, which differ by year. */
const edition = '(?:Elections?|Olympics|Games|Cup|Championships?|Finals?|Season|Census|Edition)';
/** Nouns that a number labels. */
const label =
  '(?:windows|office|ubuntu|iso|rfc|area|route|room|section|article|clause|rule|resolution|form|' +
  'error|code|port|number|no|model|chapter|page|gate|channel|highway|unit|cve|level)';

/** Words before a year that make it part of a name. */
const before: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:${label}\.?|(?:the|a)\s+${work}|${enactment}(?:\s+of)?(?:\s+the)?)\s+$`,
    'i',
  ),
  // "the Great Fire of 1666", "Orwell's 1984"
  new RegExp(String.raw`(?<!^\W*)\b(?!${edition}\b)${name}\s+of\s+(?:the\s+)?$|['’]s?\s+$`),
];
/** Words after "the" and a year: "the 1954 film", "the 1888 picture Sunflowers". */
const after: readonly RegExp[] = [
  new RegExp(String.raw`^\s+(?:[\w-]+\s+){0,2}?(?:${enactment}|${work})\b`, 'i'),
  /^\s+(?:[a-z][\w-]*\s+){1,2}["“‘']?[A-Z]/,
];
const nameBefore = new RegExp(String.raw`(?<!^\W*)\b${name}\s+$`);
const nameAfter = new RegExp(String.raw`^\s+(${name})`);

/** The name of a work after the verb of its making, as far as its date. */
const title = new RegExp(
  String.raw`\b(?:wrote|written|directed|composed|sang|sung|painted|recorded|produced|starred in|` +
    String.raw`stars in|narrated)\s+["“‘']?(?:the\s+)?(?:(?:${name},?|of|the|a|in|on|and)\s+)*$`,
);
/** Words of questions about a work. */
const aboutWork = new RegExp(
  String.raw`\b(?:direct(?:ed|or)|starr(?:ed|ing)|voiced?|plot|cast|soundtrack|sequel|prequel|` +
    String.raw`author|wrote|written|compose[dr]|film|movie|novel|album|song|villain|` +
    String.raw`hero(?:ine)?|protagonist|characters?|actor|actress|lyrics)\b`,
  'i',
);

/** Parts of any day, unless a word says which. */
const dayPart =
  /\b(?:sun(?:rise|set)|dawn|dusk|noon|mid(?:day|night)|(?:morning|afternoon|evening|night)s?)\b/i;
const ofOneDay = /\d|\b(?:this|last|yesterday|today|tonight|tomorrow|\w+day|christmas|new year)\b/i;
/** Words of a date that tell its year, directly or relative to asking. */
const ofOneYear = new RegExp(
  String.raw`\d{3,4}|\d+[/.]\d+|\bfy\s?\d\d|['’]\d\d|\d0['’]?s|\b(?:last|this|next|past|previous|` +
    String.raw`current|coming|same|ago|yesterday|today|tomorrow|tonight|now|\w+ties|century|` +
    String.raw`millennium)\b`,
  'i',
);
/** Relations of days that recur, as in "on 31 October" without a year. */
const recurring: readonly string[] = ['none', 'in', 'on', 'before', 'after', 'around'];

/** Units after a number that is no year: "how many grams are in 2000 milligrams". */
const measured = new RegExp(
  String.raw`^\s+(?:milli|centi|kilo|micro|mega|giga)?(?:gram|met(?:er|re)|lit(?:er|re)|byte|volt|` +
    String.raw`watt|joule|calorie|mile|inche|pound|ounce|degree|word|step|point|piece)s?\b`,
  'i',
);

/** Words before a time that the answer is only compared with: "higher than in 2019". */
const comparison = new RegExp(
  String.raw`(?:(?<!\b(?:earlier|later|older|newer|sooner|younger|recent|more|less)\s)\bthan|` +
    String.raw`\bcompared (?:with|to)|\brelative to|\bversus|\bvs\.?)\s+(?:(?:in|at|on|for)\s+)?$`,
  'i',
);

/** Times that are compared with by themselves: "the change from the month before". */
const comparedUnit =
  /^(?:from|on|over) (?:the|a|one) (?:(?:same|previous|prior|preceding) )?(?:year|quarter|month|week|day)(?: (?:before|earlier|previously))?$/i;

/** Whether a date names a thing, recurs, or is compared with, rather than bounds the answer. */
export function isDescriptor(text: string, date: QuestionDate, askedAt: Instant): boolean {
  const { start, end, relation } = date;
  const words = text.slice(start, end);
  const right = text.slice(end);
  if (comparison.test(text.slice(0, start)) || comparedUnit.test(words)) return true;
  const isPresent = !isPast(text) && !/\bwill\b|['’]ll\b/i.test(text);
  if (dayPart.test(words) && !ofOneDay.test(words)) return true;
  if (isPresent && !ofOneYear.test(words) && recurring.includes(relation)) return true;
  if (measured.test(right) && /\d{4}$/.test(words)) return true;
  const isNamed = relation === 'none' && /^(?:the )?(?:[A-Z]|\d+\s+[A-Z])/.test(words + right);
  if (title.test(text.slice(0, start)) && (isNamed || !/\d/.test(words))) return true;
  if (relation !== 'none') return false;
  if (/^(?:the )?[A-Z]\w+ [A-Z]/.test(words) && /^ [A-Z]/.test(right)) return true;
  const figure = /\d{2,4}$/.exec(words);
  if (!figure || !/^(?:(?:of|the|an?)\s+)*$/i.test(words.slice(0, figure.index))) return false;
  // "Who won Wimbledon 2014?" is about the year; "the Peugeot 2008" in the present is none.
  const isLikelyName = isPresent || date.interval.start > askedAt || aboutWork.test(text);
  return isPartOfName(text.slice(0, start + figure.index), right, { isLikelyName, isPresent });
}

/** Whether the words around a year make it part of a name or a subject: "Is 2024 a leap year?" */
function isPartOfName(
  left: string,
  right: string,
  { isLikelyName, isPresent }: { isLikelyName: boolean; isPresent: boolean },
): boolean {
  if (before.some((pattern) => pattern.test(left))) return true;
  if (isLikelyName && nameBefore.test(left)) return true;
  if (/\ban?\s+$/i.test(left)) return /^\s+[a-z]/i.test(right);
  if (/^\W*(?:is|was|are)\s+$/i.test(left)) return /^\s+(?:an?|the|even|odd|prime)\b/i.test(right);
  if (!/\bthe\s+$/i.test(left)) return false;
  if (after.some((pattern) => pattern.test(right))) return true;
  const next = nameAfter.exec(right)?.[1];
  return (
    isPresent && next !== undefined && !eventNoun.test(next) && !/^(?:Wint|Summ)er$/.test(next)
  );
}
