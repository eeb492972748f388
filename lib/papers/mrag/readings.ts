// Times of sentences and terms of titles of one question's passages, read from the store once, with
// a cache per corpus.
import type { Candidate } from '../../retrieval/candidate.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { passageRecord } from '../../retrieval/passageTexts.js';
import type { StoredPassage } from '../../records.js';
import type { CacheSpec } from '../../runtime/cacheRegistry.js';
import { GenerationalCache } from '../../runtime/generationalCache.js';
import { contentTimesOfEach, sentencesOfEach } from '../../store/views/rowTimes.js';
import type { Analyzer } from '../../text/analyzer.js';
import type { Interval } from '../../time/interval.js';
import { cuesOf, statesIn } from '../../time/states.js';
import { toWallClock } from '../../time/timeZone.js';

export interface SentenceReading {
  /** The times that it speaks of, with the states that its words open or close. */
  times: readonly Interval[];
}

export interface PassageReading {
  record: StoredPassage;
  title: { distinct: ReadonlySet<string> };
  /** By row, those that were read so far. */
  sentences: Map<number, SentenceReading>;
}

type Row = Pick<Candidate, 'segment' | 'row'>;

/** Passage readings by analyzer, weighed by their characters, some ten bytes each. */
const readingCache: CacheSpec<Map<Analyzer, GenerationalCache<PassageReading>>> = {
  name: 'passage readings',
  create: () => new Map(),
};

export class Readings {
  private readonly passages = new Map<string, PassageReading>();
  private readonly cache: GenerationalCache<PassageReading>;

  constructor(private readonly query: Pick<QueryContext, 'snapshot' | 'analyzer'>) {
    const caches = query.snapshot.caches.get(readingCache);
    let cache = caches.get(query.analyzer);
    if (!cache) {
      cache = new GenerationalCache({ capacity: 800_000, maxEntryWeight: 25_000 });
      caches.set(query.analyzer, cache);
    }
    this.cache = cache;
  }

  /** The passage of the candidate, without sentences yet. */
  passage(candidate: Candidate): PassageReading {
    const { number } = this.query.snapshot.segments[candidate.segment]!;
    const key = `${number}/${candidate.passage}`;
    let reading = this.passages.get(key) ?? this.cache.get(key);
    if (!reading) {
      const record = passageRecord(this.query.snapshot, candidate);
      const distinct = new Set(record.title ? this.query.analyzer.analyze(record.title) : []);
      reading = { record, title: { distinct }, sentences: new Map() };
      this.cache.set(key, reading, 64 + record.text.length);
    }
    this.passages.set(key, reading);
    return reading;
  }

  /** The sentences of these rows of one passage, ascending. */
  sentences(reading: PassageReading, rows: readonly Row[]): SentenceReading[] {
    this.readAhead([{ reading, rows }]);
    return rows.map(({ row }) => reading.sentences.get(row)!);
  }

  /** Reads what `sentences` will return of many passages: each segment once. */
  readAhead(wanted: readonly { reading: PassageReading; rows: readonly Row[] }[]): void {
    const unread = wanted.flatMap(({ reading, rows }) =>
      rows
        .filter(({ row }) => !reading.sentences.has(row))
        .map(({ segment, row }) => ({ reading, segment, row })),
    );
    const { timeZone } = this.query.snapshot;
    for (const number of new Set(unread.map(({ segment }) => segment))) {
      const stored = this.query.snapshot.segments[number]!;
      const own = unread.filter((each) => each.segment === number);
      const rows = own.map(({ row }) => row);
      const [spans, times] = [sentencesOfEach(stored, rows), contentTimesOfEach(stored, rows)];
      own.forEach(({ reading: { record, sentences }, row }, at) => {
        const { start, end } = spans[at]!;
        const content = contentTimes(times[at]!, record.publishedAt);
        const text = record.text.slice(start, end);
        sentences.set(row, { times: statedTimes(text, record.title, content, timeZone) });
      });
    }
  }
}

/** `all` are the times of the row: those of its title among them. */
function statedTimes(
  text: string,
  title: string | undefined,
  all: readonly Interval[],
  timeZone: string | undefined,
): readonly Interval[] {
  const inTitle = title !== undefined && /\d{3}/.test(title);
  const own = inTitle
    ? all.filter(({ start }) => !isOnlyInTitle(toWallClock(start, timeZone), title, text))
    : all;
  return own.length === 0 ? all : statesIn(text, own, cuesOf(text, own, timeZone));
}

/**
 * "(footballer, born 1978)": a row is tagged with its title, but that date says nothing of when the
 * sentence was.
 */
function isOnlyInTitle(start: number, title: string, sentence: string): boolean {
  const year = String(new Date(start).getUTCFullYear());
  return title.includes(year) && !sentence.includes(year);
}

/** "Forecasters said on 3 May that 4 May ...": of several dates the day of publication is none. */
function contentTimes(
  times: readonly Interval[],
  publishedAt: number | undefined,
): readonly Interval[] {
  if (publishedAt === undefined || times.length < 2) return times;
  const others = times.filter(
    ({ start, end, granularity }) =>
      granularity !== 'day' || publishedAt < start || publishedAt >= end,
  );
  return others.length > 0 ? others : times;
}
