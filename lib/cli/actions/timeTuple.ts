// `asof time tuple`: main time of each text as Re3's tuple, streamed line by line.
import { learnedTimeExtractor } from '../../models/onnx/learnedTimeExtractor.js';
import { invalidLine, stringField } from '../../text/lines.js';
import { fallbackExtractor } from '../../time/fallbackExtractor.js';
import { parseAskedAt } from '../../time/instant.js';
import { grammarExtractor, timeTuples } from '../../time/timeExtractor.js';
import { UsageError, option, type Invocation } from '../command.js';
import { command } from '../commands/timeTuple.js';
import { filterLines, lineId } from '../inputs/filterLines.js';

const kinds = ['passage', 'query'] as const;
const extractors = ['grammar', 'learned', 'both'] as const;

export async function run(invocation: Invocation): Promise<number | void> {
  const kind = chosen(kinds, option(invocation, 'kind'), '--kind');
  const by = chosen(extractors, option(invocation, 'extractor'), '--extractor');
  const { signal } = invocation;
  const learned = by === 'grammar' ? undefined : await learnedTimeExtractor({ signal });
  const extractor =
    learned && by === 'both'
      ? fallbackExtractor(grammarExtractor, learned)
      : (learned ?? grammarExtractor);
  try {
    return await filterLines(invocation, {
      shape: (record, where) => {
        const date = stringField(record, 'ref', where, 'allowed');
        const ref = date === undefined ? undefined : parseAskedAt(date, 'ref');
        const id = lineId(record, (expected, received) => invalidLine(where, expected, received));
        return { id, text: stringField(record, 'text', where), ref };
      },
      weight: ({ text }) => text.length,
      transform: async (batch) => {
        const texts = batch.map(({ text }) => text);
        const tuples = await timeTuples(texts, {
          kind,
          references: batch.map(({ ref }) => ref),
          extractor,
          signal,
        });
        return batch.map(({ id }, at) => {
          const { year, month, dayOfMonth, mask } = tuples[at]!;
          return {
            id,
            year: mask[0] ? year : null,
            month: mask[1] ? month : null,
            day_of_month: mask[2] ? dayOfMonth : null,
          };
        });
      },
    });
  } finally {
    await learned?.close();
  }
}

function chosen<Name extends string>(
  names: readonly Name[],
  value: string | undefined,
  flag: string,
): Name {
  const name = value === undefined ? names[0] : names.find((each) => each === value);
  if (name === undefined)
    throw new UsageError(
      `${flag} must be ${names.join(', ')}, received ${JSON.stringify(value)}.`,
      command.name,
    );
  return name;
}
