// Columns of the fields of a batch of passages.
import { binding } from '../../binding.js';
import type { FieldColumn, SectionArray } from '../../../binding.js';
import { invalidArgument } from '../../errors.js';
import type { StoredPassage } from '../../records.js';
import { packTermRows } from '../../text/termRows.js';
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
 * The schema and the columns of passages in the order of a segment; `recorded` is when each was
 * written, of corpora with history.
 */
export function fieldSections(
  schema: PassageSchema,
  passages: readonly StoredPassage[],
  recorded: readonly (number | undefined)[],
): { name: string; data: SectionArray }[] {
  const { fields, timeZone, sentences } = schema;
  const columns = Object.entries(fields).map(([name, type]) =>
    fieldColumn(
      type,
      name === recordedAt ? recorded : passages.map((each) => valueIn(each, name, schema)),
    ),
  );
  const text = new TextEncoder().encode(JSON.stringify({ fields, timeZone, sentences }));
  return [{ name: schemaSection, data: text }, ...binding.packFields(columns, passages.length)];
}

/** What a passage has in a field of the schema, but in `recordedAt`. */
export function valueIn(
  { metadata, series }: StoredPassage,
  name: string,
  { fields, timeZone }: PassageSchema,
): FieldValue {
  const value = name === seriesField ? series : metadata?.[name];
  return fieldValue({ name, type: fields[name]!, timeZone }, value, (expected) =>
    invalidArgument(name, expected, value),
  );
}

/**
 * What a passage has in the fields of its corpus by their names, those that it lacks left out:
 * keywords, of a boolean `true` or `false`, or a number, of a time its UTC epoch milliseconds. The
 * field `series` has the name of its series.
 */
export const fieldValues = (
  passage: StoredPassage,
  schema: PassageSchema,
): Record<string, readonly string[] | number> =>
  Object.fromEntries(
    Object.keys(schema.fields).flatMap((name) => {
      const value = valueIn(passage, name, schema);
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** A column of values, one a passage. */
export function fieldColumn(type: FieldType, values: readonly FieldValue[]): FieldColumn {
  if (type === 'number' || type === 'time')
    return { numbers: Float64Array.from(values, (value) => (value as number | undefined) ?? NaN) };
  return packTermRows(values.map((value) => (value as readonly string[] | undefined) ?? []));
}
