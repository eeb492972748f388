// Filters in the words of users, checked and compiled for the addon.
import type { PassageFilter } from '../../../binding.js';
import { invalidArgument } from '../../errors.js';
import type { TimeInput } from '../../records.js';
import { parseInstant } from '../../time/instant.js';
import { timesOfPassages, type Fields, type FieldType, type PassageSchema } from './types.js';

/** A value to compare with; times as `Passage.publishedAt`. */
export type WhereValue = string | number | boolean | Date;

/** Conditions on one field, all of which hold. A date alone stands for that whole day. */
export interface WhereCondition {
  equals?: WhereValue;
  /** One of these; of a keyword[], at least one of these. */
  in?: readonly WhereValue[];
  /** Of a keyword[]: has this one, or all of these. */
  contains?: string | readonly string[];
  gt?: WhereValue;
  gte?: WhereValue;
  lt?: WhereValue;
  lte?: WhereValue;
  /** Whether the passage has the field. */
  exists?: boolean;
}

/**
 * A filter of passages as plain JSON: all of its entries hold. Names are those of the corpus's
 * fields, and publishedAt, validFrom and validTo (the last millisecond of validity); a value alone
 * is what the field equals or contains. A passage without the field satisfies no condition but
 * `exists: false`. An undefined value is refused: to leave it out would widen the filter.
 * @example { tenant: 'a', price: { gte: 10, lt: 20 }, not: { tags: { contains: 'draft' } } }
 */
export interface Where {
  and?: readonly Where[];
  or?: readonly Where[];
  not?: Where;
  [field: string]: WhereValue | WhereCondition | Where | readonly Where[] | undefined;
}

/** Of filters within filters. */
const deepest = 32;
/** Conditions of a filter, with its `and`, `or` and `not`, and values of all its lists. */
export const mostConditions = 16_384;
const mostValues = 65_536;

const conditions = ['equals', 'in', 'contains', 'gt', 'gte', 'lt', 'lte', 'exists'] as const;
type ConditionName = (typeof conditions)[number];

/**
 * Checks the size of a filter, whatever else it holds, before work is done for it.
 * @throws AsOfError ERR_INVALID_ARGUMENT
 */
export function checkConditions(where: unknown, most = mostConditions): void {
  let conditions = 0;
  let values = 0;
  const count = (filter: unknown, depth: number): void => {
    if (!isPlainObject(filter)) return;
    if (depth > deepest)
      throw invalidArgument('where', `at most ${deepest} levels deep`, 'more', 'Flatten it.');
    for (const [name, value] of Object.entries(filter)) {
      conditions += 1;
      if (Array.isArray(value)) {
        // Its length first, so that a list that is too long costs nothing.
        check(conditions + value.length, values);
        for (const each of value) count(each, depth + 1);
      } else if (name === 'not') count(value, depth + 1);
      else if (isPlainObject(value)) {
        const operands = Object.values(value);
        conditions += operands.length - 1;
        for (const each of operands) values += Array.isArray(each) ? each.length : 0;
      }
      check(conditions, values);
    }
  };
  const check = (conditions: number, values: number): void => {
    if (conditions > most)
      throw invalidArgument(
        'where',
        `at most ${most} conditions`,
        conditions,
        'List values of one field with in: { field: { in: [...] } }.',
      );
    if (values > mostValues)
      throw invalidArgument('where', `at most ${mostValues} values in its lists`, values);
  };
  count(where, 0);
}

/** @throws AsOfError ERR_INVALID_ARGUMENT */
export function compileWhere(where: Where, schema: PassageSchema): PassageFilter {
  checkConditions(where);
  return compiled(where, schema);
}

function compiled(where: Where, schema: PassageSchema): PassageFilter {
  if (!isPlainObject(where))
    throw invalidArgument('where', 'an object { field: value, ... }', where);
  const of: PassageFilter[] = [];
  for (const [name, value] of Object.entries(where)) {
    // Skipped, a tenant that is not known would show all.
    if (value === undefined) throw invalidArgument(`where.${name}`, 'a condition', value);
    if (name === 'and' || name === 'or') {
      if (!Array.isArray(value))
        throw invalidArgument(`where.${name}`, 'an array of filters', value);
      const each = (value as readonly Where[]).map((one) => compiled(one, schema));
      of.push({ kind: name === 'and' ? 'all' : 'any', of: each });
    } else if (name === 'not') {
      of.push({ kind: 'none', of: [compiled(value as Where, schema)] });
    } else {
      of.push(...compileField(name, value as WhereValue | WhereCondition, schema));
    }
  }
  return of.length === 1 ? of[0]! : { kind: 'all', of };
}

/** Number and type of a field; times of passages are below 0. */
export function fieldOf(
  name: string,
  fields: Fields,
  argument: string,
): { field: number; type: FieldType } {
  const time = timesOfPassages.indexOf(name as (typeof timesOfPassages)[number]);
  if (time >= 0) return { field: -1 - time, type: 'time' };
  const names = Object.keys(fields);
  const field = names.indexOf(name);
  if (field >= 0) return { field, type: fields[name]! };
  throw invalidArgument(
    argument,
    `a field of the corpus: ${[...names, ...timesOfPassages].join(', ')}`,
    name,
    'Fields are declared: fields of Corpus.open or alterFields, --field of asof index, --add of ' +
      'asof fields.',
  );
}

