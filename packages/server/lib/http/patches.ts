// Changes of passages and of fields, in the names of requests and tools.
import type { Fields, StoredCorpus } from 'asof';
import { invalidArgument } from 'asof/kit';
import type { JsonSchema } from 'asof/models';
import { listOf, object, text } from './schemas/common.js';

type Patch = Parameters<StoredCorpus['update']>[1];
type Choice = Parameters<StoredCorpus['update']>[0];

const time = (what: string): JsonSchema => ({
  type: ['string', 'null'],
  description: `${what}: ISO 8601, a day alone or with a time; null removes it.`,
});

export const patchSchema = object({
  'published_at?': time('When it was published'),
  'valid_from?': time('From when what it says holds'),
  'valid_to?': time('Until when, inclusive'),
  'metadata?': {
    type: ['object', 'null'],
    description: 'Entries to set; an entry that is null is removed. The others stay.',
  },
  'series?': text('The thing whose state it becomes.'),
  'supersedes?': text('Id of an earlier state of it.'),
});

const fieldType: JsonSchema = {
  enum: ['keyword', 'keyword[]', 'number', 'boolean', 'time'] satisfies Fields[string][],
};
/** Types of fields by name. */
export const fieldsSchema: JsonSchema = { type: 'object', additionalProperties: fieldType };

export type FieldChanges = Parameters<NonNullable<StoredCorpus['alterFields']>>[0];

export const fieldChanges = object({
  'add?': { ...fieldsSchema, description: 'Fields to declare, with their types.' },
  'rename?': {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'New names by the old ones, of fields and of entries of metadata.',
  },
  'drop?': listOf(
    { type: 'string' },
    { description: 'Fields to declare no longer; entries of metadata stay.' },
  ),
});

/** @throws AsOfError ERR_INVALID_ARGUMENT, also for a corpus whose fields stay */
export async function alterFields(
  name: string,
  corpus: StoredCorpus,
  changes: FieldChanges,
  signal: AbortSignal,
): Promise<Fields> {
  if (!corpus.alterFields)
    throw invalidArgument(
      'corpus',
      'one in a folder, whose fields can change',
      name,
      'A corpus in PostgreSQL keeps the fields that it was created with.',
    );
  return corpus.alterFields(changes, { signal });
}

/** Ids in a request, at most. */
const mostIds = 100_000;
export const idsSchema = listOf({ type: 'string' }, { minItems: 1, maxItems: mostIds });

/** A patch as the library has it. */
export function patchOf({
  published_at: publishedAt,
  valid_from: validFrom,
  valid_to: validTo,
  ...rest
}: Record<string, unknown>): Patch {
  return { ...rest, publishedAt, validFrom, validTo } as Patch;
}

/** The passages that a request means; undefined where it names both or neither. */
export function choiceOf({ ids, where }: Record<string, unknown>): Choice | undefined {
  if ((ids === undefined) === (where === undefined)) return undefined;
  return (where === undefined ? ids : { where }) as Choice;
}
