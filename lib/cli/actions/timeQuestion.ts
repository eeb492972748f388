// `asof time question`: time constraints of questions, streamed line by line.
import { invalidLine, stringField } from '../../text/lines.js';
import { parseQuestion } from '../../time/question/question.js';
import { toTimeQuestionRecord } from '../../time/records.js';
import { UsageError, option, type Invocation } from '../command.js';
import { command } from '../commands/timeQuestion.js';
import { filterLines, lineId } from '../inputs/filterLines.js';
import { timeZoneOf } from '../inputs/timeZone.js';

export async function run(invocation: Invocation): Promise<number | void> {
  const parts = option(invocation, 'parts-of-decade');
  const options = parts === undefined ? {} : { partsOfDecade: partsOf(parts) };
  const timeZone = timeZoneOf(invocation, command);
  return filterLines(invocation, {
    shape: (record, where) => {
      const askedAt = stringField(record, 'asked_at', where, 'allowed');
      const text = stringField(record, 'question', where);
      const id = lineId(record, (expected, received) => invalidLine(where, expected, received));
      return toTimeQuestionRecord(id, parseQuestion({ text, timeZone, askedAt }, options));
    },
    weight: (record) => record.main_content.length,
    transform: (batch) => batch,
  });
}

function partsOf(value: string): [number, number] {
  const years = /^([1-9]),([1-9])$/.exec(value)?.slice(1).map(Number);
  if (!years || years[0]! >= years[1]!) {
    throw new UsageError(
      `--parts-of-decade must be two ascending years, such as 3,7, received ${JSON.stringify(value)}.`,
      command.name,
    );
  }
  return [years[0]!, years[1]!];
}