function compileField(
  name: string,
  value: WhereValue | WhereCondition,
  { fields, timeZone }: PassageSchema,
): PassageFilter[] {
  const { field, type } = fieldOf(name, fields, 'where');
  const condition: WhereCondition = isPlainObject(value)
    ? value
    : { [type === 'keyword[]' ? 'contains' : 'equals']: value };
  const entries = Object.entries(condition);
  if (entries.length === 0)
    throw invalidArgument(`where.${name}`, `some of ${conditions.join(', ')}`, value);
  return entries.map(([operator, operand]) =>
    compileCondition({ name, field, type, timeZone, operator: operator as ConditionName, operand }),
  );
}

interface Condition {
  name: string;
  field: number;
  type: FieldType;
  timeZone: string | undefined;
  operator: ConditionName;
  operand: unknown;
}

/** Which operators a type has, besides `exists`. */
const operatorsOf: Record<FieldType, readonly ConditionName[]> = {
  keyword: ['equals', 'in'],
  'keyword[]': ['contains', 'in'],
  boolean: ['equals', 'in'],
  number: ['equals', 'in', 'gt', 'gte', 'lt', 'lte'],
  time: ['equals', 'in', 'gt', 'gte', 'lt', 'lte'],
};

function compileCondition(condition: Condition): PassageFilter {
  const { name, field, type, operator, operand } = condition;
  const where = `where.${name}.${operator}`;
  if (operator === 'exists') {
    if (typeof operand !== 'boolean') throw invalidArgument(where, 'a boolean', operand);
    const exists: PassageFilter = { kind: 'exists', field };
    return operand ? exists : { kind: 'none', of: [exists] };
  }
  if (!operatorsOf[type].includes(operator)) {
    const possible = [...operatorsOf[type], 'exists'].join(', ');
    throw invalidArgument(`where.${name}`, `some of ${possible} (a ${type})`, operator);
  }
  const values = listOf(where, operator, operand);
  if (type === 'number' || type === 'time') return ofNumbers(where, condition, values);
  const keywords = values.map((value) => keywordOf(where, type, value));
  if (operator !== 'contains') return { kind: 'keywords', field, values: keywords };
  return {
    kind: 'all',
    of: keywords.map((keyword) => ({ kind: 'keywords', field, values: [keyword] })),
  };
}

function listOf(where: string, operator: ConditionName, operand: unknown): readonly unknown[] {
  const isList = Array.isArray(operand);
  if (operator === 'in' && !isList) throw invalidArgument(where, 'an array of values', operand);
  if (!isList) return [operand];
  if (operator !== 'in' && operator !== 'contains')
    throw invalidArgument(where, 'one value', operand);
  return operand as readonly unknown[];
}

function keywordOf(where: string, type: FieldType, value: unknown): string {
  const expected = type === 'boolean' ? 'boolean' : 'string';
  if (typeof value !== expected) throw invalidArgument(where, `a ${expected}`, value);
  const keyword = String(value);
  if (!keyword.isWellFormed()) throw invalidArgument(where, 'text without lone surrogates', value);
  return keyword;
}

function ofNumbers(
  where: string,
  { field, type, timeZone, operator }: Condition,
  values: readonly unknown[],
): PassageFilter {
  const [range, ...others] = values.map((value) => rangeOf(where, { type, timeZone }, value));
  if (operator === 'in') {
    const ranges = range ? [range, ...others] : [];
    if (ranges.every(({ from, to }) => from === to)) {
      const numbers = Float64Array.from(ranges, ({ from }) => from).sort();
      return { kind: 'numbers', field, values: numbers };
    }
    return { kind: 'any', of: ranges.map((each) => ({ kind: 'range', field, ...each })) };
  }
  const { from, to } = range!;
  const bounds = {
    equals: { from, to },
    gte: { from, to: Infinity },
    gt: { from: above(to), to: Infinity },
    lte: { from: -Infinity, to },
    lt: { from: -Infinity, to: below(from) },
  }[operator as 'equals' | 'gte' | 'gt' | 'lte' | 'lt'];
  return { kind: 'range', field, ...bounds };
}

/** First and last number that a value stands for: a date alone is all of that day. */
function rangeOf(
  where: string,
  { type, timeZone }: Pick<Condition, 'type' | 'timeZone'>,
  value: unknown,
): { from: number; to: number } {
  if (type === 'time') {
    const from = parseInstant(value as TimeInput, 'start', where, timeZone);
    const to = parseInstant(value as TimeInput, 'end', where, timeZone);
    return { from, to: to > from ? to - 1 : from };
  }
  if (typeof value !== 'number' || Number.isNaN(value))
    throw invalidArgument(where, 'a number', value);
  return { from: value, to: value };
}

/** The next double above. */
function above(value: number): number {
  if (value === Infinity) return NaN; // nothing is
  if (value === 0) return Number.MIN_VALUE;
  const bits = new BigInt64Array(Float64Array.of(value).buffer);
  bits[0]! += value > 0 ? 1n : -1n;
  return new Float64Array(bits.buffer)[0]!;
}

const below = (value: number): number => -above(-value);

const isPlainObject = (value: unknown): value is WhereCondition & Where =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Date) &&
  !ArrayBuffer.isView(value);
