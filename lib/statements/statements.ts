// Statements of passages: their sentences, short passages as a whole and titles, with their words
// and the times that each speaks of, read in the addon (native/statements/reading.hpp).
import { binding } from '../binding.js';
import type { PassageClocks, PassageColumns, PassageHandle, Segment } from '../../binding.js';
import type { StoredPassage } from '../records.js';
import { atOnce } from '../runtime/eventLoop.js';
import { dayMilliseconds } from '../time/civil.js';
import { fromWallClock, toWallClock } from '../time/timeZone.js';
import type { Lexicon } from './lexicon.js';
import { instantSteps, sourcesOf } from './sources.js';
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

/** When a passage was published and holds; NaN first without. */
interface Clocks {
  publishedAt: number;
  /** The end of that day, or of the instant where it is given to the second. */
  publishedUntil: number;
  validFrom: number;
  validTo: number;
}

/** What is read of a passage, whatever question it is read for. */
export interface ReadPassage extends Clocks {
  /** Its columns, in the addon. */
  handle: PassageHandle;
  lexicon: Lexicon;
  /** Rows of its sentences, where they have some. */
  rows: SentenceRows;
  /** Row of the passage. */
  row: number;
}

/** One by one, or consecutive ones [from, to). */
export type SentenceRows = readonly number[] | { from: number; to: number };

function rowOf(rows: SentenceRows, place: number): number | undefined {
  if (!('from' in rows)) return rows[place];
  return rows.from + place < rows.to ? rows.from + place : undefined;
}

/** A candidate's passage, of which few columns are read here. */
export class PassageStatements {
  private columns: PassageColumns | undefined;
  private found: readonly Statement[] | undefined;

  constructor(
    private readonly own: ReadPassage,
    private readonly recordOf: () => StoredPassage,
  ) {}

  get handle(): PassageHandle {
    return this.own.handle;
  }

  get record(): StoredPassage {
    return this.recordOf();
  }

  get titleTimes(): readonly StatedTime[] {
    const { titleTimes } = this.read();
    return Array.from(
      { length: titleTimes.length / timeNumbers },
      (_, at) => timeAt(titleTimes, at)!,
    );
  }

  /** NaN where it is unknown. */
  get publishedAt(): number {
    return this.own.publishedAt;
  }

  get published(): StatedTime | undefined {
    const { publishedAt: start, publishedUntil: end } = this.own;
    return Number.isNaN(start) ? undefined : { start, end, range: false, source: 'published' };
  }

  get valid(): StatedTime | undefined {
    const { validFrom: start, validTo: end } = this.own;
    return Number.isNaN(start) ? undefined : { start, end, range: true, source: 'valid' };
  }

  /** Words of the title without dates. */
  get title(): WordRange {
    return new WordRange(() => this.record.title ?? '', this.own.lexicon, this.read().title);
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
          kind === 2
            ? title
            : new WordRange(() => this.record.text, this.own.lexicon, text, from, to),
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
    return (isSentence ? rowOf(this.own.rows, place) : undefined) ?? this.own.row;
  }

  private read(): PassageColumns {
    return (this.columns ??= binding.passageColumns(this.handle));
  }
}

/** A passage of which statements are made. */
export interface SplitPassage {
  record: Pick<StoredPassage, 'text' | 'title' | 'publishedAt' | 'validFrom' | 'validTo'>;
  /** Spans and rows of its sentences, in order. */
  sentences: readonly Span[];
  rows: readonly number[];
  /** Row of the passage. */
  row: number;
}

/** Of a few passages at once. */
export function readStatements(
  passages: readonly SplitPassage[],
  lexicon: Lexicon,
  timeZone?: string,
): ReadPassage[] {
  const records = passages.map(({ record }) => record);
  const clocks = records.map((record) => clocksOf(record, timeZone));
  const sentences = passages.map(({ sentences }) => sentences);
  const request = { ...sourcesOf(records, sentences, timeZone), ...columnsOf(clocks) };
  const handles = binding.readPassages(
    lexicon.handle,
    request,
    ...(timeZone === undefined ? [] : [instantsIn(timeZone)]),
  );
  return passages.map(({ rows, row }, at) => ({
    handle: handles[at]!,
    ...{ lexicon, rows, row },
    ...clocks[at]!,
  }));
}

/** A passage of a segment. */
export interface StoredStatements
  extends Pick<StoredPassage, 'publishedAt' | 'validFrom' | 'validTo'> {
  /** Number in the segment. */
  passage: number;
  rows: SentenceRows;
  row: number;
}

/** What was packed of passages where they were indexed; undefined of those without. */
export function unpackStatements(
  segment: Segment,
  passages: readonly StoredStatements[],
  lexicon: Lexicon,
  timeZone?: string,
): (ReadPassage | undefined)[] {
  const clocks = passages.map((each) => clocksOf(each, timeZone));
  const numbers = Uint32Array.from(passages, ({ passage }) => passage);
  const handles = binding.unpackPassages(lexicon.handle, segment, numbers, columnsOf(clocks));
  return passages.map(({ rows, row }, at) => {
    const handle = handles[at];
    return handle ? { handle, lexicon, rows, row, ...clocks[at]! } : undefined;
  });
}

/** The passage as another record of it says that it holds. */
export function withValidity(passage: ReadPassage, record: StoredPassage): ReadPassage {
  const { validFrom, validTo } = clocksOf(record);
  const handle = binding.withValidity(passage.handle, validFrom, validTo);
  return { ...passage, handle, validFrom, validTo };
}

const columnsOf = (clocks: readonly Clocks[]): PassageClocks => ({
  publishedAt: Float64Array.from(clocks, ({ publishedAt }) => publishedAt),
  publishedUntil: Float64Array.from(clocks, ({ publishedUntil }) => publishedUntil),
  validFrom: Float64Array.from(clocks, ({ validFrom }) => validFrom),
  validTo: Float64Array.from(clocks, ({ validTo }) => validTo),
});

function clocksOf(
  {
    publishedAt = NaN,
    validFrom,
    validTo,
  }: Pick<StoredPassage, 'publishedAt' | 'validFrom' | 'validTo'>,
  timeZone?: string,
): Clocks {
  const wall = toWallClock(publishedAt, timeZone);
  const isDay = wall % dayMilliseconds === 0;
  const isBounded = validFrom !== undefined || validTo !== undefined;
  return {
    publishedAt,
    publishedUntil: isDay ? fromWallClock(wall + dayMilliseconds, timeZone) : publishedAt + 1,
    validFrom: isBounded ? (validFrom ?? -Infinity) : NaN,
    validTo: isBounded ? (validTo ?? Infinity) : NaN,
  };
}

const instantsIn =
  (timeZone: string) =>
  (...times: readonly [stretches: Float64Array, hasOffset: Uint8Array]): Float64Array =>
    atOnce(instantSteps(timeZone, ...times));
