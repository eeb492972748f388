// Type and equivalent spellings of a keyword, as in MRAG's published code, with suffix rules in
// place of its part-of-speech tagger.
import { inflections } from '../../../text/inflections.js';
import type { Keyword, KeywordType } from './keyword.js';

const cardinals = (
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen ' +
  'sixteen seventeen eighteen nineteen twenty'
).split(' ');
const ordinals = 'first second third fourth fifth sixth seventh eighth ninth'.split(' ');
const suffixes = ['st', 'nd', 'rd'];
/** Number words and digits with their equivalent spellings. */
const numbers: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...cardinals.map((word, at) => [word, String(at + 1)]),
    ...ordinals.map((word, at) => [word, `${at + 1}${suffixes[at] ?? 'th'}`]),
  ].flatMap((spellings) => spellings.map((spelling) => [spelling, spellings] as const)),
);

/** Nouns and verbs in -est; every other word in -est, and "most", is a superlative. */
const notSuperlative = new Set(
  (
    'best-of contest conquest request interest guest forest harvest protest arrest west ' +
    'northwest southwest midwest test rest nest chest quest ' +
    'invest suggest manifest digest inquest honest modest earnest priest pest vest zest ' +
    'crest interest bequest behest tempest everest'
  ).split(' '),
);
const adjective = /^[a-z]{2,}(?:ous|ful|ical|less|ive|ible|able|ish|ary|ant)$/;
const notAdjective = new Set(
  (
    'olive detective executive representative archive motive native five live drive give ' +
    'receive achieve vehicle table cable secretary ' +
    'anniversary library dictionary military salary century infantry restaurant'
  ).split(' '),
);

export const isNumeric = (word: string): boolean =>
  numbers.has(word.toLowerCase()) || /^\p{N}[\p{N},.]*$/u.test(word);
export const isSuperlative = (word: string): boolean =>
  /^(?:most|[a-z]{2,}est|best|worst)$/i.test(word) && !notSuperlative.has(word.toLowerCase());
const isAdjective = (word: string): boolean => adjective.test(word) && !notAdjective.has(word);

/** The keyword of some words of a question. */
export function keywordOf(words: string): Keyword {
  const type = typeOf(words);
  const spelt = new Set([words, words.replaceAll('-', ' ')]);
  if (type === 'special')
    for (const and of ['&', ' & ', " N' "]) spelt.add(words.replaceAll(' and ', and));
  if (type === 'numeric')
    for (const form of numbers.get(words.toLowerCase()) ?? []) spelt.add(form);
  if (type === 'general') {
    const last = words.lastIndexOf(' ') + 1;
    for (const form of inflections(words.slice(last))) spelt.add(words.slice(0, last) + form);
  }
  return { text: words, type, forms: [...spelt] };
}

function typeOf(words: string): KeywordType {
  const all = words.split(/\s+/);
  const last = all.at(-1)!;
  if (/^["“'‘]?\p{Lu}/u.test(words)) return 'special';
  if (isSuperlative(last) || (all.length > 1 && isSuperlative(all[0]!))) return 'superlative';
  if (all.length === 1 && isNumeric(last)) return 'numeric';
  return all.length === 1 && isAdjective(last) ? 'adjective' : 'general';
}
