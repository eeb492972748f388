// Names in the candidates of one question. A capital at the start of a sentence tells nothing: the
// word is a name where it is mostly written with a capital elsewhere, or in the question.
import type { PassageStatements } from './statements.js';
import { joinsName, type Word } from './words.js';

/** Names of a passage as lists of terms: those of its title, and of each statement. */
export interface PassageNames {
  title: readonly (readonly string[])[];
  statements: readonly (readonly (readonly string[])[])[];
}

/** Rarity from which on an unseen word at the start of a sentence is assumed to be a name. */
const rareWord = 15;
/** Words of a title whose first may be taken for the name of its subject: "commander 2.9.0". */
const shortTitle = 4;

/** Whether a short title begins with a name: "Send 0.15", not "Send reports to us". */
export function opensWithName([first, second, ...rest]: readonly Word[]): boolean {
  if (!first || first.value || rest.length > shortTitle - 2) return false;
  return !first.capital || !second || second.value || second.capital;
}

export function candidateNames(
  passages: readonly PassageStatements[],
  rarity: (low: string) => number,
  asked: ReadonlySet<string>,
): PassageNames[] {
  const cases = casesOf(passages);
  const isName = ({ term, low, value, capital, opens }: Word): boolean => {
    if (value) return false;
    if (asked.has(term)) return true;
    if (!capital) return false;
    const seen = cases.get(low)!;
    return seen.capital + seen.small > 0
      ? seen.capital > seen.small
      : !opens || rarity(low) >= rareWord;
  };
  return passages.map(({ title, statements, record }) => {
    const names = namesIn(title, record.title ?? '', isName);
    const [first] = title;
    if (opensWithName(title) && !names.some((name) => name.includes(first!.term)))
      names.unshift([first!.term]);
    return {
      title: names,
      statements: statements.map(({ words, isTitle }) =>
        isTitle ? names : namesIn(words, record.text, isName),
      ),
    };
  });
}

/** How often each word that is somewhere capital is so, and is not, within sentences. */
function casesOf(
  passages: readonly PassageStatements[],
): Map<string, { capital: number; small: number }> {
  const cases = new Map<string, { capital: number; small: number }>();
  const addCapitals = (words: readonly Word[]): void => {
    for (const { low, value, opens, capital } of words) {
      if (!capital || value) continue;
      let seen = cases.get(low);
      if (!seen) cases.set(low, (seen = { capital: 0, small: 0 }));
      if (!opens) seen.capital += 1;
    }
  };
  const addSmall = (words: readonly Word[]): void => {
    for (const { low, value, opens, capital } of words) {
      if (capital || value || opens) continue;
      const seen = cases.get(low);
      if (seen) seen.small += 1;
    }
  };
  for (const add of [addCapitals, addSmall])
    for (const { title, statements } of passages) {
      add(title);
      for (const { words, whole } of statements) if (!whole) add(words);
    }
  return cases;
}

function namesIn(
  words: readonly Word[],
  text: string,
  isName: (word: Word) => boolean,
): string[][] {
  const names: string[][] = [];
  let run: string[] | undefined;
  let end = 0;
  for (const each of words) {
    if (isName(each)) {
      if (run && joinsName(text.slice(end, each.start))) run.push(each.term);
      else names.push((run = [each.term]));
    } else run = undefined;
    ({ end } = each);
  }
  return names;
}
