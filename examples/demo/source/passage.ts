// What the writers of passages share: the draft of a passage, a choice that is always the same for
// the same key, and small matters of wording. No facts here.

/**
 * A passage to be, with the facts it states (`code:date`), by which the expected answers of the
 * questions are found.
 */
export interface Draft {
  id: string;
  title?: string;
  text: string;
  publishedAt?: string;
  validFrom?: string;
  validTo?: string;
  states: string[];
}

/** Another salt shuffles which facts get which wording. */
const salt = 's10:';

/**
 * A number below `count` that depends on the key alone (FNV-1a), so that the corpus is the same on
 * every build.
 */
export function choose(key: string, count: number): number {
  const salted = `${salt}${key}`;
  let hash = 0x811c9dc5;
  for (let at = 0; at < salted.length; at++)
    hash = Math.imul(hash ^ salted.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) % count;
}

/** True for about `percent` of a hundred keys. */
export const share = (key: string, percent: number): boolean => choose(key, 100) < percent;

export function pick<Value>(key: string, values: readonly Value[]): Value {
  return values[choose(key, values.length)]!;
}

/** Sentences that are there, joined by blanks. */
export function paragraph(...sentences: (string | undefined | false)[]): string {
  return sentences.filter((sentence) => typeof sentence === 'string' && sentence !== '').join(' ');
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "1998", "1998 and 2018", "1958, 1962 and 1970". */
export function list(values: readonly (string | number)[]): string {
  if (values.length <= 1) return String(values[0] ?? '');
  return `${values.slice(0, -1).join(', ')} and ${values.at(-1)}`;
}

const words = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
export const count = (value: number): string => words[value] ?? String(value);

const ordinals = [
  '',
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
  'twelfth',
];
export const ordinal = (value: number): string => ordinals[value] ?? `${value}th`;
