// Schemas of results, evidence, timelines and records of times, as `toJson` writes
// them.
import type { JsonSchema } from 'asof/models';
import { ref } from '../route.js';
import {
  anything,
  count,
  date,
  failure,
  iso,
  listOf,
  number,
  object,
  openTime,
  text,
  truth,
} from './common.js';

const scores: JsonSchema = { type: 'object', additionalProperties: { type: 'number' } };
const granularity: JsonSchema = { type: ['string', 'null'] };

const closing = object(
  { id: iso, from: iso, 'valid_to?': iso },
  'The next state of the series, which starts at from; valid_to was its own end.',
);

const constraintFields = {
  constraint_text: { ...openTime, description: 'The words of the time.' },
  relation: text('none, or as in "as of", "before", "between".'),
  start_iso: openTime,
  end_iso: openTime,
  window_start: openTime,
  window_end: openTime,
  granularity,
} as const;

const questionFields = {
  main_content: text('The question without its times.'),
  condition: text('none, first, earliest, last or latest.'),
  ...constraintFields,
  constraints: listOf(object({ ...constraintFields, clock: iso, binds: truth })),
  'asks?': text('when, how-long or thing.'),
  'order?': text('none, first, latest, now, next, previous or nth, of a series.'),
  'n?': { type: ['integer', 'null'] },
  'anchor?': { type: ['object', 'null'] },
  'shift?': openTime,
} as const;

const timeFields = {
  'published_at?': date('Publication.'),
  'valid_from?': date('From when it holds.'),
  'valid_to?': date('Until when it holds, inclusive.'),
} as const;
const series = text('The thing whose state it is.');

const chunk = object({
  parent: iso,
  start: count,
  end: count,
  'headings?': listOf(iso),
  'sentence?': object({ start: count, end: count }),
});

const validity = object(
  {
    from: openTime,
    to: openTime,
    'state?': text('holds, ended, not yet or unknown, at the time that the question asks for.'),
    'bounded?': listOf(iso, {
      description: 'Ends that no text tells: from by the publication, to by the next known state.',
    }),
    'rule?': iso,
    'clock?': iso,
    'ignored?': {},
  },
  'From when to when it held.',
);

const passageId = text('Id of a passage, of which get has all.');

export const evidenceFields = {
  id: passageId,
  rank: { type: 'integer', minimum: 1 },
  score: number,
  scores,
  'shares?': { ...scores, description: 'What each feature adds to the logarithm of the score.' },
  'title?': iso,
  text: iso,
  'sentence?': text('The sentence that won the passage its place.'),
  'dates?': listOf(object({ start_iso: openTime, end_iso: openTime, granularity: iso }), {
    description: 'Times it speaks of.',
  }),
  ...timeFields,
  'time_zone?': iso,
  'validity?': validity,
  'chunk?': chunk,
  'series?': series,
  'superseded_by?': closing,
  'highlights?': listOf(object({ start: count, end: count, kind: { enum: ['term', 'time'] } }), {
    description: 'UTF-16 offsets into text: of words (term), of times (time).',
  }),
  'neighbours?': listOf(object({ id: iso, start: count, end: count, text: iso })),
} as const;

const missingShards = listOf(iso, {
  description: 'Shards that could not be reached, whose passages are omitted.',
});

export const resultFields = {
  question: text('As it was asked, as_of in its words.'),
  asked_at: date('Time of the question, UTC.'),
  'time_zone?': text('IANA name of the zone of days; UTC if absent.'),
  constraint: object(
    { ...questionFields, clock: text('content, published or validity.') },
    'How the time of the question was read: both ends inclusive, null for an open one.',
  ),
  'resolved?': object(
    { phrase: iso, start: openTime, end: openTime, passage: iso, confidence: number, asked: {} },
    'The event that the question names in place of a date, and its time.',
  ),
  system: iso,
  'dropped?': listOf(object({ id: iso, because: iso, 'newer?': iso })),
  'answer?': { ...openTime, description: 'Read from the evidence; null if none answers.' },
  'answer_items?': listOf(iso),
  'answer_sentence?': openTime,
  'answer_evidence?': listOf(iso),
  'answer_confidence?': number,
  'answer_span_confidence?': number,
  'answer_validity?': validity,
  'unanswered?': text('Why no passage answers.'),
  'facets?': {
    type: 'object',
    additionalProperties: listOf(object({ value: iso, count })),
    description: 'Of each field its values by the number of passages, the most frequent first.',
  },
  'exact?': {
    ...truth,
    description: 'False where an index of a server may have missed some passages.',
  },
  'missing_shards?': missingShards,
  'scan?': object({ storage: iso, rescored: count, exact: truth, device: iso }),
  trace: listOf(
    object({
      stage: iso,
      milliseconds: number,
      'processorMilliseconds?': number,
      'notes?': anything,
    }),
  ),
} as const;

