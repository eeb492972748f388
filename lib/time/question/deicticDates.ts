// Deictic time expressions of a question: "now", "as of today", "until now", "in the last five
// years", and "current", which stays in the main content. Calendar units ("last year", "tomorrow")
// are the tagger's.
import { dayMilliseconds } from '../civil.js';
import type { Relation } from '../constraint.js';
import type { Granularity, Instant } from '../interval.js';
import { boundsFromWallClock, toWallClock } from '../timeZone.js';
import { numeral, numeralValue } from './numerals.js';
import { byMonths, calendarUnits } from './offsetDates.js';
import type { QuestionDate } from './questionDate.js';

const day = (instant: Instant): Instant => Math.floor(instant / dayMilliseconds) * dayMilliseconds;

/** The day of the query time in a zone, the meaning of "now". Default UTC, or a wall clock. */
export function queryDay(askedAt: Instant, timeZone?: string): QuestionDate['interval'] {
  const start = day(toWallClock(askedAt, timeZone));
  const wall = { start, end: start + dayMilliseconds, granularity: 'day' } as const;
  return boundsFromWallClock(wall, timeZone);
}

// Context after "now" as an adverb, as opposed to a modifier ("the now defunct club").
const closes = String.raw`(?=\s*(?:$|[?.!,;)]|\b(?:in|on|at|for|of|by|with|and|or|that|as|to|from)\b))`;

const nowWords: readonly { pattern: RegExp; relation: Relation }[] = [
  {
    pattern:
      /\b(?:up )?(?:until|till|to|through) (?:right )?(?:now|today|the present(?: day| time)?)\b/gi,
    relation: 'until',
  },
  { pattern: /\bby (?:right )?now\b/gi, relation: 'by' },
  {
    pattern: new RegExp(
      String.raw`\bas (?:of|at) (?:right now|now|today|the present(?: day| time)?|this (?:moment|` +
        String.raw`day)|the (?:current|present) (?:day|date|` +
        String.raw`time|moment))\b(?!['’-])`,
      'gi',
    ),
    relation: 'as of',
  },
  {
    pattern: new RegExp(String.raw`\b(?:right now|(?:so|thus) far|to date)\b(?!-)${closes}`, 'gi'),
    relation: 'as of',
  },
  {
    pattern:
      /\bat (?:the (?:moment|present(?: time| moment)?|current (?:time|moment))|this (?:moment|time|point in time)|present)\b(?! of\b)/gi,
    relation: 'as of',
  },
  { pattern: /\b(?:currently|presently|nowadays|these days)\b(?!-)/gi, relation: 'as of' },
  {
    pattern: new RegExp(
      String.raw`(?<!\b(?:from|the|an?|just|apocalypse|even|what(?:['’]s| is| are| was)|(?:which|` +
        String.raw`that) ` +
        String.raw`(?:is|are|was|were)),?\s+)\bnow\b(?![-'’])${closes}`,
      'gi',
    ),
    relation: 'as of',
  },
  // "Who is now the mayor?", "who now leads", "Now, who leads"
  {
    pattern: new RegExp(
      String.raw`(?<=\b(?:who|which (?!is\b|are\b|was\b|were\b)\w+|who is|who are|who['’]s|` +
        String.raw`where is|where are|` +
        String.raw`how many \w+ are)\s+)now\b(?!['’-])`,
      'gi',
    ),
    relation: 'as of',
  },
  { pattern: /(?<=^\W*)now(?=,)/gi, relation: 'as of' },
];

const counted = `(${numeral})`;
const units = '(minute|hour|day|week|fortnight|month|quarter|year|decade|century|centurie)s?';
const spanPattern = new RegExp(
  String.raw`\b(?:((?:with)?in|over|during|for|throughout|across)\s+)?(?:(?:all\s+of\s+)?the\s+|` +
    String.raw`these\s+)?` +
    String.raw`(last|past|next|` +
    String.raw`coming)\s+(?:${counted}[\s-]+)?${units}\b(?!\s+of\b|['’-])`,
  'gi',
);

