// Names that a question has as initials: "UK" where the candidates have "United Kingdom".
import type { PassageStatements } from './statements.js';
import { joinsName, type Word } from './words.js';

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
  const read = (text: string, words: readonly Word[]): void => {
    words.forEach(({ low, start }, at) => {
      sought.delete(low);
      for (let end = at, run = ''; end < words.length && run.length < 5; end += 1) {
        const word = words[end]!;
        const joins = end === at || joinsName(text.slice(words[end - 1]!.end, word.start));
        if (!word.capital || word.value || !joins) break;
        run += word.low[0];
        if (run.length < 2 || !sought.has(run)) continue;
        const names = named.get(run) ?? new Map<string, number>();
        const name = text.slice(start, word.end);
        named.set(run, names.set(name, (names.get(name) ?? 0) + 1));
      }
    });
  };
  for (const { title, statements, record } of passages) {
    read(record.title ?? '', title);
    for (const { words, whole } of statements) if (!whole) read(record.text, words);
  }
  return question.replace(initials, (written) => {
    const names = sought.has(letters(written)) ? named.get(letters(written)) : undefined;
    return names ? [...names].sort(([, a], [, b]) => b - a)[0]![0] : written;
  });
}
