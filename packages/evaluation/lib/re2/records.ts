// Reader of CSV and JSONL rows as facts by a schema. Malformed rows are rejected by file and line;
// invalid dates are never adjusted.
import { AsOfError } from 'asof';
import { excerpt, invalidLine, readJsonLines, type LineLocation } from 'asof/kit';
import { parseInstant } from 'asof/time';
import type { RecordDate } from './dates.js';
import {
  checkSchema,
  type CheckedSchema,
  type Re2Schema,
  type Row,
  type AttributeGroup,
} from './schema.js';
import { readCsv, type CsvOptions } from '@asof/documents';
import { civilFromDays, dayMilliseconds, daysInMonth } from '../calendar.js';
import { shown } from '../files/fields.js';

/** One version of one fact, the content of a passage. */
export interface Re2Record {
  entity: string;
  /** Label of the fact within the entity, if rows have one. */
  label?: string;
  /** Index of the attribute group. */
  group: number;
  date: RecordDate;
  /** Epoch milliseconds. */
  published: number;
  /** Whether the publication is a day, without a time. */
  publishedDay: boolean;
  /** One value per attribute of the group, as in the file. */
  values: readonly string[];
}

const longest = { name: 200, value: 500 };

export interface ReadRe2Options extends CsvOptions {
  /** A row of the file as the schema has it; undefined if without a fact. Default: unchanged. */
  row?: (row: Readonly<Record<string, unknown>>, where: LineLocation) => Row | undefined;
}

/**
 * The facts of a file, in its order: `.csv` and `.tsv` as tables, anything else as JSON lines. A
 * group of attributes with a missing value gives no fact.
 * @throws AsOfError ERR_INVALID_ARGUMENT for an invalid schema; ERR_INVALID_INPUT by file and line
 * (or to `onFault`), and for a missing column; ERR_NOT_FOUND; ERR_ABORTED.
 */
export async function* readRe2Records(
  file: string,
  schema: Re2Schema,
  { row: mapped = (row) => row as Row, ...options }: ReadRe2Options = {},
): AsyncGenerator<Re2Record> {
  const checked = checkSchema(schema);
  const read = (given: Record<string, unknown>, where: LineLocation): Re2Record[] => {
    const row = mapped(given, where);
    return row === undefined ? [] : re2RecordsOf(row, checked, where);
  };
  const delimiter = checked.delimiter === undefined ? {} : { delimiter: checked.delimiter };
  const rows = /\.[ct]sv$/i.test(file)
    ? readCsv(file, read, { ...options, ...delimiter })
    : readJsonLines(file, read, options);
  for await (const facts of rows) yield* facts;
}

/**
 * The facts of a given row. `where` locates it in errors. Errors: as `readRe2Records`.
 */
export function re2RecordsOf(
  row: Readonly<Record<string, unknown>>,
  schema: CheckedSchema,
  where: LineLocation,
): Re2Record[] {
  return factsOf(cells(row, schema, where), schema, where);
}

/**
 * The columns of the schema as single-line texts; null is an empty text.
 */
function cells(
  row: Readonly<Record<string, unknown>>,
  { columns }: CheckedSchema,
  where: LineLocation,
): Row {
  const texts: Record<string, string> = {};
  for (const name of columns) {
    if (!Object.hasOwn(row, name))
      throw invalidLine(
        where,
        `the column ${JSON.stringify(name)} that the schema names`,
        `a record with ${Object.keys(row).slice(0, 12).join(', ') || 'no fields'}`,
      );
    const value = row[name] ?? '';
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      throw invalidLine(where, `"${name}" to be a text or a number`, shown(value));
    const text = String(value);
    if (!text.isWellFormed())
      throw invalidLine(where, `"${name}" to be Unicode text`, 'a lone surrogate in it');
    texts[name] = /[\s\p{Cc}]/u.test(text) ? text.replace(/[\s\p{Cc}]+/gu, ' ').trim() : text;
  }
  return texts;
}

function factsOf(row: Row, schema: CheckedSchema, where: LineLocation): Re2Record[] {
  const entity = named(schema.entity(row), 'the entity', where);
  const label =
    schema.attribute === undefined
      ? undefined
      : named(schema.attribute(row), 'the attribute', where);
  const date = dateOf(row[schema.date]!, where);
  const publication =
    schema.published === undefined
      ? onItsDate(date)
      : publicationOf(row[schema.published]!, schema.published, where);
  return schema.groups.flatMap((group) => {
    const values = valuesOf(row, group, where);
    return values === undefined
      ? []
      : [
          {
            entity,
            ...(label === undefined ? {} : { label }),
            group: group.index,
            date,
            ...publication,
            values,
          },
        ];
  });
}

function named(value: string, what: string, where: LineLocation): string {
  if (value === '') throw invalidLine(where, `${what} to be named`, 'nothing');
  if (value.length > longest.name)
    throw invalidLine(where, `${what} in at most ${longest.name} characters`, `${value.length}`);
  return value;
}

function valuesOf(row: Row, group: AttributeGroup, where: LineLocation): string[] | undefined {
  const values = group.attributes.map(({ column }) => row[column]!);
  const long = values.find((value) => value.length > longest.value);
  if (long !== undefined)
    throw invalidLine(where, `values of at most ${longest.value} characters`, excerpt(long));
  return values.includes('') ? undefined : values;
}

function dateOf(text: string, where: LineLocation): RecordDate {
  const { start, end } = stretch(text, 'a date', where);
  const day = Math.floor(start / dayMilliseconds);
  const days = (end - start) / dayMilliseconds;
  if (days <= 1) return { day, granularity: 'day' };
  const { year, month } = civilFromDays(day);
  return { day, granularity: days === daysInMonth(year, month) ? 'month' : 'year' };
}

function publicationOf(
  text: string,
  column: string,
  where: LineLocation,
): Pick<Re2Record, 'published' | 'publishedDay'> {
  const { start, end } = stretch(
    text,
    `${JSON.stringify(column)} to be a day or a date-time`,
    where,
  );
  if (end - start > dayMilliseconds)
    throw invalidLine(where, `${JSON.stringify(column)} to be a day or a date-time`, excerpt(text));
  return { published: start, publishedDay: end > start };
}

/**
 * A record without a publication is published on its date, or on the last day of its month or year.
 */
function onItsDate(date: RecordDate): Pick<Re2Record, 'published' | 'publishedDay'> {
  const { year, month } = civilFromDays(date.day);
  const last =
    date.granularity === 'day'
      ? date.day
      : date.granularity === 'month'
        ? date.day + daysInMonth(year, month) - 1
        : date.day + (daysInMonth(year, 2) === 29 ? 365 : 364);
  return { published: last * dayMilliseconds, publishedDay: true };
}

function stretch(
  text: string,
  expected: string,
  where: LineLocation,
): { start: number; end: number } {
  try {
    if (text === '') throw invalidLine(where, `${expected}`, 'nothing');
    return { start: parseInstant(text, 'start'), end: parseInstant(text, 'end') };
  } catch (cause) {
    if (!AsOfError.is(cause) || cause.code === 'ERR_INVALID_INPUT') throw cause;
    throw invalidLine(
      where,
      expected,
      shown(text),
      'Write ISO 8601: 2021, 2021-05, 2021-05-06 or 2021-05-06T13:50Z, of a day that the ' +
        'calendar has.',
    );
  }
}
