// Statements of passages: their sentences, short passages as a whole and titles, with their words
// and the times that each speaks of. TypeScript reads the times; words and statements are made in
// the addon (native/facts/reading.hpp).
import { binding } from '../../binding.js';
import type { PassageColumns, PassageHandle } from '../../../binding.js';
import type { StoredPassage } from '../../records.js';
import { dayMilliseconds } from '../../time/civil.js';
import { contentOfSentences } from '../../time/contentClock.js';
import type { Interval } from '../../time/interval.js';
import type { Mention, TaggedText } from '../../time/mention.js';
import { statesIn } from '../../time/states.js';
import { fromWallClock, toWallClock } from '../../time/timeZone.js';
import type { Lexicon } from './lexicon.js';
import { WordRange } from './textWords.js';
import type { Span } from './words.js';

/**
 * Where a time of a statement comes from: the first of its sentence, a later one, one that it is
 * compared with ("than in 2019"), the sentence before, the title, publication, validity.
 */
const sources = ['own', 'later', 'compared', 'previous', 'title', 'published', 'valid'] as const;
export type TimeSource = (typeof sources)[number];

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

/** Numbers of a time in columns: start, end, until, at, and its source, 8 more of a range. */
export const timeNumbers = 5;

/** Writes a time to columns; none where it is absent. */
function putTime(numbers: number[], time: StatedTime | undefined): void {
  if (!time) numbers.push(NaN, NaN, NaN, -1, 0);
  else {
    const { start, end, until = NaN, at = -1, source, range } = time;
    numbers.push(start, end, until, at, sources.indexOf(source) + (range ? 8 : 0));
  }
}

/** The time at a place of columns; undefined where there is none. */
export function timeAt(numbers: Float64Array, place: number): StatedTime | undefined {
  const [start, end, until, at, code] = numbers.subarray(
    place * timeNumbers,
    (place + 1) * timeNumbers,
  ) as unknown as [number, number, number, number, number];
  if (Number.isNaN(start)) return undefined;
  return {
    start,
    end,
    range: code >= 8,
    source: sources[code % 8]!,
    ...(Number.isNaN(until) ? {} : { until }),
    ...(at < 0 ? {} : { at }),
  };
}

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

/** What is read of a passage next to its columns. */
interface ReadPassage {
  lexicon: Lexicon;
  /** Rows of its sentences, and of the passage. */
  rows: readonly number[];
  row: number;
  titleTimes: readonly StatedTime[];
  published: StatedTime | undefined;
  valid: StatedTime | undefined;
}

/** A passage whose columns are in the addon, of which few are read here. */
export class PassageStatements {
  private columns: PassageColumns | undefined;
  private found: readonly Statement[] | undefined;

  constructor(
    readonly record: StoredPassage,
    readonly handle: PassageHandle,
    private readonly own: ReadPassage,
  ) {}

  get titleTimes(): readonly StatedTime[] {
    return this.own.titleTimes;
  }

  get published(): StatedTime | undefined {
    return this.own.published;
  }

  get valid(): StatedTime | undefined {
    return this.own.valid;
  }

  /** The passage as another record of it says that it holds. */
  withValidity(record: StoredPassage): PassageStatements {
    const valid = validityOf(record);
    const numbers: number[] = [];
    putTime(numbers, valid);
    const handle = binding.withValidity(this.handle, Float64Array.from(numbers));
    return new PassageStatements(record, handle, { ...this.own, valid });
  }

  /** Words of the title without dates. */
  get title(): WordRange {
    return new WordRange(this.record.title ?? '', this.own.lexicon, this.read().title);
  }

  get statements(): readonly Statement[] {
    if (this.found) return this.found;
    const { text, statements, times } = this.read();
    const { title } = this;
    return (this.found = Array.from({ length: statements.length / 7 }, (_, nth): Statement => {
      const [from, to, timesFrom, timesTo, start, end, kind] = statements.subarray(
        7 * nth,
        7 * nth + 7,
      ) as unknown as number[] as [number, number, number, number, number, number, number];
      return {
        span: { start, end },
        row: this.rowOf(nth, kind === 0),
        words:
          kind === 2 ? title : new WordRange(this.record.text, this.own.lexicon, text, from, to),
        times: Array.from(
          { length: timesTo - timesFrom },
          (_, at) => timeAt(times, timesFrom + at)!,
        ),
        whole: kind === 1,
        isTitle: kind === 2,
      };
    }));
  }

