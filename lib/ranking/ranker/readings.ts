// Question-independent features of passages and their sentences, read from the store once, with a
// cache per corpus.
import type { Candidate } from '../../retrieval/candidate.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { passageRecord } from '../../retrieval/passageTexts.js';
import type { StoredPassage } from '../../records.js';
import type { CacheSpec } from '../../runtime/cacheRegistry.js';
import { GenerationalCache } from '../../runtime/generationalCache.js';
import { contentTimesOfEach, sentencesOfEach } from '../../store/rowTimes.js';
import type { Analyzer } from '../../text/analyzer.js';
import type { Interval } from '../../time/interval.js';
import { SentenceFeatures } from './sentenceFeatures.js';

export interface PassageReading {
  record: StoredPassage;
  title: TitleReading;
  opensWithTitle: number;
  listItem: number;
  /** By row, those that were asked for so far. */
  sentences: Map<number, SentenceFeatures>;
}

export interface TitleReading {
  /** Its terms. */
  distinct: ReadonlySet<string>;
}

/** Passage readings by analyzer, weighed by their characters, some ten bytes each. */
const readingCache: CacheSpec<Map<Analyzer, GenerationalCache<PassageReading>>> = {
  name: 'passage readings',
  create: () => new Map(),
};
const noTitle: TitleReading = { distinct: new Set() };

/** Readings of one question's passages, which often share their titles. */
export class Readings {
  private readonly titles = new Map<string, TitleReading>();
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
    let reading = this.passages.get(key);
    if (reading) return reading;
    reading = this.cache.get(key);
    if (!reading) {
      reading = this.read(candidate);
      this.cache.set(key, reading, 64 + reading.record.text.length);
    }
    this.passages.set(key, reading);
    return reading;
  }

  private read(candidate: Candidate): PassageReading {
    const record = passageRecord(this.query.snapshot, candidate);
    const { title, text } = record;
    const first = title?.split(/[\s(,]/)[0];
    return {
      record,
      sentences: new Map(),
      title: title === undefined ? noTitle : this.title(title),
      opensWithTitle:
        first === undefined ? NaN : Number(text.slice(0, first.length + 6).includes(first)),
      listItem: Number(/^\s*[-–•*]/.test(text)),
    };
  }

  /** The sentences of these rows of one passage, ascending. */
  sentences(
    reading: PassageReading,
    rows: readonly Pick<Candidate, 'segment' | 'row'>[],
  ): SentenceFeatures[] {
    this.readAhead([{ reading, rows }]);
    return rows.map(({ row }) => reading.sentences.get(row)!);
  }

  /** Reads what `sentences` will be asked for of many passages: each segment once. */
  readAhead(
    wanted: readonly {
      reading: PassageReading;
      rows: readonly Pick<Candidate, 'segment' | 'row'>[];
    }[],
  ): void {
    const unread = wanted.flatMap(({ reading, rows }) =>
      rows
        .filter(({ row }) => !reading.sentences.has(row))
        .map(({ segment, row }) => ({ reading, segment, row })),
    );
    for (const number of new Set(unread.map(({ segment }) => segment))) {
      const stored = this.query.snapshot.segments[number]!;
      const own = unread.filter((each) => each.segment === number);
      const rows = own.map(({ row }) => row);
      const [spans, times] = [sentencesOfEach(stored, rows), contentTimesOfEach(stored, rows)];
      own.forEach(
        (
          {
            reading: {
              record: { title, text, publishedAt },
              sentences,
            },
            row,
          },
          at,
        ) => {
          const { start, end } = spans[at]!;
          sentences.set(
            row,
            new SentenceFeatures(text.slice(start, end), title, told(times[at]!, publishedAt)),
          );
        },
      );
    }
  }

  private title(title: string): TitleReading {
    let reading = this.titles.get(title);
    if (!reading) {
      this.titles.set(title, (reading = { distinct: new Set(this.query.analyzer.analyze(title)) }));
    }
    return reading;
  }
}

/**
 * "Forecasters said on 3 May that 4 May ...": of several dates the day of publication is when it
 * was said, not what it tells of.
 */
function told(times: readonly Interval[], publishedAt: number | undefined): readonly Interval[] {
  if (publishedAt === undefined || times.length < 2) return times;
  const others = times.filter(
    ({ start, end, granularity }) =>
      granularity !== 'day' || publishedAt < start || publishedAt >= end,
  );
  return others.length > 0 ? others : times;
}
