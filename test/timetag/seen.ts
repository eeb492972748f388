// How the tagger's tests print what it found, one line a TIMEX3 expression, and write examples.
import { tagText, type TagMode } from '../../lib/time/tagger.js';

/**
 * "text | TYPE | value" of every expression in `text`, in narrative mode by default.
 */
export function timexesOf(
  text: string,
  options: { mode?: TagMode; reference?: string } = {},
): string[] {
  const { mentions } = tagText(text, { mode: 'narrative', ...options });
  return mentions.flatMap(({ timexes }) =>
    timexes.map(({ start, end, type, value }) => `${text.slice(start, end)} | ${type} | ${value}`),
  );
}

/** Texts, a line each; on an indented line below what is found in them, between semicolons. */
export const examples = (table: string): [text: string, found: string[]][] =>
  table
    .trim()
    .split(/\n(?! )/)
    .map((each) => {
      const [text, found] = each.split('\n  ') as [string, string?];
      return [text, found?.split('; ') ?? []];
    });
