// Schema of structured records (Re3 appendix A): the columns of entity, date, publication and
// values, and which values share a passage.
import { invalidArgument } from 'asof/kit';
import { isEmptyList } from '../isEmptyList.js';
import { styles, type Style } from './wording/style.js';

export interface Re2Attribute {
  /** Column of the value. */
  column: string;
  /**
   * Name of the value in sentences ("confirmed cases"), or several alternatives. Default: the
   * column, with blanks for underscores.
   */
  name?: string | readonly string[];
  /**
   * Unit appended to the value, including a blank, or several alternatives: ["°F", " degrees
   * Fahrenheit"]. Default none.
   */
  unit?: string | readonly string[];
  /**
   * Role of the value in the style's sentences: weather has conditions, high and low; scores has
   * winner, loser and score, collisions injured and killed.
   */
  role?: string;
  /** Whether the value accumulates up to the date ("by 5 May", not "on 5 May"). Default false. */
  cumulative?: boolean;
  /** Name of a group of attributes that share a passage. Default: one passage per attribute. */
  told?: string;
}

/** Mapping of columns to entity, date, publication and values. */
export interface Re2Schema {
  /** Column of the entity, or a text with columns in braces: "{tournament} {event}". */
  entity: string;
  /** Column of the date that the values are of: ISO 8601, a day, a month or a year. */
  date: string;
  /**
   * Column of the publication time, which orders the versions of a fact. Default: records are
   * published on their date.
   */
  published?: string;
  /**
   * Column, or a text with columns in braces, of the label of a row's fact within the entity.
   */
  attribute?: string;
  attributes: readonly Re2Attribute[];
  /** Style of sentences. Default generic. */
  style?: Style;
  /**
   * Meaning of "the latest": the newest publication (forecasts) or the newest date (records).
   * Default: by the style.
   */
  latest?: 'published' | 'date';
  /** For CSV. Default: comma, or tab in .tsv. */
  delimiter?: string;
}

/** A group of attributes that share a passage. */
export interface AttributeGroup {
  /** Its place among the groups. */
  index: number;
  attributes: readonly CheckedAttribute[];
}

export interface CheckedAttribute {
  column: string;
  names: readonly string[];
  /** Whether the schema names it. */
  named: boolean;
  units: readonly string[];
  role: string | undefined;
  cumulative: boolean;
}

export interface CheckedSchema {
  /** All columns of the schema. */
  columns: readonly string[];
  entity: (row: Row) => string;
  attribute: ((row: Row) => string) | undefined;
  date: string;
  published: string | undefined;
  groups: readonly AttributeGroup[];
  style: Style;
  latest: 'published' | 'date';
  delimiter: string | undefined;
}

export type Row = Readonly<Record<string, string>>;

const remedy =
  'A schema is { entity, date, published?, attribute?, attributes: [{ column, name?, unit?, ' +
  'role?, cumulative?, told? }], style?, latest? }.';
const known = {
  schema: [
    'entity',
    'date',
    'published',
    'attribute',
    'attributes',
    'style',
    'latest',
    'delimiter',
  ],
  attribute: ['column', 'name', 'unit', 'role', 'cumulative', 'told'],
};

/** @throws AsOfError ERR_INVALID_ARGUMENT naming the field that is wrong. */
export function checkSchema(schema: Re2Schema): CheckedSchema {
  object(schema, 'schema', known.schema);
  const { style = 'generic', attributes } = schema;
  if (!Object.hasOwn(styles, style))
    throw invalidArgument('schema.style', `one of ${Object.keys(styles).join(', ')}`, style);
  const { latest = styles[style].latest } = schema;
  if (latest !== 'published' && latest !== 'date')
    throw invalidArgument('schema.latest', 'published or date', latest);
  if (isEmptyList(attributes)) {
    const expected = 'a list of at least one attribute';
    throw invalidArgument('schema.attributes', expected, attributes, remedy);
  }
  const groups = new Map<string, CheckedAttribute[]>();
  for (const [at, each] of attributes.entries()) {
    const name = `schema.attributes[${at}]`;
    object(each, name, known.attribute);
    const key = each.told === undefined ? `#${at}` : text(each.told, `${name}.told`);
    groups.set(key, [...(groups.get(key) ?? []), attributeOf(each, name, style)]);
  }
  const patterns = [
    text(schema.entity, 'schema.entity'),
    ...(schema.attribute === undefined ? [] : [text(schema.attribute, 'schema.attribute')]),
  ];
  const single = [schema.date, schema.published, ...attributes.map(({ column }) => column)].filter(
    (each) => each !== undefined,
  );
  return {
    columns: [...new Set([...patterns.flatMap(columnsOf), ...single])],
    entity: filled(patterns[0]!),
    attribute: patterns[1] === undefined ? undefined : filled(patterns[1]),
    date: text(schema.date, 'schema.date'),
    published:
      schema.published === undefined ? undefined : text(schema.published, 'schema.published'),
    groups: [...groups.values()].map((of, index) => ({ index, attributes: of })),
    style,
    latest,
    delimiter:
      schema.delimiter === undefined ? undefined : text(schema.delimiter, 'schema.delimiter'),
  };
}

function attributeOf(given: Re2Attribute, name: string, style: Style): CheckedAttribute {
  const column = text(given.column, `${name}.column`);
  const { roles } = styles[style];
  const { role } = given;
  if (role !== undefined && !roles.includes(role))
    throw invalidArgument(
      `${name}.role`,
      roles.length > 0 ? `one of ${roles.join(', ')}` : `absent in the style ${style}`,
      role,
    );
  if (roles.length > 0 && role === undefined)
    throw invalidArgument(
      `${name}.role`,
      `one of ${roles.join(', ')}, as the style ${style} needs`,
      role,
    );
  return {
    column,
    names: list(given.name ?? column.replaceAll('_', ' '), `${name}.name`),
    named: given.name !== undefined,
    units: given.unit === undefined ? [''] : list(given.unit, `${name}.unit`),
    role,
    cumulative: given.cumulative === true,
  };
}

/** The columns that a pattern names: those in braces, or itself. */
function columnsOf(pattern: string): string[] {
  return pattern.includes('{')
    ? [...pattern.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]!)
    : [pattern];
}

/** Reads columns into a text. */
function filled(pattern: string): (row: Row) => string {
  if (!pattern.includes('{')) return (row) => row[pattern]!;
  const parts = pattern.split(/\{([^{}]+)\}/);
  return (row) =>
    parts
      .map((part, at) => (at % 2 === 0 ? part : row[part]!))
      .join('')
      .trim();
}

function object(value: unknown, name: string, fields: readonly string[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidArgument(name, 'an object', value, remedy);
  const unknown = Object.keys(value).find((each) => !fields.includes(each));
  if (unknown !== undefined)
    throw invalidArgument(name, `an object with some of ${fields.join(', ')}`, unknown, remedy);
}

function text(value: unknown, name: string): string {
  if (typeof value !== 'string' || value.trim() === '')
    throw invalidArgument(name, 'a string that is not empty', value, remedy);
  return value;
}

function list(value: string | readonly string[], name: string): string[] {
  const all = Array.isArray(value) ? (value as string[]) : [value as string];
  if (all.length === 0 || !all.every((each) => typeof each === 'string'))
    throw invalidArgument(name, 'a string or a list of them', value, remedy);
  return all;
}
