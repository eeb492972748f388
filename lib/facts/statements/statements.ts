// Statements of a passage: its sentences, and a short passage as a whole, with their words and the
// times that each speaks of. A sentence without a time has the main ones of the last that has any.
import type { StoredPassage } from '../../records.js';
import { dayMilliseconds } from '../../time/civil.js';
import { contentOfSentences } from '../../time/contentClock.js';
import type { Interval } from '../../time/interval.js';
import type { Mention, TaggedText } from '../../time/mention.js';
import { statesIn } from '../../time/states.js';
import { fromWallClock, toWallClock } from '../../time/timeZone.js';
import type { Lexicon } from './lexicon.js';
import { readWords, WordRange } from './textWords.js';
import type { Span } from './words.js';

/**
 * Where a time of a statement comes from: the first of its sentence, a later one, one that it is
 * compared with ("than in 2019"), the sentence before, the title, publication, validity.
 */
export type TimeSource =
  | 'own'
  | 'later'
  | 'compared'
  | 'previous'
  | 'title'
  | 'published'
  | 'valid';

export interface StatedTime {
  start: number;
  end: number;
  /** Whether it names both of its ends, rather than one unit of the calendar. */
  range: boolean;
  source: TimeSource;
  /** When the state that it is stated of ended: "until 1934" of 1934. Absent: not stated. */
  until?: number;
  /** UTF-16 offset of its mention. */
  at?: number;
}

/** Whether a statement is of the time, rather than compared with it or naming it in passing. */
export const isMainTime = ({ source }: StatedTime): boolean =>
  source === 'own' || source === 'title' || source === 'valid' || source === 'published';

export interface Statement {
  /** In the text, or in the title where it is that. */
  span: Span;
  /** The row of its sentence, or of the passage. */
  row: number;
  /** Content words, without dates. */
  words: WordRange;
  /** Content times; empty where neither it nor an earlier sentence has any. */
  times: readonly StatedTime[];
  /** Whether it is the whole of a passage of several sentences. */
  whole: boolean;
  /** Whether it is the title alone, which tells of the passage's subject at the title's times. */
  isTitle: boolean;
}

export interface PassageStatements {
  record: StoredPassage;
  /** Words of the title without dates. */
  title: WordRange;
  titleTimes: readonly StatedTime[];
  statements: readonly Statement[];
  /** All words of the text that statements have. */
  text: WordRange;
  published?: StatedTime;
  valid?: StatedTime;
  /** Words of the text. */
  length: number;
}

/** Words up to which a passage is one statement. */
const shortPassage = 60;

/** Words before a time that only serves to compare: "higher than in 2019", "after 3.1 in May". */
const comparison = new RegExp(
  String.raw`\b(?:(?:than|versus|vs\.?|(?:compared|in comparison) (?:with|to)|relative to)\s+` +
    String.raw`(?:[\p{L}\p{N}.,'’%$-]+\s+){0,5}|(?:(?:up|down) from|against|` +
    String.raw`after|before|until|previous(?:ly)?|earlier|had been|replac\w+|supersed\w+|` +
    String.raw`succeed\w+|follow\w+)\s+(?:[\p{L}\p{N}.,'’%$-]+\s+){0,3}|` +
    String.raw`from\s+(?:[\p{L}\p{N}.,'’%$-]+\s+){1,3})$`,
  'iu',
);
/** Whether words before a time or a name say that it only serves to compare. */
export const isComparison = (before: string): boolean => comparison.test(before);
/** Times that are compared with by themselves, next to another: "on the previous year". */
const comparedTime =
  /\b(?:previous|preceding|prior|(?:year|quarter|month|week|day)s? (?:before|earlier))\b/i;
/** Characters before a time in which such words count. */
const reach = 40;

const isDated = ({ timexes }: Mention): boolean =>
  timexes.some(({ type }) => type === 'DATE' || type === 'TIME');

const unitDays: Partial<Record<Interval['granularity'], number>> = {
  day: 1,
  weekend: 2,
  week: 7,
  month: 31,
  quarter: 92,
  'season-of-year': 92,
  'half-year': 184,
  year: 366,
  decade: 3653,
  century: 36_525,
};
const isRange = ({ start, end, granularity }: Interval): boolean =>
  end - start > 1.6 * (unitDays[granularity] ?? 1) * dayMilliseconds;

export interface TaggedPassage {
  record: StoredPassage;
  text: TaggedText;
  title: TaggedText;
  /** Spans and rows of its sentences, in order. */
  sentences: readonly Span[];
  rows: readonly number[];
  /** Row of the passage. */
  row: number;
}

