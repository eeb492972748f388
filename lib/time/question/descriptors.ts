// Dates that belong to the name of a thing: "the Companies Act 2006", "the 1954 film Godzilla",
// "the Treaty of 1648". They bound no answer.
import type { QuestionDate } from './questionDate.js';

/** Works and enactments, which their year identifies; an edition of an event is asked of its year. */
const work =
  'acts?|laws?|statutes?|code|treaty|treaties|bill|convention|directive|regulations?|protocol|' +
  'constitution|charter|edict|films?|movies?|novels?|books?|songs?|albums?|singles?|paintings?|' +
  'pictures?|poems?|plays?|musicals?|opera|model|paper|study|classic|remake|standard';
const workAfter = new RegExp(String.raw`^\s+(?:[\w-]+\s+){0,2}?(?:${work})\b`, 'i');
const workBefore = new RegExp(
  String.raw`\b(?:${work}|war|revolution|panic|crash)\s+(?:of\s+)?(?:the\s+)?$`,
  'i',
);
/** A proper name in apposition: "the 1888 picture Sunflowers". */
const apposition = /^\s+(?:[a-z][\w-]*\s+){1,2}["“‘']?[A-Z]/;
/** Names of products that are numbered by years. */
const product =
  /\b(?:windows|office|visual studio|ubuntu|fifa|sql server|photoshop|iso|area|route)\s+$/i;

/** Parts of any day: "before sunrise", "at night". */
const dayPart =
  /\b(?:sunrise|sunset|dawn|dusk|noon|midday|midnight|mornings?|afternoons?|evenings?|nights?)\b/i;
const anchored = /\d|\b(?:this|last|yesterday|today|tonight|tomorrow|\w+day|christmas|new year)\b/i;

/** Whether a date names a thing, or part of any day, rather than bounds the answer. */
export function isDescriptor(
  text: string,
  { start, end, text: words, relation }: QuestionDate,
): boolean {
  if (dayPart.test(words) && !anchored.test(words)) return true;
  if (relation !== 'none') return false;
  if (/^[A-Z]\w+ [A-Z]/.test(words) && /^ [A-Z]/.test(text.slice(end))) return true;
  const digits = /\d/.exec(words);
  const left = text.slice(0, start) + words.slice(0, digits?.index ?? 0);
  const right = text.slice(end);
  if (!/^\d{2,4}$/.test(words.slice(digits?.index ?? 0))) return false;
  return (
    product.test(left) ||
    /\b(?:the one|that|those)\s+(?:of|from)\s+$/i.test(left) ||
    (/[A-Z]|\bof\s+(?:the\s+)?$/.test(left.slice(1)) && workBefore.test(left)) ||
    (/\b(?:the|an?)\s+$/i.test(left) && (workAfter.test(right) || apposition.test(right)))
  );
}
