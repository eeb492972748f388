// `asof time tag`: time expressions of texts, streamed line by line.
import { invalidLine, stringField } from '../../text/lines.js';
import { parseAskedAt } from '../../time/instant.js';
import { toTimeTagRecord } from '../../time/records.js';
import { tagTimes } from '../../time/tagger.js';
import { UsageError, option, type Command } from '../command.js';
import { filterLines, lineId } from '../inputs/filterLines.js';

const modes = ['automatic', 'news', 'narrative'] as const;

export const command: Command = {
  name: 'time tag',
  summary: 'Finds the dates and other times that texts mention. JSON lines in, JSON lines out.',
  positionals: ['[FILE.jsonl]'],
  options: {
    mode: {
      type: 'string',
      value: 'news|narrative',
      help:
        'reference of dates without a year: ref (news) or the date before it in the text ' +
        '(narrative); default automatic, chosen for each text and printed',
    },
  },
  details:
    'in:  {id, text, ref?} a line, from FILE or standard input; ref is the date of the text ' +
    '(ISO 8601); other fields are ignored\n' +
    'out: {id, mode, mentions:[{start, end, text, relation, start_iso, end_iso, granularity, ' +
    'timex_type, timex_value}], timex:[{start, end, text, type, value}]}\n' +
    'mentions include the preposition and, if known, the interval; timex are the TIMEX3 ' +
    'expressions in them.\n' +
    'Dates are printed to the day, both ends inclusive; offsets count UTF-16 units.',
  example: 'echo \'{"id":"1","text":"Born in May 1971."}\' | asof time tag',
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
