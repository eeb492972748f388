// JSON Schema converted to the subset of node-llama-cpp's grammars, and answers converted back.
import type { JsonSchema } from '../../text/textModel.js';

const annotations = new Set([
  'title',
  'description',
  '$schema',
  '$id',
  '$comment',
  'default',
  'examples',
]);
/** Keywords that only narrow a schema: omitted in the grammar, checked by the validation. */
const narrowing = new Set([
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'uniqueItems',
  'minProperties',
  'maxProperties',
]);
const primitives = ['string', 'number', 'integer', 'boolean', 'null'];
const formats = ['date-time', 'time', 'date'];

class Inexpressible extends Error {}

/**
 * The schema for the grammar; undefined if the subset cannot express it. An optional property
 * becomes required and nullable: `withoutNulls` removes those nulls from the answer.
 */
export function grammarSchema(schema: JsonSchema): object | undefined {
  try {
    const { $defs, ...root } = schema;
    const converted = convert(root);
    const shared = record($defs);
    return shared ? { ...converted, $defs: mapped(shared, convert) } : converted;
  } catch (error) {
    if (error instanceof Inexpressible) return undefined;
    throw error;
  }
}

function convert(source: unknown): object {
  const schema = record(source);
  if (!schema) throw new Inexpressible('true or false as a schema');
  const { $ref, anyOf, oneOf, const: constant, enum: values, type, ...rest } = schema;
  if (typeof $ref === 'string') return only(rest, { $ref: local($ref) });
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) {
    if (!Array.isArray(choices) || type !== undefined || (anyOf && oneOf))
      throw new Inexpressible('a choice next to other keywords');
    return only(rest, { oneOf: choices.map(convert) });
  }
  if (constant !== undefined) return { const: literal(constant) };
  if (values !== undefined)
    return { enum: Array.isArray(values) ? values.map(literal) : [literal(values)] };
  if (Array.isArray(type)) return { oneOf: type.map((each: unknown) => convertType(each, rest)) };
  return convertType(
    type ?? (rest.properties ? 'object' : (rest.items ?? rest.prefixItems) ? 'array' : undefined),
    rest,
  );
}

function convertType(type: unknown, schema: Record<string, unknown>): object {
  if (type === 'object') return convertObject(schema);
  if (type === 'array') return convertArray(schema);
  if (type === 'string') {
    const { minLength, maxLength, format } = schema;
    if (formats.includes(format as string)) return { type, format };
    return {
      type,
      ...(Number.isInteger(minLength) ? { minLength } : {}),
      ...(Number.isInteger(maxLength) ? { maxLength } : {}),
    };
  }
  if (primitives.includes(type as string)) return { type };
  throw new Inexpressible('a value of any type');
}

function convertObject({
  properties,
  required = [],
  additionalProperties,
  ...rest
}: Record<string, unknown>): object {
  onlyKnown(rest, ['items', 'prefixItems', 'minItems', 'maxItems', 'minLength', 'maxLength']);
  if (properties === undefined) {
    const more =
      additionalProperties === undefined || typeof additionalProperties === 'boolean'
        ? (additionalProperties ?? true)
        : convert(additionalProperties);
    return { type: 'object', additionalProperties: more };
  }
  const named = record(properties);
  if (
    !named ||
    !Array.isArray(required) ||
    required.some((name) => !Object.hasOwn(named, name as string))
  ) {
    throw new Inexpressible('required without a property');
  }
  return {
    type: 'object',
    properties: mapped(named, (each, name) =>
      required.includes(name) ? convert(each) : { oneOf: [convert(each), { type: 'null' }] },
    ),
  };
}

function convertArray({
  items,
  prefixItems,
  minItems,
  maxItems,
  ...rest
}: Record<string, unknown>): object {
  onlyKnown(rest, ['properties', 'required', 'additionalProperties', 'minLength', 'maxLength']);
  if (prefixItems !== undefined && !Array.isArray(prefixItems))
    throw new Inexpressible('prefixItems that are no list');
  return {
    type: 'array',
    ...(items === undefined ? {} : { items: convert(items) }),
    ...(prefixItems === undefined ? {} : { prefixItems: prefixItems.map(convert) }),
    ...(minItems === undefined ? {} : { minItems }),
    ...(maxItems === undefined ? {} : { maxItems }),
  };
}

