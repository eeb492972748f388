// Bounds that the dates of a question set on the time of its answer: relation words on either side
// of a date, edges of a period ("the close of 1997"), clauses of its course ("when 2022 ended").
import { dayMilliseconds } from '../civil.js';
import { type Clock, type Window, windowOf } from '../constraint.js';
import type { Instant, Interval } from '../interval.js';
import { endsWithReport } from '../publicationDates.js';
import { clockOf, constrainingDates } from './constrainingDates.js';
import { isDescriptor } from './descriptors.js';
import { numeral } from './numerals.js';
import { movedBy, stepsOf } from './offsetDates.js';
import type { QuestionClock } from './questionClock.js';
import type { QuestionDate } from './questionDate.js';
import { questionDates } from './questionDates.js';
import { isForecast } from './stative.js';

/** How a date bounds the answer. `at` is a point, whose state or events may be meant. */
export type BoundRelation =
  | 'at'
  | 'as of'
  | 'in'
  | 'between'
  | 'before'
  | 'by'
  | 'until'
  | 'after'
  | 'since'
  | 'around';

export interface Bound {
  relation: BoundRelation;
  interval: Interval;
  window: Window;
  alternatives?: Interval[];
  clock: Clock;
}

export interface QuestionBounds {
  bounds: Bound[];
  /** Whether a word for the present stands in the place of a date. */
  now: boolean;
  /** Whether it is "today", which may be the day rather than the moment. */
  today: boolean;
  /** With every date as `marker`: words about order are read without those of dates. */
  skeleton: string;
}

/** Stands for a date in a skeleton; a private-use character is neither a letter nor a blank. */
export const marker = '\uE000';
/** Stands for a word for the present in a skeleton. */
export const nowMarker = '\uE001';

/** Bounds on the wall clock of a question. */
export function readBounds(text: string, clock: QuestionClock): QuestionBounds {
  const askedAt = clock.reference;
  const { dates, now } = questionDates(text, clock);
  const constraining = constrainingDates(text, dates, now);
  const today = dates.filter(({ text: words }) => /^(?:on )?today\b/i.test(words));
  const binds = dates.filter(
    (date) =>
      !today.includes(date) &&
      constraining?.all.includes(date) === true &&
      !isDescriptor(text, date, askedAt),
  );
  const bounds = binds.map((date, index) => ({
    ...boundOf(text, date, askedAt),
    ...(isIssue(text, date, binds[index + 1]) ? { clock: 'published' as const } : {}),
  }));
  const marked = [
    ...binds.map((date) => ({ ...date, mark: marker })),
    ...[...now, ...today].map((date) => ({ ...date, mark: nowMarker })),
  ].sort((one, other) => one.start - other.start);
  let skeleton = '';
  let at = 0;
  for (const { start, end, mark } of marked) {
    skeleton += text.slice(at, start) + mark;
    at = Math.max(at, end);
  }
  return {
    bounds,
    now: now.length + today.length > 0,
    today: today.length > 0,
    skeleton: skeleton + text.slice(at),
  };
}

/** "The forecast of 1 May for 3 May": the day of a report before the day that it is about. */
function isIssue(text: string, date: QuestionDate, next: QuestionDate | undefined): boolean {
  const preposition = /^(?:of|on|from)\b/i.exec(text.slice(date.start, date.end))?.[0] ?? '';
  return (
    next !== undefined &&
    next.interval.start >= date.interval.end &&
    !/^\s*(?:,|and\b|or\b)/i.test(text.slice(date.end)) &&
    endsWithReport(text.slice(0, date.start) + preposition)
  );
}

/** Edges of a period as nouns, before "of" or the period itself. */
const edgeNoun = {
  end: edge('end|close|closing|conclusion|expiry|(?:last|final) (?:day|moment|minute)s?'),
  start: edge('start|beginning|opening|outset|onset|dawn|turn|stroke|first (?:day|moment|minute)'),
  eve: edge('eve|(?:the )?(?:night|evening) before'),
};

function edge(nouns: string): RegExp {
  return new RegExp(String.raw`\b(?:${nouns})(?: of|[ -])?\s*(?:the )?(?:year )?$`, 'i');
}

