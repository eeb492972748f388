// Options of a system as plain JSON, for settings files and parameter tuning. Settings that a
// system does not use are rejected, since they would have no effect silently.
import { isDeepStrictEqual } from 'node:util';
import { invalidArgument, mustBe } from '../errors.js';
import type { System } from './system.js';

/** Option names and JSON values, as `system.options` prints them. */
export type Settings = Readonly<Record<string, unknown>>;

/** Options that are objects, which settings cannot contain. */
const objectOptions = ['corpus', 'model', 'read', 'reranker', 'extractor'];

const plain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Throws ERR_INVALID_ARGUMENT for values that are no object of plain JSON options. */
export function checkSettingsShape(settings: Settings): void {
  if (!plain(settings)) throw invalidArgument('settings', 'an object of options', settings);
  const wrong = Object.keys(settings).find((name) => objectOptions.includes(name));
  if (wrong !== undefined)
    throw invalidArgument(
      'settings',
      'options that are plain JSON',
      wrong,
      `Pass ${wrong} as an option of its own.`,
    );
}

/**
 * Throws ERR_INVALID_ARGUMENT for settings that are not among the options that the system shows.
 */
export function checkSettingsUsed(system: System, settings: Settings): void {
  for (const [name, value] of Object.entries(settings)) {
    // Some systems show the properties of an option as options, or more of them than were set.
    const shown = system.options[name];
    const partOf = (all: Settings): boolean =>
      plain(value) &&
      Object.entries(value).every(([part, each]) => isDeepStrictEqual(all[part], each));
    const used = isDeepStrictEqual(shown, value) || partOf(plain(shown) ? shown : system.options);
    if (!used)
      throw invalidArgument(
        'settings',
        `options of ${system.name} (${Object.keys(system.options).join(', ')})`,
        name,
      );
  }
}

/** The numeric options of a system, by path: `weight`, `relevance.semantic`. */
export function numericOptions(options: Settings): Record<string, number> {
  mustBe('an object', { options });
  const numbers: Record<string, number> = {};
  for (const [name, value] of Object.entries(options)) {
    if (objectOptions.includes(name)) continue;
    if (typeof value === 'number') numbers[name] = value;
    if (plain(value))
      for (const [part, inner] of Object.entries(value))
        if (typeof inner === 'number') numbers[`${name}.${part}`] = inner;
  }
  return numbers;
}

/** Settings with numbers set by path; other properties are those of `options`. */
export function optionsAt(
  options: Settings,
  point: Readonly<Record<string, number>>,
): Record<string, unknown> {
  mustBe('an object', { options, point });
  const settings: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(point)) {
    const [name, part, ...more] = path.split('.');
    if (!name || part === '' || more.length > 0)
      throw invalidArgument('the name of an option', 'weight or relevance.semantic', path);
    if (part === undefined) settings[name] = value;
    else
      settings[name] = {
        ...(plain(options[name]) ? options[name] : {}),
        ...(settings[name] as object | undefined),
        [part]: value,
      };
  }
  return settings;
}
