// Hard negatives of queries (TEMPO appendices B.1 and J.4): a search for documents on a query's
// topic, and those found that are no evidence of its time. The paper's search is of the web, by
// people; here it is of the domain's own documents, and a judge chooses.
import { askTemplate } from 'asof/kit';
import { parseQuestion } from 'asof/time';
import type { System, TextModel } from 'asof';
import { objectSchema } from '../judges/prompts.js';
import type { RelevanceJudge } from '../judges/judgement.js';
import type { TempoQuery } from './data.js';

/** The published fields of what finds a query's negatives, and the documents. */
export interface HardNegatives {
  /** The search. */
  llm_summary: string;
  entities_events: string[];
  negative_ids: string[];
}

export interface HardNegativeOptions {
  /** Over the domain's documents. */
  system: System;
  judge: RelevanceJudge;
  /** Writes the search. Default: the query's words without those of its time. */
  model?: TextModel | undefined;
  /** Receives the reason of an unusable answer, whose search is that without a model. */
  onUnusable: (why: string) => void;
  signal?: AbortSignal | undefined;
}

/** Documents found by the search, and the most that are taken. */
const [depth, most] = [30, 10];

const schema = objectSchema({
  llm_summary: { type: 'string', minLength: 1, maxLength: 500 },
  entities_events: { type: 'array', items: { type: 'string', maxLength: 120 }, maxItems: 40 },
});

/** @throws AsOfError as the model, the judge and the system */
export async function hardNegatives(
  query: Pick<TempoQuery, 'id' | 'text' | 'relevant'>,
  options: HardNegativeOptions,
): Promise<HardNegatives> {
  const { system, judge, signal } = options;
  const search = await searchOf(query.text, options);
  const { evidence } = await system.run({ text: search.llm_summary }, { k: depth, signal });
  const intent = await judge.intent(query, signal);
  const negatives: string[] = [];
  for (const document of evidence) {
    if (negatives.length === most || query.relevant.includes(document.id)) continue;
    const { verdict } = await judge.relevance(query, intent, document, signal);
    if (verdict === 0) negatives.push(document.id);
  }
  return { ...search, negative_ids: negatives };
}

async function searchOf(
  text: string,
  { model, onUnusable, signal }: HardNegativeOptions,
): Promise<Omit<HardNegatives, 'negative_ids'>> {
  const rules = { llm_summary: parseQuestion({ text }).mainContent || text, entities_events: [] };
  if (!model) return rules;
  const request = { slots: { question: text.trim() }, schema, maxTokens: 600 };
  const said = await askTemplate<typeof rules>(model, 'tempoNegatives', request, signal);
  if ('value' in said) return said.value;
  onUnusable(said.unusable);
  return rules;
}
