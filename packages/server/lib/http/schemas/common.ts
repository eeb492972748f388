// Schemas that several routes share, and the components of the description.
import type { JsonSchema } from 'asof/models';
import type { ObjectSchema } from '../route.js';

export const text = (description: string): JsonSchema => ({ type: 'string', description });
export const whole = (description: string, minimum: number, maximum: number): JsonSchema => ({
  type: 'integer',
  description,
  minimum,
  maximum,
});
export const flag = (description: string): JsonSchema => ({ type: 'boolean', description });
export const listOf = (items: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  type: 'array',
  items,
  ...more,
});
/** A time as JSON has it. */
export const date = (what: string): JsonSchema =>
  text(`${what} ISO 8601, a day alone or with a time.`);
/** ISO 8601 or null for an open end. */
export const openTime: JsonSchema = { type: ['string', 'null'] };
export const iso: JsonSchema = { type: 'string' };
export const count: JsonSchema = { type: 'integer', minimum: 0 };
export const number: JsonSchema = { type: 'number' };
export const truth: JsonSchema = { type: 'boolean' };
export const anything: JsonSchema = { type: 'object' };

/** An object with these fields and no others; those that end in `?` may be absent. */
export function object(
  fields: Readonly<Record<string, JsonSchema>>,
  description?: string,
): ObjectSchema {
  const names = Object.keys(fields);
  const required = names.filter((name) => !name.endsWith('?'));
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties: Object.fromEntries(
      names.map((name) => [name.replace(/\?$/, ''), fields[name]!] as const),
    ),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

export const failure = object({
  code: text('Stable name of what went wrong.'),
  message: text('What was expected, what was received, what to do.'),
  'details?': { type: 'object', description: 'The field, line or argument that is meant.' },
});