/** Verbs of a period's course after it: "when 2022 ended", "once February was over". */
const course = new RegExp(
  String.raw`^\s+(?:(?:had|has|have|is|was|were) )?(?:been )?` +
    String.raw`(?:(?:just|finally|already|now|nearly|almost|all but|about to) )?(?:` +
    String.raw`(end(?:ed|s|ing)?|clos(?:ed?|es|ing)|finish(?:ed|es|ing)|conclud(?:ed|ing)|expir(?:ed|ing)|` +
    String.raw`over|out|up|past|passed|gone|done|` +
    String.raw`(?:dr(?:ew|aws|awing) to|c[ao]mes? to|coming to|near(?:s|ed|ing)|approach(?:es|ed|ing)) ` +
    String.raw`(?:an?|its|their|the) (?:close|end))|` +
    String.raw`(?:began|begins?|begun|beginning|start(?:ed|s|ing)?|open(?:ed|s|ing)|` +
    String.raw`dawn(?:ed|s|ing)|broke|breaking|arrived|arriving|` +
    String.raw`c[ao]m(?:e|ing) (?:in|around|round)|(?:(?:got|was|getting) )?under way))\b`,
  'i',
);
const courseConjunction =
  /\b(when|as|with|once|after|before|until|till|by the time|as soon as|since)\s+(?:the )?(?:year )?$/i;

/** Suffixes that open a bound: "2005 onwards", "from 2005 on", "2005 or later". */
const openedAfter = new RegExp(
  String.raw`^,?\s*(?:on(?=\s*(?:$|[,?.:;]|\b(?:what|who|which|how|where)\b))|onwards?|forwards?|` +
    String.raw`upwards|(?:and|or) (?:later|after(?:wards)?|since|newer|beyond|onwards?|thereafter))\b`,
  'i',
);
const openedBefore = /^,?\s*(?:and|or) (?:earlier|before|older)\b/i;

/** Relations in words before a date that the tagger does not read; the first match counts. */
const wordsBefore: readonly (readonly [RegExp, BoundRelation])[] = (
  [
    ['(?:no|not) (?:older|sooner|earlier) than', 'since'],
    ['(?:no|not) (?:newer|later|more recent|younger) than|not after', 'by'],
    ['(?:older|earlier|sooner) than', 'before'],
    ['(?:newer|later|more recent|younger) than', 'after'],
    [
      'before|previous to|anterior to|preced(?:es?|ed|ing)|in advance of|' +
        '(?:going|heading|leading) (?:into|up to)|(?:lead|build|run)[- ]?up to',
      'before',
    ],
    [
      'after|subsequent to|in the wake of|succeed(?:s|ed|ing)|supersed(?:es?|ed|ing)|' +
        'replac(?:es?|ed|ing)|follow(?:s|ed|ing)|(?<!\\bthe )past|beyond|upon',
      'after',
    ],
    [
      '(?:ending|ends|ended|concluding|finishing|up to|through|thru)(?: (?:in|on|with|at))?',
      'until',
    ],
    ['(?:start(?:ing|s|ed)?|beginning|commencing|opening)(?: (?:in|on|with|at|from))?', 'since'],
  ] as const
).map(([words, relation]) => [
  new RegExp(String.raw`\b(?:${words})\s+(?:the )?(?:(?:one|that) (?:of|on|from|in) )?$`, 'i'),
  relation,
]);

/** "before the reorganisation in 2010": the event lies within the date. */
const eventOfDate = new RegExp(
  String.raw`\b(before|prior to|until|after|following|since)\s+(?:the|an?|his|her|its|their)\s+` +
    String.raw`(?:[a-z][\w’'-]*\s+){1,4}(?:(?:in|of|on)\s+)?(?:the\s+)?$`,
  'i',
);

function boundOf(text: string, date: QuestionDate, askedAt: Instant): Bound {
  // A time that is not over at asking is that of a forecast, not of its publication.
  const isAhead = date.interval.end > (isForecast(text) ? askedAt : Infinity);
  const clock = isAhead || date.interval.start > askedAt ? 'content' : clockOf(text, date);
  const left = text.slice(0, date.start);
  const right = text.slice(date.end);
  const bound = (relation: BoundRelation, interval: Interval): Bound => ({
    relation,
    interval,
    window: windowOfBound(relation, interval),
    clock,
    ...(date.alternatives ? { alternatives: date.alternatives } : {}),
  });
  const { interval } = date;
  const clause = courseConjunction.exec(left);
  const length = date.relation === 'none' || date.relation === 'on' ? ended.exec(left) : null;
  if (length) return bound('in', periodTo(interval, length[1]!));
  const verb = clause && date.relation === 'none' ? course.exec(right) : null;
  if (clause && verb)
    return ofClause(clause[1]!.toLowerCase(), verb[1] !== undefined, interval, bound);
  const words = text.slice(date.start, date.end);
  const head = date.shifted ? left : left + words.slice(0, period.exec(words)?.index ?? 0);
  const relation = relationIn(head, right, date);
  const edge = /^\W*(?:the )?year[- ]end\b/i.test(words)
    ? lastDay(interval.end)
    : edgeOf(head, interval);
  if (edge && (relation === 'in' || relation === 'at' || relation === 'as of' || relation === 'by'))
    return bound(relation === 'in' ? 'at' : relation, edge);
  if (relation === 'since' && interval.start > askedAt && date.relation === 'none')
    return bound('in', interval);
  return bound(relation, interval);
}

