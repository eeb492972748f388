// Tool add: passages into the corpus, of a server that may write.
import { AsOfError } from 'asof';
import { passageOfRecord } from 'asof/kit';
import { inFieldNames } from '../../http/errors.js';
import { date } from '../../http/schemas/common.js';
import { anything, count, listOf, object, open, text } from '../schemas.js';
import type { Tool } from '../tool.js';

const mostPassages = 1000;
/** Passages of a commit, after which the client gets progress. */
const batchSize = 100;

interface AddArguments {
  passages: Record<string, unknown>[];
}

const mostUnits = 1000; // of ids, titles and series
const passage = object({
  id: { ...text, minLength: 1, maxLength: mostUnits, description: 'Unique in the corpus.' },
  text: { ...text, minLength: 1, maxLength: 1_048_576 },
  'title?': { ...text, maxLength: mostUnits },
  'published_at?': date('When it was published.'),
  'valid_from?': date('From when what it says holds.'),
  'valid_to?': date('Until when, inclusive.'),
  'metadata?': { ...anything, description: 'Anything else, fields of filters included.' },
  'series?': {
    ...text,
    minLength: 1,
    maxLength: mostUnits,
    description: 'The thing whose state it is: each state is valid until the next one starts.',
  },
  'supersedes?': { ...text, minLength: 1, description: 'Id of an earlier state of it.' },
});

export const addTool: Tool<AddArguments> = {
  name: 'add',
  title: 'Add passages',
  description:
    'Adds passages to the corpus, for good and at once. A passage whose id exists replaces it. ' +
    'Give the dates that you know: passages are found by them. Where one is refused, those of ' +
    'the commits before it stay; adding all again completes the call.',
  writes: true,
  input: object({ passages: listOf(passage, { minItems: 1, maxItems: mostPassages }) }),
  output: open({ added: count(), replaced: count(), unchanged: count() }),
  async run({ passages }, { corpus, signal, onProgress }) {
    try {
      const given = passages.map((each, line) => passageOfRecord(each, { file, line }));
      const counts = await corpus.add(given, { signal, onProgress, batchSize });
      const { added, replaced, unchanged } = counts;
      return {
        structured: counts,
        text: `${added} added, ${replaced} replaced, ${unchanged} unchanged.`,
      };
    } catch (fault) {
      throw inToolWords(fault);
    }
  },
};

/** Passages of a call are no lines of a file. */
const file = 'passages';

/** The error by the place of the passage in the call and the names of its fields there. */
export function inToolWords(fault: unknown): unknown {
  if (!AsOfError.is(fault)) return fault;
  const { code, details } = fault;
  const message = inFieldNames(fault.message).replace(/^passages:(\d+): /, 'Passage $1: ');
  return new AsOfError(code, message, { cause: fault, details });
}
