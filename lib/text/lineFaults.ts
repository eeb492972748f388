// Faults of records with the place of their line, and fields that are lists.
import { AsOfError } from '../errors.js';
import { invalidLine, type LineLocation } from './lines.js';

/** Adds the location of a line to an error of the library. */
export function withLocation<T>(work: () => T, where: LineLocation): T {
  try {
    return work();
  } catch (fault) {
    if (!AsOfError.is(fault) || 'line' in fault.details) throw fault;
    throw errorAtLine(fault, where);
  }
}

/** The same error with file and line in its message. */
export function errorAtLine(fault: AsOfError, where: LineLocation): AsOfError {
  // The line replaces the library's passage number.
  const message = fault.message.replace(/^Passage \d+(?: \(id "(?:[^"\\]|\\.)*"\))?: /, '');
  return new AsOfError('ERR_INVALID_INPUT', `${where.file}:${where.line}: ${message}`, {
    cause: fault,
    details: { ...fault.details, ...where },
  });
}

/** An optional field that is a list. */
export function listField<T>(
  record: Record<string, unknown>,
  name: string,
  where: LineLocation,
  { of, is }: { of: string; is(each: unknown): boolean },
): T[] | undefined {
  const value = record[name] ?? undefined;
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every(is))
    throw invalidLine(where, `"${name}" to be a list of ${of}`, JSON.stringify(value).slice(0, 60));
  return value as T[];
}
