// Filters of passages (lib/store/fields/where.ts) as SQL over the table of passages.
import type { Fields } from 'asof';
import type { PassageFilter } from './remoteTypes.js';
import { float8, type Parameters } from './sql.js';

/** Of publishedAt (-1), validFrom and validTo: of that the last millisecond. */
const timeColumns = ['published', 'valid_from', 'valid_to - 1'];

/** The number of a field or time of passages (lib/store/fields/where.ts), null without one. */
export const numberSql = (field: number, fields: Fields, parameters: Parameters): string =>
  field < 0
    ? `(${timeColumns[-1 - field]!})`
    : `(fields ->> ${parameters.add(Object.keys(fields)[field], 'text')})::float8`;

/** A condition that is true or false, never null: `none` negates it. */
export function filterSql(filter: PassageFilter, fields: Fields, parameters: Parameters): string {
  const names = Object.keys(fields);
  const keyOf = (field: number): string => parameters.add(names[field], 'text');
  const numberOf = (field: number): string => numberSql(field, fields, parameters);
  switch (filter.kind) {
    case 'all':
    case 'any': {
      const each = filter.of.map((one) => filterSql(one, fields, parameters));
      if (each.length === 0) return filter.kind === 'all' ? 'true' : 'false';
      return `(${each.join(filter.kind === 'all' ? ' and ' : ' or ')})`;
    }
    case 'none': {
      const each = filter.of.map((one) => filterSql(one, fields, parameters));
      return each.length === 0 ? 'true' : `(not (${each.join(' or ')}))`;
    }
    case 'exists':
      return filter.field < 0
        ? `(${numberOf(filter.field)} is not null)`
        : `(fields ? ${keyOf(filter.field)})`;
    case 'keywords': {
      // Containment, which has an index. Nothing stored has U+0000, which jsonb refuses.
      const name = names[filter.field]!;
      const values = filter.values
        .filter((value) => !value.includes('\0'))
        .map((value) => JSON.stringify({ [name]: [value] }));
      return `fields @> any(${parameters.add(values, 'jsonb[]')})`;
    }
    case 'numbers':
      return `coalesce(${numberOf(filter.field)} = any(${parameters.add([...filter.values], 'float8[]')}), false)`;
    case 'range': {
      const number = numberOf(filter.field);
      // A NaN bound excludes all: nothing is greater than infinity.
      if (Number.isNaN(filter.from) || Number.isNaN(filter.to)) return 'false';
      return `coalesce(${number} >= ${float8(filter.from)} and ${number} <= ${float8(filter.to)}, false)`;
    }
  }
}
