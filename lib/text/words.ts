// Words of a text by case: common words and likely surnames. Case is the only
// evidence ("Prime Minister" yields a surname too), so that callers must check further.

/** Words in lower case, in order. */
export function lowercaseWords(text: string): string[] {
  return text.match(/(?<![\p{L}\p{N}'’])\p{Ll}[\p{L}'’]*/gu) ?? [];
}

/**
 * Last words of runs of capitalised words, where surnames stand: "Champion" in "Thierry Champion of
 * France", but not after a possessive.
 */
export function surnames(text: string): string[] {
  const runs = text.match(/\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)+/gu) ?? [];
  return runs
    .map((run) => run.split(' '))
    .filter((words) => !/['’]s?$/.test(words.at(-2)!))
    .map((words) => words.at(-1)!);
}
