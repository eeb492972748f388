// `asof time tag`: time expressions of texts, streamed line by line.
import { type Command, wordOption, type Invocation } from '../command.js';
import { askOptions, askValues } from '../options/ask.js';
import { toTimeTagRecord } from '../../time/records.js';
import { tagTimes } from '../../time/tagger.js';
import { datedText, filterLines } from '../inputs/filterLines.js';

export const command: Command = {
  name: 'time tag',
  summary: 'Finds the dates and other times that texts mention. JSON lines in, JSON lines out.',
  positionals: ['[FILE.jsonl]'],
  options: {
    mode: {
      value: 'news|narrative',
      help:
        'reference of dates without a year: ref (news) or the date before it in the text ' +
        '(narrative); default automatic, chosen for each text and printed',
    },
    ...askOptions({
      timeZone: { help: 'IANA name, such as Europe/London: of the texts and of ref; default UTC' },
    }),
  },
  details:
    'in:  {id, text, ref?} a line, from FILE or standard input; ref is the date of the text ' +
    '(ISO 8601); other fields are ignored\n' +
    'out: {id, mode, mentions:[{start, end, text, relation, start_iso, end_iso, granularity, ' +
    'timex_type, timex_value}], timex:[{start, end, text, type, value}]}\n' +
    'mentions include the preposition and, if known, the interval; timex are the TIMEX3 ' +
    'expressions in them.\n' +
    'Dates are printed to the day, both ends inclusive, a time of day in UTC; offsets count ' +
    'UTF-16 units.',
  example: 'echo \'{"id":"1","text":"Born in May 1971."}\' | asof time tag',
};

const modes = ['automatic', 'news', 'narrative'] as const;

export async function run(invocation: Invocation): Promise<number | void> {
  const mode = wordOption(invocation, 'mode', modes);
  const { timeZone } = askValues(invocation, ['timeZone']);
  return filterLines(invocation, {
    shape: (record, where) => datedText(record, where, timeZone),
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
