// Dates of a question as spans of its text with their attached words: the possessive of "last
// year's", not the noun of "the 2014 final", the boundary of "before the end of 2016".
// constrainingDates.ts decides which of them constrain the answer.
import { dayMilliseconds } from '../civil.js';
import type { Instant } from '../interval.js';
import { type Mention, hasOffset } from '../mention.js';
import { withOffset } from './offsetDates.js';
import type { QuestionDate } from './questionDate.js';
import { joinLists, listOfDays } from './dateLists.js';
import { deicticDates } from './deicticDates.js';
import type { QuestionClock } from './questionClock.js';
import { tagText } from '../tagger.js';

const leastConfidence = 0.4;

/**
 * Dates in order, not overlapping, and words for "now" separately, on the wall clock. Relative
 * words refer to the time of asking, or to the date after "as of": "who won the cup this year as of
 * May 2019".
 */
export function questionDates(
  text: string,
  clock: QuestionClock,
  partsOfDecade?: readonly [number, number],
): { dates: QuestionDate[]; now: QuestionDate[] } {
  const askedAt = clock.reference;
  const found = taggedDates(text, askedAt, clock);
  const asOf = found.findLast(({ relation }) => relation === 'as of');
  const reference = asOf && asOf.interval.end - 1 < askedAt ? asOf.interval.end - 1 : askedAt;
  const { now, relativeSpans } = deicticDates(text, reference);
  const tagged = (reference === askedAt ? found : taggedDates(text, reference, clock)).filter(
    (date) => !touches(date, relativeSpans),
  );
  const dates = joinLists(
    text,
    [...tagged, ...relativeSpans].sort((one, other) => one.start - other.start),
  );
  return {
    dates: dates.map((date) => inParts(untilNow(text, date, now), partsOfDecade)),
    now: now.filter((word) => !touches(word, dates)),
  };
}

/** Moves the boundaries between the parts of a decade, years 4 and 7 in the tagger. */
function inParts(date: QuestionDate, parts?: readonly [number, number]): QuestionDate {
  if (!parts || date.interval.granularity !== 'part-of-decade') return date;
  const moved = (instant: Instant): Instant => {
    const edge = new Date(instant);
    const year = edge.getUTCFullYear();
    const inDecade = ((year % 10) + 10) % 10;
    const to = inDecade === 4 ? parts[0] : inDecade === 7 ? parts[1] : inDecade;
    return edge.setUTCFullYear(year - inDecade + to);
  };
  return {
    ...date,
    interval: {
      ...date.interval,
      start: moved(date.interval.start),
      end: moved(date.interval.end),
    },
  };
}

const touches = (one: QuestionDate, others: readonly QuestionDate[]): boolean =>
  others.some((other) => other.start < one.end && one.start < other.end);

/** Extends "since 2020" over a redundant "until now". */
function untilNow(text: string, date: QuestionDate, now: readonly QuestionDate[]): QuestionDate {
  const end =
    date.relation === 'since' &&
    now.find((word) => word.relation === 'until' && text.slice(date.end, word.start).trim() === '');
  return end ? { ...date, end: end.end } : date;
}

function taggedDates(text: string, reference: number, clock: QuestionClock): QuestionDate[] {
  const found: QuestionDate[] = [];
  // Mode news: incomplete dates ("last month") refer to query time, never to a date in the
  // question.
  for (const mention of tagText(withWeekdays(text), { reference, mode: 'news' }).mentions) {
    const { start, end, relation, confidence } = mention;
    const interval =
      mention.interval && hasOffset(mention) ? clock.toWall(mention.interval) : mention.interval;
    // an item of a list that was read with its first day
    if (start < (found.at(-1)?.end ?? 0)) continue;
    if (
      interval === undefined ||
      confidence < leastConfidence ||
      isTitle(text, mention) ||
      isName(text, mention) ||
      isQuoted(text, mention)
    ) {
      continue;
    }
    const date = withEndings(text, {
      start,
      end,
      text: text.slice(start, end),
      relation,
      interval,
    });
    found.push(
      withOffset(
        text,
        atBoundary(withoutNoun(text, withOf(text, listOfDays(text, date)))),
        reference,
      ),
    );
  }
  return found;
}

/** In a text without capitals, "on friday" is a weekday. */
function withWeekdays(text: string): string {
  return text === text.toLowerCase()
    ? text.replace(
        /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/g,
        (day) => day[0]!.toUpperCase() + day.slice(1),
      )
    : text;
}

