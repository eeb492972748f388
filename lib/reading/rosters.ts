// A roll of holders, "A (1902–1924), B (1924–1950) and C (since 1950)": of a question for the
// first, the third, who succeeded B or who came before C the one that it asks for. By the order of
// names with years in brackets; it knows no office, and reads no other sentence.
import type { Features } from './contest.js';
import type { TextSpan } from './spans.js';
import { askedParty, asksOfFirst } from './succession.js';

const ordinals = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
];
const ordinal = new RegExp(String.raw`\bthe (${ordinals.slice(1).join('|')})\s\p{Ll}`, 'iu');

const dated =
  /(\p{Lu}[^,;:()\n]{1,60}?)\s\((?:\p{Ll}{2,6}\s)?(?:\p{L}+\.?\s)?(\d{3,4})[^()]{0,40}\)/gu;

/** What of "The bishops were Osmund Tarrant" is no name. */
const lead = /^.*\b(?:were|was|and|are|by)\s(?=\p{Lu})/u;

/** One of a roll. */
interface Holder {
  name: string;
  year: number;
}

/** The holders that a sentence lists in order of time; empty where it does not list three. */
export function officeHoldersIn(sentence: string): Holder[] {
  const holders = [...sentence.matchAll(dated)].map(([, words, year]) => ({
    name: words!.replace(lead, ''),
    year: Number(year),
  }));
  return holders.length >= 3 &&
    holders.every(({ year }, at) => at === 0 || year >= holders[at - 1]!.year)
    ? holders
    : [];
}

/** For or against the spans of a roll; undefined where the question asks for no place in it. */
export function placesIn(
  question: string,
  sentence: string,
  timed: boolean,
): ((span: TextSpan) => Features) | undefined {
  const place = askedPlace(question, timed);
  if (place === undefined) return undefined;
  const holders = officeHoldersIn(sentence);
  const at =
    typeof place === 'number'
      ? place
      : holders.findIndex(({ name }) => question.includes(name)) + (place === 'successor' ? 1 : -1);
  if (typeof place !== 'number' && !holders.some(({ name }) => question.includes(name)))
    return undefined;
  const wanted = holders[at];
  if (!wanted) return undefined;
  return ({ start, end }): Features =>
    sentence.slice(start, end) === wanted.name ? { contestRight: 1 } : { contestWrong: 1 };
}

/** Its place from 0, or who follows or precedes one that the question names. */
function askedPlace(
  question: string,
  timed: boolean,
): number | 'successor' | 'predecessor' | undefined {
  const party = askedParty(question);
  if (party) return party;
  if (/\bbefore\s\p{Lu}/u.test(question)) return 'predecessor';
  if (/\bafter\s\p{Lu}/u.test(question)) return 'successor';
  if (timed) return undefined;
  const nth = ordinal.exec(question)?.[1]!.toLowerCase();
  return nth ? ordinals.indexOf(nth) : asksOfFirst.test(question) ? 0 : undefined;
}
