// Option --settings: a file with a system and its options, written by asof train weights.
import { readFile } from 'node:fs/promises';
import { AsOfError, isObject } from '../../errors.js';
import { UsageError, option, type Invocation, type OptionSpec } from '../command.js';

export const settingsOption: OptionSpec = {
  value: 'FILE',
  help: 'system and options from a file {system,settings} of asof train weights',
};

export interface SettingsFile {
  system: string;
  settings: Record<string, unknown>;
}

/** @throws AsOfError ERR_NOT_FOUND, ERR_INVALID_INPUT */
export async function settingsOf(invocation: Invocation): Promise<SettingsFile | undefined> {
  const path = option(invocation, 'settings');
  if (path === undefined) return undefined;
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new AsOfError(
      'ERR_NOT_FOUND',
      `Expected a settings file at ${path}, found no readable file. Check the path.`,
      { cause, details: { file: path } },
    );
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid(path, 'JSON of asof train weights', 'invalid JSON', cause);
  }
  const { system, settings } = (value ?? {}) as Record<string, unknown>;
  if (typeof system !== 'string')
    throw invalid(path, 'a "system", its name', JSON.stringify(system) ?? 'none');
  if (!isObject(settings))
    throw invalid(path, '"settings", an object of options', JSON.stringify(settings) ?? 'none');
  return { system, settings };
}

/** The names of --system, else the system of the file, else hybrid. @throws UsageError */
export function systemsWith(
  names: readonly string[] | undefined,
  file: SettingsFile | undefined,
): string[] {
  const systems = [...new Set(names ?? [file?.system ?? 'hybrid'])];
  if (file && !systems.includes(file.system)) {
    throw new UsageError(`--settings is for ${file.system}, --system names ${systems.join(', ')}.`);
  }
  return systems;
}

/** Settings for `createSystem`: those of the file, if it is for that system. */
export const settingsFor = (
  name: string,
  file: SettingsFile | undefined,
): { settings?: Record<string, unknown> } =>
  file?.system === name ? { settings: file.settings } : {};

function invalid(path: string, expected: string, received: string, cause?: unknown): AsOfError {
  return new AsOfError(
    'ERR_INVALID_INPUT',
    `${path}: Expected ${expected}, received ${received}.`,
    { details: { file: path }, cause },
  );
}
