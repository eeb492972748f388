// The times that statements of a passage speak of (native/statements/times.hpp), from mentions as
// TypeScript has them, by regular expressions.
import type { StatedTime, TimeSource } from '../../lib/statements/statements.js';
import type { Span } from '../../lib/statements/words.js';
import { dayMilliseconds, yearMilliseconds } from '../../lib/time/civil.js';
import { contentOfSentences } from '../../lib/time/contentClock.js';
import type { Interval } from '../../lib/time/interval.js';
import type { Mention } from '../../lib/time/mention.js';
import { tagText } from '../../lib/time/tagger.js';
import { toWallClock } from '../../lib/time/timeZone.js';
import { stateCue } from './cues.js';

/** Words before a time that only serves to compare: "higher than in 2019", "after 3.1 in May". */
const comparison = new RegExp(
  String.raw`\b(?:(?:than|versus|vs\.?|(?:compared|in comparison) (?:with|to)|relative to)\s+` +
    String.raw`(?:[\p{L}\p{N}.,'’%$-]+\s+){0,5}|(?:(?:up|down) from|against|` +
    String.raw`after|before|until|previous(?:ly)?|earlier|had been|replac\w+|supersed\w+|` +
    String.raw`succeed\w+|follow\w+)\s+(?:[\p{L}\p{N}.,'’%$-]+\s+){0,3}|` +
    String.raw`from\s+(?:[\p{L}\p{N}.,'’%$-]+\s+){1,3})$`,
  'iu',
);
export const isComparison = (before: string): boolean => comparison.test(before);
/** "On the previous year": compared with by itself, next to another time. */
const comparedTime =
  /\b(?:previous|preceding|prior|(?:year|quarter|month|week|day)s? (?:before|earlier))\b/i;
const lead = /^(?:from|since|after|before|until)\b/i;
const reach = 40;

const unitDays: Partial<Record<Interval['granularity'], number>> = {
  ...{ weekend: 2, week: 7, month: 31, quarter: 92, 'season-of-year': 92, 'half-year': 184 },
  ...{ year: 366, decade: 3653, century: 36_525 },
};
const timeOf = ({ start, end, granularity }: Interval, source: TimeSource): StatedTime => ({
  start,
  end,
  range: end - start > 1.6 * (unitDays[granularity] ?? 1) * dayMilliseconds,
  source,
});

const neverOver = Date.UTC(2100, 0, 1);

/** What the words of a sentence say of states: when they begin, where that is known, and end. */
function statesIn(
  sentence: string,
  dates: readonly Interval[],
  timeZone: string | undefined,
): { start?: number; end: number }[] {
  const yearOf = (instant: number): number =>
    new Date(toWallClock(instant, timeZone)).getUTCFullYear();
  return dates.flatMap(({ start, end }) => {
    const cue = stateCue(sentence, yearOf(start));
    if (cue === 2 && start < neverOver) return [{ start, end: neverOver }];
    if (cue !== 1 || yearOf(end - 1) !== yearOf(start)) return [];
    const begins = dates
      .filter((each) => each.end <= start && each.end - each.start <= 1.1 * yearMilliseconds)
      .map((each) => each.start);
    return [{ end, ...(begins.length > 0 ? { start: Math.max(...begins) } : {}) }];
  });
}

export interface DatedText {
  text: string;
  title: string;
  publishedAt?: number | undefined;
  timeZone?: string | undefined;
}

/** The times of one sentence, of which `content` are the dates that it tells of. */
function timesOfSentence(
  { text, timeZone }: DatedText,
  span: Span,
  mentions: readonly Mention[],
  content: readonly Interval[],
): StatedTime[] {
  let previousEnd = 0;
  const times = content.map((interval, nth): StatedTime => {
    const mention = mentions.find(
      ({ start, interval: own }) =>
        start >= span.start &&
        start < span.end &&
        own?.start === interval.start &&
        own.end === interval.end,
    )!;
    const before = text.slice(
      Math.max(span.start, mention.start - reach, previousEnd),
      mention.start,
    );
    previousEnd = mention.end;
    const isCompared =
      content.length > 1 &&
      (isComparison(`${before}${lead.exec(mention.text)?.[0] ?? ''} `) ||
        comparedTime.test(mention.text));
    const source = isCompared ? 'compared' : nth === 0 ? 'own' : 'later';
    return { ...timeOf(interval, source), at: mention.start };
  });
  const main = times.find(({ source }) => source !== 'compared') ?? times[0];
  if (main) main.source = 'own';
  for (const { start, end } of statesIn(text.slice(span.start, span.end), content, timeZone)) {
    const begin = times.find((each) => !each.range && each.start === start);
    const closing = times.find((each) => !each.range && each.end === end);
    if (closing) closing.until = end;
    const of = begin ?? times.find((each) => each.end === end);
    if (of) times.push({ ...of, start: begin?.start ?? -Infinity, end, range: true });
  }
  return times;
}

/** By statement; `title` are the times of the title, which as a statement are its own. */
export interface TimesOfStatements {
  sentences: StatedTime[][];
  whole: StatedTime[];
  title: StatedTime[];
}
export function timesOfStatements(
  passage: DatedText,
  sentences: readonly Span[],
): TimesOfStatements {
  const { text, title, publishedAt, timeZone } = passage;
  const options = { reference: publishedAt, timeZone };
  const { mentions } = tagText(text, options);
  const content = contentOfSentences(text, sentences, mentions, publishedAt);
  const own = sentences.map((span, at) => timesOfSentence(passage, span, mentions, content[at]!));

  // Each time once; a time after the first is a later one of the whole.
  const whole: StatedTime[] = [];
  for (const time of own.flat()) {
    if (whole.some(({ start, end }) => start === time.start && end === time.end)) continue;
    const isLater = time.source === 'own' && whole.length > 0;
    whole.push({ ...time, ...(isLater ? { source: 'later' } : {}) });
  }
  // A sentence without a time goes on with the main ones of the last that has any.
  let main: StatedTime[] = [];
  const inherited = own.map((times) => {
    if (times.length === 0) return main;
    main = times
      .filter(({ source }) => source === 'own')
      .map((time) => ({ ...time, source: 'previous' }));
    return times;
  });
  const dates = tagText(title, options).mentions.filter(({ timexes }) =>
    timexes.some(({ type }) => type === 'DATE' || type === 'TIME'),
  );
  return {
    sentences: inherited,
    whole,
    title: dates.flatMap(({ interval }) => (interval ? [timeOf(interval, 'title')] : [])),
  };
}
