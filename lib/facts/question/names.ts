// Initials of a question ("ECB") are written out as names of its candidates.
import { binding } from '../../binding.js';
import type { Lexicon } from '../../statements/lexicon.js';
import type { PassageStatements } from '../../statements/statements.js';

const initials = /(?<![\p{L}\p{N}])(?:\p{Lu}{2,5}|(?:\p{Lu}\.){2,5})(?![\p{L}\p{N}])/gu;
const letters = (written: string): string => written.replaceAll('.', '').toLowerCase();

/** Initials written out by the most frequent name of words in capitals that they stand for. */
export function withNamesOfInitials(
  question: string,
  passages: readonly PassageStatements[],
  lexicon: Lexicon,
): string {
  const sought = [
    ...new Set([...question.matchAll(initials)].map(([written]) => letters(written))),
  ];
  if (sought.length === 0) return question;
  const handles = passages.map(({ handle }) => handle);
  const found = binding.namesOfInitials(lexicon.handle, handles, sought);
  const named = new Map<string, Map<string, number>>();
  for (let at = 0; at < found.length; at += 5) {
    const [nth, passage, inTitle, start, end] = found.subarray(at, at + 5);
    const { title = '', text } = passages[passage!]!.record;
    const name = (inTitle === 1 ? title : text).slice(start, end);
    const names = named.get(sought[nth!]!) ?? new Map<string, number>();
    named.set(sought[nth!]!, names.set(name, (names.get(name) ?? 0) + 1));
  }
  return question.replace(initials, (written) => {
    const names = named.get(letters(written));
    return names ? [...names].sort(([, a], [, b]) => b - a)[0]![0] : written;
  });
}