  /** The row of a statement by its place: that of its sentence, or of the passage. */
  rowOf(place: number, isSentence: boolean): number {
    return isSentence ? this.own.rows[place]! : this.own.row;
  }

  private read(): PassageColumns {
    return (this.columns ??= binding.passageColumns(this.handle));
  }
}

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

/** Lists of numbers, one after another, and where each ends, in items of `size` numbers. */
class Lists {
  readonly items: number[] = [];
  private readonly closed: number[] = [];

  constructor(private readonly size: number) {}

  close(): void {
    this.closed.push(this.items.length / this.size);
  }

  get ends(): Uint32Array {
    return Uint32Array.from(this.closed);
  }
}

/** Of a few passages at once. */
export function readStatements(
  passages: readonly TaggedPassage[],
  lexicon: Lexicon,
  timeZone?: string,
): PassageStatements[] {
  const [sentences, dates, titleDates] = [new Lists(2), new Lists(2), new Lists(2)];
  const [times, titleTimes] = [new Lists(timeNumbers), new Lists(timeNumbers)];
  const published: number[] = [];
  const valid: number[] = [];
  const read = passages.map(({ record, text: { mentions }, title, sentences: spans }) => {
    const { text, publishedAt } = record;
    for (const { start, end } of spans) sentences.items.push(start, end);
    sentences.close();
    for (const { start, end } of mentions.filter(isDated)) dates.items.push(start, end);
    dates.close();
    const content = contentOfSentences(text, spans, mentions, publishedAt);
    spans.forEach((span, nth) => {
      for (const time of timesOf({ text, span, timeZone }, mentions, content[nth]!))
        putTime(times.items, time);
      times.close();
    });
    const ofTitle = title.mentions.filter(isDated);
    for (const { start, end } of ofTitle) titleDates.items.push(start, end);
    titleDates.close();
    const own = ofTitle.flatMap(({ interval }) => (interval ? [timeOf(interval, 'title')] : []));
    for (const time of own) putTime(titleTimes.items, time);
    titleTimes.close();
    const day = publishedAt === undefined ? undefined : publication(publishedAt, timeZone);
    const stated = validityOf(record);
    putTime(published, day);
    putTime(valid, stated);
    return { titleTimes: own, published: day, valid: stated };
  });
  const request = {
    texts: passages.map(({ record }) => record.text),
    titles: passages.map(({ record: { title = '' } }) => title),
    sentenceEnds: sentences.ends,
    sentences: Uint32Array.from(sentences.items),
    dateEnds: dates.ends,
    dates: Uint32Array.from(dates.items),
    titleDateEnds: titleDates.ends,
    titleDates: Uint32Array.from(titleDates.items),
    timeEnds: times.ends,
    times: Float64Array.from(times.items),
    titleTimeEnds: titleTimes.ends,
    titleTimes: Float64Array.from(titleTimes.items),
    published: Float64Array.from(published),
    valid: Float64Array.from(valid),
    publishedAt: Float64Array.from(passages, ({ record }) => record.publishedAt ?? NaN),
  };
  const handles = binding.readPassages(lexicon.handle, request, (written) => lexicon.add(written));
  return passages.map(
    ({ record, rows, row }, at) =>
      new PassageStatements(record, handles[at]!, { lexicon, rows, row, ...read[at]! }),
  );
}

/** The stated validity of a record, as a time. */
export const validityOf = ({
  validFrom: start = -Infinity,
  validTo: end = Infinity,
}: StoredPassage): StatedTime | undefined =>
  start === -Infinity && end === Infinity
    ? undefined
    : { start, end, range: true, source: 'valid' };
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

/** The day of publication, or its instant where it is given to the second. */
function publication(publishedAt: number, timeZone: string | undefined): StatedTime {
  const wall = toWallClock(publishedAt, timeZone);
  const isDay = wall % dayMilliseconds === 0;
  const end = isDay ? fromWallClock(wall + dayMilliseconds, timeZone) : publishedAt + 1;
  return { start: publishedAt, end, range: false, source: 'published' };
}
