// Options of a system as plain JSON: what a settings file holds and what a search of weights
// varies. A setting that the system does not take is refused, not passed over: it would look as if
// it had been tried.
import { isDeepStrictEqual } from 'node:util';
import { invalidArgument, mustBe } from '../errors.js';
import type { System } from './system.js';

/** Option names and JSON values, as `system.options` prints them. */
export type Settings = Readonly<Record<string, unknown>>;

/** What is no plain JSON, or is given beside the settings. */
const apart = ['corpus', 'model', 'read', 'reranker'];

const plain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Refuses what is no object of options, and options that no file can hold. */
export function checkSettingsShape(settings: Settings): void {
  if (!plain(settings)) throw invalidArgument('settings', 'an object of options', settings);
  const wrong = Object.keys(settings).find((name) => apart.includes(name));
  if (wrong !== undefined)
    throw invalidArgument(
      'settings',
      'options that are plain JSON',
      wrong,
      `Give ${wrong} beside the settings.`,
    );
}

/** Refuses settings that the system made with them does not show among its options. */
export function checkSettingsTaken(system: System, settings: Settings): void {
  for (const [name, value] of Object.entries(settings)) {
    // Some systems show the parts of an option beside the others, or more parts than were given.
    const shown = system.options[name];
    const among = (all: Settings): boolean =>
      plain(value) &&
      Object.entries(value).every(([part, each]) => isDeepStrictEqual(all[part], each));
    const taken = isDeepStrictEqual(shown, value) || among(plain(shown) ? shown : system.options);
    if (!taken)
      throw invalidArgument(
        'settings',
        `options of ${system.name} (${Object.keys(system.options).join(', ')})`,
        name,
      );
  }
}

/**
 * Every number among a system's options that settings may give, by path: `weight`,
 * `relevance.semantic`.
 */
export function numericOptions(options: Settings): Record<string, number> {
  mustBe('an object', { options });
  const numbers: Record<string, number> = {};
  for (const [name, value] of Object.entries(options)) {
    if (apart.includes(name)) continue;
    if (typeof value === 'number') numbers[name] = value;
    if (plain(value))
      for (const [part, inner] of Object.entries(value))
        if (typeof inner === 'number') numbers[`${name}.${part}`] = inner;
  }
  return numbers;
}

/** Settings with numbers put in by path, the rest of an option staying as `options` has it. */
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
