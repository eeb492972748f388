// asof time question: what questions ask of time. Line by line, so that it can stand in a pipe of
// any length.
import { invalidLine, stringField } from '../../text/lines.js';
import { parseQuestion } from '../../time/question/question.js';
import { toTimeQuestionRecord } from '../../time/records.js';
import { UsageError, option, type Command } from '../command.js';
import { filterLines, lineId } from '../inputs/filterLines.js';

export const command: Command = {
  name: 'time question',
  summary: 'What questions ask of time, a JSON line in, a JSON line out.',
  positionals: ['[FILE.jsonl]'],
  options: {
    'parts-of-decade': {
      type: 'string',
      value: 'MIDDLE,LATE',
      help: 'first years of the middle and late part of a decade, where a data set has its own; default 4,7',
    },
  },
  details:
    'in:  {id, question, asked_at?} a line, from FILE or standard input; asked_at is ISO 8601, none means now\n' +
    'out: {id, main_content, constraint_text, condition, relation, start_iso, end_iso, window_start, window_end, granularity, ' +
    'constraints:[{constraint_text, relation, start_iso, end_iso, window_start, window_end, granularity, clock, binds}]}\n' +
    'constraints are all that the question has, those that the answer must satisfy with binds true.\n' +
    'Dates are printed in full to the day, both ends inclusive; an open end is null.',
  async run(invocation) {
    const parts = option(invocation, 'parts-of-decade');
    const options = parts === undefined ? {} : { partsOfDecade: partsOf(parts) };
    return filterLines(invocation, {
      shape: (record, where) => {
        const askedAt = stringField(record, 'asked_at', where, 'allowed');
        const text = stringField(record, 'question', where);
        const id = lineId(record, (expected, received) => invalidLine(where, expected, received));
        return toTimeQuestionRecord(
          id,
          parseQuestion(askedAt === undefined ? { text } : { text, askedAt }, options),
        );
      },
      weight: (record) => record.main_content.length,
      transform: (batch) => batch,
    });
  },
};

function partsOf(written: string): [number, number] {
  const years = /^([1-9]),([1-9])$/.exec(written)?.slice(1).map(Number);
  if (!years || years[0]! >= years[1]!) {
    throw new UsageError(
      `--parts-of-decade must be two rising years, such as 3,7, received ${JSON.stringify(written)}.`,
      command.name,
    );
  }
  return [years[0]!, years[1]!];
}
