// `asof time tag`: time expressions of texts, streamed line by line.
import { invalidLine, stringField } from '../../text/lines.js';
import { parseAskedAt } from '../../time/instant.js';
import { toTimeTagRecord } from '../../time/records.js';
import { tagTimes } from '../../time/tagger.js';
import { UsageError, option, type Invocation } from '../command.js';
import { command } from '../commands/timeTag.js';
import { filterLines, lineId } from '../inputs/filterLines.js';
import { timeZoneOf } from '../inputs/timeZone.js';

const modes = ['automatic', 'news', 'narrative'] as const;

export async function run(invocation: Invocation): Promise<number | void> {
  const value = option(invocation, 'mode') ?? 'automatic';
  const mode = modes.find((each) => each === value);
  if (mode === undefined)
    throw new UsageError(
      `--mode must be ${modes.join(', ')}, received ${JSON.stringify(value)}.`,
      command.name,
    );
  const timeZone = timeZoneOf(invocation, command);
  return filterLines(invocation, {
    shape: (record, where) => {
      const date = stringField(record, 'ref', where, 'allowed');
      // Parsed here, so that an error names the line.
      const ref = date === undefined ? undefined : parseAskedAt(date, 'ref', timeZone);
      const id = lineId(record, (expected, received) => invalidLine(where, expected, received));
      return { id, text: stringField(record, 'text', where), ref };
    },
    weight: ({ text }) => text.length,
    transform: async (batch) => {
      const texts = batch.map(({ text }) => text);
      const tagged = await tagTimes(texts, {
        mode,
        timeZone,
        references: batch.map(({ ref }) => ref),
        signal: invocation.signal,
      });
      return batch.map(({ id }, index) =>
        toTimeTagRecord(id, texts[index]!, tagged[index]!, timeZone),
      );
    },
  });
}
