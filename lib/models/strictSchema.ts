// Check of a JSON Schema against the rules of OpenAI's strict mode.
import type { JsonSchema } from '../text/textModel.js';

/** Keywords of strict schemas; any other makes a schema not strict. */
const allowed = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
  '$ref',
  '$defs',
  'title',
  'description',
]);
const maxDepth = 5;

/**
 * The root is an object; every object is closed and requires all its
 * properties; only the allowed keywords; at most five levels deep.
 */
export function isStrictSchema(schema: JsonSchema): boolean {
  return schema.type === 'object' && isStrict(schema, 1);
}

function isStrict(schema: unknown, depth: number): boolean {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema) || depth > maxDepth)
    return false;
  const { properties, required, additionalProperties, items, anyOf, $defs, ...rest } =
    schema as JsonSchema;
  if (!Object.keys(rest).every((keyword) => allowed.has(keyword))) return false;
  if (
    rest.type === undefined &&
    rest.enum === undefined &&
    rest.const === undefined &&
    rest.$ref === undefined &&
    anyOf === undefined
  )
    return false;
  const kinds = Array.isArray(rest.type) ? rest.type : [rest.type];
  if (kinds.includes('object') || properties !== undefined) {
    if (additionalProperties !== false || !isRecord(properties) || !Array.isArray(required))
      return false;
    if (!Object.keys(properties).every((name) => required.includes(name))) return false;
    if (!Object.values(properties).every((each) => isStrict(each, depth + 1))) return false;
  }
  if (kinds.includes('array') && items === undefined) return false;
  if (items !== undefined && !isStrict(items, depth + 1)) return false;
  if (
    anyOf !== undefined &&
    !(depth > 1 && Array.isArray(anyOf) && anyOf.every((each) => isStrict(each, depth)))
  )
    return false;
  return (
    $defs === undefined ||
    (isRecord($defs) && Object.values($defs).every((each) => isStrict(each, depth)))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
