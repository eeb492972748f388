// Words of a text by how they are written: common words in lower case, words with a capital, and
// what may be a surname. It knows capitals only: "Prime Minister" has a surname too, so that
// callers must ask for more.

/** The words that a text writes in lower case, in order. */
export function lowercaseWords(text: string): string[] {
  return text.match(/(?<![\p{L}\p{N}'’])\p{Ll}[\p{L}'’]*/gu) ?? [];
}

/**
 * The last words of runs of capitalised ones, where surnames stand: "Champion" in "Thierry Champion
 * of France", but not behind a possessive.
 */
export function surnames(text: string): string[] {
  const runs = text.match(/\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)+/gu) ?? [];
  return runs
    .map((run) => run.split(' '))
    .filter((words) => !/['’]s?$/.test(words.at(-2)!))
    .map((words) => words.at(-1)!);
}

/**
 * The words that a text writes with a capital: names, mostly. Its first word counts only where a
 * name stands so: "Dover: what ...", "Dover's mayor".
 */
export function capitalizedWords(text: string): string[] {
  const words = [...text.matchAll(/(?<![\p{L}\p{N}'’])\p{Lu}[\p{L}\p{N}'’.-]*/gu)];
  const opening = /^\P{L}*\p{Lu}[\p{L}\p{N}'’.-]*/u.exec(text)?.[0] ?? '';
  const named = /['’]s$/.test(opening) || /^[:,]/.test(text.slice(opening.length));
  return words.filter(({ index }) => named || index >= opening.length).map(([word]) => word);
}
