// Initials of a question ("ECB") are written out as names of its candidates.
import type { PassageStatements } from '../../statements/statements.js';
import type { WordRange } from '../../statements/textWords.js';

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
  const read = (range: WordRange): void => {
    for (let first = 0; first < range.length; first += 1) {
      const { low: written, start } = range.at(first);
      sought.delete(written);
      for (let at = first, run = ''; at < range.length && run.length < 5; at += 1) {
        const { capital, value, low, end } = range.at(at);
        if (!capital || value || !(at === first || range.joins(at))) break;
        run += low[0];
        if (run.length < 2 || !sought.has(run)) continue;
        const names = named.get(run) ?? new Map<string, number>();
        const name = range.text.slice(start, end);
        named.set(run, names.set(name, (names.get(name) ?? 0) + 1));
      }
    }
  };
  for (const { title, statements } of passages) {
    read(title);
    for (const { words, whole } of statements) if (!whole) read(words);
    if (sought.size === 0) return question; // the candidates have them as they are
  }
  return question.replace(initials, (written) => {
    const names = sought.has(letters(written)) ? named.get(letters(written)) : undefined;
    return names ? [...names].sort(([, a], [, b]) => b - a)[0]![0] : written;
  });
}
