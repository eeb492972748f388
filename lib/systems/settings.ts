// Options of a system as plain JSON, for settings files and parameter tuning. Settings that a
// system does not use are rejected, since they would have no effect silently.
import { isDeepStrictEqual } from 'node:util';
import { invalidArgument, isObject } from '../errors.js';
import type { System } from './system.js';

/** Option names and JSON values, as `system.options` prints them. */
export type Settings = Readonly<Record<string, unknown>>;

/** Options that are objects, which settings cannot contain. */
const objectOptions = ['corpus', 'model', 'read', 'reranker', 'extractor'];

/** Throws ERR_INVALID_ARGUMENT for values that are no object of plain JSON options. */
export function checkSettingsShape(settings: Settings): void {
  if (!isObject(settings)) throw invalidArgument('settings', 'an object of options', settings);
  const wrong = Object.keys(settings).find((name) => objectOptions.includes(name));
  if (wrong !== undefined)
    throw invalidArgument(
      'settings',
      'options that are plain JSON',
      wrong,
      `Pass ${wrong} as an option of its own.`,
    );
}

/** Throws ERR_INVALID_ARGUMENT for settings that the system does not show. */
export function checkSettingsUsed(system: System, settings: Settings): void {
  for (const [name, value] of Object.entries(settings)) {
    // Some systems show the properties of an option as options, or more of them than were set.
    const shown = system.options[name];
    const partOf = (all: Settings): boolean =>
      isObject(value) &&
      Object.entries(value).every(([part, each]) => isDeepStrictEqual(all[part], each));
    const used =
      isDeepStrictEqual(shown, value) || partOf(isObject(shown) ? shown : system.options);
    if (!used)
      throw invalidArgument(
        'settings',
        `options of ${system.name} (${Object.keys(system.options).join(', ')})`,
        name,
      );
  }
}
