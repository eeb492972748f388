// Passages of candidates with sentences, terms and times, from the store and a scan of their rows.
import { passageKey, type Candidate } from '../../retrieval/candidate.js';
import type { StoredPassage } from '../../records.js';
import { dayMilliseconds } from '../../time/civil.js';
import type { Interval } from '../../time/interval.js';
import type { PassageReading, Readings } from './readings.js';
import type { SentenceFeatures } from './sentenceFeatures.js';

/** A sentence of a passage, or a passage of one. */
export interface SentenceView {
  /** Its row as the scan scored it. */
  row: Candidate;
  /** From 0, among the sentences of its passage. */
  position: number;
  reading: SentenceFeatures;
}

export interface PassageFeatures {
  /** Its row as a whole, or its only sentence's. */
  whole: Candidate;
  record: StoredPassage;
  reading: PassageReading;
  sentences: SentenceView[];
  /**
   * The day of publication alone, where the passage tells no date and not when it holds: "The rate
   * is 2 percent." says what held then.
   */
  toldOn?: readonly Interval[];
}

/** Sentences of one passage that are looked at: those that the scan scored best. */
const mostSentences = 48;

/** A passage's row as a whole, or its only sentence's, and the rows that are read of it. */
export interface GroupedRows {
  whole: Candidate;
  /** The row of its first sentence. */
  first: number;
  /** Its best sentences, in their order. */
  sentences: readonly Candidate[];
}

/** The passages of the rows, in the order of `rows`. */
export function groupRows(rows: readonly Candidate[]): GroupedRows[] {
  const passages = new Map<string, Candidate[]>();
  for (const each of rows) {
    const place = passageKey(each);
    const own = passages.get(place);
    if (own) own.push(each);
    else passages.set(place, [each]);
  }
  return Array.from(passages.values(), (own) => {
    own.sort((a, b) => a.row - b.row);
    const [whole, ...rest] = own as [Candidate, ...Candidate[]];
    const sentences = rest.length > 0 ? rest : [whole];
    return { whole, first: sentences[0]!.row, sentences: bestOf(sentences) };
  });
}

/** Reads the passages. */
export function passageFeatures(
  readings: Readings,
  groups: readonly GroupedRows[],
): PassageFeatures[] {
  const read = groups.map(({ whole, first, sentences }) => ({
    whole,
    first,
    reading: readings.passage(whole),
    rows: sentences,
  }));
  readings.readAhead(read);
  return read.map(({ whole, first, reading, rows }) => {
    const sentences = readings.sentences(reading, rows);
    const toldOn = sentences.some(({ times }) => times.length > 0)
      ? undefined
      : dayOfPublication(reading.record);
    return {
      whole,
      record: reading.record,
      reading,
      ...(toldOn ? { toldOn } : {}),
      sentences: rows.map((row, at) => ({
        row,
        position: row.row - first,
        reading: sentences[at]!,
      })),
    };
  });
}

function dayOfPublication({
  publishedAt,
  validFrom,
  validTo,
}: StoredPassage): readonly Interval[] | undefined {
  if (publishedAt === undefined || validFrom !== undefined || validTo !== undefined)
    return undefined;
  const start = Math.floor(publishedAt / dayMilliseconds) * dayMilliseconds;
  return [{ start, end: start + dayMilliseconds, granularity: 'day' }];
}

/** A passage's sentences are neighbouring rows, of which a book has more than a ranking needs. */
function bestOf(rows: Candidate[]): Candidate[] {
  if (rows.length <= mostSentences) return rows;
  const best = [...rows].sort((x, y) => y.score - x.score || x.row - y.row).slice(0, mostSentences);
  return best.sort((x, y) => x.row - y.row);
}
