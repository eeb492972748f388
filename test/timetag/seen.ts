// How the tagger's tests print what it found: one line a TIMEX3 expression.
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