/** "The last year" without a preposition is ambiguous and excluded. */
function relativeSpans(text: string, askedAt: Instant): QuestionDate[] {
  const dates: QuestionDate[] = [];
  for (const match of text.matchAll(spanPattern)) {
    const [words, preposition, way, count, unit] = match as unknown as [
      string,
      string?,
      string?,
      string?,
      string?,
    ];
    // "next year" is the tagger's.
    if (count === undefined && (preposition === undefined || !/\bthe\b/i.test(words))) continue;
    const steps = count === undefined ? 1 : numeralValue(count);
    const name = unit!.toLowerCase() === 'centurie' ? 'century' : unit!.toLowerCase();
    const direction = /next|coming/i.test(way!) ? 1 : -1;
    const interval = spanOf(askedAt, direction * steps, name);
    const granularity = (
      name === 'fortnight' ? 'week' : name === 'hour' || name === 'minute' ? 'day' : name
    ) as Granularity;
    if (interval.start < interval.end)
      dates.push(dated(match.index, words, 'in', { ...interval, granularity }));
  }
  return dates;
}

/** Up to the query day, or after it. Hours and minutes count as the days they touch. */
function spanOf(askedAt: Instant, steps: number, unit: string): { start: Instant; end: Instant } {
  const { start, end } = queryDay(askedAt);
  const length = { minute: 60_000, hour: 3_600_000 }[unit];
  if (length !== undefined) {
    const far = day(askedAt + steps * length);
    return { start: Math.min(start, far), end: Math.max(end, far + dayMilliseconds) };
  }
  const { days, months } = calendarUnits[unit as keyof typeof calendarUnits];
  const far = byMonths(end, steps * months) + steps * days * dayMilliseconds;
  return steps < 0 ? { start: far, end } : { start: end, end: far };
}

function dated(
  start: number,
  text: string,
  relation: Relation,
  interval: QuestionDate['interval'],
): QuestionDate {
  return { start, end: start + text.length, text, relation, interval };
}

/** Removable expressions for the query time, and intervals relative to it, in order. */
export function deicticDates(
  text: string,
  askedAt: Instant,
): { now: QuestionDate[]; relativeSpans: QuestionDate[] } {
  const now: QuestionDate[] = [];
  for (const { pattern, relation } of nowWords) {
    for (const match of text.matchAll(pattern)) {
      const span = dated(match.index, match[0], relation, queryDay(askedAt));
      if (
        isName(text, span.start) ||
        now.some((other) => other.start < span.end && span.start < other.end)
      )
        continue;
      now.push(span);
    }
  }
  return {
    now: now.sort((a, b) => a.start - b.start),
    relativeSpans: relativeSpans(text, askedAt),
  };
}

/** "Apocalypse Now": a capital within the question. */
const isName = (text: string, start: number): boolean =>
  /^[A-Z]/.test(text.slice(start)) &&
  !/^\W*$/.test(text.slice(0, start)) &&
  text !== text.toUpperCase();

// "The current mayor", but not "the current in the strait", "current affairs" or "before the
// current mayor".
const current = new RegExp(
  String.raw`(?<!\b(?:electric(?:al)?|ocean(?:ic)?|sea|tidal|rip|alternating|direct|gulf|water|` +
    String.raw`air|an?|an? \w+|of|(?:before|until|than|preceding|` +
    String.raw`prior to|after|succeeded|replaced) (?:the|its|their|his|her))\s+)\b(?:current|` +
    String.raw`incumbent|present-day)\s+(?!(?:in|of|through|` +
    String.raw`from|between|is|was|are|do|does|did|can|will|has|flows?|flowing|density|affairs|events|account)\b)(?=[a-z])`,
  'i',
);

/** "Current", which like "latest" constrains and stays in the main content. */
export const impliesCurrent = (text: string): boolean => current.test(text);
