// Columns of the fields of a batch of passages.
import { binding } from '../../binding.js';
import type { FieldColumn, SectionArray } from '../../../binding.js';
import { invalidArgument } from '../../errors.js';
import type { StoredPassage } from '../../records.js';
import { TermRows } from '../../text/termRows.js';
import {
  fieldValue,
  recordedAt,
  seriesField,
  type FieldType,
  type FieldValue,
  type PassageSchema,
} from './types.js';

/** The section with the schema as JSON, for repair: the manifest has it, too. */
export const schemaSection = 'passages.schema';

/**
 * The schema and the columns of passages in the order of a segment; `recorded` is when they are
 * written, of corpora with history.
 */
export function fieldSections(
  { fields, timeZone, sentences }: PassageSchema,
  passages: readonly StoredPassage[],
  recorded: number | undefined,
): { name: string; data: SectionArray }[] {
  const columns = Object.entries(fields).map(([name, type]) =>
    fieldColumn(
      type,
      passages.map(({ metadata, series }) => {
        if (name === recordedAt) return recorded;
        const value = name === seriesField ? series : metadata?.[name];
        return fieldValue({ name, type, timeZone }, value, (expected) =>
          invalidArgument(name, expected, value),
        );
      }),
    ),
  );
  const schema = new TextEncoder().encode(JSON.stringify({ fields, timeZone, sentences }));
  return [{ name: schemaSection, data: schema }, ...binding.packFields(columns, passages.length)];
}

/** A column of values, one a passage. */
export function fieldColumn(type: FieldType, values: readonly FieldValue[]): FieldColumn {
  if (type === 'number' || type === 'time')
    return { numbers: Float64Array.from(values, (value) => (value as number | undefined) ?? NaN) };
  const rows = new TermRows();
  for (const value of values) rows.add((value as readonly string[] | undefined) ?? []);
  return rows.pack();
}
