// Names that a question has as initials: "UK" where the candidates have "United Kingdom".
import type { PassageStatements } from './statements.js';
import { joinsBefore, type WordRange } from './textWords.js';

const initials = /\b(?:\p{Lu}{2,5}|(?:\p{Lu}\.){2,5})(?![\p{L}\p{N}])/gu;
const letters = (written: string): string => written.replaceAll('.', '').toLowerCase();

/**
 * The question with its initials written out where no candidate has them and one has a name of
 * words in capitals that they stand for, of several the most frequent.
 */
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
