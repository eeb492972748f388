// `asof time question`: time constraints of questions, streamed line by line.
import { type Command, UsageError, option, type Invocation } from '../command.js';
import { askOptions, askValues } from '../options/ask.js';
import { stringField } from '../../text/lines.js';
import { parseQuestion } from '../../time/question/question.js';
import { toTimeQuestionRecord } from '../../time/records.js';
import { filterLines, lineId } from '../inputs/filterLines.js';

export const command: Command = {
  name: 'time question',
  summary: 'Parses the time constraints of questions. JSON lines in, JSON lines out.',
  positionals: ['[FILE.jsonl]'],
  options: {
    'parts-of-decade': {
      value: 'MIDDLE,LATE',
      help: 'first years of the middle and late part of a decade, default 4,7',
    },
    ...askOptions({
      timeZone: {
        help: 'IANA name, such as Europe/London: days of questions and of asked_at; default UTC',
      },
    }),
  },
  details:
    'in:  {id, question, asked_at?} a line, from FILE or standard input; asked_at is ISO 8601, ' +
    'default now\n' +
    'out: {id, main_content, constraint_text, condition, relation, start_iso, end_iso, ' +
    'window_start, window_end, granularity, constraints:[{constraint_text, relation, start_iso, ' +
    'end_iso, window_start, window_end, granularity, clock, binds}], asks, order, n, ' +
    'anchor:{text, kind}, shift}\n' +
    'asks is when, how-long or thing; order none, first, latest, now, next, previous or nth (n ' +
    'from 1, -1 the last) of a series, next and previous to an anchor or a time; shift is the ' +
    'distance from an anchor that is no date.\n' +
    'constraints lists all constraints; the answer must satisfy those with binds true.\n' +
    'Dates are printed to the day, both ends inclusive, a time of day in UTC; an open end is ' +
    'null.',
  example: 'asof time question questions.jsonl',
};

export async function run(invocation: Invocation): Promise<number | void> {
  const parts = option(invocation, 'parts-of-decade');
  const options = parts === undefined ? {} : { partsOfDecade: partsOf(parts) };
  const { timeZone } = askValues(invocation, ['timeZone']);
  return filterLines(invocation, {
    shape: (record, where) => {
      const askedAt = stringField(record, 'asked_at', where, 'allowed');
      const text = stringField(record, 'question', where);
      const id = lineId(record, where);
      return toTimeQuestionRecord(id, parseQuestion({ text, timeZone, askedAt }, options));
    },
    transform: (batch) => batch,
  });
}

function partsOf(value: string): [number, number] {
  const years = /^([1-9]),([1-9])$/.exec(value)?.slice(1).map(Number);
  if (!years || years[0]! >= years[1]!) {
    throw new UsageError(
      `--parts-of-decade must be two ascending years, such as 3,7, received ${JSON.stringify(value)}.`,
    );
  }
  return [years[0]!, years[1]!];
}