export function readStatements(
  { record, text: tagged, title: taggedTitle, sentences, rows, row }: TaggedPassage,
  lexicon: Lexicon,
  timeZone?: string,
): PassageStatements {
  const { text, title = '', publishedAt } = record;
  const words = readWords(text, lexicon, { sentences, dates: tagged.mentions.filter(isDated) });
  const content = contentOfSentences(text, sentences, tagged.mentions, publishedAt);
  const statements: Statement[] = [];
  let at = 0;
  let previous: StatedTime[] = [];
  sentences.forEach((span, nth) => {
    const from = at;
    while (at < words.starts.length && words.starts[at]! < span.end) at += 1;
    const times = timesOf({ text, span, timeZone }, tagged.mentions, content[nth]!);
    if (times.length > 0) previous = times.filter(({ source }) => source === 'own');
    statements.push({
      span,
      row: rows[nth]!,
      words: new WordRange(words, from, at),
      times: times.length > 0 ? times : previous.map((each) => ({ ...each, source: 'previous' })),
      whole: false,
      isTitle: false,
    });
  });
  const all = new WordRange(words, 0, at);
  if (sentences.length > 1 && words.length <= shortPassage)
    statements.push(wholePassage(text, row, all, statements));
  const titleDates = taggedTitle.mentions.filter(isDated);
  const titleSpan = { start: 0, end: title.length };
  const readTitle = readWords(title, lexicon, { sentences: [titleSpan], dates: titleDates });
  const titleWords = new WordRange(readTitle, 0, readTitle.words.length);
  const titleTimes = titleDates.flatMap(({ interval }) =>
    interval ? [timeOf(interval, 'title')] : [],
  );
  if (titleTimes.length > 0 || readTitle.words.some((word) => lexicon.isValue[word])) {
    if (words.length === 0) statements.length = 0;
    statements.push({
      span: titleSpan,
      row,
      words: titleWords,
      times: titleTimes.map((time) => ({ ...time, source: 'own' })),
      whole: false,
      isTitle: true,
    });
  }
  return {
    record,
    title: titleWords,
    titleTimes,
    statements,
    text: all,
    ...(publishedAt === undefined ? {} : { published: publication(publishedAt, timeZone) }),
    ...validityOf(record),
    length: words.length,
  };
}

/** The stated validity of a record, as a time. */
export const validityOf = ({
  validFrom: start = -Infinity,
  validTo: end = Infinity,
}: StoredPassage): Pick<PassageStatements, 'valid'> =>
  start === -Infinity && end === Infinity
    ? {}
    : { valid: { start, end, range: true, source: 'valid' } };

const timeOf = (interval: Interval, source: TimeSource): StatedTime => ({
  start: interval.start,
  end: interval.end,
  range: isRange(interval),
  source,
});

/** The content times of a sentence in order, with the states that its words open or close. */
function timesOf(
  { text, span, timeZone }: { text: string; span: Span; timeZone: string | undefined },
  mentions: readonly Mention[],
  content: readonly Interval[],
): StatedTime[] {
  let previousEnd = 0;
  const times = content.flatMap((interval, index): StatedTime[] => {
    const mention = mentions.find(
      ({ start, interval: own }) =>
        start >= span.start &&
        start < span.end &&
        own?.start === interval.start &&
        own.end === interval.end,
    );
    if (!mention) return [];
    const from = Math.max(span.start, mention.start - reach, previousEnd);
    previousEnd = mention.end;
    const [lead = ''] = /^(?:from|since|after|before|until)\b/i.exec(mention.text) ?? [];
    const before = text.slice(from, mention.start);
    const isCompared =
      content.length > 1 && (isComparison(`${before}${lead} `) || comparedTime.test(mention.text));
    const source = isCompared ? 'compared' : index === 0 ? 'own' : 'later';
    return [{ ...timeOf(interval, source), at: mention.start }];
  });
  const main = times.find(({ source }) => source !== 'compared') ?? times[0];
  if (main) main.source = 'own';
  const sentence = text.slice(span.start, span.end);
  const states = statesIn(sentence, content, timeZone).slice(content.length);
  for (const { start, end } of states) {
    const begin = times.find((each) => !each.range && each.start === start);
    // Of "until 1934" alone nobody knows when it began.
    const closing = times.find((each) => !each.range && each.end === end);
    if (closing) closing.until = end;
    const time = begin ?? times.find((each) => each.end === end);
    if (time) times.push({ ...time, start: begin ? start : -Infinity, end, range: true });
  }
  return times;
}

function wholePassage(
  text: string,
  row: number,
  words: WordRange,
  sentences: readonly Statement[],
): Statement {
  const times = new Map<string, StatedTime>();
  for (const time of sentences.flatMap((each) => each.times)) {
    const key = `${time.start} ${time.end}`;
    if (time.source === 'previous' || times.has(key)) continue;
    const isLater = time.source === 'own' && times.size > 0;
    times.set(key, isLater ? { ...time, source: 'later' } : time);
  }
  return {
    span: { start: 0, end: text.length },
    row,
    words,
    times: [...times.values()],
    whole: true,
    isTitle: false,
  };
}

/** The day of publication, or its instant where it is given to the second. */
function publication(publishedAt: number, timeZone: string | undefined): StatedTime {
  const wall = toWallClock(publishedAt, timeZone);
  const isDay = wall % dayMilliseconds === 0;
  const end = isDay ? fromWallClock(wall + dayMilliseconds, timeZone) : publishedAt + 1;
  return { start: publishedAt, end, range: false, source: 'published' };
}
