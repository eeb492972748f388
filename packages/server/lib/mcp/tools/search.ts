// Tool search: passages that answer a question, with their times, and the answer in them.
import { agentQuestion, agentResult, agentSchema } from 'asof/kit';
import type { Fields, SearchableCorpus, Where, System } from 'asof';
import {
  constraintSchema,
  dateSchema,
  idSchema,
  missingShardsSchema,
  nullableString,
} from '../schemas.js';
import { resultText } from '../text.js';
import type { JsonSchema } from 'asof/models';
import type { Tool } from '../tool.js';

/** UTF-16 units of a passage's text in a result; the resource of the passage has all. */
const mostText = 8000;
const mostPassages = 50;
const defaultPassages = 5;

interface SearchArguments {
  question: string;
  as_of?: string | undefined;
  asked_at?: string | undefined;
  where?: Where | undefined;
  k?: number | undefined;
  system?: string | undefined;
}

export function searchTool(
  corpus: SearchableCorpus,
  systems: readonly System[],
  fields: Fields,
): Tool<SearchArguments> {
  const names = systems.map(({ name }) => name);
  return {
    name: 'search',
    title: 'Search by time',
    description:
      'Finds the passages that answer a question as of a time, with their dates and what ' +
      'superseded them, and reads the answer from them. Ask in a whole question and keep its ' +
      'time words: "Who led the company in May 2021?", "before the merger", "latest". The result ' +
      'says how the time was read.',
    input: agentSchema(
      {
        question: { description: 'the question, in English' },
        asOf: {},
        askedAt: {},
        where: { fields },
        k: { maximum: mostPassages, default: defaultPassages },
      },
      {
        system: {
          type: 'string',
          enum: names,
          description: `Retrieval system, default ${names[0]}. Leave it out unless asked to compare.`,
        },
      },
    ),
    output: searchOutput,
    async run({ where, k = defaultPassages, system: name = names[0], ...asked }, { signal }) {
      const system = systems.find((each) => each.name === name)!;
      const question = agentQuestion(asked, corpus);
      const result = await system.run(question, { k, where, signal });
      return {
        structured: agentResult(result, system.name, mostText),
        text: resultText(result, corpus.timeZone),
      };
    },
  };
}

const searchOutput: JsonSchema = {
  type: 'object',
  required: ['question', 'asked_at', 'constraint', 'system', 'evidence'],
  properties: {
    question: { type: 'string', description: 'As it was asked, as_of in its words.' },
    asked_at: dateSchema('Time of the question, UTC.'),
    time_zone: { type: 'string', description: 'IANA name of the zone of days; UTC if absent.' },
    constraint: constraintSchema,
    resolved: {
      type: 'object',
      description: 'The event that the question names in place of a date, and its time.',
    },
    system: { type: 'string' },
    answer: { ...nullableString, description: 'Read from the evidence; null if none answers.' },
    answer_evidence: { type: 'array', items: idSchema },
    unanswered: { type: 'string', description: 'Why no passage answers.' },
    missing_shards: missingShardsSchema,
    evidence: {
      type: 'array',
      description: 'Best first.',
      items: {
        type: 'object',
        required: ['id', 'rank', 'score', 'text'],
        properties: {
          id: idSchema,
          rank: { type: 'integer', minimum: 1 },
          score: { type: 'number' },
          title: { type: 'string' },
          text: { type: 'string' },
          cut: { type: 'boolean', description: 'Whether the text is only the beginning.' },
          sentence: { type: 'string', description: 'The sentence that was found.' },
          dates: { type: 'array', items: { type: 'object' }, description: 'Times it speaks of.' },
          published_at: dateSchema('Publication.'),
          valid_from: dateSchema('From when it holds.'),
          valid_to: dateSchema('Until when it holds, inclusive.'),
          series: { type: 'string', description: 'The thing whose state it is.' },
          superseded_by: {
            type: 'object',
            description: 'The passage that replaced it in its series, and from when.',
            required: ['id', 'from'],
            properties: { id: idSchema, from: dateSchema('From when.') },
          },
        },
      },
    },
  },
};
