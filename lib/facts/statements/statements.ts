// Statements of passages: their sentences, short passages as a whole and titles, with their words
// and the times that each speaks of, read in the addon (native/facts/reading.hpp).
import { binding } from '../../binding.js';
import type { PassageColumns, PassageHandle } from '../../../binding.js';
import type { StoredPassage } from '../../records.js';
import { dayMilliseconds } from '../../time/civil.js';
import {
  boundsFromWallClock,
  boundsOnWallClock,
  fromWallClock,
  toWallClock,
} from '../../time/timeZone.js';
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

/** A time each; none where it is absent. */
const columnOf = (times: readonly (StatedTime | undefined)[]): Float64Array =>
  Float64Array.from(
    times.flatMap((time) => {
      if (!time) return [NaN, NaN, NaN, -1, 0];
      const { start, end, until = NaN, at = -1, source, range } = time;
      return [start, end, until, at, sources.indexOf(source) + (range ? 8 : 0)];
    }),
  );

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
    const { titleTimes } = this.read();
    return Array.from(
      { length: titleTimes.length / timeNumbers },
      (_, at) => timeAt(titleTimes, at)!,
    );
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
    const handle = binding.withValidity(this.handle, columnOf([valid]));
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

/** A passage of which statements are made. */
export interface SplitPassage {
  record: StoredPassage;
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
): PassageStatements[] {
  const records = passages.map(({ record }) => record);
  const own = records.map((record) => ({
    published: publication(record.publishedAt, timeZone),
    valid: validityOf(record),
  }));
  let end = 0;
  const request = {
    texts: records.map(({ text }) => text),
    titles: records.map(({ title = '' }) => title),
    sentenceEnds: Uint32Array.from(passages, ({ sentences }) => (end += sentences.length)),
    sentences: Uint32Array.from(
      passages.flatMap(({ sentences }) => sentences.flatMap(({ start, end }) => [start, end])),
    ),
    references: Float64Array.from(records, ({ publishedAt = NaN }) =>
      toWallClock(publishedAt, timeZone),
    ),
    published: columnOf(own.map(({ published }) => published)),
    valid: columnOf(own.map(({ valid }) => valid)),
    publishedAt: Float64Array.from(records, ({ publishedAt = NaN }) => publishedAt),
  };
  const handles = binding.readPassages(
    lexicon.handle,
    request,
    (written) => lexicon.add(written),
    ...(timeZone === undefined ? [] : [instantsIn(timeZone)]),
  );
  return passages.map(
    ({ record, rows, row }, at) =>
      new PassageStatements(record, handles[at]!, { lexicon, rows, row, ...own[at]! }),
  );
}

/** Start and end of each stretch as instants, then on the wall clock. */
const instantsIn =
  (timeZone: string) =>
  (stretches: Float64Array, hasOffset: Uint8Array): Float64Array => {
    const all = new Float64Array(4 * hasOffset.length);
    for (const [at, offset] of hasOffset.entries()) {
      const stretch = { start: stretches[2 * at]!, end: stretches[2 * at + 1]! };
      const { start, end } = offset === 1 ? stretch : boundsFromWallClock(stretch, timeZone);
      const wall = boundsOnWallClock({ start, end }, timeZone);
      all.set([start, end, wall.start, wall.end], 4 * at);
    }
    return all;
  };

/** The stated validity of a record, as a time. */
export const validityOf = ({
  validFrom: start = -Infinity,
  validTo: end = Infinity,
}: StoredPassage): StatedTime | undefined =>
  start === -Infinity && end === Infinity
    ? undefined
    : { start, end, range: true, source: 'valid' };
/** The day of publication, or its instant where it is given to the second. */
function publication(
  publishedAt: number | undefined,
  timeZone: string | undefined,
): StatedTime | undefined {
  if (publishedAt === undefined) return undefined;
  const wall = toWallClock(publishedAt, timeZone);
  const isDay = wall % dayMilliseconds === 0;
  const end = isDay ? fromWallClock(wall + dayMilliseconds, timeZone) : publishedAt + 1;
  return { start: publishedAt, end, range: false, source: 'published' };
}
