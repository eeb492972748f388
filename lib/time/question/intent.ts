// Temporal intent and temporal signals of a query in TEMPO's terms (section 3, appendix B.2), by
// rules instead of the paper's language model. Events are recognised only after a signal word.
import type { Question } from '../../records.js';
import type { ParsedQuestion } from '../constraint.js';
import { parseQuestion } from './question.js';
import { questionStart } from './questionText.js';
import type { Mention } from '../mention.js';
import { tagText } from '../tagger.js';
import { readQuestion } from './reading.js';

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

const oneOf = (...words: string[]): RegExp =>
  new RegExp(String.raw`\b(?:${words.join('|')})\b`, 'gi');

const overTime = ['over time', 'over the (?:years|decades|centuries)', 'through(?:out)? history'];
const word = oneOf(
  'currently',
  'nowadays',
  'presently',
  'recently',
  'lately',
  'historically',
  'formerly',
  'previously',
  'originally',
  'initially',
  'eventually',
  'current',
  'present-day',
  'modern-day',
  'recent',
  'former',
  'previous',
  'contemporary',
  'ongoing',
  'still',
  'ago',
  ...overTime,
  'at (?:the|that) time',
  'these days',
  'anymore',
  'any longer',
  'so far',
  'to date',
  'up to now',
  'until now',
  'ever since',
  'yet',
);
const askingLength = oneOf(
  '(?:for )?how (?:long|many (?:years|months|weeks|days|hours|minutes|seconds|decades|centuries))',
  'what (?:is|was) the duration',
);
const askingWhen = oneOf(
  '(?:since|until|by) when',
  'when',
  '(?:(?:in|on|at|by|since|until|during) )?(?:what|which) ' +
    '(?:year|month|day|date|decade|century|time|season|quarter|era|period|age|epoch)',
);
const name = String.raw`[A-Z][\w’'.-]*(?:\s+(?:(?:of|the|de|and|for|in)\s+)*[A-Z0-9][\w’'.-]*)*`;
const event = new RegExp(
  String.raw`\b(?:before|after|during|since|until|following|prior to|by the time of|` +
    String.raw`at the time of)\s+(?:the\s+|an?\s+)?${name}`,
  'g',
);

const timeline = oneOf(
  'timeline',
  String.raw`chronolog\w*`,
  'histor(?:y|ical development) of',
  'evolution of',
  String.raw`evolv\w+`,
  'sequence of events',
  ...overTime,
);
const ordering = oneOf(
  'in (?:what|which) order',
  '(?:came|happened|occurred|was) (?:first|earlier|later)',
  'which (?:came|happened|is older|was earlier)',
);
const sequence = oneOf(
  'before',
  'after',
  'prior to',
  'since',
  'until',
  'following',
  String.raw`preced\w+`,
  String.raw`succeed\w+`,
);
const ongoing = oneOf(
  'still',
  'currently',
  'current',
  'nowadays',
  'presently',
  'present-day',
  'ongoing',
  'these days',
  'today',
  'now',
  'anymore',
  'any longer',
  'so far',
  'to date',
);
const period = oneOf(
  'during',
  'throughout',
  'era',
  'period',
  '(?:what|which) (?:age|epoch)',
  'age of',
  'dynasty',
);

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
  const signals: TemporalSignal[] = [];
  const add = (kind: TemporalSignal['kind'], start: number, end: number): void => {
    const taken = signals.some((other) => start < other.end && other.start < end);
    if (start < end && !taken) signals.push({ start, end, text: text.slice(start, end), kind });
  };
  for (const { start, end } of mentions) add('date', start, end);
  for (const [kind, pattern] of [
    ['asking', askingLength],
    ['asking', askingWhen],
    ['event', event],
    ['word', word],
  ] as const) {
    for (const match of text.matchAll(pattern))
      add(kind, match.index, match.index + match[0].length);
  }
  const { order, removed } = readQuestion(question);
  if (order !== 'none') for (const { start, end } of removed) add('word', start, end);
  signals.sort((a, b) => a.start - b.start);
  return { parsed, intent: intentOf(parsed, signals, mentions), signals, mentions };
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
  { text, constraint }: ParsedQuestion,
  signals: readonly TemporalSignal[],
  mentions: readonly Mention[],
): TemporalIntent {
  // test() would keep lastIndex of these global patterns.
  const has = (pattern: RegExp): boolean => text.search(pattern) >= 0;
  if (has(askingLength)) return 'duration';
  if (has(timeline)) return 'timeline';
  const asking = signals.find(({ kind }) => kind === 'asking');
  if (asking)
    return /\b(?:era|period|age|epoch)$/i.test(asking.text) ? 'period_definition' : 'when';
  if (constraint.condition !== 'none' || has(ordering)) return 'order';
  const { relation } = constraint;
  const bounded =
    relation === 'before' ||
    relation === 'after' ||
    relation === 'since' ||
    relation === 'until' ||
    relation === 'by';
  if (
    bounded ||
    signals.some(({ kind, text: words }) => kind === 'event' && words.search(sequence) >= 0)
  )
    return 'before_after';
  if (has(ongoing) || mentions.some(({ timexValue }) => timexValue === 'PRESENT_REF'))
    return 'ongoing_status';
  if (relation !== 'none' || has(period)) return 'period_definition';
  return mentions.some(({ timexType }) => timexType === 'DURATION') ? 'duration' : 'none';
}
