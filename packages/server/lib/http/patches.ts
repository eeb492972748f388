// Changes of passages, in the names of requests and tools.
import type { StoredCorpus } from 'asof';
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