/** Accounting periods: "the year ended 31 December 2012", "three months to 30 June". */
const ended = new RegExp(
  String.raw`\b((?:${numeral}[- ])?(?:years?|quarters?|months?|weeks?))\s+(?:ended|ending|to)\s+(?:on\s+)?$`,
  'i',
);

function periodTo(last: Interval, length: string): Interval {
  const steps = stepsOf(/^[a-z]+$/i.test(length) ? `one ${length}` : length);
  const next: Interval = { start: last.end, end: last.end + dayMilliseconds, granularity: 'day' };
  return { start: movedBy(next, steps, -1).start, end: last.end, granularity: 'month' };
}

function ofClause(
  conjunction: string,
  ended: boolean,
  { start, end }: Interval,
  bound: (relation: BoundRelation, interval: Interval) => Bound,
): Bound {
  const day: Interval = ended ? lastDay(end) : firstDay(start);
  switch (conjunction) {
    case 'once':
    case 'after':
    case 'as soon as':
    case 'since':
      return bound(ended ? 'after' : 'since', day);
    case 'before':
      return bound(ended ? 'by' : 'before', day);
    case 'until':
    case 'till':
    case 'by the time':
      return bound('by', day);
    default:
      return bound('as of', day);
  }
}

const lastDay = (end: Instant): Interval => ({
  start: end - dayMilliseconds,
  end,
  granularity: 'day',
});
const firstDay = (start: Instant): Interval => ({
  start,
  end: start + dayMilliseconds,
  granularity: 'day',
});

/** "The fee effective 1 May": what holds from a day on answers at that day. */
const effective = /\beffective(?:\s+(?:from|on|in))?\s*$|\bwith effect (?:from|on)\s*$/i;

function relationIn(left: string, right: string, date: QuestionDate): BoundRelation {
  const { relation, interval } = date;
  if (relation === 'since' && effective.test(left)) return 'at';
  const free = relation === 'none' || relation === 'in' || relation === 'on';
  if (openedAfter.test(right) && (free || relation === 'since' || relation === 'as of'))
    return 'since';
  if (openedBefore.test(right) && free) return 'by';
  if (free) {
    const words = wordsBefore.find(([pattern]) => pattern.test(left));
    if (words) return words[1];
    const event = eventOfDate.exec(left);
    if (event) return /^(?:after|following|since)$/i.test(event[1]!) ? 'since' : 'until';
  }
  switch (relation) {
    case 'none':
    case 'in':
    case 'on':
      return interval.end - interval.start <= dayMilliseconds ? 'at' : 'in';
    case 'from-to':
      return 'between';
    default:
      return relation;
  }
}

/** Where the words of a period begin: a number, a month, a name after a preposition. */
const period =
  /\d|\b(?:[Jj]an|[Ff]eb|[Mm]ar|[Aa]pr|[Mm]ay|[Jj]un|[Jj]ul|[Aa]ug|[Ss]ep|[Oo]ct|[Nn]ov|[Dd]ec|[Qq][1-4]|[Ww]eek (?:of|\d))|(?<=\s)[A-Z]/;

/** The day of an edge of a period, the eve of a day, if the words before it name one. */
function edgeOf(head: string, interval: Interval): Interval | undefined {
  if (edgeNoun.eve.test(head)) return firstDay(interval.start - dayMilliseconds);
  if (edgeNoun.end.test(head)) return lastDay(interval.end);
  if (edgeNoun.start.test(head)) return firstDay(interval.start);
  return undefined;
}

const windowOfBound = (relation: BoundRelation, interval: Interval): Window =>
  relation === 'at'
    ? { start: interval.start, end: interval.end }
    : (windowOf(relation, interval) ?? { start: interval.start, end: interval.end });
