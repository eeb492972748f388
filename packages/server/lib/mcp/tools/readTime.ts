// Tool read_time: how a text's times are read, without a search.
import { agentSchema, toJson } from 'asof/kit';
import { formatInstant, parseQuestion, tagTimes } from 'asof/time';
import { date } from '../../http/schemas/common.js';
import { resultFields, tagFields } from '../../http/schemas/results.js';
import { object, open, text } from '../schemas.js';
import { bounded, readingText } from '../text.js';
import type { Tool } from '../tool.js';

interface ReadTimeArguments {
  text: string;
  asked_at?: string | undefined;
}

const { question: words, ...times } = agentSchema({
  question: { description: 'a question or another text, in English' },
  askedAt: {
    description:
      'ISO 8601 or words: what "today" and "last year" refer to, when the text was written; ' +
      'default now',
  },
}).properties;

const output = open({
  asked_at: date('What relative times refer to, UTC.'),
  time_zone: { ...text, description: 'IANA name of the zone of days.' },
  constraint: resultFields.constraint,
  ...tagFields,
});

export const readTimeTool: Tool<ReadTimeArguments> = {
  name: 'read_time',
  title: 'Read times',
  description:
    'Reads the times in a text, without a search: every date and relative time as ISO 8601 ' +
    '("last May" is 2020-05), and the constraint that the text would be as a question. For ' +
    'checking how search would read a question, or for dating a text.',
  input: object({ text: words!, 'asked_at?': times['asked_at']! }),
  output,
  async run({ text: asked, asked_at }, { corpus, signal }) {
    const { timeZone } = corpus;
    const parsed = parseQuestion({ text: asked, askedAt: asked_at, timeZone });
    const references = [parsed.askedAt];
    const [tagged] = await tagTimes([asked], { timeZone, references, signal });
    const { id: _, ...record } = toJson.timeTag(null, asked, tagged!, timeZone);
    const mentions = record.mentions.map(({ text: words, start_iso, end_iso }) =>
      start_iso === end_iso
        ? `- "${words}": ${start_iso ?? 'no date'}`
        : `- "${words}": ${start_iso ?? 'open'} to ${end_iso ?? 'open'}`,
    );
    return {
      structured: {
        asked_at: formatInstant(parsed.askedAt),
        time_zone: timeZone,
        constraint: toJson.constraint(parsed),
        ...record,
      },
      text: bounded(
        `As a question: ${readingText(parsed, timeZone)} Times in it: ${mentions.length}.`,
        mentions,
        'times',
      ),
    };
  },
};
