// asof time question: what questions ask of time. Line by line, so that it can stand in a pipe of any length.
import type { Command } from '../command.js';
import { filterLines, lineId } from '../filterLines.js';

export const command: Command = {
  name: 'time question',
  summary: 'What questions ask of time, a JSON line in, a JSON line out.',
  positionals: ['[FILE.jsonl]'],
  options: {},
  details:
    'in:  {id, question, asked_at?} a line, from FILE or standard input; asked_at is ISO 8601, none means now\n' +
    'out: {id, main_content, constraint_text, condition, relation, start_iso, end_iso, window_start, window_end, granularity, ' +
    'constraints:[{constraint_text, relation, start_iso, end_iso, window_start, window_end, granularity, clock, binds}]}\n' +
    'constraints are all that the question has, those that the answer must satisfy with binds true.\n' +
    'Dates are printed in full to the day, both ends inclusive; an open end is null.',
  async run(invocation) {
    const { invalidLine, parseQuestion, stringField, toTimeQuestionRecord } = await import('../../index.js');
    return filterLines(invocation, {
      shape: (record, where) => {
        const askedAt = stringField(record, 'asked_at', where, 'allowed');
        const text = stringField(record, 'question', where);
        const id = lineId(record, (expected, received) => invalidLine(where, expected, received));
        return toTimeQuestionRecord(id, parseQuestion(askedAt === undefined ? { text } : { text, askedAt }));
      },
      weight: (record) => record.main_content.length,
      transform: (batch) => batch,
    });
  },
};
