// Corpus reader for mining: passages in a spread order, batched nearest neighbours, and tagged
// times, in bounded memory.
import { contentIntervals, encodeTexts } from 'asof/kit';
import { searchVectors, type Corpus, type StoredPassage } from 'asof';
import { type Interval, type Mention, tagTimes } from 'asof/time';

export interface TaggedPassage {
  passage: StoredPassage;
  mentions: readonly Mention[];
  /** The passage's validity if given, else the times in its text. */
  times: readonly Pick<Interval, 'start' | 'end'>[];
}

const cachedPassages = 20_000;

export class CorpusReader {
  private readonly cache = new Map<string, TaggedPassage>();
  /** Passages before each segment. */
  private readonly before: number[];
  readonly count: number;

  constructor(
    private readonly corpus: Corpus,
    private readonly snapshot: ReturnType<Corpus['snapshot']>,
    private readonly signal: AbortSignal | undefined,
  ) {
    let total = 0;
    this.before = snapshot.segments.map(({ passages }) => (total += passages) - passages);
    this.count = total;
  }

  /**
   * Live passages, each once, with a stride coprime to their number: the first n are spread over
   * the corpus.
   */
  private *places(seed: number): Generator<[segment: number, passage: number]> {
    const { count } = this;
    if (count === 0) return;
    let step = Math.max(1, Math.floor(count * 0.6180339887)) + (seed % 97);
    while (greatestCommonDivisor(step, count) !== 1) step += 1;
    for (let i = 0, at = Math.abs(seed) % count; i < count; i += 1, at = (at + step) % count) {
      const segment = this.before.findLastIndex((first) => first <= at);
      const passage = at - this.before[segment]!;
      const { liveDocs } = this.snapshot.segments[segment]!;
      if (!liveDocs || (liveDocs[passage >> 3]! >> (passage & 7)) & 1) yield [segment, passage];
    }
  }

  /** Batches of `size` places, the last one may be smaller. */
  *batches(seed: number, size: number): Generator<[segment: number, passage: number][]> {
    let batch: [number, number][] = [];
    for (const place of this.places(seed)) {
      if (batch.push(place) < size) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  /**
   * Passages with their times; uncached ones are read and tagged together. Days are those of UTC in
   * any corpus, as in the questions that are mined.
   */
  async read(places: readonly (readonly [number, number])[]): Promise<TaggedPassage[]> {
    const fresh = new Map<string, StoredPassage>();
    for (const [segment, passage] of places) {
      const key = `${segment}:${passage}`;
      if (!this.cache.has(key)) fresh.set(key, this.snapshot.passage(segment, passage));
    }
    const passages = [...fresh.values()];
    const signal = this.signal;
    const tagged = await tagTimes(
      passages.map(({ text }) => text),
      {
        references: passages.map(({ publishedAt }) => publishedAt),
        signal,
      },
    );
    const found = [...fresh].map(([key, passage], i): [string, TaggedPassage] => {
      const { mentions } = tagged[i]!;
      return [key, { passage, mentions, times: timesOf(passage, mentions) }];
    });
    const now = new Map(found);
    const result = places.map(([segment, passage]) => {
      const key = `${segment}:${passage}`;
      return now.get(key) ?? this.cache.get(key)!;
    });
    if (this.cache.size + found.length > cachedPassages) this.cache.clear();
    for (const [key, value] of found) this.cache.set(key, value);
    return result;
  }

  /** The `depth` passages nearest to each text by the encoder's cosine, best first. */
  async nearest(texts: readonly string[], depth: number): Promise<(readonly [number, number])[][]> {
    const { corpus, signal, snapshot } = this;
    const vectors = await encodeTexts(corpus.encoder, texts, { kind: 'query', signal });
    const found = await searchVectors(corpus, vectors, depth, { signal });
    return found.map((hits) =>
      // Without those that were added since.
      snapshot
        .findEach(hits.map(({ id }) => id))
        .flatMap((place) => (place ? [[place.segment, place.passage] as const] : [])),
    );
  }
}

function timesOf(
  { validFrom, validTo, text }: StoredPassage,
  mentions: readonly Mention[],
): readonly Pick<Interval, 'start' | 'end'>[] {
  if (validFrom !== undefined || validTo !== undefined)
    return [{ start: validFrom ?? -Infinity, end: validTo ?? Infinity }];
  return contentIntervals(mentions, text);
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
