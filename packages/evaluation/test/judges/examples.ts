// What the tests of judges share: a model that answers from a script and remembers what it was
// asked, and documents of our own.
import type { JudgeDocument, Run } from '../../lib/index.js';
import type { GenerateRequest, TextModel } from '../../../../lib/index.js';

export interface ScriptedModel extends TextModel {
  asked: GenerateRequest[];
}

/** Answers what `script` gives for the request: text as it is, other values as JSON. */
export function scripted(
  script: (request: GenerateRequest) => unknown,
  id = 'scripted',
): ScriptedModel {
  const asked: GenerateRequest[] = [];
  return {
    id,
    asked,
    generate: async (request) => {
      asked.push(request);
      const answer = script(request);
      return { text: typeof answer === 'string' ? answer : JSON.stringify(answer) };
    },
  };
}

export const fares: Record<string, JudgeDocument> = {
  baseline: {
    id: 'baseline',
    text: 'In 2010 a rail ticket in Norland cost 20 crowns. Fares were set by the state.',
  },
  comparison: {
    id: 'comparison',
    text: 'Norland rail fares are currently 40 crowns after the rise of March 2023.',
    publishedAt: '2023-04-01',
  },
  both: { id: 'both', text: 'Rail fares in Norland were 20 crowns in 2010 and 40 crowns in 2023.' },
  undated: { id: 'undated', text: 'Rail fares in Norland are set by the state.' },
  elsewhere: { id: 'elsewhere', text: 'Norland has many lakes. In 2010 it rained a lot.' },
};

export const faresQuestion = {
  id: 'fares',
  text: 'How have rail fares in Norland changed since 2010?',
  askedAt: '2024-06-01',
};

export const ranking = (query: string, ...ids: string[]): Run =>
  new Map([[query, ids.map((id, at) => ({ id, score: ids.length - at }))]]);