export const passageFields = {
  id: passageId,
  text: iso,
  'title?': iso,
  ...timeFields,
  'metadata?': anything,
  'chunk?': chunk,
  'series?': series,
  'supersedes?': iso,
  'superseded_by?': closing,
} as const;

export const timelineFields = {
  question: iso,
  'missing_shards?': missingShards,
  entries: listOf(
    object({
      start_iso: { ...openTime, description: 'From when it held; null if unknown.' },
      end_iso: { ...openTime, description: 'Until when, inclusive; null if open.' },
      values: listOf(iso, { description: 'What changed.' }),
      statement: iso,
      probability: { ...number, description: 'That it belongs here, 0.5 to 1.' },
      evidence: listOf(passageId),
      supersedes: listOf(passageId),
      'published_at?': iso,
    }),
    { description: 'Oldest first.' },
  ),
} as const;

export const tagFields = {
  mode: text('news or narrative: what incomplete dates refer to.'),
  mentions: listOf(
    object({
      start: { ...count, description: 'UTF-16 offset of the words, with `end`.' },
      end: count,
      text: iso,
      relation: iso,
      start_iso: openTime,
      end_iso: openTime,
      granularity,
      timex_type: iso,
      timex_value: iso,
    }),
  ),
  timex: listOf(object({ start: count, end: count, text: iso, type: iso, value: iso }), {
    description: 'TIMEX3 expressions.',
  }),
} as const;

const span = object({ start_iso: openTime, end_iso: openTime });

/** `components.schemas` of the description. */
export const components: Readonly<Record<string, JsonSchema>> = {
  Error: object({ error: failure }),
  Evidence: object(evidenceFields),
  Result: object({ ...resultFields, evidence: listOf(ref('Evidence')) }),
  /** A line of an answer that is streamed. */
  AnswerLine: {
    oneOf: [
      object({ type: { const: 'evidence' }, ...evidenceFields }, 'A passage, the best first.'),
      object(
        { type: { const: 'writing' }, text: { type: 'string' } },
        'The answer so far, which replaces the one before; empty if it turns out to be none.',
      ),
      object({ type: { const: 'result' }, ...resultFields }, 'The last line: all but evidence.'),
      object({ type: { const: 'error' }, error: failure }, 'The last line, if it failed.'),
    ],
  },
  Timeline: object(timelineFields),
  Passage: object(passageFields, 'As asof index reads it; times are ISO 8601.'),
  PassageVersion: object({
    ...passageFields,
    recorded_at: iso,
    'ended_at?': iso,
    'ended_by?': { enum: ['change', 'correction', 'deletion'] },
  }),
  Spans: object(
    { 'published?': span, 'valid?': span, 'content?': span },
    'First and last day of each clock.',
  ),
  CorpusInfo: object({
    name: iso,
    'generation?': count,
    passages: count,
    rows: count,
    sentences: count,
    sentenceRows: truth,
    'segments?': count,
    deleted: count,
    encoder: object({ id: iso, dimensions: count }),
    pipeline: anything,
    fields: { type: 'object', additionalProperties: { type: 'string' } },
    'history?': object({ last: number, 'from?': number }),
    time_zone: iso,
    'storage?': iso,
    bytes: { type: 'object', additionalProperties: { type: 'integer' } },
    spans: ref('Spans'),
  }),
  TimeTag: object({ id: { type: ['string', 'number', 'null'] }, ...tagFields }),
  TimeQuestion: object({ id: { type: ['string', 'number', 'null'] }, ...questionFields }),
};
