// Chain of temporal extractors: texts without a time in one are passed to the next.
import { invalidArgument } from '../errors.js';
import { isTimeExtractor, type TimeExtractor } from './timeExtractor.js';
import type { TimeTuple } from './tuple.js';

/**
 * An extractor that tries others in order and keeps the first time of a text: usually the exact
 * grammar, then a learned extractor for expressions outside the grammar.
 * @throws AsOfError ERR_INVALID_ARGUMENT for values that are no extractors, or none.
 * @example fallbackExtractor(grammarExtractor, await learnedTimeExtractor())
 */
export function fallbackExtractor(...extractors: readonly TimeExtractor[]): TimeExtractor {
  const wrong = extractors.findIndex((each) => !isTimeExtractor(each));
  if (extractors.length === 0 || wrong >= 0)
    throw invalidArgument(
      'extractors',
      'one extractor or more, { id, extract }',
      extractors[wrong],
    );
  return {
    id: extractors.map(({ id }) => id).join(' else '),
    async extract(texts, { references, ...options }) {
      const tuples: TimeTuple[] = [];
      let remaining = texts.map((_, at) => at);
      for (const extractor of extractors) {
        if (remaining.length === 0) break;
        const extracted = await extractor.extract(
          remaining.map((at) => texts[at]!),
          { ...options, references: remaining.map((at) => references[at]) },
        );
        remaining.forEach((at, of) => (tuples[at] = extracted[of]!));
        remaining = remaining.filter((at) => tuples[at]?.mask[0] === 0);
      }
      return tuples;
    },
  };
}
