// New York's table of motor vehicle collisions (Re3 appendix A.1): its columns, under the names of
// any of its versions, as rows of a schema with one fact per count of people.
import { excerpt, invalidLine, type LineLocation } from 'asof/kit';
import type { Re2Attribute, Re2Schema, Row } from './schema.js';

/** Column by count: number_of_cyclist_killed. */
const counts: readonly (Re2Attribute & { from: string })[] = [
  ['persons', 'persons'],
  ['pedestrians', 'pedestrians'],
  ['cyclist', 'cyclists'],
  ['motorist', 'motorists'],
].flatMap(([column, name]) =>
  ['injured', 'killed'].map((role) => ({
    column: `${name}_${role}`,
    name: name!,
    role,
    from: `number_of_${column}_${role}`,
  })),
);

/** The schema of the rows of `crashRow`. */
export const crashSchema: Re2Schema = {
  entity: 'location',
  date: 'date',
  style: 'collisions',
  attributes: counts.map(({ from: _, ...attribute }) => attribute),
};

/** Names of columns in older versions of the table. */
const formerNames: Readonly<Record<string, string>> = {
  crash_date: 'date',
  collision_id: 'unique_key',
};

/**
 * A row of the table for `crashSchema`: the date in ISO form, the place in words ("Court Street and
 * Atlantic Avenue, Brooklyn"), missing counts as 0. Undefined for a row without a street.
 * @throws AsOfError ERR_INVALID_INPUT by file and line for a row without an identifier, for a
 * missing column and for a count that is no whole number. An invalid date is a fault of the schema.
 */
export function crashRow(
  row: Readonly<Record<string, unknown>>,
  where: LineLocation,
): Row | undefined {
  const cells = new Map(
    Object.entries(row).map(([name, value]) => [
      name.toLowerCase().replace(/[^a-z0-9]+/g, '_'),
      typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '',
    ]),
  );
  const cell = (name: string): string => {
    const value = cells.get(name) ?? cells.get(formerNames[name] ?? name);
    if (value === undefined)
      throw invalidLine(where, `a column ${name}, of New York's table of collisions`, 'none');
    return value;
  };
  if (cell('collision_id') === '')
    throw invalidLine(where, 'a collision_id, which makes an entry unique', 'nothing');
  const location = locationOf((name) => inWords(cells.get(name) ?? ''));
  if (location === undefined) return undefined;
  const counted = counts.map(({ column, from }) => {
    const count = cell(from) || '0';
    if (!/^\d{1,6}$/.test(count))
      throw invalidLine(where, `"${from}" to be a whole number`, excerpt(count));
    return [column, String(Number(count))] as const;
  });
  const date = isoDay(cell('crash_date'));
  return { location, date, ...Object.fromEntries(counted) };
}

/** The corner of two streets, else a street or an address, and the borough if it is known. */
function locationOf(cell: (name: string) => string): string | undefined {
  const [street, cross] = [cell('on_street_name'), cell('cross_street_name')];
  const corner = street && cross ? `${street} and ${cross}` : street || cell('off_street_name');
  const borough = cell('borough');
  return corner === '' ? undefined : `${corner}${borough === '' ? '' : `, ${borough}`}`;
}

/** "ATLANTIC   AVENUE" as "Atlantic Avenue". */
const inWords = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .replace(/(?<![\p{L}\p{N}'])\p{L}/gu, (letter) => letter.toUpperCase());

/** 2024-07-04 of 07/04/2024 or of a date-time at midnight; other texts unchanged. */
function isoDay(text: string): string {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  if (year !== undefined) return `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
  return text.replace(/T00:00:00(?:\.0+)?Z?$/, '');
}
