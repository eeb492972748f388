// Mastra's filters of metadata, which are MongoDB's, as filters of a corpus. Equality goes by the
// keywords of entries (entries.ts), ranges by declared fields; what neither has is decided by
// reading the metadata of the passages that the rest lets through.
import { invalidArgument, type Clocks } from 'asof/kit';
import type { TimeInput, Fields, Where } from 'asof';
import { parseInstant } from 'asof/time';
import {
  elementsAt,
  entriesField,
  existsKeyword,
  plainValue,
  valueKeyword,
  valuesAt,
} from './entries.js';

export type Metadata = Record<string, unknown>;

/** A filter of passages, and whether each of them satisfies it by the metadata. */
export interface CompiledFilter {
  /** All passages that satisfy the filter pass, and no others if it is exact. */
  where: Where;
  isExact: boolean;
  accepts: (metadata: Metadata) => boolean;
}

/** What decides how an entry of metadata is compared. */
export interface FilterSchema {
  fields: Fields;
  clocks: Required<Clocks>;
}

const everything: CompiledFilter = { where: {}, isExact: true, accepts: () => true };

/** @throws AsOfError ERR_INVALID_ARGUMENT */
export function compileFilter(filter: unknown, schema: FilterSchema): CompiledFilter {
  if (filter === undefined || filter === null) return everything;
  if (!isObject(filter)) throw invalidArgument('filter', 'an object { field: value, ... }', filter);
  return all(
    Object.entries(filter).map(([name, value]) => {
      if (name === '$and' || name === '$or' || name === '$nor') {
        if (!Array.isArray(value)) throw invalidArgument(name, 'an array of filters', value);
        const parts = value.map((each) => compileFilter(each, schema));
        return name === '$and' ? all(parts) : name === '$or' ? any(parts) : not(any(parts));
      }
      if (name === '$not') return not(compileFilter(value, schema));
      if (name.startsWith('$'))
        throw invalidArgument('filter', 'fields, and $and, $or, $nor or $not', name);
      return compileField(name, value, schema);
    }),
  );
}

function all(parts: CompiledFilter[]): CompiledFilter {
  if (parts.length === 1) return parts[0]!;
  return {
    where: { and: parts.map(({ where }) => where) },
    isExact: parts.every(({ isExact }) => isExact),
    accepts: (metadata) => parts.every(({ accepts }) => accepts(metadata)),
  };
}

function any(parts: CompiledFilter[]): CompiledFilter {
  return {
    where: { or: parts.map(({ where }) => where) },
    isExact: parts.every(({ isExact }) => isExact),
    accepts: (metadata) => parts.some(({ accepts }) => accepts(metadata)),
  };
}

/** The complement of what passes an inexact filter may satisfy the negation, and the rest too. */
const not = ({ where, isExact, accepts }: CompiledFilter): CompiledFilter => ({
  where: isExact ? { not: where } : {},
  isExact,
  accepts: (metadata) => !accepts(metadata),
});

function compileField(path: string, value: unknown, schema: FilterSchema): CompiledFilter {
  if (value instanceof RegExp) return compileOperator(path, '$regex', value, schema);
  if (Array.isArray(value)) return isIn(path, value);
  if (!isObject(value)) return equals(path, value);
  const entries = Object.entries(value);
  if (entries.length === 0)
    throw invalidArgument(`filter.${path}`, 'a value or an object of operators', value);
  if (!entries.some(([name]) => name.startsWith('$')))
    return all(entries.map(([name, each]) => compileField(`${path}.${name}`, each, schema)));
  const flags = value['$options'];
  const operators = entries.filter(([name]) => name !== '$options');
  return all(
    operators.map(([name, operand]) =>
      compileOperator(
        path,
        name,
        name === '$regex' ? regularExpression(path, operand, flags) : operand,
        schema,
      ),
    ),
  );
}

const operatorNames =
  '$eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $all, $exists, $regex, $elemMatch or $not';

function compileOperator(
  path: string,
  name: string,
  operand: unknown,
  schema: FilterSchema,
): CompiledFilter {
  switch (name) {
    case '$eq':
      return equals(path, operand);
    case '$ne':
      return not(equals(path, operand));
    case '$in':
      return isIn(path, listOf(path, name, operand));
    case '$nin':
      return not(isIn(path, listOf(path, name, operand)));
    case '$all':
      return all(listOf(path, name, operand).map((each) => equals(path, each)));
    case '$exists':
      if (typeof operand !== 'boolean')
        throw invalidArgument(`filter.${path}.$exists`, 'a boolean', operand);
      return operand ? exists(path) : not(exists(path));
    case '$not':
      return not(compileField(path, operand, schema));
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return compares(path, name, operand, schema);
    case '$regex':
      return matches(path, operand as RegExp);
    case '$elemMatch':
      return hasElement(path, operand);
    default:
      throw invalidArgument(`filter.${path}`, `some of ${operatorNames}`, name);
  }
}

function listOf(path: string, name: string, operand: unknown): unknown[] {
  if (Array.isArray(operand)) return operand;
  throw invalidArgument(`filter.${path}.${name}`, 'an array of values', operand);
}

const has = (keyword: string): Where => ({ [entriesField]: { contains: keyword } });

