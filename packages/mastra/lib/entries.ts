// Entries of metadata by their paths ('a.b', lists by the path of their elements), and the keywords
// by which a corpus finds those that are equal to a value, without fields that were declared.
import { createHash } from 'node:crypto';

/** Field of the corpus that has a passage's keywords. */
export const entriesField = 'entries';
/** Bytes from which a value is replaced by its hash, as texts of passages are. */
const longestValue = 200;

/**
 * Every entry of metadata; those of objects and lists have no value of their own, and elements have
 * the path of their list.
 */
export function* entriesOf(value: unknown, path = ''): Generator<[path: string, value: unknown]> {
  if (path !== '') yield [path, isContainer(value) ? undefined : value];
  if (Array.isArray(value)) {
    for (const each of value) yield* entriesOf(each, path);
  } else if (isContainer(value)) {
    for (const [name, each] of Object.entries(value))
      yield* entriesOf(each, path === '' ? name : `${path}.${name}`);
  }
}

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null;

/** Values at a path, undefined for objects and lists there; none if there is no such entry. */
export function valuesAt(metadata: Record<string, unknown>, path: string): unknown[] {
  const values: unknown[] = [];
  for (const [each, value] of entriesOf(metadata)) if (each === path) values.push(value);
  return values;
}

/** Elements of the lists at a path. */
export function elementsAt(metadata: Record<string, unknown>, path: string): unknown[] {
  let at: unknown[] = [metadata];
  for (const name of path.split('.'))
    at = at
      .flat()
      .flatMap((each) =>
        isContainer(each) && Object.hasOwn(each, name)
          ? [(each as Record<string, unknown>)[name]]
          : [],
      );
  return at.flatMap((each) => (Array.isArray(each) ? (each as unknown[]) : []));
}

/** A value as metadata keeps it: a Date is its ISO 8601 text. */
export const plainValue = (value: unknown): unknown =>
  value instanceof Date ? value.toJSON() : value;

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const shortened = (text: string): string =>
  Buffer.byteLength(text) > longestValue ? `#${hash(text)}` : text;

export const existsKeyword = (path: string): string => shortened(JSON.stringify(path));

export const valueKeyword = (path: string, value: unknown): string =>
  `${existsKeyword(path)}=${shortened(JSON.stringify(value))}`;

/** The keywords of metadata: of each path that it has, and of each value there. */
export function keywordsOf(metadata: Record<string, unknown>): string[] {
  const keywords = new Set<string>();
  for (const [path, value] of entriesOf(metadata)) {
    keywords.add(existsKeyword(path));
    if (value !== undefined) keywords.add(valueKeyword(path, value));
  }
  return [...keywords];
}
