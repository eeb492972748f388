// Tool search: passages that answer a question, with their times, and the answer in them.
import { agentResult, agentSchema, invalidArgument } from 'asof/kit';
import type { AskOptions } from 'asof';
import { evidenceFields, resultFields } from '../../http/schemas/results.js';
import { isCut, listOf, object, open } from '../schemas.js';
import { resultText } from '../text.js';
import type { Tool, ToolWords } from '../tool.js';

/** UTF-16 units of a passage's text in a result; the resource of the passage has all. */
const mostText = 8000;
const mostPassages = 50;
const defaultPassages = 5;

/** Those of its schema. */
interface SearchArguments extends AskOptions {
  question: string;
  as_of?: string | undefined;
  asked_at?: string | undefined;
  min_score?: number | undefined;
  system?: string | undefined;
}

export function searchTool({ where, systems: names }: ToolWords): Tool<SearchArguments> {
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
        where,
        since: {},
        until: {},
        only: {},
        decay: {},
        relevance: {},
        k: { maximum: mostPassages, default: defaultPassages },
        offset: { default: 0 },
        minScore: {},
        highlights: {},
        facets: {},
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
    async run(
      {
        question: text,
        as_of: asOf,
        asked_at: askedAt,
        min_score: minScore,
        k = defaultPassages,
        system: name,
        ...options
      },
      { corpus, systems, signal },
    ) {
      const system = systems.find((each) => name === undefined || each.name === name);
      if (!system)
        throw invalidArgument(
          'system',
          `one of ${systems.map((each) => each.name).join(', ')}`,
          name,
        );
      const asked = { ...options, asOf, k, minScore, signal };
      const result = await system.run({ text, askedAt }, asked);
      return {
        structured: agentResult(result, system.name, mostText),
        text: resultText(result, corpus.timeZone),
      };
    },
  };
}

const { trace: _, 'scan?': __, 'dropped?': ___, ...shown } = resultFields;
const { scores: ____, 'shares?': _____, ...found } = evidenceFields;
const searchOutput = open({
  ...shown,
  evidence: listOf(object({ ...found, 'cut?': isCut }), { description: 'Best first.' }),
});