const exists = (path: string): CompiledFilter => ({
  where: has(existsKeyword(path)),
  isExact: true,
  accepts: (metadata) => valuesAt(metadata, path).length > 0,
});

/** An entry that is null is as one that is absent. */
function equals(path: string, operand: unknown): CompiledFilter {
  const value = plainValue(operand);
  if (value === undefined || value === null) return not(isNotNull(path));
  if (typeof value === 'object')
    throw invalidArgument(`filter.${path}`, 'a string, number, boolean, Date or null', operand);
  return {
    where: has(valueKeyword(path, value)),
    isExact: true,
    accepts: (metadata) => valuesAt(metadata, path).includes(value),
  };
}

const isNotNull = (path: string): CompiledFilter => ({
  where: { and: [has(existsKeyword(path)), { not: has(valueKeyword(path, null)) }] },
  isExact: true,
  accepts: (metadata) => {
    const values = valuesAt(metadata, path);
    return values.length > 0 && !values.includes(null);
  },
});

const isIn = (path: string, values: readonly unknown[]): CompiledFilter =>
  any(values.map((each) => equals(path, each)));

function compares(
  path: string,
  name: '$gt' | '$gte' | '$lt' | '$lte',
  operand: unknown,
  { fields, clocks }: FilterSchema,
): CompiledFilter {
  const limit = plainValue(operand);
  const operator = name.slice(1);
  const clock = Object.entries(clocks).find(([, key]) => key === path)?.[0];
  const type = clock ? 'time' : fields[path];
  if (type === 'time') {
    const bound = boundOf(name, limit, `filter.${path}.${name}`);
    return {
      where: { [clock ?? path]: { [operator]: limit as TimeInput } },
      isExact: true,
      accepts: (metadata) =>
        valuesAt(metadata, path).some(
          (each) => each !== null && holds(name, instantOf(each, clock, path), bound),
        ),
    };
  }
  if (typeof limit !== 'string' && typeof limit !== 'number')
    throw invalidArgument(`filter.${path}.${name}`, 'a number, string or Date', operand);
  const isField = type === 'number' && typeof limit === 'number';
  return {
    where: isField ? { [path]: { [operator]: limit } } : has(existsKeyword(path)),
    isExact: isField,
    accepts: (metadata) => valuesAt(metadata, path).some((each) => holds(name, each, limit)),
  };
}

/** The millisecond that a time is compared with; a date alone is all of that day. */
function boundOf(name: string, limit: unknown, argument: string): number {
  const from = parseInstant(limit as TimeInput, 'start', argument);
  const to = parseInstant(limit as TimeInput, 'end', argument);
  return (name === '$gt' || name === '$lte') && to > from ? to - 1 : from;
}

/** As filters of a corpus compare it: of validity the last millisecond. */
const instantOf = (value: unknown, clock: string | undefined, path: string): number =>
  clock === 'validTo'
    ? parseInstant(value as TimeInput, 'end', path) - 1
    : parseInstant(value as TimeInput, 'start', path);

/** Values of different types are not comparable. */
function holds(
  name: '$gt' | '$gte' | '$lt' | '$lte',
  value: unknown,
  limit: string | number,
): boolean {
  if (typeof value !== typeof limit) return false;
  const each = value as string | number;
  if (name === '$gt') return each > limit;
  if (name === '$gte') return each >= limit;
  return name === '$lt' ? each < limit : each <= limit;
}

/** A leading (?i), as of other stores, is the flag i. */
function regularExpression(path: string, operand: unknown, flags: unknown): RegExp {
  const { source, flags: own } =
    operand instanceof RegExp ? operand : { source: operand, flags: '' };
  try {
    if (typeof source !== 'string') throw new TypeError('it is no text');
    const [, inline = '', pattern = ''] = /^(?:\(\?([ims]+)\))?(.*)$/s.exec(source)!;
    const all = new Set(
      `${own}${inline}${typeof flags === 'string' ? flags : ''}`.replace(/[gy]/g, ''),
    );
    return new RegExp(pattern, [...all].join(''));
  } catch (cause) {
    const reason = (cause as Error).message;
    throw invalidArgument(`filter.${path}.$regex`, 'a regular expression', operand, reason);
  }
}

const matches = (path: string, pattern: RegExp): CompiledFilter => ({
  where: has(existsKeyword(path)),
  isExact: false,
  accepts: (metadata) =>
    valuesAt(metadata, path).some((each) => typeof each === 'string' && pattern.test(each)),
});

function hasElement(path: string, operand: unknown): CompiledFilter {
  if (!isObject(operand))
    throw invalidArgument(`filter.${path}.$elemMatch`, 'an object of conditions', operand);
  // Of elements that are values rather than objects.
  const ofValues = Object.keys(operand).every((name) => name.startsWith('$'));
  const { accepts } = compileFilter(ofValues ? { value: operand } : operand, ofElements);
  return {
    where: has(existsKeyword(path)),
    isExact: false,
    accepts: (metadata) =>
      elementsAt(metadata, path).some((value) =>
        ofValues ? accepts({ value }) : isObject(value) && accepts(value),
      ),
  };
}

/** Elements of lists have no fields and no times. */
const ofElements: FilterSchema = {
  fields: {},
  clocks: { publishedAt: '', validFrom: '', validTo: '' },
};

const isObject = (value: unknown): value is Metadata =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Date) &&
  !(value instanceof RegExp);
