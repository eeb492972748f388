// `asof time tuple`: main time of each text as Re3's tuple, streamed line by line.
import { invalidLine, stringField } from '../../text/lines.js';
import { parseAskedAt } from '../../time/instant.js';
import { timeTuples } from '../../time/timeExtractor.js';
import { UsageError, option, type Invocation } from '../command.js';
import { command } from '../commands/timeTuple.js';
import { filterLines, lineId } from '../inputs/filterLines.js';
import { openExtractor } from '../inputs/timeExtractor.js';

const kinds = ['passage', 'query'] as const;

export async function run(invocation: Invocation): Promise<number | void> {
  const kind = kindOf(option(invocation, 'kind'));
  const { signal } = invocation;
  await using opened = await openExtractor(invocation, command);
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
        ...opened.options,
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
}

function kindOf(value = 'passage'): (typeof kinds)[number] {
  const kind = kinds.find((each) => each === value);
  if (kind === undefined)
    throw new UsageError(
      `--kind must be ${kinds.join(', ')}, received ${JSON.stringify(value)}.`,
      command.name,
    );
  return kind;
}
