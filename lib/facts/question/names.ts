// Entity terms: names in the candidates of one question. A capital at the start of a sentence tells
// nothing: the word is a name where it is mostly written with a capital elsewhere, or in the
// question. Its initials are written out as names of the candidates.
import type { PassageStatements } from '../statements/statements.js';
import { joinsBefore, type WordRange } from '../statements/textWords.js';
import { ofName, type AskedTerms } from './vocabulary.js';

/** Words of one name, as numbers of their terms. */
export type Name = readonly number[];

/** Names of a passage: those of its title, and of each statement. */
export interface PassageNames {
  title: readonly Name[];
  statements: readonly (readonly Name[])[];
}

/** Rarity from which on an unseen word at the start of a sentence is assumed to be a name. */
const rareWord = 15;
/** Words of a title whose first may be taken for the name of its subject: "commander 2.9.0". */
const shortTitle = 4;

/** Whether a short title begins with a name: "Send 0.15", not "Send reports to us". */
export function opensWithName({ of: { words, lexicon }, from, length }: WordRange): boolean {
  if (length === 0 || length > shortTitle) return false;
  const first = lexicon.words[words[from]!]!;
  if (first.value || !first.capital || length === 1) return !first.value;
  const second = lexicon.words[words[from + 1]!]!;
  return second.value || second.capital;
}

/** Whether a word is a name: never, always, or where it does not open a sentence. */
const [never, always, inside] = [0, 1, 2] as const;

/** Names of passages whose words are those of the vocabulary of `asked`. */
export function candidateNames(
  passages: readonly PassageStatements[],
  rarity: (low: string) => number,
  asked: AskedTerms,
): PassageNames[] {
  const kinds = nameKinds(passages, rarity, asked);
  return passages.map(({ title, statements }) => {
    const names = namesIn(title, kinds);
    if (opensWithName(title)) {
      const first = title.of.lexicon.terms[title.of.words[0]!]!;
      if (!names.some((name) => name.includes(first))) names.unshift([first]);
    }
    return {
      title: names,
      statements: statements.map(({ words, isTitle }) => (isTitle ? names : namesIn(words, kinds))),
    };
  });
}

/** By number of the word: whether it is a name. */
function nameKinds(
  passages: readonly PassageStatements[],
  rarity: (low: string) => number,
  { marks, vocabulary: { lexicon, words } }: AskedTerms,
): Uint8Array {
  const cases = casesOf(passages, lexicon.texts.length);
  const kinds = new Uint8Array(lexicon.words.length);
  for (const word of words) {
    const low = lexicon.lows[word]!;
    if (lexicon.isValue[word]) kinds[word] = never;
    else if ((marks[lexicon.terms[word]!]! & ofName) !== 0) kinds[word] = always;
    else if (!lexicon.isCapital[word]) kinds[word] = never;
    else if (cases.seen[low] === 1) kinds[word] = cases.excess[low]! > 0 ? always : never;
    else kinds[word] = rarity(lexicon.texts[low]!) >= rareWord ? always : inside;
  }
  return kinds;
}

/** By lower-case form, within sentences: whether it is seen, and how much more often capital. */
function casesOf(
  passages: readonly PassageStatements[],
  texts: number,
): { seen: Uint8Array; excess: Int32Array } {
  const seen = new Uint8Array(texts);
  const excess = new Int32Array(texts);
  const add = ({ of: { words, opens, lexicon }, from, to }: WordRange): void => {
    for (let at = from; at < to; at += 1) {
      if (opens[at] === 1) continue;
      const word = words[at]!;
      if (lexicon.isValue[word]) continue;
      const low = lexicon.lows[word]!;
      seen[low] = 1;
      excess[low]! += lexicon.isCapital[word] ? 1 : -1;
    }
  };
  for (const { title, text } of passages) {
    add(title);
    add(text);
  }
  return { seen, excess };
}

function namesIn({ of, from, to }: WordRange, kinds: Uint8Array): number[][] {
  const { words, opens, lexicon } = of;
  const names: number[][] = [];
  let run: number[] | undefined;
  for (let at = from; at < to; at += 1) {
    const kind = kinds[words[at]!]!;
    if (kind === never || (kind === inside && opens[at] === 1)) {
      run = undefined;
      continue;
    }
    const term = lexicon.terms[words[at]!]!;
    if (run && joinsBefore(of, at)) run.push(term);
    else names.push((run = [term]));
  }
  return names;
}

const initials = /\b(?:\p{Lu}{2,5}|(?:\p{Lu}\.){2,5})(?![\p{L}\p{N}])/gu;
const letters = (written: string): string => written.replaceAll('.', '').toLowerCase();

/** Initials written out by the most frequent name of words in capitals that they stand for. */
export function withNamesOfInitials(
  question: string,
  passages: readonly PassageStatements[],
): string {
  const sought = new Set([...question.matchAll(initials)].map(([written]) => letters(written)));
  if (sought.size === 0) return question;
  const named = new Map<string, Map<string, number>>();
  const read = ({ of, from, to }: WordRange): void => {
    const { text, lexicon, words, starts } = of;
    for (let first = from; first < to; first += 1) {
      sought.delete(lexicon.words[words[first]!]!.low);
      for (let at = first, run = ''; at < to && run.length < 5; at += 1) {
        const { capital, value, low, length } = lexicon.words[words[at]!]!;
        if (!capital || value || !(at === first || joinsBefore(of, at))) break;
        run += low[0];
        if (run.length < 2 || !sought.has(run)) continue;
        const names = named.get(run) ?? new Map<string, number>();
        const name = text.slice(starts[first], starts[at]! + length);
        named.set(run, names.set(name, (names.get(name) ?? 0) + 1));
      }
    }
  };
  for (const { title, statements } of passages) {
    read(title);
    for (const { words, whole } of statements) if (!whole) read(words);
  }
  return question.replace(initials, (written) => {
    const names = sought.has(letters(written)) ? named.get(letters(written)) : undefined;
    return names ? [...names].sort(([, a], [, b]) => b - a)[0]![0] : written;
  });
}
