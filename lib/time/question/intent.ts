// Temporal intent and temporal signals of a query in TEMPO's terms (section 3, appendix B.2), by
// rules instead of the paper's language model. Events are recognised only after a signal word.
import { binding } from '../../binding.js';
import type { Question } from '../../records.js';
import type { ParsedQuestion } from '../constraint.js';
import { parseQuestion } from './question.js';
import { questionStart } from './questionText.js';
import type { Mention } from '../mention.js';
import { tagText } from '../tagger.js';
import { flagsOf, readQuestion, type Span } from './reading.js';

/** TEMPO's temporal intent classes. */
export type TemporalIntent =
  | 'when'
  | 'duration'
  | 'order'
  | 'before_after'
  | 'ongoing_status'
  | 'period_definition'
  | 'timeline'
  | 'none';

/** A temporal expression in the query; UTF-16 offsets, half-open. */
export interface TemporalSignal {
  start: number;
  end: number;
  text: string;
  /**
   * `date`: a date, duration, repetition or vague reference with its preposition. `word`: "first",
   * "currently", "over time". `asking`: "when", "how long", "in which year". `event`: "after the
   * Battle of Hastings", topic as well as time.
   */
  kind: 'date' | 'word' | 'asking' | 'event';
}

/** A parsed query with its temporal intent and signals. */
export interface TemporalQuery {
  parsed: ParsedQuestion;
  intent: TemporalIntent;
  /** In order, not overlapping. */
  signals: TemporalSignal[];
  /** The tagger's mentions among the signals. */
  mentions: Mention[];
}

const leastConfidence = 0.4;

/** In the order of the addon's bits and codes. */
const queryCues = ['length', 'timeline', 'ordering', 'ongoing', 'period'] as const;
const signalKinds = ['asking', 'asking', 'event', 'event', 'word'] as const;
const [askingPeriod, orderedEvent] = [1, 3];

/**
 * Reads a query's intent and signals.
 * @throws AsOfError ERR_INVALID_ARGUMENT as parseQuestion.
 * @example readTemporalQuery({ text: 'When was the last crash as of 1970?' }).intent // 'when'
 */
export function readTemporalQuery(question: Question): TemporalQuery {
  const parsed = parseQuestion(question);
  const from = questionStart(parsed.text);
  if (from > 0)
    return moved(readTemporalQuery({ ...question, text: parsed.text.slice(from) }), parsed, from);
  const { text, askedAt, timeZone } = parsed;
  const tagged = tagText(text, { reference: askedAt, timeZone }).mentions;
  const mentions = tagged.filter(
    (mention) => mention.confidence >= leastConfidence && isRead(mention, parsed),
  );
  const codes = new Map<TemporalSignal, number | undefined>();
  const add = (span: Span, kind: TemporalSignal['kind'], code?: number): void => {
    const { start, end } = span;
    const taken = [...codes.keys()].some((other) => start < other.end && other.start < end);
    if (start < end && !taken) codes.set({ start, end, text: text.slice(start, end), kind }, code);
  };
  for (const mention of mentions) add(mention, 'date');
  const { spans, kinds, cues } = binding.querySignals(text);
  kinds.forEach((code, at) =>
    add({ start: spans[2 * at]!, end: spans[2 * at + 1]! }, signalKinds[code]!, code),
  );
  const { order, removed } = readQuestion(question);
  if (order !== 'none') for (const span of removed) add(span, 'word');
  const signals = [...codes.keys()].sort((a, b) => a.start - b.start);
  const asking = signals.find(({ kind }) => kind === 'asking');
  const intent = intentOf(parsed, mentions, {
    ...flagsOf(queryCues, cues),
    asks: asking && (codes.get(asking) === askingPeriod ? 'period_definition' : 'when'),
    isOrdered: [...codes.values()].includes(orderedEvent),
  });
  return { parsed, intent, signals, mentions };
}

/** The result for the end of a long text, with offsets into the whole text. */
function moved(
  { intent, signals, mentions }: TemporalQuery,
  parsed: ParsedQuestion,
  by: number,
): TemporalQuery {
  const from = <T extends { start: number; end: number }>(span: T): T => ({
    ...span,
    start: span.start + by,
    end: span.end + by,
  });
  const all = mentions.map((mention) => ({ ...from(mention), timexes: mention.timexes.map(from) }));
  return { parsed, intent, signals: signals.map(from), mentions: all };
}

/** "Who wrote 1984?" has no date; mentions without an interval are no constraints. */
function isRead(mention: Mention, { constraints }: ParsedQuestion): boolean {
  if (mention.interval === undefined) return true;
  return constraints.some(
    ({ text }) =>
      text !== undefined && (text.includes(mention.text) || mention.text.includes(text)),
  );
}

/** Interrogatives decide before constraints. */
function intentOf(
  { constraint: { condition, relation } }: ParsedQuestion,
  mentions: readonly Mention[],
  cues: Record<(typeof queryCues)[number], boolean> & {
    asks: 'period_definition' | 'when' | undefined;
    isOrdered: boolean;
  },
): TemporalIntent {
  if (cues.length) return 'duration';
  if (cues.timeline) return 'timeline';
  if (cues.asks) return cues.asks;
  if (condition !== 'none' || cues.ordering) return 'order';
  if (cues.isOrdered || ['before', 'after', 'since', 'until', 'by'].includes(relation))
    return 'before_after';
  if (cues.ongoing || mentions.some(({ timexValue }) => timexValue === 'PRESENT_REF'))
    return 'ongoing_status';
  if (relation !== 'none' || cues.period) return 'period_definition';
  return mentions.some(({ timexType }) => timexType === 'DURATION') ? 'duration' : 'none';
}
