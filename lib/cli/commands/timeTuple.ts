// `asof time tuple`: main time of each text as Re3's tuple, streamed line by line.
import { type Command, wordOption, type Invocation } from '../command.js';
import { timeTuples } from '../../time/timeExtractor.js';
import { datedText, filterLines } from '../inputs/filterLines.js';
import { openExtractor } from '../inputs/timeExtractor.js';

export const command: Command = {
  name: 'time tuple',
  summary: 'Extracts the main time of each text: year, month, day of month. JSON lines in and out.',
  positionals: ['[FILE.jsonl]'],
  options: {
    kind: {
      value: 'passage|query',
      help: 'passage (default): the time it tells about; query: the time it asks for',
    },
    extractor: {
      value: 'grammar|learned|both',
      help:
        'grammar (default); learned (needs onnxruntime-node); both: learned where the grammar ' +
        'finds no time',
    },
  },
  details:
    'in:  {id, text, ref?} a line, from FILE or standard input; ref is the reference of relative ' +
    'times (ISO 8601), default now for a query\n' +
    'out: {id, year, month, day_of_month}, null for an unknown part.',
  example: 'asof time tuple passages.jsonl',
};

const kinds = ['passage', 'query'] as const;

export async function run(invocation: Invocation): Promise<number | void> {
  const kind = wordOption(invocation, 'kind', kinds) ?? 'passage';
  const { signal } = invocation;
  await using opened = await openExtractor(invocation);
  return await filterLines(invocation, {
    shape: datedText,
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
