// Option --settings: a file with a system and its options, written by asof train weights.
import { readFile } from 'node:fs/promises';
import { AsOfError } from '../../errors.js';
import { UsageError, option, type Command, type Invocation, type OptionSpec } from '../command.js';

export const settingsOption: OptionSpec = {
  type: 'string',
  value: 'FILE',
  help: 'system and options from a file {system,settings} of asof train weights',
};

export interface SettingsFile {
  system: string;
  settings: Record<string, unknown>;
}

/** The file that --settings names. Errors: ERR_NOT_FOUND, ERR_INVALID_INPUT. */
export async function settingsOf(invocation: Invocation): Promise<SettingsFile | undefined> {
  const path = option(invocation, 'settings');
  if (path === undefined) return undefined;
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new AsOfError(
      'ERR_NOT_FOUND',
      `Expected a settings file at ${path}, found none that can be read. Check the path.`,
      {
        cause,
        details: { file: path },
      },
    );
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid(path, 'JSON, as asof train weights writes it', 'text that is not', cause);
  }
  const { system, settings } = (value ?? {}) as Record<string, unknown>;
  if (typeof system !== 'string')
    throw invalid(path, 'a "system", its name', JSON.stringify(system) ?? 'none');
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    throw invalid(path, '"settings", an object of options', JSON.stringify(settings) ?? 'none');
  }
  return { system, settings: settings as Record<string, unknown> };
}

/**
 * The names of --system, where a settings file may name another: those given, else
 * the file's, else hybrid. Errors: UsageError where they leave the file's out.
 */
export function systemsWith(
  names: readonly string[] | undefined,
  file: SettingsFile | undefined,
  command: Command,
): string[] {
  const asked = [...new Set(names ?? [file?.system ?? 'hybrid'])];
  if (file && !asked.includes(file.system)) {
    throw new UsageError(
      `--settings is for ${file.system}, --system names ${asked.join(', ')}.`,
      command.name,
    );
  }
  return asked;
}

/**
 * What createSystem takes for one of the systems: the file's settings where it is that system's.
 */
export const settingsFor = (
  name: string,
  file: SettingsFile | undefined,
): { settings?: Record<string, unknown> } =>
  file?.system === name ? { settings: file.settings } : {};

function invalid(path: string, expected: string, received: string, cause?: unknown): AsOfError {
  return new AsOfError(
    'ERR_INVALID_INPUT',
    `${path}: Expected ${expected}, received ${received}.`,
    {
      details: { file: path },
      ...(cause === undefined ? {} : { cause }),
    },
  );
}
