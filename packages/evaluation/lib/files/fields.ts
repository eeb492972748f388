// Fields that several file formats of evaluation share.
import { stringField, type LineLocation } from 'asof/kit';

/** An id: a text, or a whole number as its digits, as some tools write ids. */
export function idField(
  record: Record<string, unknown>,
  name: string,
  where: LineLocation,
): string {
  const value = record[name];
  return typeof value === 'number' && Number.isSafeInteger(value)
    ? String(value)
    : stringField(record, name, where);
}

/** A value of a line for an error message. */
export const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? 'nothing';
