// Tool timeline: the states of one thing in the order of time.
import { agentSchema, toJson } from 'asof/kit';
import { type AskOptions, timeline } from 'asof';
import { timelineFields } from '../../http/schemas/results.js';
import { count, open } from '../schemas.js';
import { timelineText } from '../text.js';
import type { Tool, ToolWords } from '../tool.js';

const mostStates = 400;
const defaultStates = 50;

const output = open({ ...timelineFields, omitted: count('Earlier states beyond k.') });

interface TimelineArguments extends Pick<AskOptions, 'where' | 'since' | 'until'> {
  question: string;
  as_of?: string | undefined;
  asked_at?: string | undefined;
  k?: number | undefined;
}

export function timelineTool({ where }: ToolWords): Tool<TimelineArguments> {
  return {
    name: 'timeline',
    title: 'Timeline',
    description:
      'What changed with time: every state of one thing that the passages state, in the order of ' +
      'time, each from when to when it held, with its passages and what it supersedes. Dates in ' +
      'the question do not count. For one time use search.',
    input: agentSchema({
      question: { description: 'a question, or a name: "prime minister of the UK"' },
      asOf: { description: 'omits what began after this time: ISO 8601, or words ("last May")' },
      askedAt: {},
      where,
      since: {},
      until: {},
      k: {
        maximum: mostStates,
        description: 'states to return, the latest ones',
        default: defaultStates,
      },
    }),
    output,
    async run({ as_of, where, since, until, k = defaultStates, ...asked }, { corpus, signal }) {
      const { timeZone } = corpus;
      const question = { text: asked.question, askedAt: asked.asked_at };
      const all = await timeline(corpus, question, { asOf: as_of, where, since, until, signal });
      const { missingShards } = all;
      const entries = Object.assign(all.slice(-k), missingShards && { missingShards });
      const omitted = all.length - entries.length;
      const states = toJson.timeline(question.text, entries, timeZone);
      return {
        structured: { ...states, omitted },
        text: timelineText(states, omitted, timeZone),
      };
    },
  };
}
