// Checks of query parameters and bodies against the schemas of their route.
import { suggestion, validatorOf } from 'asof/kit';
import type { JsonSchema } from 'asof/models';
import { badRequest } from './errors.js';
import type { ObjectSchema } from './route.js';

type Check = (value: Record<string, unknown>) => void;

/**
 * A check of objects: unknown fields and lists that are too long first, then the schema.
 * @throws HttpError 400
 */
export function objectCheck(what: string, schema: ObjectSchema): Check {
  const validate = validatorOf(schema);
  return (value) => {
    checkFields(value, schema, what);
    const fault = validate(value);
    if (fault !== undefined)
      throw badRequest(
        `Expected ${what} as GET /openapi.json describes it, received one that does not fit: ${fault}.`,
      );
  };
}

function checkFields(value: unknown, schema: JsonSchema, what: string): void {
  const {
    properties,
    items,
    maxItems = Infinity,
  } = schema as {
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
    maxItems?: number;
  };
  if (Array.isArray(value) && items) {
    // Before its elements are looked at, which takes longer than to send them.
    if (value.length > maxItems)
      throw badRequest(
        `Expected ${what} to have at most ${maxItems} elements, received ${value.length}. Send them in parts.`,
        { field: what },
      );
    for (const [at, each] of value.entries()) checkFields(each, items, `${what}[${at}]`);
    return;
  }
  if (typeof value !== 'object' || value === null || !properties) return;
  for (const [name, each] of Object.entries(value)) {
    if (Object.hasOwn(properties, name)) {
      checkFields(each, properties[name]!, name);
      continue;
    }
    const known = Object.keys(properties);
    throw badRequest(
      `Expected ${what} to have some of ${known.join(', ')}, received ` +
        `${JSON.stringify(name.slice(0, 60))}.${suggestion(name, known)}`,
      { field: name },
    );
  }
}

/**
 * Query parameters as the types that their schema has.
 * @throws HttpError 400 for one that is repeated or is not of its type
 */
export function queryOf(search: URLSearchParams, schema: ObjectSchema): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const [name, text] of search) {
    if (Object.hasOwn(query, name))
      throw badRequest(`Expected the parameter ${name} once, received it again.`, { field: name });
    // Own, whatever its name is.
    Object.defineProperty(query, name, {
      value: typed(name, text, schema.properties[name]?.['type']),
      enumerable: true,
    });
  }
  return query;
}

function typed(name: string, text: string, type: unknown): unknown {
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (type !== 'object') return text;
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(
      `Expected the parameter ${name} to be JSON, received ${JSON.stringify(text.slice(0, 60))}.`,
      {
        field: name,
      },
    );
  }
}