/** "the author of 1984" */
const workOf =
  /\b(?:authors?|writers?|directors?|hero(?:es)?|plot|theme|cast|stars?|novel|book|film|movie|adaptations?|readers?) of\s*["'“‘]?$/i;

/** "a quarter of 1600" */
const shareOf =
  /(?:\b(?:quarter|half|third|fifth|tenth|percent|per cent|root|sum|square|multiple|factor|out)|%) of\s*$/i;

/** "Who wrote 1984?", "2001: A Space Odyssey". */
function isTitle(text: string, { start, end, relation, confidence }: Mention): boolean {
  if (
    relation === 'none' &&
    end - start === 4 &&
    (workOf.test(text.slice(0, start)) || shareOf.test(text.slice(0, start)))
  )
    return true;
  if (relation !== 'none' || confidence > 0.7) return false;
  if (/^:\s*[A-Z]/.test(text.slice(end))) return true;
  const before = text.slice(0, start);
  if (/\b(?:is|was|are)\s*["'“‘]?$/i.test(before))
    return /^["'”’]?\s*(?:$|\?|about\b)/i.test(text.slice(end));
  return /\b(?:wrote|writes?|written|directed|produced|starred|sang|reads?|watch|called|named|titled|entitled|about)\s*["'“‘]?$/i.test(
    before,
  );
}

const capitals = new RegExp(
  String.raw`^(?:in |on |at |for )?(?:Last|Next|This|Today|Tonight|Tomorrow|` +
    String.raw`Yesterday)\b(?! (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|` +
    String.raw` (?:Jan|Febr)uary| March| April| May| June| July| August| \w+ber)`,
);

const preposition = new RegExp(
  String.raw`^(?:in|on|at|by|since|before|after|until|till|from|during|as|for|around|about|over|` +
    String.raw`throughout|through|between|prior|up|no|` +
    String.raw`not|late|early|circa)\b`,
  'i',
);
const counted = new RegExp(
  String.raw`\d|\b(?:last|this|next|past|previous|current|coming|same|following|ago|yesterday|` +
    String.raw`today|tomorrow|tonight|days?|weeks?|` +
    String.raw`months?|years?|twenties|thirties|forties|fifties|sixties|seventies|eighties|` +
    String.raw`nineties)\b`,
  'i',
);
const finest: readonly string[] = ['part-of-day', 'day', 'month', 'season-of-year'];
const closes = /^\s*(?:$|[?.!,;)])/;

/** "Last Week Tonight", "the Tonight Show", "monday night football". */
function isName(text: string, { start, end, interval }: Mention): boolean {
  const words = text.slice(start, end);
  const rest = text.slice(end);
  if (/^the (?:tonight|today|yesterday|tomorrow)$/i.test(words)) return true;
  if (interval && finest.includes(interval.granularity) && !counted.test(words)) {
    // A weekday, month, season or holiday alone is a date only after a preposition; a season only
    // without a following noun.
    if (/\b(?:an?|every|each|any)\s+$/i.test(text.slice(0, start))) return true; // "was a sunday"
    if (!preposition.test(words))
      return !(closes.test(rest) && /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day$/i.test(words));
    if (interval.granularity === 'season-of-year' && !closes.test(rest)) return true;
  }
  if (!capitals.test(words) || text === text.toUpperCase()) return false;
  const opens = /(?:^|[.?!:]\s)\W*$/.test(text.slice(0, start));
  return !opens || /^\s+[A-Z]/.test(rest) || /^(?:Last|Next|This)\s+[A-Z]/.test(words);
}

/** It belongs to the quotation, unless the quotes enclose the whole question. */
function isQuoted(text: string, { start, end }: Mention): boolean {
  const open = Math.max(text.lastIndexOf('"', start - 1), text.lastIndexOf('“', start - 1));
  if (start === 0 || open < 0 || /^\W*$/.test(text.slice(0, open))) return false;
  const straight = text[open] === '"';
  if (
    straight
      ? text.slice(0, open).split('"').length % 2 === 0
      : text.slice(open, start).includes('”')
  )
    return false; // it closes
  const close = text.indexOf(straight ? '"' : '”', end);
  return close > 0 && text.slice(open + 1, close).trim() !== text.slice(start, end);
}

const openEnd =
  /^,?\s+(?:or|and)\s+(?:(later|after|since|onwards?)|earlier|before)\b(?=\s*(?:$|[?.!,;)]))/i;

/** Extends a date over its ending: "today's weather", "in 1950 or later". */
function withEndings(text: string, date: QuestionDate): QuestionDate {
  const rest = text.slice(date.end);
  const possessive = /^['’]s\b/.exec(rest);
  if (possessive) {
    // "from last month's chart": the preposition is the noun's.
    const words =
      /^(?:in|on|at|from|of|for|during|since|before|after|until|by)\s+(?:the\s+)?/i.exec(
        date.text,
      )?.[0].length ?? 0;
    return {
      ...date,
      start: date.start + words,
      end: date.end + possessive[0].length,
      relation: 'none',
      attributive: true,
    };
  }
  if (/\b(?:B\.C|A\.D|C\.E)$/i.test(date.text) && /^\.\s*[?,;!)]/.test(rest))
    return { ...date, end: date.end + 1 };
  const open = date.relation === 'in' || date.relation === 'on' ? openEnd.exec(rest) : null;
  return open
    ? { ...date, end: date.end + open[0].length, relation: open[1] ? 'since' : 'by' }
    : date;
}

/** Carrier phrases before a date: "in the period of time", "spanning the months". */
const carrier = new RegExp(
  String.raw`\b(?:(?:in|during|over|within|throughout|for|across)\s+(?:the\s+)?|` +
    String.raw`spanning\s+(?:the\s+)?)(?:(?:time|entire|` +
    String.raw`whole)\s+)?(?:years?|months?|weeks?|days?|decades?|period|duration|span|stretch|` +
    String.raw`course|time|timespan|timeframe|time-?frame|` +
    String.raw`interval|era)(?:\s+of\s+time)?(?:\s+(?:of|spanning|running|ranging|lasting|` +
    String.raw`stretching))?,?\s+$`,
  'i',
);

/** "the fire of 1666", "as known on 5 June", "during the whole of 1950". */
function withOf(text: string, date: QuestionDate): QuestionDate {
  const report = /\bas\s+(?:reported|known|stated|given|published|announced)\s+$/i.exec(
    text.slice(0, date.start),
  );
  if (report && date.relation !== 'none') return { ...date, start: report.index };
  const carrierMatch =
    date.attributive || date.relation === 'before' || date.relation === 'after'
      ? null
      : carrier.exec(text.slice(0, date.start));
  if (carrierMatch)
    return {
      ...date,
      start: carrierMatch.index,
      relation: date.relation === 'none' ? 'in' : date.relation,
    };
  if (date.relation !== 'none' || date.attributive) return date;
  const whole = String.raw`\b((?:during|in|over|throughout|for)\s+the\s+(?:whole|entirety|course|rest|remainder)\s+)?of\s+`;
  // "the champion of the 2009-10 season": the tagger excludes the article of a season.
  const of = new RegExp(`${whole}${/ season$/i.test(date.text) ? '(?:the\\s+)?' : ''}$`, 'i').exec(
    text.slice(0, date.start),
  );
  return of ? { ...date, start: of.index, relation: of[1] ? 'in' : 'none' } : date;
}

/** "following the 1917 revolution": the preposition belongs to the noun. */
function withoutNoun(text: string, date: QuestionDate): QuestionDate {
  const bare =
    date.relation === 'from-to' ||
    (date.relation === 'none' && date.interval.granularity === 'decade');
  if (bare && /^\d/.test(date.text) && /\b(?:the|an?)\s+$/i.test(text.slice(0, date.start))) {
    // "the 2002 to 2008 head coach", "the 1940's locomotive"
    const noun = /^\s+([A-Za-z]\w*)/.exec(text.slice(date.end));
    if (noun && !notNoun.test(noun[1]!)) return { ...date, attributive: true };
  }
  const year =
    /(^|\b(?:the|an?|his|her|its|their)\s+|\s)((?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+)?\d{4}(?:[-–/]\d{2,4})?)$/i.exec(
      text.slice(date.start, date.end),
    );
  const noun = /^\s+([A-Za-z]\w*)/.exec(text.slice(date.end));
  if (!year || !noun) return date;
  const modifies = year[1]!.trim() === '' ? eventNoun.test(noun[1]!) : !notNoun.test(noun[1]!);
  return modifies ? { ...date, start: date.end - year[2]!.length, attributive: true } : date;
}

/** After a year without an article ("in 2012 olympics"), where a verb may follow too. */
export const eventNoun = new RegExp(
  String.raw`^(?:olympics?|paralympics?|games?|world|war|wars|elections?|census|finals?|cup|` +
    String.raw`championships?|tournament|playoffs?|draft|` +
    String.raw`super|superbowl|season|revolution|coup|earthquake|crisis|open|masters|grand|` +
    String.raw`edition|ceremony|awards?|fifa|icc|nba|nfl|mlb|` +
    String.raw`nhl|ncaa|uefa|ipl)$`,
  'i',
);

const notNoun = new RegExp(
  String.raw`^(?:in|on|at|by|to|of|for|from|with|and|or|but|as|if|who|whom|whose|what|which|when|` +
    String.raw`where|why|how|is|was|are|were|be|do|` +
    String.raw`does|did|has|have|had|can|could|will|would|may|might|the|an?|he|she|it|they|his|` +
    String.raw`her|its|their|there|after|before|until|` +
    String.raw`since|between|during|around)$`,
  'i',
);

const boundaryRelations: readonly string[] = ['until', 'before', 'after', 'since', 'by', 'as of'];

/** "before the end of 2016" is its last day, "since the start of 2016" its first. */
function atBoundary(date: QuestionDate): QuestionDate {
  const { relation, interval, text } = date;
  if (!boundaryRelations.includes(relation) || interval.end - interval.start <= dayMilliseconds)
    return date;
  const edge = /\b(?:(end)|beginning|start)\s+of\b/i.exec(text);
  if (!edge) return date;
  if (edge[1])
    return {
      ...date,
      interval: { start: interval.end - dayMilliseconds, end: interval.end, granularity: 'day' },
    };
  return {
    ...date,
    interval: { start: interval.start, end: interval.start + dayMilliseconds, granularity: 'day' },
  };
}
