// Dates that belong to the name of a thing: "the Companies Act 2006", "the 1954 film Godzilla",
// "the Treaty of 1648". They bound no answer.
import type { Instant } from '../interval.js';
import { isPast } from './tense.js';
import { eventNoun } from './questionDates.js';
import type { QuestionDate } from './questionDate.js';

/** Enactments and upheavals, which their year identifies. */
const enactment =
  'acts?|laws?|statutes?|code|treaty|treaties|bill|convention|directive|regulations?|protocol|' +
  'constitution|charter|edict|standard|war|revolution|panic|crash|fire';
/** Works, whose title or description a year is part of; "the best film of 1954" asks of its year. */
const work =
  'films?|movies?|novels?|books?|songs?|albums?|singles?|paintings?|pictures?|poems?|plays?|' +
  'musicals?|opera|model|paper|study|classic|remake|version|game';
const afterYear = new RegExp(String.raw`^\s+(?:[\w-]+\s+){0,2}?(?:${enactment}|${work})\b`, 'i');
const beforeYear = new RegExp(
  String.raw`\b(?:(?:${enactment})\s+(?:of\s+)?(?:the\s+)?|(?:the|a)\s+(?:${work})\s+)$`,
  'i',
);
/** A name with its year: "the Great Fire of 1666". The editions of an event differ by year. */
const nameOfYear =
  /(?<!^\W*)\b(?!(?:Elections?|Olympics|Games|Cup|Championships?|Finals?|Season|Census|Edition)\b)[A-Z][\w’'-]+\s+of\s+(?:the\s+)?$/;
/** A proper name in apposition: "the 1888 picture Sunflowers". */
const apposition = /^\s+(?:[a-z][\w-]*\s+){1,2}["“‘']?[A-Z]/;
/** Nouns that a number labels: rooms, sections, products. */
const label =
  /\b(?:windows|office|ubuntu|iso|rfc|area|route|room|section|article|clause|rule|resolution|form|error|code|port|number|no|model|chapter|page|gate|channel|highway|unit|cve|level)\.?\s+$/i;
/** The name of a work after the verb of its making, as far as its date. */
const title =
  /\b(?:wrote|written|directed|composed|sang|sung|painted|recorded|produced|starred in|stars in|narrated|choreographed)\s+["“‘']?(?:the\s+)?(?:(?:[A-Z][\w’'-]*,?|of|the|a|in|on|and)\s+)*$/;
/** Words of questions about a work, in whose title a year may stand: "Wonder Woman 1984". */
const aboutWork =
  /\b(?:direct(?:ed|or)|starr(?:ed|ing)|voiced?|plot|cast|soundtrack|sequel|prequel|author|wrote|written|compose[dr]|film|movie|novel|album|song|villain|hero(?:ine)?|protagonist|characters?|actor|actress|lyrics)\b/i;
/** Relations of days that recur, as in "on 31 October" without a year. */
const recurring: readonly string[] = ['none', 'in', 'on', 'before', 'after', 'around'];
const nameBefore = /(?<!^\W*)\b[A-Z][\w’'-]*\s+$/;

/** A name right after a year, but an event of that year: "the 1812 Overture", "the 2028 Olympics". */
function isName(right: string): boolean {
  const word = /^\s+([A-Z][\w’'-]*)/.exec(right)?.[1];
  return (
    word !== undefined && !eventNoun.test(word) && !/^(?:Winter|Summer|Grand|Super)$/.test(word)
  );
}

/** Parts of any day: "before sunrise", "at night". */
const dayPart =
  /\b(?:sunrise|sunset|dawn|dusk|noon|midday|midnight|mornings?|afternoons?|evenings?|nights?)\b/i;
const anchored = /\d|\b(?:this|last|yesterday|today|tonight|tomorrow|\w+day|christmas|new year)\b/i;

/** Units after a number that is no year: "how many grams are in 2000 milligrams". */
const measured =
  /^\s+(?:milli|centi|kilo|micro|mega|giga)?(?:grams?|met(?:er|re)s?|lit(?:er|re)s?|bytes?|volts?|watts?|joules?|calories|miles|feet|inches|pounds|ounces|degrees|words|steps|points|pieces)\b/i;

/** Words that make a date one of a calendar: years, days of a month, words relative to asking. */
const definite =
  /\d{3,4}|\d+[/.]\d+|\bfy\s?\d\d|['’]\d\d|\d0['’]?s|\b(?:last|this|next|past|previous|current|coming|same|ago|yesterday|today|tomorrow|tonight|now|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties|century|millennium)\b/i;
/** Whether a date names a thing, or part of any day, rather than bounds the answer. */
export function isDescriptor(
  text: string,
  { start, end, relation, interval }: QuestionDate,
  askedAt: Instant,
): boolean {
  const words = text.slice(start, end);
  const right = text.slice(end);
  // A month or weekday alone is any of them: "How wet is it in October?"
  const isPresent = !isPast(text) && !/\bwill\b|['’]ll\b/i.test(text);
  if (dayPart.test(words) && !anchored.test(words)) return true;
  if (!definite.test(words) && isPresent && recurring.includes(relation)) return true;
  if (measured.test(right) && /\d{4}$/.test(words)) return true;
  if (
    title.test(text.slice(0, start)) &&
    (!/\d/.test(words) ||
      (relation === 'none' && /^(?:the )?(?:[A-Z]|\d+\s+[A-Z])/.test(words + right)))
  )
    return true;
  if (relation !== 'none') return false;
  if (/^(?:the )?[A-Z]\w+ [A-Z]/.test(words) && /^ [A-Z]/.test(right)) return true;
  const figure = /\d{2,4}$/.exec(words);
  if (!figure || !/^(?:(?:of|the|an?)\s+)*$/i.test(words.slice(0, figure.index))) return false;
  const left = text.slice(0, start + figure.index);
  return (
    label.test(left) ||
    /['’]s?\s+$|\b(?:the one|that|those)\s+(?:of|from)\s+$/i.test(left) ||
    beforeYear.test(left) ||
    nameOfYear.test(left) ||
    // "the Peugeot 2008" in the present tense; "Who won Wimbledon 2014?" is about the year.
    (nameBefore.test(left) && (isPresent || interval.start > askedAt || aboutWork.test(text))) ||
    /(?<!^\W*)\bThe\s+$/.test(left) ||
    (/\ban?\s+$/i.test(left) && /^\s+[a-z]/i.test(right)) ||
    (isPresent && /\bthe\s+$/i.test(left) && isName(right)) ||
    (/^\W*(?:is|was|are)\s+$/i.test(left) &&
      /^\s+(?:an?|the|even|odd|prime|divisible)\b/i.test(right)) ||
    (/\bthe\s+$/i.test(left) && (afterYear.test(right) || apposition.test(right)))
  );
}
