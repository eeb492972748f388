// Schemas of what tools answer.
import type { JsonSchema } from 'asof/models';
import { anything, listOf, number, object, text as string } from '../http/schemas/common.js';

export { anything, listOf, number, object };

/** An object with these fields, those that end in `?` at times, and others. */
export function open(
  fields: Readonly<Record<string, JsonSchema>>,
  description?: string,
): JsonSchema {
  const { additionalProperties: _, ...schema } = object(fields, description);
  return schema;
}

export const text: JsonSchema = { type: 'string' };
/** Not a list of types, which some providers of models do not read. */
export const nullable: JsonSchema = { anyOf: [text, { type: 'null' }] };
export const id = string('Id of a passage, of which get has all.');
export const date = (what: string): JsonSchema =>
  string(`${what} ISO 8601, a day alone or with a time.`);
export const count = (description?: string): JsonSchema => ({
  type: 'integer',
  minimum: 0,
  ...(description === undefined ? {} : { description }),
});

export const missingShards = listOf(text, {
  description: 'Parts of the corpus that could not be reached, whose passages the result lacks.',
});

export const constraint = open(
  {
    main_content: string('The question without its time.'),
    'constraint_text?': { ...nullable, description: 'The words of its time.' },
    condition: string('none, first, earliest, last or latest.'),
    relation: string('none, or as in "as of", "before", "between".'),
    'start_iso?': nullable,
    'end_iso?': nullable,
    'window_start?': nullable,
    'window_end?': nullable,
    'granularity?': nullable,
    'clock?': string('content, published or validity.'),
    constraints: listOf(anything),
  },
  'How the time of the question was read: both ends inclusive, null for an open one.',
);
