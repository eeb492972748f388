// Values against a JSON Schema of the keywords that schemas here have, with faults in the form of
// the library's errors. A schema with any other keyword is refused: none is ignored.
import { AsOfError, invalidArgument, isObject } from '../errors.js';
import { suggestion } from '../runtime/nearestName.js';
import type { JsonSchema } from './textModel.js';

interface Known {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  /** Of values under other names; true if absent. */
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  title?: string;
  description?: string;
}

const keywords = [
  'type',
  'enum',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'pattern',
  'title',
  'description',
] as const satisfies readonly (keyof Known)[];

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isSafeInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isObject,
  null: (value) => value === null,
};

/**
 * A check of values: the faults of a value one by one, each an ERR_INVALID_ARGUMENT that names the
 * place in the value (`passages[2].text`, or `whole`) and says what fits. A list that is too long
 * is one fault, without a look at its elements.
 * @throws AsOfError ERR_INVALID_ARGUMENT for a schema with another keyword
 */
export function schemaFaults(
  schema: JsonSchema,
  whole: string,
): (value: unknown) => Generator<AsOfError, void> {
  checkSchema(schema);
  return (value) => faultsAt(value, schema, { path: '', whole });
}

function checkSchema(schema: unknown): void {
  const refused = (expected: string, received: unknown): AsOfError =>
    invalidArgument('schema', expected, received, 'Mend the schema.');
  if (!isObject(schema)) throw refused('a JSON Schema object', schema);
  const known: readonly string[] = keywords;
  const other = Object.keys(schema).find((name) => !known.includes(name));
  if (other !== undefined) throw refused(`of the keywords ${known.join(', ')}`, other);
  const { type = [], properties = {}, items, additionalProperties } = schema as Known;
  for (const each of [type].flat())
    if (!Object.hasOwn(types, each))
      throw refused(`of types ${Object.keys(types).join(', ')}`, each);
  for (const part of [...Object.values(properties), items, additionalProperties])
    if (part !== undefined && typeof part !== 'boolean') checkSchema(part);
}

interface Place {
  path: string;
  /** Name of the value as a whole. */
  whole: string;
}

function* faultsAt(value: unknown, schema: Known, place: Place): Generator<AsOfError, void> {
  const { path, whole } = place;
  const name = path === '' ? whole : path;
  if (!fits(value, schema)) {
    yield invalidArgument(name, wordsOf(schema), value);
  } else if (Array.isArray(value)) {
    const { items } = schema;
    if (items)
      for (const [at, each] of value.entries())
        yield* faultsAt(each, items, { path: `${path}[${at}]`, whole });
  } else if (isObject(value)) {
    const { properties = {}, required = [], additionalProperties: others = true } = schema;
    const names = Object.keys(properties);
    const given = Object.keys(value);
    const stranger = given.find((each) => others === false && !Object.hasOwn(properties, each));
    const pathOf = (each: string): string => (path === '' ? each : `${path}.${each}`);
    if (stranger !== undefined) {
      const near = suggestion(stranger, names).trim();
      const { message } = invalidArgument(name, `an object of ${names.join(', ')}`, stranger, near);
      yield faultOf(message, pathOf(stranger));
    }
    const missing = required.filter((each) => !Object.hasOwn(value, each));
    if (missing.length > 0) {
      const remedy = missing
        .map((each) => `${each}: ${wordsOf(properties[each] ?? {})}`)
        .join('; ');
      yield faultOf(
        `Expected ${name} to have ${missing.join(' and ')}, received ` +
          `${given.slice(0, 6).join(', ') || 'none'}. Give ${remedy}.`,
        pathOf(missing[0]!),
      );
    }
    for (const [each, inner] of Object.entries(value)) {
      const part = Object.hasOwn(properties, each) ? properties[each] : others;
      if (isObject(part)) yield* faultsAt(inner, part, { path: pathOf(each), whole });
    }
  }
}

const faultOf = (message: string, argument: string): AsOfError =>
  new AsOfError('ERR_INVALID_ARGUMENT', message, { details: { argument } });

/** The value by itself, without what is in it. */
function fits(value: unknown, schema: Known): boolean {
  const { type, enum: values, pattern } = schema;
  if (type !== undefined && ![type].flat().some((each) => types[each]!(value))) return false;
  if (values && !values.includes(value)) return false;
  const within = (size: number, least = -Infinity, most = Infinity): boolean =>
    size >= least && size <= most;
  if (typeof value === 'number') return within(value, schema.minimum, schema.maximum);
  if (Array.isArray(value)) return within(value.length, schema.minItems, schema.maxItems);
  if (typeof value !== 'string') return true;
  const hasLength = within(value.length, schema.minLength, schema.maxLength);
  return hasLength && (pattern === undefined || new RegExp(pattern, 'u').test(value));
}

/** What fits a schema, in words. */
function wordsOf({ type, enum: values, pattern, items, ...limits }: Known): string {
  if (values) return `one of ${values.join(', ')}`;
  const number = (value: number): string => value.toLocaleString('en-US');
  const range = (least?: number, most?: number): string =>
    (least === undefined ? '' : ` from ${number(least)}`) +
    (most === undefined ? '' : ` to ${number(most)}`);
  const count = (what: string, least = 0, most?: number): string => {
    if (most !== undefined) return ` of ${number(least)} to ${number(most)} ${what}`;
    return least === 0 ? '' : ` of ${number(least)} ${what} or more`;
  };
  const words: Readonly<Record<string, string>> = {
    string:
      pattern === undefined
        ? `a string${count('characters', limits.minLength, limits.maxLength)}`
        : `a string like ${pattern}`,
    integer: `a whole number${range(limits.minimum, limits.maximum)}`,
    number: `a number${range(limits.minimum, limits.maximum)}`,
    boolean: 'a boolean',
    array: `a list${count(pluralOf(items), limits.minItems, limits.maxItems)}`,
    object: 'an object',
    null: 'null',
  };
  return (
    [type ?? []]
      .flat()
      .map((each) => words[each]!)
      .join(' or ') || 'any value'
  );
}

const pluralOf = ({ type }: Known = {}): string =>
  typeof type === 'string' ? `${type}s` : 'elements';
