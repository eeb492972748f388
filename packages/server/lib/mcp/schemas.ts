// Schemas that several tools share.
import type { JsonSchema } from 'asof/models';

/** Not a list of types, which some providers of models do not read. */
export const nullableString: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'null' }] };

export const idSchema: JsonSchema = {
  type: 'string',
  description: 'Id of a passage, whose resource is asof://passage/ID.',
};

export const missingShardsSchema: JsonSchema = {
  type: 'array',
  items: { type: 'string' },
  description: 'Parts of the corpus that could not be reached, whose passages the result lacks.',
};

export const dateSchema = (what: string): JsonSchema => ({
  type: 'string',
  description: `${what} ISO 8601, a day alone or with a time.`,
});

export const constraintSchema: JsonSchema = {
  type: 'object',
  description: 'How the time of the question was read: both ends inclusive, null for an open one.',
  required: ['main_content', 'condition', 'relation', 'constraints'],
  properties: {
    main_content: { type: 'string', description: 'The question without its time.' },
    constraint_text: { ...nullableString, description: 'The words of its time.' },
    condition: { type: 'string', description: 'none, first, earliest, last or latest.' },
    relation: { type: 'string', description: 'none, or as in "as of", "before", "between".' },
    start_iso: nullableString,
    end_iso: nullableString,
    window_start: nullableString,
    window_end: nullableString,
    granularity: nullableString,
    clock: { type: 'string', description: 'content, published or validity.' },
    constraints: { type: 'array', items: { type: 'object' } },
  },
};
