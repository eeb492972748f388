// Dates that belong to the name of a thing: "the Companies Act 2006", "the 1954 film Godzilla",
// "the Treaty of 1648". They bound no answer.
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
/** Names of products that are numbered by years. */
const product =
  /\b(?:windows|office|visual studio|ubuntu|fifa|sql server|photoshop|iso|area|route)\s+$/i;

/** Parts of any day: "before sunrise", "at night". */
const dayPart =
  /\b(?:sunrise|sunset|dawn|dusk|noon|midday|midnight|mornings?|afternoons?|evenings?|nights?)\b/i;
const anchored = /\d|\b(?:this|last|yesterday|today|tonight|tomorrow|\w+day|christmas|new year)\b/i;

/** Words that make a date one of a calendar: years, days of a month, words relative to asking. */
const definite =
  /\d{3,4}|\d.*\d|\b\d{1,2}(?:st|nd|rd|th)?\b|\b(?:last|this|next|past|previous|current|coming|same|ago|yesterday|today|tomorrow|tonight|now|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties|century|millennium)\b/i;
/** Without a past tense, a month or weekday alone is any of them: "How wet is it in October?" */
const pastTense =
  /\b(?:was|were|did|had|[a-z]{2,}ed|won|beat|got|went|came|ran|led|made|sold|will|[’']ll)\b/i;

/** Whether a date names a thing, or part of any day, rather than bounds the answer. */
export function isDescriptor(
  text: string,
  { start, end, text: words, relation }: QuestionDate,
): boolean {
  if (dayPart.test(words) && !anchored.test(words)) return true;
  if (!definite.test(words) && !pastTense.test(text)) return true;
  if (relation !== 'none') return false;
  if (/^[A-Z]\w+ [A-Z]/.test(words) && /^ [A-Z]/.test(text.slice(end))) return true;
  const digits = /\d/.exec(words);
  const left = text.slice(0, start) + words.slice(0, digits?.index ?? 0);
  const right = text.slice(end);
  if (!/^\d{2,4}$/.test(words.slice(digits?.index ?? 0))) return false;
  return (
    product.test(left) ||
    /\b(?:the one|that|those)\s+(?:of|from)\s+$/i.test(left) ||
    beforeYear.test(left) ||
    nameOfYear.test(left) ||
    (/\ban?\s+$/i.test(left) && /^\s+[a-z]/i.test(right)) ||
    (/\bthe\s+$/i.test(left) && (afterYear.test(right) || apposition.test(right)))
  );
}
