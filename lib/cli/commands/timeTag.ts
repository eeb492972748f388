// asof time tag: the times that texts mention. Line by line, so that it can stand in a pipe of any
// length.
import { invalidLine, stringField } from '../../text/lines.js';
import { parseAskedAt } from '../../time/instant.js';
import { toTimeTagRecord } from '../../time/records.js';
import { tagTimes } from '../../time/tagger.js';
import { UsageError, option, type Command } from '../command.js';
import { filterLines, lineId } from '../inputs/filterLines.js';

const modes = ['automatic', 'news', 'narrative'] as const;

export const command: Command = {
  name: 'time tag',
  summary: 'The times that texts mention, a JSON line in, a JSON line out.',
  positionals: ['[FILE.jsonl]'],
  options: {
    mode: {
      type: 'string',
      value: 'news|narrative',
      help:
        'where dates without a year find theirs: nearest to ref (news), or in the date before (narrative); default automatic, ' +
        'which chooses for each text and says which',
    },
  },
  details:
    'in:  {id, text, ref?} a line, from FILE or standard input; ref is the date the text was written, ISO 8601; other fields are ignored\n' +
    'out: {id, mode, mentions:[{start, end, text, relation, start_iso, end_iso, granularity, timex_type, timex_value}], ' +
    'timex:[{start, end, text, type, value}]}\n' +
    'mentions have their preposition and, where known, their interval; timex are the TIMEX3 expressions in them.\n' +
    'Dates are printed in full to the day, both ends inclusive; offsets count UTF-16 units.',
  async run(invocation) {
    const written = option(invocation, 'mode') ?? 'automatic';
    const mode = modes.find((each) => each === written);
    if (mode === undefined)
      throw new UsageError(
        `--mode must be ${modes.join(', ')}, received ${JSON.stringify(written)}.`,
        command.name,
      );
    return filterLines(invocation, {
      shape: (record, where) => {
        const given = stringField(record, 'ref', where, 'allowed');
        // read once: the tagger takes it as it is
        const ref = given === undefined ? undefined : parseAskedAt(given, 'ref');
        const id = lineId(record, (expected, received) => invalidLine(where, expected, received));
        return { id, text: stringField(record, 'text', where), ref };
      },
      weight: ({ text }) => text.length,
      transform: async (batch) => {
        const texts = batch.map(({ text }) => text);
        const tagged = await tagTimes(texts, {
          mode,
          references: batch.map(({ ref }) => ref),
          signal: invocation.signal,
        });
        return batch.map(({ id }, index) => toTimeTagRecord(id, texts[index]!, tagged[index]!));
      },
    });
  },
};
