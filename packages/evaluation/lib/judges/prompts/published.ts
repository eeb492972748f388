// The three prompts of TEMPO's published judge in our own words: its inputs, its order and the
// fields of its answers (appendix C.2). One message without a system prompt, the document alone,
// asked once.
import type { JsonSchema } from 'asof/models';
import { temporalFocuses, type TemporalFocus } from '../judgement.js';

export interface PublishedIntent {
  has_temporal_intent: boolean;
  temporal_keywords: string[];
  temporal_focus: TemporalFocus;
}

export interface PublishedRelevance {
  verdict: 0 | 1;
  reason: string;
  temporal_contribution: string;
}

export interface PublishedEvidence extends PublishedRelevance {
  covers_baseline: boolean;
  covers_comparison: boolean;
}

const common = { maxTokens: 1024, once: true };
const text = { type: 'string' };
const relevanceFields = { verdict: { enum: [0, 1] }, reason: text, temporal_contribution: text };

const fields = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

const intentExample = (query: string, focus: TemporalFocus, ...keywords: string[]): string =>
  `Query: "${query}"\nOutput: ${JSON.stringify({
    has_temporal_intent: focus !== 'none',
    temporal_keywords: keywords,
    temporal_focus: focus,
  })}`;

export function publishedIntentPrompt(query: string) {
  const prompt = `Does a correct answer to the query below depend on time?

Query: "${query}"

It does if the query asks
- for the date or time of something,
- for a length of time,
- for what is new or has happened lately,
- for a development through time,
- for what came earlier or later than something else.

Answer with JSON alone:
{"has_temporal_intent": true or false, "temporal_keywords": [words of the query], \
"temporal_focus": ${temporalFocuses.map((focus) => `"${focus}"`).join(' or ')}}

${[
  intentExample('When was the harbour light of Varn lit?', 'specific_time', 'when', 'lit'),
  intentExample('How long may a tenant store goods?', 'duration', 'how long'),
  intentExample('What is new in ferry law?', 'recency', 'new'),
  intentExample('What is a sluice gate?', 'none'),
].join('\n\n')}

The query to judge: "${query}"`;
  return {
    prompt,
    schema: fields({
      has_temporal_intent: { type: 'boolean' },
      temporal_keywords: { type: 'array', items: text },
      temporal_focus: { enum: [...temporalFocuses] },
    }),
    ...common,
  };
}

export function publishedRelevancePrompt(query: string, focus: TemporalFocus, document: string) {
  const prompt = `Decide whether a document that was retrieved helps with the side of a query that \
concerns time.

Query: "${query}"
Side of time: ${focus}

Document:
${document}

Does the document itself help to answer what the query asks of time?
- 1: it tells dates, lengths of time, periods or an order of events.
- 0: it tells no time, however close its subject.
- Asked for a time, it must name one; asked for a length, it must give one; asked for what is \
recent, it must say that it is or have a recent date.
- Judge severely: facts without any mark of time are 0.

Answer with JSON alone:
{"verdict": 1 or 0, "reason": "in a few words", "temporal_contribution": "the time that it tells, \
or 'none'"}`;
  return { prompt, schema: fields(relevanceFields), ...common };
}

export function publishedEvidencePrompt(
  query: string,
  focus: TemporalFocus,
  [baseline, comparison]: readonly string[],
  document: string,
) {
  const prompt = `Grade a retrieved document for a query on a change through time, which needs \
evidence of two periods.

Query: "${query}"
Side of time: ${focus}

Earlier period (baseline): ${baseline}
Later period (comparison): ${comparison}

Document:
${document}

The document gets the verdict 1 where it tells, by itself, something of the time that the query is \
about, and 0 elsewhere. It covers a period where it is evidence of how things stood in it; it may \
cover one, both or neither (covers_baseline, covers_comparison).

A date outside the periods is evidence of neither. Words for the present, if they fit the subject, \
may speak for the later period; for the earlier one only what lies at its time does.

Answer with JSON alone:
{"verdict": 1 or 0, "reason": "in a few words", "temporal_contribution": "the time that it tells, \
or 'none'", "covers_baseline": true or false, "covers_comparison": true or false}`;
  const flag = { type: 'boolean' };
  return {
    prompt,
    schema: fields({ ...relevanceFields, covers_baseline: flag, covers_comparison: flag }),
    ...common,
  };
}