/** The value without the nulls that stand for omitted optional properties. */
export function withoutNulls(value: unknown, schema: JsonSchema): unknown {
  return restore(value, schema, record(schema.$defs) ?? {}, 0);
}

function restore(
  value: unknown,
  source: unknown,
  defs: Record<string, unknown>,
  hops: number,
): unknown {
  const schema = record(source);
  if (!schema || typeof value !== 'object' || value === null || hops > 64) return value;
  if (typeof schema.$ref === 'string')
    return restore(value, defs[schema.$ref.replace('#/$defs/', '')], defs, hops + 1);
  const choices = schema.anyOf ?? schema.oneOf;
  // Of several forms the one counts whose properties the value has.
  if (Array.isArray(choices))
    return restore(
      value,
      choices.find((each) => resembles(value, each, defs)),
      defs,
      hops + 1,
    );
  if (Array.isArray(value)) {
    const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
    return value.map((each, at) => restore(each, first[at] ?? schema.items, defs, 0));
  }
  const properties = record(schema.properties);
  const required = Array.isArray(schema.required) ? schema.required : [];
  const kept = Object.entries(value).filter(
    ([name, each]) =>
      each !== null ||
      !properties ||
      !Object.hasOwn(properties, name) ||
      required.includes(name) ||
      takesNull(properties[name], defs, 0),
  );
  return Object.fromEntries(
    kept.map(([name, each]) => [name, restore(each, properties?.[name], defs, 0)]),
  );
}

function resembles(value: object, source: unknown, defs: Record<string, unknown>): boolean {
  const schema = record(
    typeof record(source)?.$ref === 'string'
      ? defs[(source as { $ref: string }).$ref.replace('#/$defs/', '')]
      : source,
  );
  if (Array.isArray(value))
    return (
      schema?.items !== undefined || schema?.prefixItems !== undefined || schema?.type === 'array'
    );
  const properties = record(schema?.properties);
  if (!properties) return false;
  return (
    Object.keys(value).every((name) => Object.hasOwn(properties, name)) &&
    Object.keys(properties).every((name) => Object.hasOwn(value, name))
  );
}

function takesNull(source: unknown, defs: Record<string, unknown>, hops: number): boolean {
  const schema = record(source);
  if (!schema || hops > 64) return true;
  if (typeof schema.$ref === 'string')
    return takesNull(defs[schema.$ref.replace('#/$defs/', '')], defs, hops + 1);
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return choices.some((each) => takesNull(each, defs, hops + 1));
  if (schema.const !== undefined) return schema.const === null;
  if (Array.isArray(schema.enum)) return schema.enum.includes(null);
  return schema.type === 'null' || (Array.isArray(schema.type) && schema.type.includes('null'));
}

function literal(value: unknown): unknown {
  if (value !== null && typeof value === 'object')
    throw new Inexpressible('a list or an object as a constant');
  return value;
}

function local(reference: string): string {
  if (!/^#\/\$defs\/[^/]+$/.test(reference)) throw new Inexpressible('a reference to elsewhere');
  return reference;
}

function only(rest: Record<string, unknown>, converted: object): object {
  onlyKnown(rest, []);
  return converted;
}

/**
 * Refuses keywords that widen or choose in ways the subset lacks: allOf, not, if, patternProperties
 * ...
 */
function onlyKnown(rest: Record<string, unknown>, known: readonly string[]): void {
  const foreign = Object.keys(rest).find(
    (keyword) => !known.includes(keyword) && !annotations.has(keyword) && !narrowing.has(keyword),
  );
  if (foreign !== undefined) throw new Inexpressible(foreign);
}

function mapped(
  values: Record<string, unknown>,
  change: (value: unknown, name: string) => object,
): Record<string, object> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, change(value, name)]),
  );
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
