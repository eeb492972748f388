// Several temporal extractors as one: what the first finds no time in goes to the next. It weighs
// no answers against each other.
import { invalidArgument } from '../errors.js';
import type { TimeExtractor } from './timeExtractor.js';
import type { TimeTuple } from './tuple.js';

/**
 * An extractor that asks each in turn, and keeps of a text the first time that one finds: the
 * grammar, which is exact where it reads, and then a learned one for what is written in no way that
 * the grammar knows.
 * @throws AsOfError ERR_INVALID_ARGUMENT where they are not extractors, or none.
 * @example fallbackExtractor(grammarExtractor, await learnedTimeExtractor())
 */
export function fallbackExtractor(...extractors: readonly TimeExtractor[]): TimeExtractor {
  const wrong = extractors.findIndex(
    (each) => typeof each?.extract !== 'function' || typeof each.id !== 'string',
  );
  if (extractors.length === 0 || wrong >= 0)
    throw invalidArgument(
      'extractors',
      'one extractor or more, { id, extract }',
      extractors[wrong],
    );
  return {
    id: extractors.map(({ id }) => id).join(' else '),
    async extract(texts, { references, ...options }) {
      const found: TimeTuple[] = [];
      let left = texts.map((_, at) => at);
      for (const extractor of extractors) {
        if (left.length === 0) break;
        const tuples = await extractor.extract(
          left.map((at) => texts[at]!),
          { ...options, references: left.map((at) => references[at]) },
        );
        left.forEach((at, of) => (found[at] = tuples[of]!));
        left = left.filter((at) => found[at]?.mask[0] === 0);
      }
      return found;
    },
  };
}
