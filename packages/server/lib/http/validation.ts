// Checks of query parameters and bodies against the schemas of their route.
import { schemaFaults } from 'asof/kit';
import { badRequest } from './errors.js';
import type { ObjectSchema } from './route.js';

type Check = (value: Record<string, unknown>) => void;

/** @throws HttpError 400 for the first fault */
export function objectCheck(what: string, schema: ObjectSchema): Check {
  const faultsOf = schemaFaults(schema, what);
  return (value) => {
    const [fault] = faultsOf(value);
    if (fault) throw badRequest(fault.message, { field: fault.details['argument'] });
  };
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
