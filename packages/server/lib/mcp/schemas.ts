// Schemas of what tools answer: those of HTTP, as models read them.
import type { JsonSchema } from 'asof/models';
import { count as wholeNumber, object } from '../http/schemas/common.js';

export { anything, listOf, object } from '../http/schemas/common.js';

export const text: JsonSchema = { type: 'string' };
export const count = (description?: string): JsonSchema => ({
  ...wholeNumber,
  ...(description === undefined ? {} : { description }),
});
/** Of a text in a result. */
export const isCut: JsonSchema = {
  type: 'boolean',
  description: 'Whether the text is only the beginning.',
};

/** An object with these fields, those that end in `?` at times, and others. */
export const open = (fields: Readonly<Record<string, JsonSchema>>): JsonSchema =>
  opened(object(fields));

/** Without lists of types, which some providers of models do not read; objects may have more. */
function opened(schema: JsonSchema): JsonSchema {
  const { type, properties, items, additionalProperties: others, ...rest } = schema as Schema;
  return {
    ...rest,
    ...(typeof type === 'string' ? { type } : {}),
    ...(Array.isArray(type) ? { anyOf: type.map((each: string) => ({ type: each })) } : {}),
    ...(properties ? { properties: mapped(properties) } : {}),
    ...(items ? { items: opened(items) } : {}),
    ...(typeof others === 'object' ? { additionalProperties: opened(others) } : {}),
  };
}

interface Schema extends JsonSchema {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, JsonSchema>>;
  items?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
}

const mapped = (properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, opened(each)]));
